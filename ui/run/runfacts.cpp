// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/runfacts.h"

#include <algorithm>

#include "ui/run/linefields.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

namespace {

constexpr std::size_t enough = 4096; // of a text that is only shown in one or two lines

} // namespace

ReceiptFacts readReceipt(const LineFields &fields)
{
    ReceiptFacts receipt;
    receipt.quietAfterUs = fields.number("quiet_after_us").value_or(-1);
    for (const std::string_view element : fields.elements("in_flight")) {
        const LineFields call(element);
        receipt.inFlight.push_back({call.text("what", enough), call.text("name", enough),
                                    call.text("fate", enough),
                                    call.number("after_us").value_or(0)});
    }
    return receipt;
}

void RunFacts::begin(std::string_view headerLine)
{
    const LineFields header(headerLine);
    const LineFields task = header.object("task");
    runId = header.text("run_id", enough);
    startedAt = header.text("started_at", enough);
    name = task.text("name", enough);
    goal = task.text("goal", enough);
    mode = task.text("mode", enough);
    language = task.object("code").text("language", enough);
    const LineFields modelFields = task.object("model");
    provider = modelFields.text("provider", enough);
    model = modelFields.text("model", enough);
    const LineFields origin = header.object("origin");
    replay = origin.text("kind", enough) == "replay"_L1;
    if (origin.text("kind", enough) == "fork"_L1)
        forkStep = int(origin.number("step").value_or(0));
    tlsNotVerified = // a replay connects to nobody
        !replay && modelFields.object("transport").text("tls", enough) == "do_not_verify"_L1;
    breakerThreshold = int(task.object("breaker").number("failure_threshold").value_or(0));
}

void RunFacts::add(const core::Event &event)
{
    ++events;
    lastUs = std::max<qint64>(lastUs, event.tUs);
    if (event.problem != core::LineProblem::None && ++problems == 1) {
        firstProblemRow = events - 1;
        firstProblem = event.problem;
    }
    if (event.line.find("\"redactions\"") != std::string::npos)
        for (const std::string_view one : LineFields(event.line).elements("redactions"))
            redactions += LineFields(one).number("count").value_or(1);
    if (current.kind == EventKind::ModelWaiting)
        current = {}; // whatever comes ends the wait
    switch (event.kind) {
    case EventKind::RunStarted:
        return addRunStarted(LineFields(event.line));
    case EventKind::ModelRequested:
    case EventKind::ModelWaiting:
    case EventKind::VerifyStarted:
    case EventKind::ModelFailed:
        return addModelEvent(event, LineFields(event.line));
    case EventKind::ModelReplied:
        return addModelReplied(LineFields(event.line));
    case EventKind::DecisionAccepted:
        if (LineFields(event.line).text("state", enough) == "action"_L1 &&
            LineFields(event.line).text("beyond", enough).isEmpty())
            ++actions;
        return;
    case EventKind::CorrectionRequested:
        ++corrections;
        return;
    case EventKind::ToolStarted:
        ++toolExecutions;
        addModelEvent(event, LineFields(event.line));
        current.tool = LineFields(event.line).text("tool", enough);
        return;
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
        return addToolResult(event, LineFields(event.line));
    case EventKind::BreakerChanged:
        return addBreakerChanged(event, LineFields(event.line));
    case EventKind::RunFinished:
        return addOutcome(LineFields(event.line));
    default:
        return addControl(event);
    }
}

void RunFacts::addControl(const core::Event &event)
{
    switch (event.kind) {
    case EventKind::ControlPaused:
        paused = true;
        return;
    case EventKind::ControlResumed:
    case EventKind::ControlStepped:
        paused = false;
        return;
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
        paused = false;
        current = {};
        receipt = readReceipt(LineFields(event.line));
        return;
    case EventKind::VerifyFinished:
        current = {};
        return;
    default:
        return;
    }
}

void RunFacts::addRunStarted(const LineFields &fields)
{
    goal = fields.has("goal") ? fields.text("goal", enough) : goal;
    mode = fields.has("mode") ? fields.text("mode", enough) : mode;
    provider = fields.has("provider") ? fields.text("provider", enough) : provider;
    model = fields.has("model") ? fields.text("model", enough) : model;
    tools = fields.texts("tools");
    for (const QString &tool : std::as_const(tools))
        breaker(tool);
    if (!provider.isEmpty())
        breaker("provider:"_L1 + provider);
}

// What begins something that takes time, and a model call that came to nothing.
void RunFacts::addModelEvent(const core::Event &event, const LineFields &fields)
{
    current = {};
    if (event.kind == EventKind::ModelFailed) {
        m_lastFailure = fields.text("class", enough);
        // one failed call after its retries, as the breaker counts
        if (m_lastFailure != "cancelled"_L1 && !fields.flag("will_retry"))
            ++breaker("provider:"_L1 + provider).failures;
        return;
    }
    current.kind = event.kind;
    current.step = event.step;
    current.attempt = event.attempt;
    current.sinceUs = event.tUs;
    if (event.kind == EventKind::ModelRequested) {
        ++modelRequests;
        modelCalls = fields.number("call").value_or(modelRequests);
    } else if (event.kind == EventKind::ModelWaiting) {
        current.waitUs = fields.number("wait_ms").value_or(0) * 1000;
        current.retry = int(fields.number("retry").value_or(0));
        current.retriesOf = int(fields.number("of").value_or(0));
        current.why = fields.text("why", enough);
        current.failure = m_lastFailure;
    } else if (event.kind == EventKind::VerifyStarted) {
        current.suite = fields.text("suite", enough);
    }
}

void RunFacts::addModelReplied(const LineFields &fields)
{
    current = {};
    tokensIn += fields.number("tokens_in").value_or(0);
    tokensOut += fields.number("tokens_out").value_or(0);
    if (const std::optional<double> cost = fields.real("cost_usd")) {
        costUsd += *cost;
        costKnown = true;
    } else {
        ++repliesWithoutCost;
    }
    if (fields.text("tokens_from", enough) == "estimate"_L1)
        ++estimatedReplies;
    if (fields.flag("recorded"))
        ++recordedReplies;
    breaker("provider:"_L1 + provider).failures = 0;
}

void RunFacts::addToolResult(const core::Event &event, const LineFields &fields)
{
    current = {};
    const bool failed = event.kind == EventKind::ToolFailed;
    if (failed && fields.flag("cancelled"))
        return;
    int &failures = breaker(fields.text("tool", enough)).failures;
    failures = failed ? failures + 1 : 0;
}

void RunFacts::addBreakerChanged(const core::Event &event, const LineFields &fields)
{
    BreakerFacts &changed = breaker(fields.text("name", enough));
    changed.state = fields.text("to", enough);
    changed.why = fields.text("why", enough);
    changed.failures = int(fields.number("failures").value_or(changed.failures));
    changed.threshold = int(fields.number("threshold").value_or(changed.threshold));
    changed.untilUs = fields.number("until_us").value_or(-1);
    if (changed.untilUs >= 0 && changed.untilUs < event.tUs)
        changed.untilUs = -1;
}

void RunFacts::addOutcome(const LineFields &fields)
{
    current = {};
    paused = false;
    OutcomeFacts end;
    end.outcome = fields.text("outcome", enough);
    end.reason = fields.text("reason", enough);
    end.satisfied = fields.flag("satisfied");
    end.summary = fields.text("final_summary", 65536);
    end.missing = fields.texts("missing");
    if (fields.has("failure")) {
        const LineFields failure = fields.object("failure");
        end.failureClass = failure.text("class", enough);
        end.failureMessage = failure.text("message", enough);
    }
    outcome = std::move(end);
    if (problems == 0) // where replies are missing, the difference means nothing
        addTotals(fields.object("totals"));
}

// The totals hold what was reserved for calls that never replied, which no reply tells.
void RunFacts::addTotals(const LineFields &totals)
{
    const auto in = totals.number("tokens_in"), out = totals.number("tokens_out");
    if (!in || !out || *in < tokensIn || *out < tokensOut)
        return;
    reservedTokens = *in + *out - tokensIn - tokensOut;
    tokensIn = *in;
    tokensOut = *out;
    callAborted = m_lastFailure == "cancelled"_L1;
    if (const auto cost = totals.real("cost_usd"); cost && reservedTokens > 0) {
        costUsd = *cost;
        costKnown = true;
    }
}

BreakerFacts &RunFacts::breaker(const QString &breakerName)
{
    const auto found = std::find_if(breakers.begin(), breakers.end(),
                                    [&](const BreakerFacts &b) { return b.name == breakerName; });
    if (found != breakers.end())
        return *found;
    BreakerFacts fresh;
    fresh.name = breakerName;
    fresh.threshold = breakerThreshold;
    breakers.push_back(fresh);
    return breakers.back();
}

} // namespace emend::ui
