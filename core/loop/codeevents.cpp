// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the code loop alone, as core/trace/FORMAT.md describes them.
#include <algorithm>

#include "core/json/canonical.h"
#include "core/json/linewriter.h"
#include "core/loop/codeloop.h"
#include "core/verify/output.h"

namespace emend::core {

namespace {

constexpr std::size_t testsKept = 1000;         // of one verification
constexpr std::size_t solutionKept = 64 * 1024; // bytes of one attempt in an escalation

std::string_view candidateName(bool second)
{
    return second ? "second" : "first";
}

// Texts that need not be UTF-8: the bytes of an input and of what a program wrote.
std::string differencesJson(const std::vector<GeneratedDifference> &differences)
{
    std::string out = "[";
    for (const GeneratedDifference &each : differences) {
        LineWriter one;
        foreignText(one, "input", each.input);
        foreignText(one, "first", each.first);
        foreignText(one, "second", each.second);
        out += (out.size() > 1 ? ",{" : "{") + one.members() + "}";
    }
    return out + "]";
}

std::string testsJson(const std::vector<TestResult> &tests)
{
    std::string out = "[";
    for (std::size_t i = 0; i < std::min(tests.size(), testsKept); ++i) {
        const TestResult &test = tests[i];
        LineWriter one;
        one.text("name", test.name).text("status", testStatusName(test.status));
        one.text("message", test.message).number("duration_us", test.durationUs);
        out += (i == 0 ? "{" : ",{") + one.members() + "}";
    }
    return out + "]";
}

} // namespace

std::string_view CodeLoop::suiteName(Suite suite)
{
    return suite == Tests ? "tests" : suite == EdgeTests ? "edge_tests" : "generated";
}

CodeLoop::Counts CodeLoop::count(const VerifyOutcome &outcome)
{
    Counts counts;
    for (const TestResult &test : outcome.tests) {
        counts.passed += test.status == TestResult::Status::Passed ? 1 : 0;
        counts.failed += test.status == TestResult::Status::Failed ? 1 : 0;
        counts.errors += test.status == TestResult::Status::Error ? 1 : 0;
        counts.skipped += test.status == TestResult::Status::Skipped ? 1 : 0;
    }
    return counts;
}

std::string CodeLoop::countsJson(const Counts &counts)
{
    LineWriter line;
    line.number("passed", counts.passed).number("failed", counts.failed);
    line.number("errors", counts.errors).number("skipped", counts.skipped);
    line.number("total", counts.total());
    return "{" + line.members() + "}";
}

std::string CodeLoop::ownName() const
{
    if (m_preparing)
        return "preparation";
    return std::string(suiteName(m_run.suite)) + " of " + m_solutions[m_run.candidate].stage;
}

void CodeLoop::writeStart(LineWriter &line) const
{
    const CodeSettings &code = m_task.code;
    LineWriter own;
    own.text("verifier", code.verifier).text("language", code.language);
    own.number("max_attempts", m_task.bounds.maxAttempts).flag("gate", code.gate);
    own.flag("edge_tests", hasEdgeTests());
    own.text("sandbox", code.sandboxRequired ? "required" : "preferred");
    line.raw("code", "{" + own.members() + "}");
}

void CodeLoop::writeTotals(LineWriter &line) const
{
    line.number("verifier_runs", m_verifierRuns);
}

void CodeLoop::writeRefused(const CodeReply &read)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).text("category", read.category).text("error", read.error);
    line.null("pointer");
    if (read.place) {
        line.number("offset", static_cast<std::int64_t>(read.place->offset));
        line.number("line", read.place->line).number("column", read.place->column);
    } else {
        line.null("offset").null("line").null("column");
    }
    line.text("suggest", "").raw("normalisations", stringList(read.normalisations));
    add(EventKind::DecisionRejected, line.takeMembers());
}

void CodeLoop::writeVerifyStarted()
{
    const Solution &solution = m_solutions[m_run.candidate];
    const CodeSettings &code = m_task.code;
    LineWriter line;
    line.text("stage", solution.stage).text("suite", suiteName(m_run.suite));
    line.text("candidate", candidateName(m_run.candidate == Second));
    line.text("verifier", code.verifier).number("timeout_seconds", code.timeoutSeconds);
    line.text("sandbox", code.sandboxRequired ? "required" : "preferred");
    line.text("solution_hash", shortHash(solution.code));
    if (m_run.suite == Generated)
        line.text("compared_with", shortHash(m_solutions[First].code));
    if (m_run.suite == Tests) { // the edge tests run what the main tests have run
        foreignText(line, "solution", solution.code);
        line.raw("normalisations", stringList(solution.normalisations));
    }
    announce({EventKind::VerifyStarted, solution.step, static_cast<std::int16_t>(solution.attempt),
              line.takeMembers()});
}

void CodeLoop::writeVerifyFinished(const VerifyOutcome &outcome, std::int64_t durationUs)
{
    const Solution &solution = m_solutions[m_run.candidate];
    LineWriter line;
    line.text("stage", solution.stage).text("suite", suiteName(m_run.suite));
    line.text("candidate", candidateName(m_run.candidate == Second));
    if (m_run.suite == Generated)
        line.raw("differences", differencesJson(outcome.differences));
    writeOutcome(line, outcome, durationUs);
    m_events.push_back({EventKind::VerifyFinished, solution.step,
                        static_cast<std::int16_t>(solution.attempt), line.takeMembers()});
}

// Nothing was in the trace of it so far: it has come to a no.
void CodeLoop::writeUnprepared(const VerifyOutcome &outcome, std::int64_t durationUs)
{
    const CodeSettings &code = m_task.code;
    LineWriter started, finished;
    started.text("stage", "").text("suite", "prepare").text("verifier", code.verifier);
    started.number("timeout_seconds", code.timeoutSeconds);
    started.text("sandbox", code.sandboxRequired ? "required" : "preferred");
    started.text("solution_hash", "");
    add(EventKind::VerifyStarted, started.takeMembers(), false);
    finished.text("stage", "").text("suite", "prepare");
    writeOutcome(finished, outcome, durationUs);
    add(EventKind::VerifyFinished, finished.takeMembers(), false);
}

void CodeLoop::writeOutcome(LineWriter &line, const VerifyOutcome &outcome, std::int64_t durationUs)
{
    const bool passed = outcome.kind == VerifyOutcome::Kind::Passed;
    line.flag("passed", passed).text("cause", outcome.cause).text("message", outcome.message);
    line.flag("judged", passed || outcome.kind == VerifyOutcome::Kind::Failed);
    line.raw("counts", countsJson(count(outcome))).raw("tests", testsJson(outcome.tests));
    const std::size_t left = outcome.tests.size() - std::min(outcome.tests.size(), testsKept);
    line.number("tests_left_out", static_cast<std::int64_t>(left));
    outcome.collected >= 0 ? line.number("collected", outcome.collected) : line.null("collected");
    outcome.exitCode >= 0 ? line.number("exit_code", outcome.exitCode) : line.null("exit_code");
    outcome.signal > 0 ? line.number("signal", outcome.signal) : line.null("signal");
    foreignText(line, "output", outcome.output);
    line.number("output_bytes", outcome.outputBytes);
    line.number("runs", outcome.runs).number("command_us", outcome.commandUs);
    line.number("duration_us", durationUs).text("sandbox", outcome.sandbox);
}

void CodeLoop::abortOwn(const Stopped &stopped)
{
    if (m_preparing)
        return; // its beginning is not in the trace either
    VerifyOutcome aborted;
    aborted.cause = "cancelled";
    aborted.message = "aborted";
    writeVerifyFinished(aborted, stopped.effectUs);
}

void CodeLoop::writeGate(const std::string &verdict, const std::string &why)
{
    LineWriter line;
    line.text("verdict", verdict);
    why.empty() ? line.null("why") : line.text("why", why);
    line.flag("held_out", hasEdgeTests());
    std::string table = "[";
    for (const Candidate candidate : {First, Second}) {
        for (const Suite suite : {Tests, EdgeTests, Generated}) {
            // A comparison is of both.
            const Row *row = rowOf(suite == Generated ? Second : candidate, suite);
            if (row == nullptr)
                continue;
            LineWriter one;
            one.text("solution", candidateName(candidate == Second));
            one.text("suite", suiteName(suite)).flag("accepted", row->passed);
            one.text("cause", row->cause).number("passed", row->counts.passed);
            one.number("failed", row->counts.failed + row->counts.errors);
            one.number("total", row->counts.total());
            table += (table.size() > 1 ? ",{" : "{") + one.members() + "}";
        }
    }
    line.raw("table", table + "]");
    if (rowOf(Second, Generated) != nullptr)
        line.raw("differences", differencesJson(m_differences));
    add(EventKind::GateFinished, line.takeMembers(), false);
}

void CodeLoop::writeHistory(LineWriter &line) const
{
    std::string attempts = "[";
    for (const Attempt &attempt : m_attempts) {
        LineWriter one;
        one.text("stage", attempt.solution.stage);
        one.text("candidate", candidateName(attempt.candidate == Second));
        one.flag("passed", attempt.passed).text("category", attempt.fault.category);
        one.text("error", attempt.fault.error).text("output", attempt.fault.output);
        one.raw("counts", countsJson(attempt.counts));
        one.text("solution", tailBytes(attempt.solution.code, solutionKept));
        attempts += (attempts.size() > 1 ? ",{" : "{") + one.members() + "}";
    }
    line.raw("attempts", attempts + "]");
    const auto failed = std::find_if(m_attempts.rbegin(), m_attempts.rend(),
                                     [](const Attempt &attempt) { return !attempt.passed; });
    if (failed == m_attempts.rend()) {
        line.null("last_feedback");
    } else {
        const CodeFault &fault = failed->fault;
        line.text("last_feedback", fault.error + (fault.output.empty() ? "" : "\n" + fault.output));
    }
}

} // namespace emend::core
