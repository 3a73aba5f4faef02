// SPDX-License-Identifier: GPL-3.0-or-later
// The events of every mode, as core/trace/FORMAT.md describes them.
#include "core/json/canonical.h"
#include "core/json/linewriter.h"
#include "core/loop/bound.h"
#include "core/loop/modeloop.h"

namespace emend::core {

std::string stringList(const std::vector<std::string> &texts)
{
    std::string out = "[";
    for (const std::string &text : texts) {
        if (out.size() > 1)
            out += ',';
        appendJsonString(out, text);
    }
    return out + "]";
}

bool foreignText(LineWriter &line, const std::string &key, const std::string &text)
{
    line.text(key, text);
    const bool lossy = firstInvalidUtf8(text) != std::string::npos;
    if (lossy)
        line.text(key + "_b64", base64(text));
    return lossy;
}

void ModeLoop::add(EventKind kind, std::string members, bool ofAttempt)
{
    m_events.push_back({kind, m_slot.step(),
                        static_cast<std::int16_t>(ofAttempt ? m_slot.attempt() : -1),
                        std::move(members)});
}

void ModeLoop::announce(EventKind kind, std::string members, bool ofAttempt)
{
    m_announcement.push_back({kind, m_slot.step(),
                              static_cast<std::int16_t>(ofAttempt ? m_slot.attempt() : -1),
                              std::move(members)});
}

void ModeLoop::writeStarted()
{
    bool anyIdempotent = false;
    std::vector<std::string> names;
    for (const ToolSpec &tool : m_tools) {
        names.push_back(tool.name);
        anyIdempotent = anyIdempotent || tool.idempotent;
    }
    LineWriter line;
    line.text("mode", modeName(m_task.mode)).text("goal", m_task.goal);
    line.text("provider", m_task.model.provider).text("model", m_task.model.model);
    line.text("prompt_id", m_prompt.id).number("prompt_version", m_prompt.version);
    line.text("prompt_hash", shortHash(m_prompt.system)).raw("tools", stringList(names));
    line.json("bound", boundToJson(bound(m_task, anyIdempotent, m_price)));
    if (m_price) { // US dollars per million tokens: with it every cost can be worked out again
        LineWriter price;
        price.real("in", m_price->in).real("out", m_price->out);
        price.real("cached_in", m_price->cachedIn.value_or(m_price->in));
        line.raw("price", "{" + price.members() + "}");
    } else {
        line.null("price");
    }
    if (const std::string brought = broughtBreakers(); !brought.empty())
        line.raw("breakers", brought);
    writeStart(line);
    m_events.push_back({EventKind::RunStarted, 0, -1, line.takeMembers()});
    for (const auto &[name, breaker] : m_breakers)
        if (breaker.state(m_nowUs) != BreakerState::Closed) // left by an earlier run of the session
            writeBreaker(name, {BreakerState::Closed, breaker.state(m_nowUs)}, "session", m_events);
}

// Those that are not as this task makes them: what an earlier run of the session left. A list, for
// under a tool's name a state could be taken for a secret.
std::string ModeLoop::broughtBreakers() const
{
    const CircuitBreaker::Snapshot fresh{BreakerState::Closed, 0, m_task.breaker.failureThreshold,
                                         m_task.breaker.cooldownSeconds * std::int64_t(1'000'000)};
    std::string list;
    for (const auto &[name, breaker] : m_breakers) {
        CircuitBreaker::Snapshot is = breaker.snapshot();
        const bool open = is.state == BreakerState::Open;
        const std::int64_t until = is.openUntilUs - m_startUs;
        is.openUntilUs = 0;
        if (is == fresh)
            continue;
        LineWriter one;
        one.text("name", name).text("state", breakerStateName(is.state));
        one.number("failures", is.failures).number("threshold", is.threshold);
        one.number("cooldown_us", is.cooldownUs);
        open ? one.number("until_us", until) : one.null("until_us");
        list += (list.empty() ? "{" : ",{") + one.members() + "}";
    }
    return list.empty() ? list : "[" + list + "]";
}

void ModeLoop::writeRequested(const Context::Request &request)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).number("call", m_modelCalls);
    line.number("request", m_budget.requests()).raw("messages", request.messagesJson);
    line.raw("context", request.usageJson);
    const Budget::Reservation &reserved = m_budget.reservation();
    line.number("reserved_tokens", reserved.tokensIn + reserved.tokensOut);
    reserved.costUsd ? line.real("reserved_cost_usd", *reserved.costUsd)
                     : line.null("reserved_cost_usd");
    announce(EventKind::ModelRequested, line.takeMembers());
}

void ModeLoop::writeReplied(const ModelDone &done, bool estimated)
{
    const ModelReply &reply = done.outcome.reply;
    LineWriter line;
    line.text("stage", m_slot.stage());
    foreignText(line, "text", reply.text);
    line.number("tokens_in", m_cost.tokensIn).number("tokens_out", m_cost.tokensOut);
    line.text("tokens_from", estimated ? "estimate" : "provider");
    line.text("finish_reason", reply.finishReason).flag("truncated", reply.truncated);
    line.number("cached_tokens", reply.usage.cachedIn);
    line.number("reasoning_tokens", reply.usage.reasoningOut);
    if (reply.recorded)
        line.flag("recorded", true).flag("charged", reply.charged);
    if (!reply.normalisations.empty())
        line.raw("reply_normalisations", stringList(reply.normalisations));
    if (!reply.note.empty())
        line.text("note", reply.note);
    if (!reply.by.empty())
        line.text("by", reply.by);
    line.number("duration_us", done.durationUs);
    m_cost.usd ? line.real("cost_usd", *m_cost.usd) : line.null("cost_usd");
    add(EventKind::ModelReplied, line.takeMembers());
}

void ModeLoop::writeFailed(const TransportError &error, bool retry, std::int64_t durationUs)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).text("class", transportClassName(error.cls));
    line.text("message", error.message).flag("retryable", error.retryable);
    line.number("retry_after_ms", error.retryAfterMs).flag("will_retry", retry);
    line.number("http_status", error.httpStatus).text("detail", error.detail);
    line.text("partial", error.partial).number("duration_us", durationUs);
    add(EventKind::ModelFailed, line.takeMembers());
}

void ModeLoop::writeReceipt(const Stopped &stopped)
{
    LineWriter line;
    if (!stopped.killed)
        line.text("reason", stopped.reason);
    line.number("clicked_us", stopped.requestedUs - m_startUs)
        .number("quiet_us", m_nowUs - m_startUs);
    line.number("quiet_after_us", m_nowUs - stopped.requestedUs);
    std::string inFlight = "[";
    if (stopped.effectStarted) {
        LineWriter one;
        const bool tool = m_inFlight == InFlight::Tool, verify = m_inFlight == InFlight::Verify;
        const bool model = m_inFlight == InFlight::Model;
        one.text("what", model ? "model" : tool ? "tool" : verify ? "verify" : "wait");
        one.text("name", tool || verify ? ownName() : m_slot.stage());
        one.text("fate", stopped.resultDropped ? "finished, result dropped" : "aborted");
        one.number("after_us", m_nowUs - stopped.requestedUs);
        inFlight += "{" + one.members() + "}";
    }
    line.raw("in_flight", inFlight + "]");
    m_events.push_back({stopped.killed ? EventKind::ControlKilled : EventKind::ControlEscalated, 0,
                        -1, line.takeMembers()});
}

void ModeLoop::noteBreaker(const std::string &name, std::string_view why,
                           std::vector<EventDraft> &events)
{
    if (const auto change = breakerOf(name).takeChange())
        writeBreaker(name, *change, why, events);
}

void ModeLoop::writeBreaker(const std::string &name, CircuitBreaker::Change change,
                            std::string_view why, std::vector<EventDraft> &events)
{
    const CircuitBreaker &breaker = breakerOf(name);
    LineWriter line;
    line.text("name", name).text("from", breakerStateName(change.from));
    line.text("to", breakerStateName(change.to)).text("why", why);
    line.number("failures", breaker.consecutiveFailures()).number("threshold", breaker.threshold());
    change.to == BreakerState::Open ? line.number("until_us", breaker.openUntilUs() - m_startUs)
                                    : line.null("until_us");
    events.push_back({EventKind::BreakerChanged, m_slot.step(), -1, line.takeMembers()});
}

Transition ModeLoop::finish(Outcome outcome, std::string reason)
{
    abandon();
    LineWriter totals;
    totals.number("model_calls", m_modelCalls).number("model_requests", m_budget.requests());
    totals.number("tool_executions", toolExecutions()).number("actions", actions());
    totals.number("corrections", m_corrections).number("tokens_in", m_budget.tokensIn());
    totals.number("tokens_out", m_budget.tokensOut());
    const auto cost = m_budget.costUsd();
    cost ? totals.real("cost_usd", *cost) : totals.null("cost_usd");
    LineWriter charged;
    charged.number("in", m_budget.chargedIn()).number("cached", m_budget.chargedCached());
    charged.number("out", m_budget.chargedOut());
    totals.raw("charged_tokens", "{" + charged.members() + "}");
    writeTotals(totals);
    totals.number("duration_us", m_nowUs - m_startUs);

    LineWriter line;
    line.text("outcome", outcomeName(outcome)).text("reason", reason);
    line.flag("satisfied", m_satisfied).text("final_summary", m_finalSummary);
    line.raw("missing", stringList(m_missing)).raw("totals", "{" + totals.members() + "}");
    if (m_failure) {
        LineWriter failure;
        failure.text("class", m_failure->cls).text("message", m_failure->message);
        failure.flag("retryable", m_failure->retryable);
        failure.number("retry_after_ms", m_failure->retryAfterMs);
        failure.number("http_status", m_failure->httpStatus).text("detail", m_failure->detail);
        line.raw("failure", "{" + failure.members() + "}");
    } else {
        line.null("failure");
    }
    m_events.push_back({EventKind::RunFinished, 0, -1, line.takeMembers()});
    return due(Finish{outcome, std::move(reason)});
}

} // namespace emend::core
