// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's own chat: a JSON object a line.
#include "tools/provider/net/dialect.h"

namespace emend::tools {

namespace {

using core::StructuredOutput;
using nlohmann::json;

class Ollama : public Dialect {
public:
    std::string_view name() const override { return "ollama"; }
    std::string_view defaultBaseUrl() const override { return "http://127.0.0.1:11434"; }
    std::string_view keyVariable() const override { return "OLLAMA_API_KEY"; }
    std::string path(const core::ModelRequest &) const override { return "/api/chat"; }
    std::vector<HttpHeader> keyHeaders(const std::string &key) const override
    {
        return {{"Authorization", "Bearer " + key}};
    }

    json body(const core::ModelRequest &request, const core::ModelSettings &settings) const override
    {
        json out = {
            {"model", request.model},
            {"messages", chatMessages(request)},
            {"stream", request.stream},
            {"options",
             {{"temperature", request.temperature}, {"num_predict", request.maxOutputTokens}}}};
        if (settings.structuredOutput == StructuredOutput::Json)
            out["format"] = "json";
        if (settings.structuredOutput == StructuredOutput::Schema)
            out["format"] = decisionSchema(request);
        if (settings.structuredOutput == StructuredOutput::Tools)
            out["tools"] = json::array({decisionTool(request)});
        return out;
    }

    void read(const json &payload, bool, Reading &reading) const override
    {
        const json &message = memberOf(payload, "message");
        if (message.is_object()) {
            reading.answered = true;
            reading.text += textOf(message, "content");
            const json &calls = memberOf(message, "tool_calls");
            for (const json &call : calls) {
                const json &function = memberOf(call, "function");
                if (reading.toolIsText && textOf(function, "name") == decisionFunction)
                    reading.toolText += memberOf(function, "arguments").dump();
                else
                    reading.nativeCall = true;
            }
        }
        const json &done = memberOf(payload, "done");
        if (!done.is_boolean() || !done.get<bool>())
            return;
        reading.answered = true;
        reading.complete = reading.ended = true;
        reading.finishReason = textOf(payload, "done_reason");
        reading.truncated = reading.finishReason == "length";
        reading.usage.in = countOf(payload, "prompt_eval_count");
        reading.usage.out = countOf(payload, "eval_count");
    }

    std::string modelsPath() const override { return "/api/tags"; }
    std::vector<std::string> models(const json &body) const override
    {
        return textsIn(memberOf(body, "models"), "name");
    }
};

} // namespace

const Dialect &ollamaDialect()
{
    static const Ollama dialect;
    return dialect;
}

} // namespace emend::tools
