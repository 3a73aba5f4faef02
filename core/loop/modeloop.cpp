// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/modeloop.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/loop/codeloop.h"
#include "core/loop/reactloop.h"

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

ModeLoop::ModeLoop(Setup setup, CorrectionSlot slot)
    : m_task(std::move(setup.task))
    , m_prompt(std::move(setup.prompt))
    , m_tools(std::move(setup.tools))
    , m_slot(std::move(slot))
    , m_price(setup.price)
    , m_breakers(std::move(setup.breakers))
    , m_budget(m_task.bounds, m_price)
    , m_jitter(setup.jitterSeed | 1U)
    , m_instructions(std::move(setup.instructions))
{
    for (const ToolSpec &tool : m_tools)
        breakerOf(tool.name);
    breakerOf(providerBreaker());
}

CircuitBreaker &ModeLoop::breakerOf(const std::string &name)
{
    return m_breakers
        .try_emplace(name, m_task.breaker.failureThreshold, m_task.breaker.cooldownSeconds * second)
        .first->second;
}

std::int64_t ModeLoop::runDeadlineUs() const
{
    if (!m_task.bounds.maxSeconds)
        return INT64_MAX;
    return m_startUs + m_waitedUs + *m_task.bounds.maxSeconds * second;
}

Transition ModeLoop::due(Effect effect)
{
    Transition out{std::move(m_events), std::move(effect), std::move(m_announcement)};
    m_events.clear();
    m_announcement.clear();
    return out;
}

Transition ModeLoop::advance(const Input &input, std::int64_t nowUs, std::int64_t waitedUs)
{
    m_nowUs = nowUs;
    m_waitedUs = waitedUs;
    if (std::holds_alternative<Started>(input))
        return begin();
    if (const auto *stopped = std::get_if<Stopped>(&input))
        return onStopped(*stopped);
    m_inFlight = InFlight::Nothing;
    if (const auto *done = std::get_if<ModelDone>(&input))
        return onModel(*done);
    if (const auto *done = std::get_if<ToolDone>(&input))
        return onTool(*done);
    if (const auto *done = std::get_if<VerifyDone>(&input))
        return onVerified(*done);
    return callModel(); // the wait is over
}

std::vector<EventDraft> ModeLoop::command(const BreakerCommand &command, std::int64_t nowUs)
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

std::optional<Transition> ModeLoop::reconsider(std::int64_t nowUs)
{
    m_nowUs = nowUs;
    if (m_inFlight == InFlight::Tool || m_inFlight == InFlight::Verify)
        return reconsiderOwn();
    CircuitBreaker &breaker = breakerOf(providerBreaker());
    if (m_inFlight == InFlight::Nothing || !m_providerPermit ||
        breaker.state(m_nowUs) != BreakerState::ForcedOpen)
        return std::nullopt;
    undoDueCall();
    breaker.release(*m_providerPermit);
    m_providerPermit.reset();
    return providerRefused();
}

// The effect that is due was counted when it was decided, and will not begin.
void ModeLoop::undoDueCall()
{
    if (m_inFlight == InFlight::Model) {
        m_budget.cancel();
        m_modelCalls -= m_retry == 0 ? 1 : 0;
    } else if (m_inFlight == InFlight::Tool || m_inFlight == InFlight::Verify) {
        undoOwn();
    }
    m_inFlight = InFlight::Nothing;
}

void ModeLoop::abandon()
{
    if (m_providerPermit)
        breakerOf(providerBreaker()).release(*m_providerPermit);
    m_providerPermit.reset();
    releaseOwn();
}

Breakers ModeLoop::usedBreakers() const
{
    Breakers used;
    for (const auto &[name, breaker] : m_breakers)
        if (m_usedBreakers.contains(name))
            used.emplace(name, breaker);
    return used;
}

std::optional<CircuitBreaker::Permit> ModeLoop::acquire(const std::string &name,
                                                        std::vector<EventDraft> &events)
{
    m_usedBreakers.insert(name);
    auto permit = breakerOf(name).acquire(m_nowUs);
    noteBreaker(name, "cooldown", events);
    return permit;
}

Transition ModeLoop::providerRefused()
{
    m_failure = Failure{"breaker_open", "the circuit breaker of " + providerBreaker() +
                                            " is open: nothing was sent"};
    return finish(Outcome::Failed, "transport:breaker_open");
}

Transition ModeLoop::begin()
{
    m_startUs = m_nowUs;
    prepare();
    writeStarted();
    return firstEffect();
}

// ---- the model ----

// What a person has said by now holds to the end of the run, as the request does.
void ModeLoop::setInstructions()
{
    std::string said;
    for (const Instruction &one : m_instructions)
        if (std::pair(one.step, one.attempt) <= std::pair(m_slot.step(), m_slot.attempt()))
            said += "<person_message>\n" + escapeXmlText(toValidUtf8(one.text)) +
                    "\n</person_message>\n";
    if (!said.empty())
        m_context.setInstruction(said + "This is part of the current request: follow it.");
}

Transition ModeLoop::callModel()
{
    if (m_nowUs >= runDeadlineUs())
        return timeIsUp();
    setInstructions();
    m_context.setTurn(turn());
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
    return due(modelCall());
}

CallModel ModeLoop::modelCall()
{
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
    return call;
}

Transition ModeLoop::onModel(const ModelDone &done)
{
    m_cost.durationUs = done.durationUs;
    if (done.outcome.kind != ModelOutcome::Kind::Replied)
        return onTransportError(done);
    m_retry = 0;
    settle(done);
    return onReply(done.outcome.reply);
}

// What the call really cost takes the place of what was reserved for it.
void ModeLoop::settle(const ModelDone &done)
{
    const ModelReply &reply = done.outcome.reply;
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
    writeReplied(done, estimated);
}

std::int64_t ModeLoop::backoffMs(const TransportError &error)
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

Transition ModeLoop::onTransportError(const ModelDone &done)
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
    writeFailed(error, retry, done.durationUs);
    if (retry) {
        ++m_retry;
        m_inFlight = InFlight::Wait;
        LineWriter wait;
        wait.text("stage", m_slot.stage()).number("wait_ms", waitMs);
        wait.text("why", error.retryAfterMs ? "retry_after" : "backoff");
        wait.number("retry", m_retry).number("of", m_task.model.transport.maxRetries);
        announce(EventKind::ModelWaiting, wait.takeMembers());
        return due(WaitUntil{until});
    }
    breakerOf(providerBreaker()).fail(*m_providerPermit, m_nowUs);
    m_providerPermit.reset();
    noteBreaker(providerBreaker(), "failures", m_events);
    if (timeUp)
        return timeIsUp();
    const std::string cls(transportClassName(error.cls));
    if (error.retryAfterMs && *error.retryAfterMs > longestRetryAfterMs)
        error.message += "; the server asks to wait " + std::to_string(*error.retryAfterMs / 1000) +
                         " s, longer than a run waits";
    m_failure = Failure{
        cls, error.message, error.retryable, error.retryAfterMs, error.httpStatus, error.detail};
    return finish(Outcome::Failed, "transport:" + cls);
}

// ---- the end ----

Transition ModeLoop::exhausted(const std::string &bound, double limit, double used, double needed)
{
    LineWriter line;
    line.text("bound", bound).real("limit", limit).real("used", used).real("needed", needed);
    add(EventKind::BudgetExhausted, line.takeMembers());
    m_missing = {missing()};
    return finish(Outcome::Unsatisfied, "budget:" + bound);
}

Transition ModeLoop::timeIsUp()
{
    return exhausted("max_seconds", static_cast<double>(*m_task.bounds.maxSeconds),
                     static_cast<double>(m_nowUs - m_startUs - m_waitedUs) / 1e6, 0);
}

Transition ModeLoop::onStopped(const Stopped &stopped)
{
    if (!stopped.effectStarted) {
        undoDueCall();
    } else if (m_inFlight == InFlight::Model) {
        m_budget.settleFailed(true);
        LineWriter line;
        line.text("stage", m_slot.stage()).text("class", "cancelled");
        line.text("message", "aborted").flag("retryable", false).null("retry_after_ms");
        line.flag("will_retry", false).text("partial", "").number("duration_us", stopped.effectUs);
        add(EventKind::ModelFailed, line.takeMembers());
    } else if (m_inFlight == InFlight::Tool || m_inFlight == InFlight::Verify) {
        abortOwn(stopped);
    }
    writeReceipt(stopped);
    if (stopped.killed)
        return finish(Outcome::Killed, "killed");
    LineWriter opened;
    opened.text("reason", stopped.reason).text("by", "person");
    writeHistory(opened);
    add(EventKind::EscalationOpened, opened.takeMembers(), false);
    return finish(Outcome::Escalated, "escalated_by_person");
}

std::unique_ptr<ModeLoop> makeLoop(ModeLoop::Setup setup)
{
    if (setup.task.mode == Mode::Code)
        return std::make_unique<CodeLoop>(std::move(setup));
    return std::make_unique<ReactLoop>(std::move(setup));
}

} // namespace emend::core
