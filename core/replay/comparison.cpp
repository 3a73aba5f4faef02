// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/comparison.h"

#include <algorithm>
#include <cmath>

#include "core/base/linediff.h"
#include "core/base/text.h"

namespace emend::core {

using nlohmann::json;

namespace {

// From its kind on: what stands before counts and times.
std::string_view afterTime(std::string_view line)
{
    const std::size_t at = line.find("\"kind\":");
    return at == std::string_view::npos ? line : line.substr(at);
}

json parsed(const std::string &line)
{
    return json::parse(line, nullptr, false);
}

const json &at(const json &body, const char *pointer)
{
    static const json none;
    const json::json_pointer place(pointer);
    return body.is_object() && body.contains(place) ? body[place] : none;
}

bool same(const json &a, const json &b)
{
    if (a.is_number_float() && b.is_number_float()) { // sums may be added up in another order
        const double x = a.get<double>(), y = b.get<double>();
        return std::abs(x - y) <= 1e-9 * std::max(std::abs(x), std::abs(y));
    }
    return a == b;
}

json redacted(const json &value, const Redactor *redactor)
{
    if (redactor == nullptr)
        return value;
    std::string line = json{{"value", value}}.dump(-1, ' ', false, json::error_handler_t::replace);
    redactor->redactLine(line);
    const json body = parsed(line);
    return at(body, "/value");
}

std::string shownValue(const json &value)
{
    constexpr std::size_t longest = 120;
    if (value.is_null())
        return "nothing";
    if (value.is_string())
        return inQuotes(value.get_ref<const std::string &>(), longest);
    return visibleLine(value.dump(-1, ' ', false, json::error_handler_t::replace), longest);
}

std::string diffOf(const json &then, const json &now)
{
    if (then.is_string() && now.is_string())
        return unifiedDiff(then.get_ref<const std::string &>(), now.get_ref<const std::string &>());
    if (then.is_structured() && now.is_structured())
        return unifiedDiff(then.dump(2, ' ', false, json::error_handler_t::replace),
                           now.dump(2, ' ', false, json::error_handler_t::replace));
    return {};
}

bool isPlace(std::string_view pointer)
{
    return pointer == "/offset" || pointer == "/line" || pointer == "/column";
}

} // namespace

const std::vector<const char *> &membersCompared(EventKind kind)
{
    using Members = std::vector<const char *>;
    // What is played, or compared as a whole prompt: replies, outputs, requests.
    static const Members none = {};
    static const Members accepted = {
        "/state",         "/tool",   "/tool_input", "/reason",         "/satisfied",
        "/final_summary", "/beyond", "/references", "/normalisations", "/extra_keys"};
    static const Members rejected = {"/category", "/error",  "/pointer",       "/offset",
                                     "/line",     "/column", "/normalisations"};
    static const Members requested = {"/correction", "/of",   "/category", "/error",
                                      "/pointer",    "/line", "/column",   "/feedback"};
    static const Members resolved = {"/correction", "/category", "/resolved", "/result_category",
                                     "/result_error"};
    static const Members finished = {"/outcome",
                                     "/reason",
                                     "/satisfied",
                                     "/final_summary",
                                     "/missing",
                                     "/failure/class",
                                     "/failure/message",
                                     "/totals/model_calls",
                                     "/totals/model_requests",
                                     "/totals/tool_executions",
                                     "/totals/verifier_runs",
                                     "/totals/actions",
                                     "/totals/corrections",
                                     "/totals/tokens_in",
                                     "/totals/tokens_out",
                                     "/totals/cost_usd",
                                     "/totals/charged_tokens"};
    static const Members verifyStarted = {"/stage",    "/suite",         "/candidate",
                                          "/verifier", "/solution_hash", "/compared_with"};
    static const Members gate = {"/verdict", "/why", "/held_out", "/table", "/differences"};
    static const Members toolStarted = {"/tool", "/tool_input", "/try"};
    static const Members toolFailed = {"/tool", "/try", "/will_retry"};
    static const Members toolSkipped = {"/tool", "/tool_input", "/reason"};
    static const Members modelFailed = {"/class", "/will_retry"};
    static const Members waiting = {"/why", "/retry", "/of"};
    static const Members breaker = {"/name", "/from", "/to", "/why", "/failures", "/threshold"};
    static const Members other = {"/category", "/state",   "/tool",   "/class", "/to",
                                  "/bound",    "/outcome", "/reason", "/by"};
    switch (kind) {
    case EventKind::ModelRequested:
    case EventKind::ModelReplied:
    case EventKind::ToolSucceeded:
    case EventKind::VerifyFinished:
        return none;
    case EventKind::VerifyStarted:
        return verifyStarted;
    case EventKind::GateFinished:
        return gate;
    case EventKind::DecisionAccepted:
        return accepted;
    case EventKind::DecisionRejected:
        return rejected;
    case EventKind::CorrectionRequested:
        return requested;
    case EventKind::CorrectionResolved:
        return resolved;
    case EventKind::ToolStarted:
        return toolStarted;
    case EventKind::ToolFailed:
        return toolFailed;
    case EventKind::ToolSkipped:
        return toolSkipped;
    case EventKind::ModelFailed:
        return modelFailed;
    case EventKind::ModelWaiting:
        return waiting;
    case EventKind::BreakerChanged:
        return breaker;
    case EventKind::RunFinished:
        return finished;
    default:
        return other;
    }
}

std::optional<EventDifference> differenceOf(const RecordedEvent &then, const Event &now,
                                            const Redactor *redactor, bool placesShifted)
{
    const bool sameHead =
        then.kind == now.kind && then.step == now.step && then.attempt == now.attempt;
    if (!sameHead)
        return EventDifference{"recorded: " + shownEvent(then.kind, then.step, then.line) +
                                   "; now: " + shownEvent(now.kind, now.step, now.line),
                               {}};
    const auto &members = membersCompared(then.kind);
    if (members.empty() || afterTime(then.line) == afterTime(now.line)) // the usual case is cheap
        return std::nullopt;
    const json recorded = parsed(then.line), made = parsed(now.line);
    for (const char *pointer : members) {
        const json &was = at(recorded, pointer), &is = at(made, pointer);
        if (same(was, is) || (placesShifted && isPlace(pointer)))
            continue;
        const json wasRedacted = redacted(was, redactor), isRedacted = redacted(is, redactor);
        if (same(wasRedacted, isRedacted))
            continue;
        return EventDifference{inQuotes(pointer + 1) + " of " +
                                   shownEvent(then.kind, then.step, {}) + " differs: recorded " +
                                   shownValue(wasRedacted) + ", now " + shownValue(isRedacted),
                               diffOf(wasRedacted, isRedacted)};
    }
    return std::nullopt;
}

std::string shownEvent(EventKind kind, int step, const std::string &line)
{
    std::string out(eventKindName(kind));
    if (step > 0)
        out += " in step " + std::to_string(step);
    const json body = line.empty() ? json() : parsed(line);
    std::string what;
    for (const char *key : {"/category", "/state", "/tool", "/class", "/to", "/bound", "/outcome"})
        if (const json &value = at(body, key); value.is_string())
            what += (what.empty() ? "" : " ") + value.get<std::string>();
    return what.empty() ? out : out + " (" + what + ")";
}

} // namespace emend::core
