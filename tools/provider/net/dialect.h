// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"
#include "core/task/task.h"
#include "tools/provider/net/classify.h"

// What is different from one model API to the next: one .cpp each. All pure; the transport around
// them is netprovider.h.
namespace emend::tools {

// What has been read of a reply so far.
struct Reading {
    Asked asked;
    bool toolIsText = false; // the decision was asked for as the arguments of a function

    std::string text;
    core::Usage usage;
    std::string finishReason;
    bool complete = false;  // a finish reason or an end mark came
    bool ended = false;     // an end mark came: there is no more
    bool truncated = false; // by the token limit
    bool answered = false;  // there was an answer at all, if only an empty one
    bool nativeCall = false;
    bool contentParts = false;
    std::string toolText;
    std::optional<core::TransportError> error;

    void block(const std::string &detail, const std::string &words);
};

class Dialect {
public:
    virtual ~Dialect() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view defaultBaseUrl() const = 0;
    virtual std::string_view keyVariable() const = 0;                      // empty: it takes no key
    virtual std::string path(const core::ModelRequest &request) const = 0; // after the base URL
    virtual std::vector<HttpHeader> keyHeaders(const std::string &key) const = 0;
    virtual std::vector<HttpHeader> headers() const { return {}; }
    virtual nlohmann::json body(const core::ModelRequest &request,
                                const core::ModelSettings &settings) const = 0;
    // One payload: an event of a stream, a line, or the whole body.
    virtual void read(const nlohmann::json &payload, bool streamed, Reading &reading) const = 0;

    // The list of models: where it is, and the names in it (those that can chat, where it says so).
    virtual std::string modelsPath() const = 0;
    virtual std::vector<std::string> models(const nlohmann::json &body) const = 0;
};

const Dialect &openaiDialect();
const Dialect &anthropicDialect();
const Dialect &geminiDialect();
const Dialect &ollamaDialect();

// The messages with consecutive ones of a role joined by an empty line, because several servers
// insist on alternation; the system prompt apart, empty turns left out.
struct Conversation {
    std::string system;
    std::vector<core::Message> turns; // User and Assistant
};
Conversation conversationOf(const core::ModelRequest &request);

// The conversation as the list of OpenAI's form, the system prompt first.
nlohmann::json chatMessages(const core::ModelRequest &request);
// The function that takes a decision as its arguments, in OpenAI's form.
nlohmann::json decisionTool(const core::ModelRequest &request);
// The texts under `key` in the objects of a list: names of models.
std::vector<std::string> textsIn(const nlohmann::json &list, const char *key);

// The JSON Schema of a decision (design section 4), as a wish to the provider.
nlohmann::json decisionSchema(const core::ModelRequest &request);
constexpr const char *decisionFunction = "decide";

// Members of foreign JSON: null, empty or nothing if they are missing or of another type.
const nlohmann::json &memberOf(const nlohmann::json &object, const char *key);
std::string textOf(const nlohmann::json &object, const char *key);
std::optional<std::int64_t> countOf(const nlohmann::json &object, const char *key);

} // namespace emend::tools
