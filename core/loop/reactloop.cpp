// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/reactloop.h"

#include <algorithm>

#include "core/context/prompt.h"
#include "core/contract/feedback.h"
#include "core/json/canonical.h"
#include "core/json/linewriter.h"

namespace emend::core {

namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t longestRetryAfterMs = 60'000;   // design section 6
constexpr std::int64_t mostTokens = 1'000'000'000'000; // of one call
constexpr std::int64_t firstBackoffMs = 500, longestBackoffMs = 8000;

// Where the provider may have charged for what we never got.
bool mayHaveCost(TransportClass cls)
{
    return cls == TransportClass::StreamError || cls == TransportClass::StreamTruncated ||
           cls == TransportClass::Timeout || cls == TransportClass::BadBody ||
           cls == TransportClass::NoChoices || cls == TransportClass::ContentBlocked;
}

} // namespace

ReactLoop::ReactLoop(Setup setup)
    : m_task(std::move(setup.task))
    , m_prompt(std::move(setup.prompt))
    , m_tools(std::move(setup.tools))
    , m_price(setup.price)
    , m_breakers(std::move(setup.breakers))
    , m_budget(m_task.bounds, m_price)
    , m_slot("step", 1, m_task.bounds.maxCorrections)
    , m_instructions(std::move(setup.instructions))
    , m_jitter(setup.jitterSeed | 1U)
{
    for (const ToolSpec &tool : m_tools)
        breakerOf(tool.name);
    breakerOf(providerBreaker());
}

CircuitBreaker &ReactLoop::breakerOf(const std::string &name)
{
    return m_breakers
        .try_emplace(name, m_task.breaker.failureThreshold, m_task.breaker.cooldownSeconds * second)
        .first->second;
}

const ToolSpec *ReactLoop::specOf(const std::string &tool) const
{
    const auto it = std::find_if(m_tools.begin(), m_tools.end(),
                                 [&](const ToolSpec &spec) { return spec.name == tool; });
    return it == m_tools.end() ? nullptr : &*it;
}

std::int64_t ReactLoop::runDeadlineUs() const
{
    if (!m_task.bounds.maxSeconds)
        return INT64_MAX;
    return m_startUs + m_waitedUs + *m_task.bounds.maxSeconds * second;
}

Transition ReactLoop::due(Effect effect)
{
    Transition out{std::move(m_events), std::move(effect), std::move(m_announcement)};
    m_events.clear();
    m_announcement.clear();
    return out;
}

Transition ReactLoop::advance(const Input &input, std::int64_t nowUs, std::int64_t waitedUs)
{
    m_nowUs = nowUs;
    m_waitedUs = waitedUs;
    if (std::holds_alternative<Started>(input))
        return begin();
    if (const auto *done = std::get_if<ModelDone>(&input))
        return onModel(*done);
    if (const auto *done = std::get_if<ToolDone>(&input))
        return onTool(*done);
    if (const auto *stopped = std::get_if<Stopped>(&input))
        return onStopped(*stopped);
    return onWaitOver();
}

std::vector<EventDraft> ReactLoop::command(const BreakerCommand &command, std::int64_t nowUs)
{
    m_nowUs = nowUs;
    const auto it = m_breakers.find(command.name);
    if (it == m_breakers.end())
        return {};
    const BreakerState from = it->second.state(m_nowUs);
    switch (command.kind) {
    case BreakerCommandKind::ForceOpen:
        it->second.forceOpen();
        break;
    case BreakerCommandKind::Disable:
        it->second.disable();
        break;
    case BreakerCommandKind::Reset:
        it->second.reset();
        break;
    }
    it->second.takeChange();
    m_usedBreakers.insert(command.name);
    std::vector<EventDraft> events; // also where only the count of failures has changed
    writeBreaker(command.name, {from, it->second.state(m_nowUs)}, "person", events);
    return events;
}

std::optional<Transition> ReactLoop::reconsider(std::int64_t nowUs)
{
    m_nowUs = nowUs;
    const auto forced = [&](const std::string &name) {
        return breakerOf(name).state(m_nowUs) == BreakerState::ForcedOpen;
    };
    if (m_inFlight == InFlight::Tool && forced(m_decision.tool)) {
        undoDueCall();
        breakerOf(m_decision.tool).release(*m_toolPermit);
        m_toolPermit.reset();
        return refuseTool(breakerOf(m_decision.tool));
    }
    if (m_inFlight != InFlight::Nothing && m_inFlight != InFlight::Tool && m_providerPermit &&
        forced(providerBreaker())) {
        undoDueCall();
        breakerOf(providerBreaker()).release(*m_providerPermit);
        m_providerPermit.reset();
        return providerRefused();
    }
    return std::nullopt;
}

// The effect that is due was counted when it was decided, and will not begin.
void ReactLoop::undoDueCall()
{
    if (m_inFlight == InFlight::Tool) {
        --m_toolExecutions;
    } else if (m_inFlight == InFlight::Model) {
        m_budget.cancel();
        m_modelCalls -= m_retry == 0 ? 1 : 0;
    }
    m_inFlight = InFlight::Nothing;
}

void ReactLoop::abandon()
{
    if (m_providerPermit)
        breakerOf(providerBreaker()).release(*m_providerPermit);
    if (m_toolPermit)
        breakerOf(m_decision.tool).release(*m_toolPermit);
    m_providerPermit.reset();
    m_toolPermit.reset();
}

Breakers ReactLoop::usedBreakers() const
{
    Breakers used;
    for (const auto &[name, breaker] : m_breakers)
        if (m_usedBreakers.contains(name))
            used.emplace(name, breaker);
    return used;
}

std::optional<CircuitBreaker::Permit> ReactLoop::acquire(const std::string &name,
                                                         std::vector<EventDraft> &events)
{
    m_usedBreakers.insert(name);
    auto permit = breakerOf(name).acquire(m_nowUs);
    noteBreaker(name, "cooldown", events);
    return permit;
}

Transition ReactLoop::providerRefused()
{
    m_failure =
        TransportError{TransportClass::Connection,
                       "the circuit breaker of " + providerBreaker() + " is open: nothing was sent",
                       false,
                       std::nullopt,
                       {}};
    return finish(Outcome::Failed, "transport:connection");
}

Transition ReactLoop::begin()
{
    m_startUs = m_nowUs;
    m_context.setSystem(renderSystemPrompt(m_prompt, m_tools, m_task.bounds.maxActions));
    m_context.setRequest("<current_request>\n" + escapeXmlText(toValidUtf8(m_task.goal)) +
                         "\n</current_request>");
    writeStarted();
    return callModel();
}

// ---- the model ----

// What a person has said by now holds to the end of the run, as the request does.
void ReactLoop::setInstructions()
{
    std::string said;
    for (const Instruction &one : m_instructions)
        if (std::pair(one.step, one.attempt) <= std::pair(m_slot.step(), m_slot.attempt()))
            said += "<person_message>\n" + escapeXmlText(toValidUtf8(one.text)) +
                    "\n</person_message>\n";
    if (!said.empty())
        m_context.setInstruction(said + "This is part of the current request: follow it.");
}

Transition ReactLoop::callModel()
{
    if (m_nowUs >= runDeadlineUs())
        return timeIsUp();
    setInstructions();
    const int left = m_task.bounds.maxActions - m_actions;
    const std::string step = "Step " + std::to_string(m_slot.step()) + ". ";
    m_context.setTurn(finalOnly() ? step + "No actions are left: reply with a final decision."
                                  : step + "Actions left: " + std::to_string(left) +
                                        ". Reply with exactly one decision as a JSON object.");
    Context::Request request = m_context.assemble();
    if (!request.fits)
        return exhausted("context", static_cast<double>(ContextLimits{}.usable()), 0,
                         static_cast<double>(request.tokens));
    if (!m_providerPermit)
        m_providerPermit = acquire(providerBreaker(), m_events);
    if (!m_providerPermit)
        return providerRefused();
    if (const auto broken = m_budget.reserve(request.tokens, m_task.model.maxOutputTokens))
        return exhausted(broken->bound, broken->limit, broken->used, broken->needed);
    if (m_retry == 0)
        ++m_modelCalls;
    writeRequested(request);
    m_messages = std::move(request.messages);
    m_inFlight = InFlight::Model;

    CallModel call;
    call.request.stage = m_slot.stage();
    call.request.step = m_slot.step();
    call.request.attempt = m_slot.attempt();
    call.request.model = m_task.model.model;
    call.request.temperature = m_task.model.temperature;
    call.request.maxOutputTokens = m_task.model.maxOutputTokens;
    call.request.stream = m_task.model.stream;
    call.request.finalOnly = finalOnly();
    call.request.goal = m_task.goal;
    call.request.messages = &m_messages;
    call.request.tools = &m_tools;
    call.request.observations = &m_observations;
    call.deadlineUs =
        std::min(runDeadlineUs(), m_nowUs + m_task.model.transport.timeoutSeconds * second);
    return due(std::move(call));
}

Transition ReactLoop::onModel(const ModelDone &done)
{
    m_inFlight = InFlight::Nothing;
    m_cost.durationUs = done.durationUs;
    if (done.outcome.kind == ModelOutcome::Kind::Replied)
        return onReply(done);
    return onTransportError(done);
}

Transition ReactLoop::onReply(const ModelDone &done)
{
    const ModelReply &reply = done.outcome.reply;
    m_retry = 0;
    const auto stated = [](const std::optional<std::int64_t> &tokens) {
        return tokens && *tokens >= 0 && *tokens <= mostTokens; // else it is no count of tokens
    };
    const bool estimated =
        reply.usage.estimated || !stated(reply.usage.in) || !stated(reply.usage.out);
    m_cost.tokensIn = stated(reply.usage.in) ? *reply.usage.in : m_budget.reservation().tokensIn;
    m_cost.tokensOut = stated(reply.usage.out) ? *reply.usage.out : estimateTokens(reply.text);
    const bool cachedStated =
        stated(reply.usage.cachedIn) && *reply.usage.cachedIn <= m_cost.tokensIn;
    m_cost.usd = m_budget.settle(m_cost.tokensIn, m_cost.tokensOut,
                                 cachedStated ? *reply.usage.cachedIn : 0, reply.charged);
    breakerOf(providerBreaker()).succeed(*m_providerPermit);
    m_providerPermit.reset();
    noteBreaker(providerBreaker(), "trial_succeeded", m_events);
    writeReplied(done, m_cost.tokensIn, m_cost.tokensOut, estimated, m_cost.usd);

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

std::int64_t ReactLoop::backoffMs(const TransportError &error)
{
    if (error.retryAfterMs)
        return std::clamp<std::int64_t>(*error.retryAfterMs, 0, 1'000'000'000);
    // exponential with ±25 % jitter (xorshift64), so that clients do not come back in step
    m_jitter ^= m_jitter << 13;
    m_jitter ^= m_jitter >> 7;
    m_jitter ^= m_jitter << 17;
    const std::int64_t base = std::min(longestBackoffMs, firstBackoffMs << std::min(m_retry, 10));
    return base * 3 / 4 +
           static_cast<std::int64_t>(m_jitter % static_cast<std::uint64_t>(base / 2));
}

Transition ReactLoop::onTransportError(const ModelDone &done)
{
    TransportError error = done.outcome.error;
    if (done.outcome.kind == ModelOutcome::Kind::Cancelled)
        error = {TransportClass::Timeout, "the call was cancelled", false, std::nullopt, {}};
    m_budget.settleFailed(mayHaveCost(error.cls));
    const std::int64_t waitMs = backoffMs(error);
    const std::int64_t until = m_nowUs + waitMs * 1000;
    const bool timeUp = m_nowUs >= runDeadlineUs();
    const bool retry = error.retryable && m_retry < m_task.model.transport.maxRetries && !timeUp &&
                       waitMs <= longestRetryAfterMs && until < runDeadlineUs();

    LineWriter line;
    line.text("stage", m_slot.stage()).text("class", transportClassName(error.cls));
    line.text("message", error.message).flag("retryable", error.retryable);
    line.number("retry_after_ms", error.retryAfterMs).flag("will_retry", retry);
    line.number("http_status", error.httpStatus).text("detail", error.detail);
    line.text("partial", error.partial).number("duration_us", done.durationUs);
    add(EventKind::ModelFailed, line.takeMembers());

    if (retry) {
        ++m_retry;
        m_inFlight = InFlight::Wait;
        LineWriter wait;
        wait.text("stage", m_slot.stage()).number("wait_ms", waitMs);
        wait.text("why", error.retryAfterMs ? "retry_after" : "backoff");
        wait.number("retry", m_retry).number("of", m_task.model.transport.maxRetries);
        m_announcement.push_back({EventKind::ModelWaiting, m_slot.step(),
                                  static_cast<std::int16_t>(m_slot.attempt()), wait.takeMembers()});
        return due(WaitUntil{until});
    }
    breakerOf(providerBreaker()).fail(*m_providerPermit, m_nowUs);
    m_providerPermit.reset();
    noteBreaker(providerBreaker(), "failures", m_events);
    if (timeUp)
        return timeIsUp();
    if (error.retryAfterMs && *error.retryAfterMs > longestRetryAfterMs)
        error.message += "; the server asks to wait " + std::to_string(*error.retryAfterMs / 1000) +
                         " s, longer than a run waits";
    m_failure = error;
    return finish(Outcome::Failed, "transport:" + std::string(transportClassName(error.cls)));
}

Transition ReactLoop::onWaitOver()
{
    m_inFlight = InFlight::Nothing;
    return callModel();
}

// ---- the decision ----

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
    if (action && finalOnly()) {
        m_slot.accept(m_cost, m_events);
        m_references.clear();
        m_fingerprint = decision.tool + ' ' + canonicalText(decision.toolInput);
        writeAccepted(read);
        const double limit = m_task.bounds.maxActions;
        m_missing = {"final decision"};
        LineWriter line;
        line.text("bound", "max_actions")
            .real("limit", limit)
            .real("used", limit)
            .real("needed", 1);
        add(EventKind::BudgetExhausted, line.takeMembers());
        return finish(Outcome::Unsatisfied, "action_limit");
    }
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

// ---- the end ----

Transition ReactLoop::exhausted(const std::string &bound, double limit, double used, double needed)
{
    LineWriter line;
    line.text("bound", bound).real("limit", limit).real("used", used).real("needed", needed);
    add(EventKind::BudgetExhausted, line.takeMembers());
    m_missing = {"final decision"};
    return finish(Outcome::Unsatisfied, "budget:" + bound);
}

Transition ReactLoop::timeIsUp()
{
    return exhausted("max_seconds", static_cast<double>(*m_task.bounds.maxSeconds),
                     static_cast<double>(m_nowUs - m_startUs - m_waitedUs) / 1e6, 0);
}

Transition ReactLoop::onStopped(const Stopped &stopped)
{
    LineWriter line;
    if (stopped.effectStarted && m_inFlight == InFlight::Model) {
        m_budget.settleFailed(true);
        line.text("stage", m_slot.stage()).text("class", "cancelled");
        line.text("message", "aborted").flag("retryable", false).null("retry_after_ms");
        line.flag("will_retry", false).text("partial", "").number("duration_us", stopped.effectUs);
        add(EventKind::ModelFailed, line.takeMembers());
    } else if (stopped.effectStarted && m_inFlight == InFlight::Tool) {
        line.text("tool", m_decision.tool).number("try", m_try).text("error", "aborted");
        line.flag("will_retry", false).flag("timed_out", false);
        line.flag("effect_unknown", !specOf(m_decision.tool)->idempotent);
        line.flag("cancelled", true).flag("lossy", false).number("duration_us", stopped.effectUs);
        add(EventKind::ToolFailed, line.takeMembers(), false);
    } else if (!stopped.effectStarted) {
        undoDueCall();
    }
    writeReceipt(stopped);
    if (stopped.killed)
        return finish(Outcome::Killed, "killed");
    LineWriter opened;
    opened.text("reason", stopped.reason).text("by", "person");
    add(EventKind::EscalationOpened, opened.takeMembers(), false);
    return finish(Outcome::Escalated, "escalated_by_person");
}

} // namespace emend::core
