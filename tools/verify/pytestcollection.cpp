// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/pytestcollection.h"

#include <map>
#include <mutex>

#include <nlohmann/json.hpp>

namespace emend::tools {

using nlohmann::json;

SandboxCommand PytestSetup::base(const std::string &tests) const
{
    SandboxCommand run;
    run.visible = python.visible;
    run.limits = limits;
    run.required = required;
    run.environment = {{"PYTHONDONTWRITEBYTECODE", "1"},
                       {"PYTHONNOUSERSITE", "1"},
                       {"PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"}};
    run.files = {{testsName, tests, true}, {"pytest.ini", "[pytest]\n", true}};
    return run;
}

std::string PytestSetup::interpreter() const
{
    const std::string name = command.empty() ? "" : command[0].substr(command[0].rfind('/') + 1);
    return name.starts_with("python") ? command[0] : python.program;
}

namespace {

PytestCollection unusable(std::string cause, std::string message)
{
    PytestCollection collection;
    collection.cause = std::move(cause);
    collection.message = std::move(message);
    return collection;
}

PytestCollection read(const std::string &report, const PytestSetup &setup)
{
    const json found = json::parse(report, nullptr, false);
    if (!found.is_object())
        return unusable("bad_tests", setup.testsName + " cannot be collected");
    if (const auto error = found.find("error"); error != found.end()) {
        const std::string text = error->value("text", "");
        return unusable("bad_tests",
                        error->value("kind", "") == "syntax"
                            ? setup.testsName + " is not valid Python: " + text
                            : setup.testsName +
                                  " cannot be collected, whatever the solution: " + text);
    }
    PytestCollection collection;
    collection.exact = found.value("exact", false);
    collection.count = static_cast<int>(found.value("names", json::array()).size());
    collection.least = found.value("least", 0);
    collection.maySkip = found.value("may_skip", false);
    for (const json &name : found.value("skippable", json::array()))
        collection.skippable.insert(name.get<std::string>());
    if (collection.exact ? collection.count == 0 : collection.least + collection.count == 0)
        return unusable("no_tests", setup.testsName +
                                        " has no test in it: write functions whose names begin "
                                        "with test_");
    return collection;
}

PytestCollection collect(const Sandbox &sandbox, const PytestSetup &setup, const std::string &tests,
                         std::stop_token stop)
{
    SandboxCommand command = setup.base(tests);
    command.files.push_back({"collect_tests.py", scriptText("collect_tests.py"), true});
    command.argv = {
        setup.python.program, "-B", "-s", "collect_tests.py", setup.testsName, setup.module(),
        "collected.json"};
    command.argv.insert(command.argv.end(), setup.arguments.begin(), setup.arguments.end());
    command.report = "collected.json";
    const SandboxOutcome run = sandbox.run(command, std::move(stop));
    if (run.end == SandboxOutcome::End::Cancelled) {
        PytestCollection collection;
        collection.cancelled = true;
        return collection;
    }
    if (run.end == SandboxOutcome::End::Refused)
        return unusable("sandbox_unavailable", run.problem);
    if (run.end == SandboxOutcome::End::TimedOut)
        return unusable("bad_tests", setup.testsName + " takes too long to be collected");
    if (!run.report)
        return unusable("bad_tests", setup.testsName + " ends Python while it is collected");
    return read(*run.report, setup);
}

} // namespace

PytestCollection collectPytest(const Sandbox &sandbox, const PytestSetup &setup,
                               const std::string &tests, std::stop_token stop)
{
    static std::mutex mutex;
    static std::map<std::string, PytestCollection> known;
    constexpr std::size_t mostKnown = 64;
    std::string key = setup.python.program + '\0' + setup.solutionName + '\0' + setup.testsName;
    for (const std::string &argument : setup.arguments)
        key += '\0' + argument;
    key += '\0' + tests;
    {
        const std::scoped_lock lock(mutex);
        if (const auto it = known.find(key); it != known.end())
            return it->second;
    }
    PytestCollection collection = collect(sandbox, setup, tests, std::move(stop));
    if (collection.cancelled || !collection.cause.empty())
        return collection; // may be mended: a module that is installed meanwhile
    const std::scoped_lock lock(mutex);
    if (known.size() >= mostKnown)
        known.clear();
    known.emplace(std::move(key), collection);
    return collection;
}

} // namespace emend::tools
