// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/escalation/escalation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iomanip>
#include <sstream>

namespace emend::core {

using nlohmann::json;

namespace {

constexpr std::array stateNames{"open", "claimed", "answered", "dismissed"};

std::string member(const json &object, const char *key)
{
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

json object(const json &parent, const char *key)
{
    const auto it = parent.is_object() ? parent.find(key) : parent.end();
    return it != parent.end() && it->is_object() ? *it : json::object();
}

// "2026-01-31T12:00:00.000Z" and some microseconds; `utc` itself where it is no such text.
std::string later(const std::string &utc, std::int64_t us)
{
    using namespace std::chrono;
    constexpr std::string_view form = "0000-00-00T00:00:00.000Z";
    if (utc.size() != form.size() || us < 0 || us > 4'000'000'000'000'000)
        return utc;
    for (std::size_t i = 0; i < form.size(); ++i)
        if (form[i] == '0' ? utc[i] < '0' || utc[i] > '9' : utc[i] != form[i])
            return utc;
    const auto number = [&](std::size_t at, std::size_t digits) {
        int value = 0;
        std::from_chars(utc.data() + at, utc.data() + at + digits, value);
        return value;
    };
    const year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                              day{static_cast<unsigned>(number(8, 2))}};
    if (!date.ok())
        return utc;
    const sys_time<milliseconds> at = sys_days{date} + hours{number(11, 2)} +
                                      minutes{number(14, 2)} + seconds{number(17, 2)} +
                                      milliseconds{number(20, 3) + us / 1000};
    const auto midnight = floor<days>(at);
    const year_month_day on{midnight};
    const hh_mm_ss time{at - midnight};
    std::ostringstream out;
    const auto digits = [&](long value, int width) -> std::ostream & {
        return out << std::setw(width) << std::setfill('0') << value;
    };
    digits(static_cast<int>(on.year()), 4) << '-';
    digits(static_cast<long>(static_cast<unsigned>(on.month())), 2) << '-';
    digits(static_cast<long>(static_cast<unsigned>(on.day())), 2) << 'T';
    digits(time.hours().count(), 2) << ':';
    digits(time.minutes().count(), 2) << ':';
    digits(time.seconds().count(), 2) << '.';
    digits(time.subseconds().count(), 3) << 'Z';
    return out.str();
}

// Null for what there is not.
json orNull(const std::string &text)
{
    return text.empty() ? json() : json(text);
}

} // namespace

std::string_view escalationStateName(EscalationState state)
{
    return stateNames[static_cast<std::size_t>(state)];
}

std::optional<EscalationState> escalationStateFromName(std::string_view name)
{
    const auto it = std::find(stateNames.begin(), stateNames.end(), name);
    if (it == stateNames.end())
        return std::nullopt;
    return static_cast<EscalationState>(it - stateNames.begin());
}

bool mayAnswer(EscalationState state, std::string_view outcome)
{
    if (state == EscalationState::Open || state == EscalationState::Claimed)
        return true;
    return state == EscalationState::Answered &&
           (outcome == "killed" || outcome == "failed" || outcome == "lost");
}

bool mayAnswer(const Escalation &escalation)
{
    return mayAnswer(escalation.state, escalation.outcome);
}

std::vector<std::string> escalationIds(std::string_view runId)
{
    std::string letters;
    for (const char c : runId)
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            letters += c;
    std::vector<std::string> ids;
    for (const std::size_t length : {8U, 12U, 16U})
        if (letters.size() > length)
            ids.push_back(letters.substr(0, length));
    ids.emplace_back(letters.empty() ? std::string(runId) : letters);
    return ids;
}

json escalationToJson(const Escalation &escalation)
{
    const json answer = json::parse(escalation.answer, nullptr, false);
    return {{"id", escalation.id},
            {"run_id", escalation.runId},
            {"trace", escalation.traceFile},
            {"task", escalation.taskName},
            {"mode", escalation.mode},
            {"reason", escalation.reason},
            {"by", escalation.by},
            {"opened_at", escalation.openedAt},
            {"state", escalationStateName(escalation.state)},
            {"claimed_by", orNull(escalation.claimedBy)},
            {"claimed_at", orNull(escalation.claimedAt)},
            {"answer", answer.is_discarded() ? json() : answer},
            {"closed_at", orNull(escalation.closedAt)},
            {"answer_run_id", orNull(escalation.answerRunId)},
            {"answer_trace", orNull(escalation.answerTrace)},
            {"last_feedback", escalation.lastFeedback},
            {"final_attempt", escalation.finalAttempt},
            {"attempts", escalation.attempts},
            {"outcome", orNull(escalation.outcome)},
            {"parent", orNull(escalation.parent)}};
}

json escalationToExport(const Escalation &escalation)
{
    json line = escalationToJson(escalation);
    line["timestamp"] = escalation.openedAt;
    line.erase("opened_at");
    // until something came of it, it is what the run itself ended as
    if (escalation.outcome.empty())
        line["outcome"] = "escalated";
    return line;
}

EscalationReader::EscalationReader(const std::string &headerLine, std::string traceFile)
{
    const json header = json::parse(headerLine, nullptr, false);
    const json task = object(header, "task"), origin = object(header, "origin");
    m_found.runId = member(header, "run_id");
    m_found.id = escalationIds(m_found.runId).front();
    m_found.traceFile = std::move(traceFile);
    m_found.taskName = member(task, "name");
    if (m_found.taskName.empty())
        m_found.taskName = member(task, "goal");
    m_found.mode = member(task, "mode");
    m_startedAt = member(header, "started_at");
    const std::string kind = member(origin, "kind");
    m_replay = kind == "replay"; // what it plays is in the inbox already
    if (kind == "answer")
        m_found.parent = member(origin, "escalation");
}

void EscalationReader::add(const Event &event)
{
    if (event.problem == LineProblem::AfterEnd)
        return;
    switch (event.kind) {
    case EventKind::ModelRequested:
        if (const json call = eventBody(event);
            call.is_object() && call.value("call", json()).is_number_integer())
            m_found.attempts = call["call"].get<int>();
        break;
    case EventKind::ModelReplied:
        m_found.finalAttempt = member(eventBody(event), "text");
        break;
    case EventKind::CorrectionRequested:
        m_found.lastFeedback = member(eventBody(event), "feedback");
        break;
    case EventKind::ControlAnswered:
        if (const json answer = object(eventBody(event), "answer"); !answer.empty())
            m_answer = answer.dump(-1, ' ', false, json::error_handler_t::replace);
        break;
    case EventKind::EscalationOpened: {
        const json body = eventBody(event);
        m_opened = true;
        m_found.reason = member(body, "reason");
        m_found.by = member(body, "by");
        m_found.openedAt = later(m_startedAt, event.tUs);
        break;
    }
    case EventKind::RunFinished:
        m_finished = true;
        m_outcome = member(eventBody(event), "outcome");
        break;
    default:
        break;
    }
}

std::optional<Escalation> EscalationReader::escalation() const
{
    if (!m_opened || m_replay || m_found.runId.empty())
        return std::nullopt;
    return m_found;
}

} // namespace emend::core
