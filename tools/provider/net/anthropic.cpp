// SPDX-License-Identifier: GPL-3.0-or-later
// Anthropic's messages.
#include "tools/provider/net/dialect.h"

namespace emend::tools {

namespace {

using core::StructuredOutput;
using nlohmann::json;

class Anthropic : public Dialect {
public:
    std::string_view name() const override { return "anthropic"; }
    std::string_view defaultBaseUrl() const override { return "https://api.anthropic.com"; }
    std::string_view keyVariable() const override { return "ANTHROPIC_API_KEY"; }
    std::string path(const core::ModelRequest &) const override { return "/v1/messages"; }
    std::vector<HttpHeader> keyHeaders(const std::string &key) const override
    {
        return {{"x-api-key", key}};
    }
    std::vector<HttpHeader> headers() const override
    {
        return {{"anthropic-version", "2023-06-01"}};
    }

    json body(const core::ModelRequest &request, const core::ModelSettings &settings) const override
    {
        const Conversation conversation = conversationOf(request);
        json messages = json::array();
        for (const core::Message &turn : conversation.turns)
            messages.push_back({{"role", core::roleName(turn.role)}, {"content", turn.text}});
        json out = {{"model", request.model},
                    {"messages", messages},
                    {"max_tokens", request.maxOutputTokens},
                    {"temperature", std::min(request.temperature, 1.0)}, // its own highest
                    {"stream", request.stream}};
        if (!conversation.system.empty())
            out["system"] = conversation.system;
        // There is no plain "some JSON" here: every stronger wish is a function it has to call.
        if (settings.structuredOutput == StructuredOutput::Schema ||
            settings.structuredOutput == StructuredOutput::Tools) {
            out["tools"] = {{{"name", decisionFunction},
                             {"description", "States the one decision of this step."},
                             {"input_schema", decisionSchema(request)}}};
            out["tool_choice"] = {{"type", "tool"}, {"name", decisionFunction}};
        }
        return out;
    }

    void read(const json &payload, bool, Reading &reading) const override
    {
        const std::string type = textOf(payload, "type");
        if (type == "message") {
            readMessage(payload, reading);
        } else if (type == "message_start") {
            readUsage(memberOf(memberOf(payload, "message"), "usage"), reading.usage);
            reading.answered = true;
        } else if (type == "content_block_start") {
            readBlock(memberOf(payload, "content_block"), reading);
        } else if (type == "content_block_delta") {
            const json &delta = memberOf(payload, "delta");
            const std::string kind = textOf(delta, "type");
            if (kind == "text_delta")
                reading.text += textOf(delta, "text");
            else if (kind == "input_json_delta" && reading.toolIsText)
                reading.toolText += textOf(delta, "partial_json");
        } else if (type == "message_delta") {
            readUsage(memberOf(payload, "usage"), reading.usage);
            readStop(memberOf(payload, "delta"), reading);
        } else if (type == "message_stop") {
            reading.complete = reading.ended = true;
        }
    }

    std::string modelsPath() const override { return "/v1/models?limit=1000"; }
    std::vector<std::string> models(const json &body) const override
    {
        return textsIn(memberOf(body, "data"), "id");
    }

private:
    static void readMessage(const json &message, Reading &reading)
    {
        reading.answered = true;
        for (const json &block : memberOf(message, "content"))
            readBlock(block, reading);
        readUsage(memberOf(message, "usage"), reading.usage);
        readStop(message, reading);
        reading.complete = true; // a body is whole
    }

    static void readBlock(const json &block, Reading &reading)
    {
        const std::string type = textOf(block, "type");
        if (type == "text") {
            reading.text += textOf(block, "text");
        } else if (type == "tool_use") {
            const bool ours = reading.toolIsText && textOf(block, "name") == decisionFunction;
            const json &input = memberOf(block, "input");
            if (ours && input.is_object() && !input.empty()) // a stream begins with {}
                reading.toolText += input.dump();
            reading.nativeCall = reading.nativeCall || !ours;
        }
    }

    // `input_tokens` leaves out what went through the cache.
    static void readUsage(const json &usage, core::Usage &out)
    {
        if (const auto plain = countOf(usage, "input_tokens")) {
            const auto read = countOf(usage, "cache_read_input_tokens");
            const auto written = countOf(usage, "cache_creation_input_tokens");
            constexpr std::int64_t most = 1'000'000'000'000; // of one call; more is nonsense
            out.in = std::min(*plain, most) + std::min(read.value_or(0), most) +
                     std::min(written.value_or(0), most);
            if (read)
                out.cachedIn = read;
        }
        if (const auto tokens = countOf(usage, "output_tokens"))
            out.out = tokens;
    }

    static void readStop(const json &holder, Reading &reading)
    {
        const std::string reason = textOf(holder, "stop_reason");
        if (reason.empty())
            return;
        reading.finishReason = reason;
        reading.complete = true;
        reading.truncated = reason == "max_tokens";
        core::TransportError error;
        error.httpStatus = 200;
        error.detail = reason;
        if (reason == "refusal") {
            const json &details = memberOf(holder, "stop_details");
            const std::string category = textOf(details, "category");
            reading.block("refusal",
                          "refused to answer" +
                              (category.empty()
                                   ? std::string()
                                   : " (category " + serverWords(reading.asked, category) + ")"));
        } else if (reason == "model_context_window_exceeded") {
            error.cls = core::TransportClass::ContextOverflow;
            error.message = "the context of " + reading.asked.model +
                            " is full: shorten the prompt or take a model with a larger one";
            reading.error = std::move(error);
        } else if (reason == "pause_turn") {
            error.cls = core::TransportClass::UnsupportedStop;
            error.message = "the model paused its turn and waits to be asked to go on, which Emend "
                            "does not do: switch off its built-in server tools";
            reading.error = std::move(error);
        }
    }
};

} // namespace

const Dialect &anthropicDialect()
{
    static const Anthropic dialect;
    return dialect;
}

} // namespace emend::tools
