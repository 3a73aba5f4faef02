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
SandboxLimits limitsOf(const core::VerifyRequest &request, const core::CallContext &context,
                       const core::Clock &clock);

// What the end of the command alone decides: it was stopped, it ran out of something, it could not
// be run. Nothing: it ended by itself, and its report decides. `deadline`: the call may not last as
// long as the command.
std::optional<core::VerifyOutcome> verdictOfEnd(const SandboxOutcome &run,
                                                const core::CodeSettings &settings, bool deadline);

// Exit code, output and what held it, into the outcome.
void describeRun(const SandboxOutcome &run, core::VerifyOutcome &outcome);

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
