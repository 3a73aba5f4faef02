// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/recording.h"

#include <map>

#include "core/base/text.h"

namespace emend::core {

using nlohmann::json;

namespace {

json member(const json &object, const char *key)
{
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it == object.end() ? json() : *it;
}

std::string text(const json &object, const char *key)
{
    const json value = member(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

// Text that may have been no UTF-8: its bytes stand beside it.
std::string bytes(const json &object, const std::string &key)
{
    std::string out;
    if (fromBase64(text(object, (key + "_b64").c_str()), out) && !out.empty())
        return out;
    return text(object, key.c_str());
}

std::optional<std::int64_t> whole(const json &object, const char *key)
{
    const json value = member(object, key);
    return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

bool flag(const json &object, const char *key)
{
    const json value = member(object, key);
    return value.is_boolean() && value.get<bool>();
}

TransportClass classOf(const std::string &name)
{
    for (int i = 0; i <= static_cast<int>(TransportClass::UnsupportedStop); ++i)
        if (transportClassName(static_cast<TransportClass>(i)) == name)
            return static_cast<TransportClass>(i);
    return TransportClass::Connection;
}

ModelOutcome repliedOutcome(const json &body)
{
    ModelReply reply;
    reply.text = bytes(body, "text");
    reply.usage.in = whole(body, "tokens_in");
    reply.usage.out = whole(body, "tokens_out");
    reply.usage.cachedIn = whole(body, "cached_tokens");
    reply.usage.reasoningOut = whole(body, "reasoning_tokens");
    reply.usage.estimated = text(body, "tokens_from") == "estimate";
    reply.finishReason = text(body, "finish_reason");
    reply.truncated = flag(body, "truncated");
    reply.note = text(body, "note");
    reply.by = text(body, "by");
    for (const json &one : member(body, "reply_normalisations"))
        if (one.is_string())
            reply.normalisations.push_back(one.get<std::string>());
    reply.recorded = true;
    return ModelOutcome::replied(std::move(reply));
}

ModelOutcome failedOutcome(const json &body)
{
    if (text(body, "class") == "cancelled")
        return ModelOutcome::cancelled();
    TransportError error;
    error.cls = classOf(text(body, "class"));
    error.message = text(body, "message");
    error.retryable = flag(body, "retryable");
    error.retryAfterMs = whole(body, "retry_after_ms");
    error.partial = text(body, "partial");
    if (const auto status = whole(body, "http_status"))
        error.httpStatus = static_cast<int>(*status);
    error.detail = text(body, "detail");
    return ModelOutcome::failed(std::move(error));
}

ToolOutcome toolOutcome(const json &body, bool succeeded)
{
    if (!succeeded && flag(body, "cancelled"))
        return ToolOutcome::cancelled();
    ToolOutcome out = succeeded ? ToolOutcome::succeeded(bytes(body, "output"))
                                : ToolOutcome::failed(bytes(body, "error"));
    out.timedOut = flag(body, "timed_out");
    out.by = text(body, "by");
    return out;
}

std::optional<Role> roleOf(const std::string &name)
{
    for (const Role role : {Role::System, Role::User, Role::Assistant})
        if (roleName(role) == name)
            return role;
    return std::nullopt;
}

class Reader {
public:
    explicit Reader(Recording &out)
        : m_out(out)
    {}

    void add(const Event &event)
    {
        const json body = eventBody(event);
        if (!body.is_object())
            return;
        if (isComparable(event.kind) && event.problem != LineProblem::AfterEnd)
            m_out.events.push_back(comparable(event));
        if (event.kind == EventKind::RunStarted)
            addStart(body);
        else if (event.kind == EventKind::RunFinished)
            addFinish(body);
        else if (event.kind == EventKind::BreakerChanged)
            addBreaker(body);
        else if (event.kind == EventKind::ControlKilled ||
                 event.kind == EventKind::ControlEscalated)
            m_out.items.emplace_back(RecordedStop{event.seq, event.kind == EventKind::ControlKilled,
                                                  text(body, "reason")});
        else if (event.kind == EventKind::ToolStarted)
            m_out.items.emplace_back(RecordedExecution{
                event.seq, event.step, text(body, "tool"), member(body, "tool_input"), {}, 0});
        else
            addResult(event, body);
    }

    std::optional<Error> error;

private:
    void addResult(const Event &event, const json &body)
    {
        const std::int64_t duration = whole(body, "duration_us").value_or(0);
        if (event.kind == EventKind::ModelRequested) {
            m_out.items.emplace_back(RecordedCall{
                event.seq, event.step, text(body, "stage"), messagesOf(event, body), {}, 0});
        } else if (event.kind == EventKind::ModelReplied || event.kind == EventKind::ModelFailed) {
            if (auto *call = lastOf<RecordedCall>()) {
                call->outcome = event.kind == EventKind::ModelReplied ? repliedOutcome(body)
                                                                      : failedOutcome(body);
                call->durationUs = duration;
            }
        } else if (event.kind == EventKind::ToolSucceeded || event.kind == EventKind::ToolFailed) {
            if (auto *execution = lastOf<RecordedExecution>()) {
                execution->outcome = toolOutcome(body, event.kind == EventKind::ToolSucceeded);
                execution->durationUs = duration;
            }
        }
    }

    template<typename T>
    T *lastOf()
    {
        return m_out.items.empty() ? nullptr : std::get_if<T>(&m_out.items.back());
    }

    // A message that was sent before is its number (core/trace/FORMAT.md).
    std::vector<Message> messagesOf(const Event &event, const json &body)
    {
        std::vector<Message> out;
        for (const json &one : member(body, "messages")) {
            if (const auto role = roleOf(text(one, "role")); role && whole(one, "id"))
                m_messages[*whole(one, "id")] = {*role, text(one, "text")};
            const auto known = m_messages.find(
                one.is_number_integer() ? one.get<std::int64_t>() : whole(one, "id").value_or(-1));
            if (known != m_messages.end()) {
                out.push_back(known->second);
            } else if (!error) {
                error = Error{ErrorCode::BadValue,
                              "event " + std::to_string(event.seq) +
                                  ": a message of the prompt is not in the trace",
                              {},
                              "/messages",
                              0,
                              0};
            }
        }
        return out;
    }

    void addStart(const json &body)
    {
        m_out.promptId = text(body, "prompt_id");
        m_out.promptVersion = static_cast<int>(whole(body, "prompt_version").value_or(1));
        const json price = member(body, "price");
        const json in = member(price, "in"), priceOut = member(price, "out"),
                   cached = member(price, "cached_in");
        if (in.is_number() && priceOut.is_number() && cached.is_number())
            m_out.price = Price{in.get<double>(), priceOut.get<double>(), cached.get<double>()};
    }

    void addFinish(const json &body)
    {
        m_out.outcome = text(body, "outcome");
        m_out.reason = text(body, "reason");
        m_out.finalSummary = text(body, "final_summary");
    }

    void addBreaker(const json &body)
    {
        if (text(body, "why") != "person")
            return;
        const std::string to = text(body, "to");
        const auto kind = to == "forced_open" ? BreakerCommandKind::ForceOpen
                          : to == "disabled"  ? BreakerCommandKind::Disable
                                              : BreakerCommandKind::Reset;
        m_out.items.emplace_back(BreakerCommand{text(body, "name"), kind});
    }

    Recording &m_out;
    std::map<std::int64_t, Message> m_messages;
};

} // namespace

bool isComparable(EventKind kind)
{
    return kind != EventKind::ControlPaused && kind != EventKind::ControlResumed &&
           kind != EventKind::ControlStepped && kind != EventKind::ControlAnswered &&
           kind != EventKind::EscalationClosed && kind != EventKind::Unknown;
}

RecordedEvent comparable(const Event &event)
{
    const json body = eventBody(event);
    RecordedEvent out{event.seq, event.kind, event.step, event.attempt, {}};
    for (const char *key : {"category", "state", "tool", "class", "to", "bound", "outcome"})
        if (const std::string value = text(body, key); !value.empty())
            out.what += (out.what.empty() ? "" : " ") + value;
    return out;
}

std::string promptText(const std::vector<Message> &messages)
{
    std::string out;
    for (const Message &message : messages)
        out += "--- " + std::string(roleName(message.role)) + "\n" + message.text + "\n";
    return out;
}

Result<Recording> readRecording(const std::string &headerLine, const std::vector<Event> &events)
{
    Recording out;
    out.header = json::parse(headerLine, nullptr, false);
    out.runId = text(out.header, "run_id");
    auto task = parseTask(member(out.header, "task").dump());
    if (!task) {
        Error error = task.error();
        error.message = "the task in the trace's header: " + error.message;
        error.line = error.column = 0; // of a text that nobody sees
        return tl::unexpected<Error>(std::move(error));
    }
    out.task = std::move(*task);
    Reader reader(out);
    for (const Event &event : events)
        if (event.problem != LineProblem::NotJson && event.problem != LineProblem::Torn)
            reader.add(event);
    if (reader.error)
        return tl::unexpected<Error>(*reader.error);
    return out;
}

} // namespace emend::core
