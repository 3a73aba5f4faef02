// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the react loop, as core/trace/FORMAT.md describes them.
#include "core/json/canonical.h"
#include "core/json/linewriter.h"
#include "core/loop/bound.h"
#include "core/loop/reactloop.h"

namespace emend::core {

namespace {

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

// `key`, and the bytes beside it where the text is not UTF-8.
bool foreignText(LineWriter &line, const std::string &key, const std::string &text)
{
    line.text(key, text);
    const bool lossy = firstInvalidUtf8(text) != std::string::npos;
    if (lossy)
        line.text(key + "_b64", base64(text));
    return lossy;
}

} // namespace

void ReactLoop::add(EventKind kind, std::string members, bool ofAttempt)
{
    m_events.push_back({kind, m_slot.step(),
                        static_cast<std::int16_t>(ofAttempt ? m_slot.attempt() : -1),
                        std::move(members)});
}

void ReactLoop::writeStarted()
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
    m_events.push_back({EventKind::RunStarted, 0, -1, line.takeMembers()});
    for (const auto &[name, breaker] : m_breakers)
        if (breaker.state(m_nowUs) != BreakerState::Closed) // left by an earlier run of the session
            writeBreaker(name, {BreakerState::Closed, breaker.state(m_nowUs)}, "session", m_events);
}

void ReactLoop::writeRequested(const Context::Request &request)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).number("call", m_modelCalls);
    line.number("request", m_budget.requests()).raw("messages", request.messagesJson);
    line.raw("context", request.usageJson);
    const Budget::Reservation &reserved = m_budget.reservation();
    line.number("reserved_tokens", reserved.tokensIn + reserved.tokensOut);
    reserved.costUsd ? line.real("reserved_cost_usd", *reserved.costUsd)
                     : line.null("reserved_cost_usd");
    m_announcement.push_back({EventKind::ModelRequested, m_slot.step(),
                              static_cast<std::int16_t>(m_slot.attempt()), line.takeMembers()});
}

void ReactLoop::writeReplied(const ModelDone &done, std::int64_t in, std::int64_t out,
                             bool estimated, const std::optional<double> &cost)
{
    const ModelReply &reply = done.outcome.reply;
    LineWriter line;
    line.text("stage", m_slot.stage());
    foreignText(line, "text", reply.text);
    line.number("tokens_in", in).number("tokens_out", out);
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
    cost ? line.real("cost_usd", *cost) : line.null("cost_usd");
    add(EventKind::ModelReplied, line.takeMembers());
}

void ReactLoop::writeRejected(const Rejection &rejection, const ReadReply &read)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).text("category", categoryName(rejection.category));
    line.text("error", rejection.error);
    rejection.pointer ? line.text("pointer", *rejection.pointer) : line.null("pointer");
    if (rejection.place) {
        line.number("offset", static_cast<std::int64_t>(rejection.place->offset));
        line.number("line", rejection.place->line).number("column", rejection.place->column);
    } else {
        line.null("offset").null("line").null("column");
    }
    line.text("suggest", rejection.suggest);
    line.raw("normalisations", stringList(read.normalisations));
    add(EventKind::DecisionRejected, line.takeMembers());
}

void ReactLoop::writeAccepted(const ReadReply &read)
{
    const Decision &decision = *read.decision;
    LineWriter line;
    line.text("stage", m_slot.stage());
    if (decision.kind == Decision::Kind::Action) {
        line.text("state", "action").text("reason", decision.reason).text("tool", decision.tool);
        line.json("tool_input", decision.toolInput).text("fingerprint", shortHash(m_fingerprint));
        std::string references = "[";
        for (const Reference &reference : m_references) {
            LineWriter one;
            one.text("pointer", reference.pointer).number("step", reference.step);
            one.text("value", reference.value);
            references += (references.size() > 1 ? ",{" : "{") + one.members() + "}";
        }
        line.raw("references", references + "]");
        if (finalOnly()) // valid, and one too many: it is not executed
            line.text("beyond", "max_actions");
    } else {
        line.text("state", "final").flag("satisfied", decision.satisfied);
        line.text("final_summary", decision.finalSummary);
    }
    line.raw("normalisations", stringList(read.normalisations));
    line.raw("extra_keys", stringList(read.extraKeys)).raw("warnings", stringList(read.warnings));
    add(EventKind::DecisionAccepted, line.takeMembers());
}

void ReactLoop::writeToolEnd(const ToolDone &done, bool willRetry)
{
    const ToolOutcome &outcome = done.outcome;
    const bool succeeded = outcome.kind == ToolOutcome::Kind::Succeeded;
    LineWriter line;
    line.text("tool", m_decision.tool).number("try", m_try);
    const bool lossy = foreignText(line, succeeded ? "output" : "error", outcome.text);
    if (succeeded) {
        line.number("bytes", static_cast<std::int64_t>(outcome.text.size()));
    } else {
        const ToolSpec *spec = specOf(m_decision.tool);
        line.flag("will_retry", willRetry).flag("timed_out", outcome.timedOut);
        line.flag("effect_unknown", outcome.timedOut && !spec->idempotent);
        line.flag("cancelled", outcome.kind == ToolOutcome::Kind::Cancelled);
    }
    if (!outcome.by.empty())
        line.text("by", outcome.by);
    line.flag("lossy", lossy).number("duration_us", done.durationUs);
    add(succeeded ? EventKind::ToolSucceeded : EventKind::ToolFailed, line.takeMembers(), false);
}

void ReactLoop::writeReceipt(const Stopped &stopped)
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
        const bool model = m_inFlight == InFlight::Model, tool = m_inFlight == InFlight::Tool;
        one.text("what", model ? "model" : tool ? "tool" : "wait");
        one.text("name", tool ? m_decision.tool : m_slot.stage());
        one.text("fate", stopped.resultDropped ? "finished, result dropped" : "aborted");
        one.number("after_us", m_nowUs - stopped.requestedUs);
        inFlight += "{" + one.members() + "}";
    }
    line.raw("in_flight", inFlight + "]");
    m_events.push_back({stopped.killed ? EventKind::ControlKilled : EventKind::ControlEscalated, 0,
                        -1, line.takeMembers()});
}

void ReactLoop::noteBreaker(const std::string &name, std::string_view why,
                            std::vector<EventDraft> &events)
{
    if (const auto change = breakerOf(name).takeChange())
        writeBreaker(name, *change, why, events);
}

void ReactLoop::writeBreaker(const std::string &name, CircuitBreaker::Change change,
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

Transition ReactLoop::finish(Outcome outcome, std::string reason)
{
    abandon();
    LineWriter totals;
    totals.number("model_calls", m_modelCalls).number("model_requests", m_budget.requests());
    totals.number("tool_executions", m_toolExecutions).number("actions", m_actions);
    totals.number("corrections", m_corrections).number("tokens_in", m_budget.tokensIn());
    totals.number("tokens_out", m_budget.tokensOut());
    const auto cost = m_budget.costUsd();
    cost ? totals.real("cost_usd", *cost) : totals.null("cost_usd");
    LineWriter charged;
    charged.number("in", m_budget.chargedIn()).number("cached", m_budget.chargedCached());
    charged.number("out", m_budget.chargedOut());
    totals.raw("charged_tokens", "{" + charged.members() + "}");
    totals.number("duration_us", m_nowUs - m_startUs);

    LineWriter line;
    line.text("outcome", outcomeName(outcome)).text("reason", reason);
    line.flag("satisfied", m_satisfied).text("final_summary", m_finalSummary);
    line.raw("missing", stringList(m_missing)).raw("totals", "{" + totals.members() + "}");
    if (m_failure) {
        LineWriter failure;
        failure.text("class", transportClassName(m_failure->cls))
            .text("message", m_failure->message);
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
