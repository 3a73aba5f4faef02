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
    enum class What : std::uint8_t {
        Tests,   // a suite on a solution
        Compare, // two solutions on the same generated inputs; `other` is the first of them
        Prepare, // neither: whether the settings and tests could be used at all
    };
    std::string suite;    // "tests", "edge_tests", "generated", "prepare": for events and messages
    std::string solution; // the attempt, as bytes
    std::string tests;    // laid down afresh, out of the attempt's reach
    const CodeSettings *settings = nullptr; // borrowed
    What what = What::Tests;
    std::string other = {};
};

// An input on which two solutions came to different results. Texts as bytes, cut for a person.
struct GeneratedDifference {
    std::string input; // one line of JSON
    std::string first, second;
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
    // exit_code, not_accepted (schema, SQL), generated_inputs_differ – or of CannotVerify:
    // not_installed, no_tests, bad_tests, bad_generator, sandbox_unavailable, bad_settings.
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
    // Of a comparison: a test an input, and the first of those that differ.
    std::vector<GeneratedDifference> differences = {};
};

class Verifier {
public:
    virtual ~Verifier() = default;
    // Once, before the first model call: finds out what would keep any attempt from being judged
    // (a missing program, tests without a test, a generator that fails), and may get slow things
    // done that the first verification would else wait for. Passed, CannotVerify or Cancelled.
    virtual VerifyOutcome prepare(const CodeSettings &settings, const CallContext &context)
    {
        (void)settings;
        VerifyOutcome ready;
        ready.kind = context.stop.stop_requested() ? VerifyOutcome::Kind::Cancelled
                                                   : VerifyOutcome::Kind::Passed;
        return ready;
    }
    // `onOutput` gets pieces of the output as they come (may never be called), on this thread.
    virtual VerifyOutcome verify(const VerifyRequest &request, const CallContext &context,
                                 const std::function<void(std::string_view)> &onOutput) = 0;
    // Runs the task's generator and both solutions on what it prints. Failed: they differ, or one
    // of them (or both) did not come to the end of the inputs. No input is ever shown to a model.
    virtual VerifyOutcome compare(const VerifyRequest &request, const CallContext &context)
    {
        (void)request, (void)context;
        VerifyOutcome unable;
        unable.kind = VerifyOutcome::Kind::CannotVerify;
        unable.cause = "bad_settings";
        unable.message = "this verifier cannot compare solutions on generated inputs";
        return unable;
    }
};

// What the request asks for.
inline VerifyOutcome judge(Verifier &verifier, const VerifyRequest &request,
                           const CallContext &context,
                           const std::function<void(std::string_view)> &onOutput)
{
    switch (request.what) {
    case VerifyRequest::What::Prepare:
        return verifier.prepare(*request.settings, context);
    case VerifyRequest::What::Compare:
        return verifier.compare(request, context);
    case VerifyRequest::What::Tests:
        break;
    }
    return verifier.verify(request, context, onOutput);
}

} // namespace emend::core
