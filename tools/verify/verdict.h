// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/run/verify.h"
#include "tools/sandbox/sandbox.h"
#include "tools/verify/registry.h"

// What the verifiers share in coming to a verdict.
namespace emend::tools {

core::VerifyOutcome cannotVerify(std::string cause, std::string message);
core::VerifyOutcome failedAttempt(std::string cause, std::string message);

// Limits as the task sets them; no longer than the call may last.
SandboxLimits limitsOf(const core::CodeSettings &settings, const core::CallContext &context,
                       const core::Clock &clock);

// The call may not last as long as one run of the command: its end by time is nobody's fault.
bool hasDeadline(const SandboxLimits &limits, const core::CodeSettings &settings);

// What `judge` says and how long it took; nothing is judged after a stop.
core::VerifyOutcome timed(const core::Clock &clock, const core::CallContext &context,
                          const std::function<core::VerifyOutcome()> &judge);

// Nothing stands in the way.
core::VerifyOutcome prepared();

// What `check` says of the tests, or else of the edge tests if there are any; it says so itself
// which of the two it is.
core::VerifyOutcome
prepareSuites(const core::CodeSettings &settings,
              const std::function<core::VerifyOutcome(const std::string &tests)> &check);
bool hasEdgeTests(const core::CodeSettings &settings); // that will be run
core::VerifyOutcome ofEdgeTests(core::VerifyOutcome outcome);

// What the end of the command alone decides: it was stopped, it ran out of something, it could not
// be run. Nothing: it ended by itself, and its report decides. `deadline`: as hasDeadline().
std::optional<core::VerifyOutcome> verdictOfEnd(const SandboxOutcome &run,
                                                const core::CodeSettings &settings, bool deadline);

// Exit code, output and what held it, into the outcome.
void describeRun(const SandboxOutcome &run, core::VerifyOutcome &outcome);
// The same of a run that was repeated, and what both of them took.
void describeRuns(const SandboxOutcome &first, const SandboxOutcome &second,
                  core::VerifyOutcome &outcome);

struct Counts {
    int passed = 0, failed = 0, skipped = 0; // an error counts as failed
    int ran() const { return passed + failed; }
};
Counts countTests(const std::vector<core::TestResult> &tests);

// "2 of 5 tests failed: test_a, test_b"
std::string failedWords(const std::vector<core::TestResult> &tests);

// The name of the first test whose status is another in the other run, or that is in one only.
std::optional<std::string> firstDifference(const std::vector<core::TestResult> &one,
                                           const std::vector<core::TestResult> &other);

std::string randomHex(int bytes);

} // namespace emend::tools
