// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/pytestcontrol.h"

#include <algorithm>
#include <cstdlib>

#include "tools/verify/verdict.h"

namespace emend::tools {

namespace {

constexpr std::size_t testCount = 6;

unsigned randomFactor()
{
    return 10'000 + static_cast<unsigned>(std::strtoul(randomHex(2).c_str(), nullptr, 16));
}

} // namespace

PytestControl::PytestControl()
    : m_module("test_" + randomHex(6))
    , m_one(randomFactor())
    , m_other(randomFactor())
{
    for (std::size_t i = 0; i <= testCount; ++i)
        m_names.push_back("test_" + randomHex(6));
}

std::string PytestControl::text() const
{
    const std::string product = std::to_string(m_one) + " * " + std::to_string(m_other);
    const auto test = [this](std::size_t i) { return "def " + m_names[i]; };
    return "import unittest\nimport pytest\n\n\n" +                                   //
           test(0) + "():\n    assert " + product + " == 1\n\n\n" +                   //
           test(1) + "():\n    with pytest.raises(ValueError):\n        pass\n\n\n" + //
           test(2) + "():\n    assert " + product + " == pytest.approx(1)\n\n\n" +    //
           "class Test" + m_module + "(unittest.TestCase):\n" +                       //
           "    " + test(3) + "(self):\n        self.assertEqual(" + product +
           ", 1)\n" //
           "    " +
           test(4) + "(self):\n        self.assertTrue(" + product +
           " == 1)\n" //
           "    " +
           test(5) +
           "(self):\n        with self.assertRaises(ValueError):\n" //
           "            pass\n";
}

bool PytestControl::canExtend(const std::string &tests)
{
    return tests.find("pytestmark") == std::string::npos &&
           tests.find("pytest_generate_tests") == std::string::npos;
}

std::string PytestControl::extended(const std::string &tests) const
{
    if (!canExtend(tests))
        return tests;
    return tests + "\n\n\ndef " + m_names[testCount] + "():\n    assert " + std::to_string(m_one) +
           " * " + std::to_string(m_other) + " == 1\n";
}

bool PytestControl::takeOut(std::vector<core::TestResult> &results, const std::string &tests) const
{
    using Status = core::TestResult::Status;
    const std::string product = std::to_string(static_cast<unsigned long long>(m_one) * m_other);
    std::size_t failed = 0;
    bool computed = false;
    const auto isOurs = [&](const core::TestResult &result) {
        // "module::Class::name", since the reader takes out the name of the tests' module only.
        const bool ours = std::any_of(m_names.begin(), m_names.end(), [&](const std::string &name) {
            return result.name == name || result.name.ends_with("::" + name);
        });
        // In the tests' own module a fixture that fails is an error.
        const bool inModule = result.name == m_names[testCount];
        if (ours &&
            (result.status == Status::Failed || (inModule && result.status == Status::Error)))
            ++failed;
        if (ours && result.message.find(product) != std::string::npos)
            computed = true;
        return ours;
    };
    results.erase(std::remove_if(results.begin(), results.end(), isOurs), results.end());
    return failed == testCount + (canExtend(tests) ? 1 : 0) && computed;
}

} // namespace emend::tools
