// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/json/schema.h"
#include "core/trace/event.h"

// The outside world as the loop sees it (design sections 2 and 6). Implemented in tools and in
// tests/fakes. All calls are made on the thread of the runner and block it; every one of them
// returns soon (well under 100 ms) after its stop token is triggered.
namespace emend::core {

// Monotonic time and waiting. Fakes jump instead of waiting.
class Clock {
public:
    virtual ~Clock() = default;
    // Microseconds since an arbitrary fixed moment; never goes back. Any thread.
    virtual std::int64_t nowUs() const = 0;
    // Wall clock in UTC, ISO 8601 with milliseconds and Z. Any thread.
    virtual std::string utcNow() const = 0;
    // Waits until `nowUs() >= untilUs` (true) or the token is triggered (false).
    virtual bool waitUntil(std::int64_t untilUs, std::stop_token stop) = 0;
};

// What every blocking call gets: when to give up.
struct CallContext {
    std::stop_token stop;
    std::int64_t deadlineUs = INT64_MAX; // on the run's Clock; the call must end by then
};

// ---- models ----

enum class Role : std::uint8_t { System, User, Assistant };
std::string_view roleName(Role role); // "system", "user", "assistant"

struct Message {
    Role role = Role::User;
    std::string text; // valid UTF-8
};

struct ToolSpec {
    std::string name;
    std::string description;
    bool idempotent = false; // may be executed again without asking
    nlohmann::json inputSchema;
    std::shared_ptr<const Schema> schema; // inputSchema, compiled
};

// One earlier action of the run, as data, for providers that plan (practice). Providers that talk
// to a model use `messages` only.
struct Observation {
    int step = 0;
    std::string tool;
    nlohmann::json input;
    bool succeeded = false;
    std::string output; // or the error
};

struct ModelRequest {
    std::string stage; // "step_3_correction_1"
    int step = 0;
    int attempt = 0; // 0: the first attempt of the slot
    std::string model;
    double temperature = 0.1;
    int maxOutputTokens = 1000;
    bool stream = true;
    bool finalOnly = false; // no actions are left
    std::string goal;
    const std::vector<Message> *messages = nullptr;
    const std::vector<ToolSpec> *tools = nullptr;
    const std::vector<Observation> *observations = nullptr;
};

// Tokens; absent is "unknown", never 0.
struct Usage {
    std::optional<std::int64_t> in;           // the whole prompt, with what came from a cache
    std::optional<std::int64_t> out;          // the whole reply, with hidden reasoning
    std::optional<std::int64_t> cachedIn;     // of `in`: read from the provider's cache
    std::optional<std::int64_t> reasoningOut; // of `out`: thought, and not said
    bool estimated = false;                   // counted by Emend, not by the provider
};

struct ModelReply {
    std::string text; // as received; may be empty, may be no UTF-8
    Usage usage;
    std::string finishReason; // as the provider names it; empty: it gave none
    bool truncated = false;   // cut by the token limit
    bool recorded = false;    // comes from a trace, not from a model
    bool charged = true;      // false: played before a fork, so nothing is spent again
    std::vector<std::string> normalisations =
        {};                // what was unwrapped below the text: content_parts
    std::string note = {}; // what a correction should say besides ("a native tool call came …")
    std::string by = {};   // "person": it stands in for the model's; empty: the model's own
};

enum class TransportClass : std::uint8_t {
    RateLimited,
    QuotaExhausted,
    Overloaded,
    ServerError,
    Auth,
    NotFound,
    BadRequest,
    ContextOverflow,
    ContentBlocked,
    NoChoices,
    BadBody,
    StreamError,
    StreamTruncated,
    Timeout,
    Connection,
    UnsupportedStop, // the provider ended the turn in a way that Emend cannot go on from
};
std::string_view transportClassName(TransportClass c); // "rate_limited" …

// Infrastructure, never a correction (design section 6).
struct TransportError {
    TransportClass cls = TransportClass::Connection;
    std::string message;
    bool retryable = false;
    std::optional<std::int64_t> retryAfterMs; // what the server asked for
    std::string partial;                      // text received before the failure, for display only
    std::optional<int> httpStatus = {};
    std::string detail = {}; // the provider's own code: "insufficient_quota", "SAFETY"
};

struct ModelOutcome {
    enum class Kind : std::uint8_t { Replied, Failed, Cancelled } kind = Kind::Cancelled;
    ModelReply reply;
    TransportError error;

    static ModelOutcome replied(ModelReply r) { return {Kind::Replied, std::move(r), {}}; }
    static ModelOutcome failed(TransportError e) { return {Kind::Failed, {}, std::move(e)}; }
    static ModelOutcome cancelled() { return {}; }
};

class ModelProvider {
public:
    virtual ~ModelProvider() = default;
    // `onText` gets pieces of the reply as they arrive (may never be called).
    virtual ModelOutcome generate(const ModelRequest &request, const CallContext &context,
                                  const std::function<void(std::string_view)> &onText) = 0;
};

// ---- tools ----

struct ToolOutcome {
    enum class Kind : std::uint8_t { Succeeded, Failed, Cancelled } kind = Kind::Cancelled;
    std::string text;      // output or error, as bytes; may be no UTF-8
    bool timedOut = false; // failed because time ran out: whether it had an effect is unknown
    std::string by = {};   // "person": a person says so, and it is not tried again

    static ToolOutcome succeeded(std::string output)
    {
        return {Kind::Succeeded, std::move(output), false, {}};
    }
    static ToolOutcome failed(std::string error)
    {
        return {Kind::Failed, std::move(error), false, {}};
    }
    static ToolOutcome timeout(std::string error)
    {
        return {Kind::Failed, std::move(error), true, {}};
    }
    static ToolOutcome cancelled() { return {}; }
};

class Tool {
public:
    virtual ~Tool() = default;
    virtual const ToolSpec &spec() const = 0;
    // `input` has passed the tool's schema, defaults filled in.
    virtual ToolOutcome execute(const nlohmann::json &input, const CallContext &context) = 0;
};

// ---- the trace ----

// Gets every event, in order, on the thread of the runner. The event is on disk when it returns.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual Result<void> begin(const nlohmann::json &header) = 0;
    virtual Result<void> write(Event &event) = 0;
    // Text of a reply that is still coming; not an event, not kept.
    virtual void partialText(int step, int attempt, std::string_view text)
    {
        (void)step, (void)attempt, (void)text;
    }
    // Output of a verification that is still going on; the same.
    virtual void partialOutput(int step, int attempt, std::string_view output)
    {
        (void)step, (void)attempt, (void)output;
    }
};

} // namespace emend::core
