// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/recording.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/replay/comparison.h"
#include "core/trace/summary.h"

namespace emend::core {

using nlohmann::json;

namespace {

const json &member(const json &object, const char *key)
{
    static const json none;
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it == object.end() ? none : *it;
}

std::string text(const json &object, const char *key)
{
    const json &value = member(object, key);
    return value.is_string() ? value.get_ref<const std::string &>() : std::string();
}

// Text that may have been no UTF-8: its bytes stand beside it.
std::string bytes(const json &object, const std::string &key)
{
    std::string out;
    const std::string encoded = text(object, (key + "_b64").c_str());
    if (!encoded.empty() && fromBase64(encoded, out) && !out.empty())
        return out;
    return text(object, key.c_str());
}

std::optional<std::int64_t> whole(const json &object, const char *key)
{
    const json &value = member(object, key);
    return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

bool flag(const json &object, const char *key)
{
    const json &value = member(object, key);
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
    reply.charged = !member(body, "charged").is_boolean() || flag(body, "charged");
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

TestResult testResult(const json &one)
{
    TestResult out;
    for (const auto status : {TestResult::Status::Passed, TestResult::Status::Failed,
                              TestResult::Status::Error, TestResult::Status::Skipped})
        if (testStatusName(status) == text(one, "status"))
            out.status = status;
    out.name = text(one, "name");
    out.message = text(one, "message");
    out.durationUs = whole(one, "duration_us").value_or(0);
    return out;
}

// Tests that the trace only counts, because there were too many to write down.
void addUnnamed(const json &counts, std::vector<TestResult> &tests)
{
    constexpr std::int64_t most = 10'000'000;
    const auto add = [&](const char *key, TestResult::Status status) {
        std::int64_t left = std::min(whole(counts, key).value_or(0), most);
        for (const TestResult &test : tests)
            left -= test.status == status ? 1 : 0;
        TestResult unnamed;
        unnamed.status = status;
        if (left > 0)
            tests.insert(tests.end(), static_cast<std::size_t>(left), unnamed);
    };
    add("passed", TestResult::Status::Passed);
    add("failed", TestResult::Status::Failed);
    add("errors", TestResult::Status::Error);
    add("skipped", TestResult::Status::Skipped);
}

VerifyOutcome verifyOutcome(const json &body)
{
    using Kind = VerifyOutcome::Kind;
    VerifyOutcome out;
    out.cause = text(body, "cause");
    out.message = text(body, "message");
    out.kind = flag(body, "passed")       ? Kind::Passed
               : flag(body, "judged")     ? Kind::Failed
               : out.cause == "cancelled" ? Kind::Cancelled
                                          : Kind::CannotVerify;
    for (const json &one : member(body, "tests"))
        out.tests.push_back(testResult(one));
    if (whole(body, "tests_left_out").value_or(0) > 0)
        addUnnamed(member(body, "counts"), out.tests);
    const auto small = [&](const char *key, int absent) {
        return static_cast<int>(
            std::clamp<std::int64_t>(whole(body, key).value_or(absent), INT32_MIN, INT32_MAX));
    };
    out.collected = small("collected", -1);
    out.exitCode = small("exit_code", -1);
    out.signal = small("signal", 0);
    out.runs = small("runs", 0);
    out.output = bytes(body, "output");
    out.outputBytes = whole(body, "output_bytes").value_or(0);
    out.sandbox = text(body, "sandbox");
    out.commandUs = whole(body, "command_us").value_or(0);
    out.durationUs = whole(body, "duration_us").value_or(0);
    for (const json &one : member(body, "differences"))
        out.differences.push_back({bytes(one, "input"), bytes(one, "first"), bytes(one, "second")});
    return out;
}

std::optional<Role> roleOf(const std::string &name)
{
    for (const Role role : {Role::System, Role::User, Role::Assistant})
        if (roleName(role) == name)
            return role;
    return std::nullopt;
}

// What is played or put together needs its members at once; the rest only if it looks different.
bool isPlayed(EventKind kind)
{
    switch (kind) {
    case EventKind::RunStarted:
    case EventKind::BreakerChanged:
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
    case EventKind::ModelRequested:
    case EventKind::ModelReplied:
    case EventKind::ModelFailed:
    case EventKind::ToolStarted:
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
    case EventKind::VerifyStarted:
    case EventKind::VerifyFinished:
        return true;
    default:
        return false;
    }
}

// No text of a line can hold this: its quotes would be escaped.
bool holdsRedactions(const std::string &line)
{
    return line.find(",\"redactions\":[") != std::string::npos;
}

} // namespace

Result<void> RecordingReader::begin(const std::string &headerLine)
{
    m_out.header = json::parse(headerLine, nullptr, false);
    m_out.runId = text(m_out.header, "run_id");
    auto task = parseTask(member(m_out.header, "task").dump());
    if (!task) {
        Error error = task.error();
        error.message = "the task in the trace's header: " + error.message;
        error.line = error.column = 0; // of a text that nobody sees
        return tl::unexpected<Error>(std::move(error));
    }
    m_out.task = std::move(*task);
    m_out.task.folder = text(m_out.header, "task_folder");
    addRedactions(0, m_out.header);
    return {};
}

void RecordingReader::add(Event event)
{
    if (event.problem == LineProblem::Torn)
        m_out.cut = true;
    else if (event.problem != LineProblem::None)
        m_out.problems.push_back(problemText(event));
    if (event.problem == LineProblem::Torn || event.problem == LineProblem::NotJson ||
        event.problem == LineProblem::AfterEnd)
        return;
    if (isPlayed(event.kind) || holdsRedactions(event.line)) {
        const json body = eventBody(event);
        addRedactions(event.seq, body);
        if (body.is_object())
            play(event, body);
    }
    if (isComparable(event.kind))
        m_out.events.push_back(
            {event.seq, event.kind, event.step, event.attempt,
             membersCompared(event.kind).empty() ? std::string() : std::move(event.line)});
}

Result<Recording> RecordingReader::finish()
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return std::move(m_out);
}

void RecordingReader::play(const Event &event, const json &body)
{
    switch (event.kind) {
    case EventKind::RunStarted:
        return addStart(body);
    case EventKind::BreakerChanged:
        return addBreaker(body);
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
        m_out.items.emplace_back(
            RecordedStop{event.seq, event.kind == EventKind::ControlKilled, text(body, "reason")});
        return;
    case EventKind::ToolStarted:
        m_out.items.emplace_back(RecordedExecution{
            event.seq, event.step, text(body, "tool"), member(body, "tool_input"), {}, 0});
        return;
    case EventKind::VerifyStarted:
        m_out.items.emplace_back(RecordedVerification{event.seq,
                                                      event.step,
                                                      text(body, "stage"),
                                                      text(body, "suite"),
                                                      text(body, "solution_hash"),
                                                      text(body, "compared_with"),
                                                      {},
                                                      0});
        return;
    case EventKind::ModelRequested:
        m_out.items.emplace_back(RecordedCall{
            event.seq, event.step, text(body, "stage"), messagesOf(event, body), {}, 0});
        return;
    default:
        return addResult(event, body);
    }
}

void RecordingReader::addResult(const Event &event, const json &body)
{
    const std::int64_t duration = whole(body, "duration_us").value_or(0);
    if (event.kind == EventKind::ModelReplied || event.kind == EventKind::ModelFailed) {
        if (auto *call = lastItem<RecordedCall>()) {
            call->outcome =
                event.kind == EventKind::ModelReplied ? repliedOutcome(body) : failedOutcome(body);
            call->durationUs = duration;
        }
    } else if (event.kind == EventKind::ToolSucceeded || event.kind == EventKind::ToolFailed) {
        if (auto *execution = lastItem<RecordedExecution>()) {
            execution->outcome = toolOutcome(body, event.kind == EventKind::ToolSucceeded);
            execution->durationUs = duration;
        }
    } else if (event.kind == EventKind::VerifyFinished) {
        if (auto *verification = lastItem<RecordedVerification>()) {
            verification->outcome = verifyOutcome(body);
            verification->durationUs = duration;
        }
    }
}

template<typename T>
T *RecordingReader::lastItem()
{
    return m_out.items.empty() ? nullptr : std::get_if<T>(&m_out.items.back());
}

// A message that was sent before is its number (core/trace/FORMAT.md).
std::vector<Message> RecordingReader::messagesOf(const Event &event, const json &body)
{
    std::vector<Message> out;
    for (const json &one : member(body, "messages")) {
        if (const auto role = roleOf(text(one, "role")); role && whole(one, "id"))
            m_messages[*whole(one, "id")] = {*role, text(one, "text")};
        const auto known = m_messages.find(one.is_number_integer() ? one.get<std::int64_t>()
                                                                   : whole(one, "id").value_or(-1));
        if (known != m_messages.end()) {
            out.push_back(known->second);
        } else if (!m_error) {
            m_error = Error{ErrorCode::BadValue,
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

void RecordingReader::addStart(const json &body)
{
    m_out.promptId = text(body, "prompt_id");
    m_out.promptVersion = static_cast<int>(whole(body, "prompt_version").value_or(1));
    const json &price = member(body, "price");
    const json &in = member(price, "in"), &priceOut = member(price, "out"),
               &cached = member(price, "cached_in");
    if (in.is_number() && priceOut.is_number() && cached.is_number())
        m_out.price = Price{in.get<double>(), priceOut.get<double>(), cached.get<double>()};
    for (const json &one : member(body, "breakers")) {
        const auto state = breakerStateFromName(text(one, "state"));
        if (!state || text(one, "name").empty())
            continue;
        const auto small = [&](const char *key, std::int64_t fallback) {
            return static_cast<int>(
                std::clamp<std::int64_t>(whole(one, key).value_or(fallback), 0, INT32_MAX));
        };
        m_out.breakers.push_back(
            {text(one, "name"),
             {*state, small("failures", 0), small("threshold", 1),
              whole(one, "cooldown_us").value_or(0), whole(one, "until_us").value_or(0)}});
    }
}

void RecordingReader::addBreaker(const json &body)
{
    if (text(body, "why") != "person")
        return;
    const std::string to = text(body, "to");
    const auto kind = to == "forced_open" ? BreakerCommandKind::ForceOpen
                      : to == "disabled"  ? BreakerCommandKind::Disable
                                          : BreakerCommandKind::Reset;
    m_out.items.emplace_back(BreakerCommand{text(body, "name"), kind});
}

void RecordingReader::addRedactions(std::uint64_t seq, const json &body)
{
    for (const json &one : member(body, "redactions"))
        if (one.is_object())
            m_out.redacted.push_back({seq, text(one, "pointer")});
}

std::map<std::string, CircuitBreaker> breakersOf(const Recording &recording, std::int64_t startUs)
{
    std::map<std::string, CircuitBreaker> out;
    for (const RecordedBreaker &breaker : recording.breakers) {
        CircuitBreaker::Snapshot snapshot = breaker.snapshot;
        snapshot.openUntilUs += startUs;
        out.insert_or_assign(breaker.name, CircuitBreaker::restored(snapshot));
    }
    return out;
}

bool isComparable(EventKind kind)
{
    return kind != EventKind::ControlPaused && kind != EventKind::ControlResumed &&
           kind != EventKind::ControlStepped && kind != EventKind::ControlAnswered &&
           kind != EventKind::EscalationClosed && kind != EventKind::Unknown;
}

std::string promptText(const std::vector<Message> &messages)
{
    std::string out;
    for (const Message &message : messages)
        out += "--- " + std::string(roleName(message.role)) + "\n" + message.text + "\n";
    return out;
}

} // namespace emend::core
