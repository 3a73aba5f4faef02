// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/reactloop.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/context/prompt.h"
#include "core/contract/feedback.h"
#include "core/json/canonical.h"
#include "core/json/linewriter.h"

namespace emend::core {

ReactLoop::ReactLoop(Setup setup)
    : ModeLoop(std::move(setup), CorrectionSlot("step", 1, 0))
{
    m_slot = CorrectionSlot("step", 1, m_task.bounds.maxCorrections);
}

const ToolSpec *ReactLoop::specOf(const std::string &tool) const
{
    const auto it = std::find_if(m_tools.begin(), m_tools.end(),
                                 [&](const ToolSpec &spec) { return spec.name == tool; });
    return it == m_tools.end() ? nullptr : &*it;
}

void ReactLoop::prepare()
{
    m_context.setSystem(renderSystemPrompt(m_prompt, m_tools, m_task.bounds.maxActions));
    m_context.setRequest("<current_request>\n" + escapeXmlText(toValidUtf8(m_task.goal)) +
                         "\n</current_request>");
}

std::string ReactLoop::turn()
{
    const std::string step = "Step " + std::to_string(m_slot.step()) + ". ";
    if (finalOnly())
        return step + "No actions are left: reply with a final decision.";
    return step + "Actions left: " + std::to_string(m_task.bounds.maxActions - m_actions) +
           ". Reply with exactly one decision as a JSON object.";
}

Transition ReactLoop::onVerified(const VerifyDone &)
{
    return callModel(); // this mode asks for no verification
}

std::optional<Transition> ReactLoop::reconsiderOwn()
{
    CircuitBreaker &breaker = breakerOf(m_decision.tool);
    if (m_inFlight != InFlight::Tool || breaker.state(m_nowUs) != BreakerState::ForcedOpen)
        return std::nullopt;
    undoOwn();
    m_inFlight = InFlight::Nothing;
    releaseOwn();
    return refuseTool(breaker);
}

void ReactLoop::releaseOwn()
{
    if (m_toolPermit)
        breakerOf(m_decision.tool).release(*m_toolPermit);
    m_toolPermit.reset();
}

void ReactLoop::abortOwn(const Stopped &stopped)
{
    LineWriter line;
    line.text("tool", m_decision.tool).number("try", m_try).text("error", "aborted");
    line.flag("will_retry", false).flag("timed_out", false);
    line.flag("effect_unknown", !specOf(m_decision.tool)->idempotent);
    line.flag("cancelled", true).flag("lossy", false).number("duration_us", stopped.effectUs);
    add(EventKind::ToolFailed, line.takeMembers(), false);
}

Transition ReactLoop::onReply(const ModelReply &reply)
{
    ReadReply read = readReply(reply.text, m_tools, {m_task.acceptWrappers, 128});
    if (read.rejection && reply.truncated)
        read.rejection->error += ". The reply was cut by the limit of " +
                                 std::to_string(m_task.model.maxOutputTokens) +
                                 " output tokens: be shorter";
    if (read.rejection && !reply.note.empty())
        read.rejection->error += ". " + reply.note;
    read.normalisations.insert(read.normalisations.begin(), reply.normalisations.begin(),
                               reply.normalisations.end());
    if (read.rejection)
        return reject(*read.rejection, read, reply.text);
    return accept(std::move(read), reply.text);
}

std::optional<Rejection> ReactLoop::checkHistory(const Decision &decision) const
{
    Rejection rejection;
    if (decision.kind == Decision::Kind::Action) {
        const auto failed = m_failed.find(m_fingerprint);
        if (failed == m_failed.end())
            return std::nullopt;
        rejection.category = Category::RepeatedFailedAction;
        rejection.error = "the action " + decision.tool + " with this input failed in step " +
                          std::to_string(failed->second) + " and is not executed again unchanged";
        rejection.pointer = "/tool_input";
        return rejection;
    }
    if (!decision.satisfied || m_actions == 0 || m_succeeded > 0)
        return std::nullopt;
    rejection.category = Category::UnsupportedSuccess;
    rejection.error = "satisfied is true, but none of the " + std::to_string(m_actions) +
                      " actions of this run has succeeded";
    rejection.pointer = "/satisfied";
    return rejection;
}

// Strict about what reaches a tool: what a reference stands for has to fit as well.
std::optional<Rejection> ReactLoop::checkResolved(Decision &decision) const
{
    if (m_references.empty())
        return std::nullopt;
    const auto fits = specOf(decision.tool)->schema->apply(decision.toolInput, "/tool_input");
    if (fits)
        return std::nullopt;
    Rejection rejection;
    rejection.category = Category::InvalidToolInput;
    rejection.error =
        fits.error().pointer + ": with the references filled in: " + fits.error().message;
    rejection.pointer = fits.error().pointer;
    return rejection;
}

Transition ReactLoop::accept(ReadReply read, const std::string &reply)
{
    Decision &decision = *read.decision;
    const bool action = decision.kind == Decision::Kind::Action;
    if (action && finalOnly())
        return oneTooMany(read);
    const nlohmann::json asSent = decisionToJson(decision);
    m_references.clear();
    if (action) {
        m_references = resolveReferences(decision.toolInput, m_lastNumbers);
        if (auto rejection = checkResolved(decision))
            return reject(*rejection, read, reply);
        m_fingerprint = decision.tool + ' ' + canonicalText(decision.toolInput);
    }
    if (auto rejection = checkHistory(decision)) {
        rejection->place = std::nullopt;
        return reject(*rejection, read, reply);
    }
    m_slot.accept(m_cost, m_events);
    m_context.clearCorrection();
    writeAccepted(read);
    if (action) {
        m_context.addDecision(
            m_slot.step(), asSent.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        return acceptAction(decision);
    }
    m_satisfied = decision.satisfied;
    m_finalSummary = decision.finalSummary;
    if (!m_satisfied)
        m_missing = {"goal"};
    return finish(m_satisfied ? Outcome::Satisfied : Outcome::Unsatisfied, "final");
}

Transition ReactLoop::reject(const Rejection &rejection, const ReadReply &read,
                             const std::string &reply)
{
    writeRejected(rejection, read);
    const Finding finding{std::string(categoryName(rejection.category)), rejection.error,
                          rejection.pointer, rejection.place};
    const int number = m_slot.attempt() + 1;
    const std::string feedback =
        m_slot.mayCorrect() ? correctionFeedback(rejection, reply, number, m_slot.maxCorrections())
                            : std::string();
    if (!m_slot.reject(finding, feedback, m_cost, m_events)) {
        m_missing = {"valid decision"};
        return finish(Outcome::Unsatisfied, "corrections_exhausted");
    }
    ++m_corrections;
    m_context.setCorrection(feedback);
    return callModel();
}

Transition ReactLoop::nextSlot()
{
    m_slot = CorrectionSlot("step", m_slot.step() + 1, m_task.bounds.maxCorrections);
    return callModel();
}

// Valid, and one action more than allowed: it is not executed.
Transition ReactLoop::oneTooMany(const ReadReply &read)
{
    m_slot.accept(m_cost, m_events);
    m_references.clear();
    m_fingerprint = read.decision->tool + ' ' + canonicalText(read.decision->toolInput);
    writeAccepted(read);
    const double limit = m_task.bounds.maxActions;
    m_missing = {missing()};
    LineWriter line;
    line.text("bound", "max_actions").real("limit", limit).real("used", limit).real("needed", 1);
    add(EventKind::BudgetExhausted, line.takeMembers());
    return finish(Outcome::Unsatisfied, "action_limit");
}

} // namespace emend::core
