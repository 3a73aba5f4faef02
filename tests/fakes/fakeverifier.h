// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/run/verify.h"

namespace emend::tests {

// An outcome with as many tests as said: "test_1" …, the failed ones last.
inline core::VerifyOutcome verdict(core::VerifyOutcome::Kind kind, const std::string &cause,
                                   int passed, int failed, const std::string &output = {})
{
    core::VerifyOutcome out;
    out.kind = kind;
    out.cause = cause;
    for (int i = 1; i <= passed + failed; ++i) {
        const bool good = i <= passed;
        out.tests.push_back(
            {good ? core::TestResult::Status::Passed : core::TestResult::Status::Failed,
             "test_" + std::to_string(i), good ? "" : "assert 1 == 2", 10});
    }
    if (!cause.empty())
        out.message =
            std::to_string(failed) + " of " + std::to_string(passed + failed) + " tests failed";
    out.collected = passed + failed;
    out.exitCode = failed > 0 ? 1 : 0;
    out.output = output;
    out.outputBytes = static_cast<std::int64_t>(output.size());
    out.sandbox = "fake";
    out.runs = 1;
    return out;
}

inline core::VerifyOutcome testsPass(int tests = 2)
{
    return verdict(core::VerifyOutcome::Kind::Passed, {}, tests, 0);
}

inline core::VerifyOutcome testsFail(int passed = 1, int failed = 1,
                                     const std::string &output = "E   no")
{
    return verdict(core::VerifyOutcome::Kind::Failed, "tests_failed", passed, failed, output);
}

inline core::VerifyOutcome cannotVerify(const std::string &cause, const std::string &message)
{
    core::VerifyOutcome out;
    out.kind = core::VerifyOutcome::Kind::CannotVerify;
    out.cause = cause;
    out.message = message;
    return out;
}

// A verifier that judges as a test says and keeps what it was asked. The run's thread.
class FakeVerifier : public core::Verifier {
public:
    using Body =
        std::function<core::VerifyOutcome(const core::VerifyRequest &, const core::CallContext &)>;

    explicit FakeVerifier(Body body)
        : m_body(std::move(body))
    {}
    // In order, and with the last one for ever.
    explicit FakeVerifier(std::vector<core::VerifyOutcome> outcomes)
        : m_body([this, outcomes = std::move(outcomes)](const auto &, const auto &) {
            return outcomes.at(std::min(asked.size(), outcomes.size()) - 1);
        })
    {}

    core::VerifyOutcome verify(const core::VerifyRequest &request, const core::CallContext &context,
                               const std::function<void(std::string_view)> &onOutput) override
    {
        asked.push_back(request);
        core::VerifyOutcome outcome = m_body(request, context);
        if (onOutput && !outcome.output.empty())
            onOutput(outcome.output);
        return outcome;
    }

    core::VerifyOutcome prepare(const core::CodeSettings &,
                                const core::CallContext &context) override
    {
        ++prepared;
        return onPrepare(context);
    }

    core::VerifyOutcome compare(const core::VerifyRequest &request,
                                const core::CallContext &context) override
    {
        return verify(request, context, {});
    }

    std::vector<core::VerifyRequest> asked; // verifications and comparisons
    int prepared = 0;
    std::function<core::VerifyOutcome(const core::CallContext &)> onPrepare =
        [](const core::CallContext &) { return testsPass(0); };

private:
    Body m_body;
};

} // namespace emend::tests
