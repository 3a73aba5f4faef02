// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/codeloop.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/context/prompt.h"
#include "core/verify/output.h"

namespace emend::core {

namespace {

constexpr std::size_t outputKept = 64 * 1024; // bytes of one verification
constexpr std::size_t differencesKept = 5;    // of a comparison

} // namespace

CodeLoop::CodeLoop(Setup setup)
    : ModeLoop(std::move(setup), CorrectionSlot("step", 1, 0))
{
    m_slot = CorrectionSlot("step", 1, m_task.bounds.maxAttempts - 1);
    m_tools.clear();
}

void CodeLoop::prepare()
{
    m_context.setSystem(renderCodePrompt(m_prompt, m_task.code));
    m_context.setRequest(request());
}

// Edge tests are no part of it, and of the first solution the second request knows nothing.
std::string CodeLoop::request() const
{
    const CodeSettings &code = m_task.code;
    std::string text = "<current_request>\n";
    if (m_task.goal != code.spec)
        text += escapeXmlText(toValidUtf8(m_task.goal)) + "\n\n";
    text += escapeXmlText(toValidUtf8(code.spec)) + "\n</current_request>";
    if (code.showTests)
        text += "\n<tests>\n" + escapeXmlText(toValidUtf8(code.tests)) + "\n</tests>";
    if (second())
        text += "\nThis has to be an independent solution: work it out from the request alone. It "
                "is compared with a solution by somebody else.";
    return text;
}

Transition CodeLoop::firstEffect()
{
    m_preparing = true;
    m_inFlight = InFlight::Verify;
    Verify effect;
    effect.request.what = VerifyRequest::What::Prepare;
    effect.request.suite = "prepare";
    effect.request.settings = &m_task.code;
    effect.attempt = -1;
    effect.deadlineUs = runDeadlineUs();
    return due(std::move(effect));
}

Transition CodeLoop::onPrepared(const VerifyOutcome &outcome, std::int64_t durationUs)
{
    m_preparing = false;
    if (outcome.kind == VerifyOutcome::Kind::Passed)
        return callModel();
    if (m_nowUs >= runDeadlineUs())
        return timeIsUp();
    VerifyOutcome unable = outcome;
    if (unable.kind == VerifyOutcome::Kind::Cancelled)
        unable.cause = "cancelled";
    writeUnprepared(unable, durationUs);
    return cannotVerify(unable);
}

std::string CodeLoop::turn()
{
    const std::string attempt = "Attempt " + std::to_string(m_slot.attempt() + 1) + " of " +
                                std::to_string(m_slot.maxCorrections() + 1) + ". ";
    return attempt + "Reply with exactly one fenced code block that holds the whole source file.";
}

Transition CodeLoop::onTool(const ToolDone &)
{
    return callModel(); // this mode asks for no tool
}

Transition CodeLoop::onReply(const ModelReply &reply)
{
    CodeReply read = readCodeReply(reply.text, m_task.acceptWrappers);
    const bool cut =
        !read.category.empty() || std::find(read.normalisations.begin(), read.normalisations.end(),
                                            "unclosed_fence") != read.normalisations.end();
    if (reply.truncated && cut) {
        read.category = "truncated_reply";
        read.error = "the reply was cut by the limit of " +
                     std::to_string(m_task.model.maxOutputTokens) + " output tokens";
    }
    read.normalisations.insert(read.normalisations.begin(), reply.normalisations.begin(),
                               reply.normalisations.end());
    const Candidate candidate = second() ? Second : First;
    m_solutions[candidate] = {read.code,     read.normalisations, m_slot.stage(),
                              m_slot.step(), m_slot.attempt(),    read.category.empty()};
    if (!read.category.empty())
        return refuse(read, reply);
    return verify({candidate, Tests});
}

// A reply without a source file: nothing is run.
Transition CodeLoop::refuse(const CodeReply &read, const ModelReply &reply)
{
    CodeFault fault{read.category, read.error, reply.text, false, {}};
    if (!reply.note.empty())
        fault.error += ". " + reply.note;
    const Candidate candidate = second() ? Second : First;
    writeRefused(read);
    m_attempts.push_back({m_solutions[candidate], candidate, false, fault, {}});
    return second() ? nextOfGate() : correct(fault, read.place);
}

Transition CodeLoop::verify(Run run)
{
    if (m_nowUs >= runDeadlineUs())
        return timeIsUp();
    m_run = run;
    ++m_verifierRuns;
    m_inFlight = InFlight::Verify;
    writeVerifyStarted();
    const Solution &solution = m_solutions[run.candidate];
    Verify effect;
    effect.request.suite = suiteName(run.suite);
    effect.request.solution = solution.code;
    effect.request.tests = run.suite == EdgeTests ? m_task.code.edgeTests : m_task.code.tests;
    if (run.suite == Generated) {
        effect.request.what = VerifyRequest::What::Compare;
        effect.request.other = m_solutions[First].code;
    }
    effect.request.settings = &m_task.code;
    effect.step = solution.step;
    effect.attempt = solution.attempt;
    effect.deadlineUs = runDeadlineUs();
    return due(std::move(effect));
}

Transition CodeLoop::onVerified(const VerifyDone &done)
{
    if (m_preparing)
        return onPrepared(done.outcome, done.durationUs);
    VerifyOutcome outcome = done.outcome;
    // What is judged is what the trace holds, so that a replay comes to the same feedback.
    outcome.outputBytes =
        std::max(outcome.outputBytes, static_cast<std::int64_t>(outcome.output.size()));
    outcome.output = tailBytes(outcome.output, outputKept);
    outcome.differences.resize(std::min(outcome.differences.size(), differencesKept));
    writeVerifyFinished(outcome, done.durationUs);
    const bool passed = outcome.kind == VerifyOutcome::Kind::Passed;
    if (!passed && m_nowUs >= runDeadlineUs())
        return timeIsUp(); // the run's time ended it, whatever the attempt would have done
    if (!passed && outcome.kind != VerifyOutcome::Kind::Failed)
        return cannotVerify(outcome);
    m_rows.push_back({m_run, passed, outcome.cause, count(outcome)});
    if (m_run.suite == Generated)
        m_differences = outcome.differences;
    if (m_run.suite == Tests) {
        const Solution &solution = m_solutions[m_run.candidate];
        m_attempts.push_back({solution, m_run.candidate, passed,
                              passed ? CodeFault{} : faultOf(outcome, solution.code),
                              count(outcome)});
    }
    if (second())
        return nextOfGate();
    return passed ? accept() : correct(m_attempts.back().fault, std::nullopt);
}

// Nothing was judged, so no attempt is at fault.
Transition CodeLoop::cannotVerify(const VerifyOutcome &outcome)
{
    const bool cancelled = outcome.kind == VerifyOutcome::Kind::Cancelled;
    m_failure = Failure{"verifier_unavailable",
                        cancelled ? "the verification broke off" : toValidUtf8(outcome.message)};
    m_failure->detail = outcome.cause;
    return finish(Outcome::Failed, "verifier_unavailable");
}

Transition CodeLoop::correct(const CodeFault &fault, const std::optional<Place> &place)
{
    const std::string feedback =
        m_slot.mayCorrect() ? codeFeedback(fault, m_slot.attempt() + 1, m_slot.maxCorrections())
                            : std::string();
    if (!m_slot.reject({fault.category, fault.error, std::nullopt, place}, feedback, m_cost,
                       m_events))
        return escalate("attempts_exhausted");
    ++m_corrections;
    m_context.setCorrection(feedback);
    return callModel();
}

Transition CodeLoop::accept()
{
    m_slot.accept(m_cost, m_events);
    m_context.clearCorrection();
    if (m_task.code.gate)
        return startSecond();
    m_satisfied = true;
    m_finalSummary = summary(false);
    return finish(Outcome::Satisfied, "final");
}

// ---- the gate ----

Transition CodeLoop::startSecond()
{
    m_slot = CorrectionSlot("step", 2, 0);
    m_context.setRequest(request());
    if (hasEdgeTests())
        m_plan = {{Second, EdgeTests}, {First, EdgeTests}};
    return callModel();
}

Transition CodeLoop::nextOfGate()
{
    while (!m_plan.empty()) {
        const Run run = m_plan.back();
        m_plan.pop_back();
        if (m_solutions[run.candidate].readable)
            return verify(run);
    }
    const std::string why = disagreement();
    if (why.empty() && hasGenerator() && rowOf(Second, Generated) == nullptr)
        return verify({Second, Generated});
    return decide(why);
}

const CodeLoop::Row *CodeLoop::rowOf(Candidate candidate, Suite suite) const
{
    const auto it = std::find_if(m_rows.rbegin(), m_rows.rend(), [&](const Row &row) {
        return row.run.candidate == candidate && row.run.suite == suite;
    });
    return it == m_rows.rend() ? nullptr : &*it;
}

// Why the solutions cannot be trusted; empty: nothing that has been run by now says so.
std::string CodeLoop::disagreement() const
{
    const auto passed = [this](Candidate candidate, Suite suite) {
        const Row *row = rowOf(candidate, suite);
        return row != nullptr && row->passed;
    };
    if (!m_solutions[Second].readable)
        return "second_unreadable";
    if (!passed(Second, Tests))
        return "second_failed_tests";
    if (hasEdgeTests() && !passed(First, EdgeTests))
        return passed(Second, EdgeTests) ? "first_failed_edge_tests" : "both_failed_edge_tests";
    if (hasEdgeTests() && !passed(Second, EdgeTests))
        return "second_failed_edge_tests";
    const bool compared = rowOf(Second, Generated) != nullptr;
    return compared && !passed(Second, Generated) ? "generated_inputs_differ" : "";
}

Transition CodeLoop::decide(const std::string &why)
{
    writeGate(why.empty() ? "confirmed" : "disagreement", why);
    if (!why.empty())
        return escalate("disagreement");
    m_satisfied = true;
    m_finalSummary = summary(true);
    return finish(Outcome::Satisfied, "confirmed");
}

Transition CodeLoop::escalate(const std::string &reason)
{
    m_missing = {missing()};
    LineWriter line;
    line.text("reason", reason).text("by", "loop");
    writeHistory(line);
    add(EventKind::EscalationOpened, line.takeMembers(), false);
    return finish(Outcome::Escalated, reason);
}

std::string CodeLoop::missing() const
{
    return second() ? "confirmed solution" : "solution that passes the tests";
}

std::string CodeLoop::summary(bool confirmed) const
{
    const Row *tests = rowOf(First, Tests);
    const Row *edge = rowOf(First, EdgeTests);
    const auto all = [](const Row *row, const std::string &what) {
        const std::int64_t total = row->counts.total();
        return total == 0 ? what
                          : std::to_string(row->counts.passed) + " of " + std::to_string(total) +
                                " " + what;
    };
    std::string out = all(tests, "tests");
    if (edge != nullptr)
        out += " and " + all(edge, "held-out edge tests");
    out += " passed";
    const Row *generated = rowOf(Second, Generated);
    if (confirmed && generated != nullptr)
        out += ", by two independent solutions that agree on " +
               std::to_string(generated->counts.total()) + " generated inputs";
    else if (confirmed)
        out += edge != nullptr ? ", by two independent solutions"
                               : ", by two independent solutions; there were no held-out tests";
    return out;
}

} // namespace emend::core
