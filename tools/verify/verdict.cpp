// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/verdict.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>

#include <sys/random.h>

namespace emend::tools {

using core::TestResult;
using core::VerifyOutcome;
using End = SandboxOutcome::End;

namespace {

VerifyOutcome make(VerifyOutcome::Kind kind, std::string cause, std::string message)
{
    VerifyOutcome outcome;
    outcome.kind = kind;
    outcome.cause = std::move(cause);
    outcome.message = std::move(message);
    return outcome;
}

} // namespace

VerifyOutcome cannotVerify(std::string cause, std::string message)
{
    return make(VerifyOutcome::Kind::CannotVerify, std::move(cause), std::move(message));
}

VerifyOutcome failedAttempt(std::string cause, std::string message)
{
    return make(VerifyOutcome::Kind::Failed, std::move(cause), std::move(message));
}

VerifyOutcome prepared()
{
    return make(VerifyOutcome::Kind::Passed, {}, {});
}

bool hasEdgeTests(const core::CodeSettings &settings)
{
    return settings.gate && !settings.edgeTests.empty();
}

VerifyOutcome ofEdgeTests(VerifyOutcome outcome)
{
    if (outcome.kind == VerifyOutcome::Kind::CannotVerify)
        outcome.message = "edge tests: " + outcome.message;
    return outcome;
}

VerifyOutcome prepareSuites(const core::CodeSettings &settings,
                            const std::function<VerifyOutcome(const std::string &tests)> &check)
{
    VerifyOutcome outcome = check(settings.tests);
    if (outcome.kind == VerifyOutcome::Kind::Passed && hasEdgeTests(settings))
        outcome = ofEdgeTests(check(settings.edgeTests));
    return outcome;
}

VerifyOutcome timed(const core::Clock &clock, const core::CallContext &context,
                    const std::function<VerifyOutcome()> &judge)
{
    if (context.stop.stop_requested())
        return {};
    const std::int64_t began = clock.nowUs();
    VerifyOutcome outcome = judge();
    outcome.durationUs = clock.nowUs() - began;
    return outcome;
}

bool hasDeadline(const SandboxLimits &limits, const core::CodeSettings &settings)
{
    return limits.wallUs < settings.timeoutSeconds * std::int64_t{1'000'000};
}

SandboxLimits limitsOf(const core::CodeSettings &settings, const core::CallContext &context,
                       const core::Clock &clock)
{
    SandboxLimits limits;
    limits.wallUs = std::max(settings.timeoutSeconds, 1) * std::int64_t{1'000'000};
    if (context.deadlineUs != INT64_MAX)
        limits.wallUs =
            std::clamp<std::int64_t>(context.deadlineUs - clock.nowUs(), 0, limits.wallUs);
    // Below this neither bubblewrap nor an interpreter starts.
    limits.memoryMb = std::max(settings.memoryMb, 32);
    limits.processes = std::max(settings.maxProcesses, 4);
    return limits;
}

std::optional<VerifyOutcome> verdictOfEnd(const SandboxOutcome &run,
                                          const core::CodeSettings &settings, bool deadline)
{
    const std::string seconds = std::to_string(settings.timeoutSeconds) + " s";
    switch (run.end) {
    case End::Exited:
        return std::nullopt;
    case End::Cancelled:
        return make(VerifyOutcome::Kind::Cancelled, {}, "stopped");
    case End::Refused:
        return cannotVerify("sandbox_unavailable", run.problem);
    case End::TimedOut:
        if (deadline)
            return make(VerifyOutcome::Kind::Cancelled, "deadline",
                        "the time of the run was up before the tests were done");
        return failedAttempt("timeout", "the tests did not end within " + seconds);
    case End::OutputFlood:
        return failedAttempt("output_flood", "ended because it wrote " +
                                                 std::to_string(run.outputBytes >> 20) +
                                                 " MiB of output");
    case End::TooManyFiles:
        return failedAttempt("output_flood", "ended because it filled its folder with files");
    case End::OutOfMemory:
        return failedAttempt("out_of_memory", "ended because it took more than " +
                                                  std::to_string(settings.memoryMb) +
                                                  " MiB of memory");
    case End::Signalled:
        break;
    }
    if (run.signal == SIGXCPU)
        return failedAttempt("timeout", "the tests used up their processor time");
    return failedAttempt("crashed", "the tests ended with signal " + std::to_string(run.signal) +
                                        " (" + ::strsignal(run.signal) + ")");
}

void describeRun(const SandboxOutcome &run, VerifyOutcome &outcome)
{
    outcome.exitCode = run.exitCode;
    outcome.signal = run.signal;
    outcome.output = run.output;
    outcome.outputBytes = run.outputBytes;
    outcome.sandbox = run.heldBy;
}

void describeRuns(const SandboxOutcome &first, const SandboxOutcome &second, VerifyOutcome &outcome)
{
    describeRun(first, outcome);
    outcome.runs = 1 + (second.commandUs > 0 ? 1 : 0);
    outcome.commandUs = first.commandUs + second.commandUs;
}

Counts countTests(const std::vector<TestResult> &tests)
{
    Counts counts;
    for (const TestResult &test : tests) {
        if (test.status == TestResult::Status::Passed)
            ++counts.passed;
        else if (test.status == TestResult::Status::Skipped)
            ++counts.skipped;
        else
            ++counts.failed;
    }
    return counts;
}

std::string failedWords(const std::vector<TestResult> &tests)
{
    constexpr int named = 3;
    const Counts counts = countTests(tests);
    std::string words = std::to_string(counts.failed) + " of " + std::to_string(counts.ran()) +
                        (counts.ran() == 1 ? " test failed: " : " tests failed: ");
    int count = 0;
    for (const TestResult &test : tests) {
        if (test.status == TestResult::Status::Passed || test.status == TestResult::Status::Skipped)
            continue;
        if (++count > named)
            return words + " …";
        words += (count > 1 ? ", " : "") + test.name;
    }
    return words;
}

std::optional<std::string> firstDifference(const std::vector<TestResult> &one,
                                           const std::vector<TestResult> &other)
{
    std::multimap<std::string, TestResult::Status> unmatched;
    for (const TestResult &test : other)
        unmatched.emplace(test.name, test.status);
    for (const TestResult &test : one) {
        const auto range = unmatched.equal_range(test.name);
        const auto it = std::find_if(range.first, range.second,
                                     [&](const auto &each) { return each.second == test.status; });
        if (it == range.second)
            return test.name;
        unmatched.erase(it);
    }
    if (!unmatched.empty())
        return unmatched.begin()->first;
    return std::nullopt;
}

std::string randomHex(int bytes)
{
    std::string raw(static_cast<std::size_t>(bytes), '\0'), hex;
    while (::getrandom(raw.data(), raw.size(), 0) != static_cast<ssize_t>(raw.size())) {
    }
    for (const char each : raw) {
        constexpr char digits[] = "0123456789abcdef";
        hex += digits[static_cast<unsigned char>(each) >> 4];
        hex += digits[static_cast<unsigned char>(each) & 15];
    }
    return hex;
}

} // namespace emend::tools
