// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/ports.h"
#include "core/task/codesettings.h"

// The port of verifiers: what judges an attempt from outside the model (design section 7).
// Implemented in tools/verify and in tests/fakes. Called on the runner's thread, which it blocks;
// returns within 100 ms after its stop token is triggered, with every process it started dead.
namespace emend::core {

struct TestResult {
    enum class Status : std::uint8_t { Passed, Failed, Error, Skipped } status = Status::Passed;
    std::string name;    // "test_case" or "Class::test_case"
    std::string message; // why not passed; as bytes, at most 4 KiB
    std::int64_t durationUs = 0;
};
std::string_view testStatusName(TestResult::Status status); // "passed" …

struct VerifyRequest {
    std::string suite;                      // "tests", "edge_tests": for events and messages
    std::string solution;                   // the attempt, as bytes
    std::string tests;                      // laid down afresh, out of the attempt's reach
    const CodeSettings *settings = nullptr; // borrowed
};

// What came of one verification.
struct VerifyOutcome {
    enum class Kind : std::uint8_t {
        Passed,       // exit 0, a report, at least one test ran, none failed, the same again
        Failed,       // the attempt is at fault
        CannotVerify, // nothing was judged: a missing interpreter, tests without a test
        Cancelled,
    } kind = Kind::Cancelled;
    // Why it did not pass, a stable code: tests_failed, collection_error, timeout, crashed,
    // output_flood, out_of_memory, no_report, no_tests_ran, count_mismatch, flipped, tampered,
    // exit_code, not_accepted (schema, SQL) – or of CannotVerify: not_installed, no_tests,
    // bad_tests, sandbox_unavailable, bad_settings.
    std::string cause;
    std::string message; // one sentence; of CannotVerify it says how to mend it
    std::vector<TestResult> tests;
    int collected = -1; // tests that the test file itself holds; -1: the verifier cannot tell
    int exitCode = -1;  // of the command; -1: it was ended by a signal
    int signal = 0;     // that ended it
    std::string output; // stdout and stderr as they came, as bytes; at most 1 MiB is kept
    std::int64_t outputBytes = 0; // how many there were
    std::string sandbox;          // "bubblewrap", "limits": what really held it
    int runs = 0;                 // of the command
    std::int64_t commandUs = 0;   // in the command itself, all runs
    std::int64_t durationUs = 0;  // all in all
};

class Verifier {
public:
    virtual ~Verifier() = default;
    // `onOutput` gets pieces of the output as they come (may never be called), on this thread.
    virtual VerifyOutcome verify(const VerifyRequest &request, const CallContext &context,
                                 const std::function<void(std::string_view)> &onOutput) = 0;
};

} // namespace emend::core
