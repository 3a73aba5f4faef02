// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/event.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/json/linewriter.h"

namespace emend::core {

namespace {

constexpr std::array<std::string_view, eventKindCount> kindNames = {
    "run.started",         "run.finished",      "model.requested",
    "model.replied",       "model.failed",      "model.waiting",
    "decision.accepted",   "decision.rejected", "correction.requested",
    "correction.resolved", "tool.started",      "tool.succeeded",
    "tool.failed",         "tool.skipped",      "breaker.changed",
    "verify.started",      "verify.finished",   "gate.finished",
    "check.finished",      "checkpoint.saved",  "checkpoint.restored",
    "policy.changed",      "budget.exhausted",  "control.paused",
    "control.resumed",     "control.stepped",   "control.killed",
    "control.escalated",   "control.answered",  "control.edited",
    "escalation.opened",   "escalation.closed", "",
};

template<typename T>
T integerOr(const nlohmann::json &object, const char *key, T fallback)
{
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number_integer())
        return fallback;
    const auto value = it->template get<std::int64_t>();
    return std::in_range<T>(value) ? static_cast<T>(value) : fallback;
}

} // namespace

std::string_view eventKindName(EventKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

EventKind eventKindFromName(std::string_view name)
{
    const auto it = std::find(kindNames.begin(), kindNames.end() - 1, name);
    return static_cast<EventKind>(it - kindNames.begin());
}

Event stamp(EventDraft draft, std::uint64_t seq, std::int64_t tUs)
{
    LineWriter head;
    head.number("seq", static_cast<std::int64_t>(seq));
    head.number("t_us", tUs).text("kind", eventKindName(draft.kind));
    if (draft.step > 0)
        head.number("step", draft.step);
    if (draft.attempt >= 0)
        head.number("attempt", draft.attempt);
    Event event{seq, tUs, draft.kind, LineProblem::None, draft.attempt, draft.step, {}};
    event.line.reserve(head.members().size() + draft.members.size() + 3);
    event.line += '{';
    event.line += head.members();
    if (!draft.members.empty())
        event.line += ',';
    event.line += draft.members;
    event.line += '}';
    return event;
}

Event parseEventLine(std::string line)
{
    Event event;
    event.line = std::move(line);
    const nlohmann::json body = eventBody(event);
    if (!body.is_object()) {
        event.problem = LineProblem::NotJson;
        return event;
    }
    event.seq = integerOr<std::uint64_t>(body, "seq", 0);
    event.tUs = integerOr<std::int64_t>(body, "t_us", 0);
    event.step = integerOr<std::int32_t>(body, "step", 0);
    event.attempt = integerOr<std::int16_t>(body, "attempt", -1);
    const auto kind = body.find("kind");
    if (kind != body.end() && kind->is_string())
        event.kind = eventKindFromName(kind->get_ref<const std::string &>());
    return event;
}

nlohmann::json eventBody(const Event &event)
{
    return nlohmann::json::parse(event.line, nullptr, false);
}

} // namespace emend::core
