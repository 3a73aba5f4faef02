// SPDX-License-Identifier: GPL-3.0-or-later
// Google's Gemini: generateContent.
#include <algorithm>
#include <array>

#include "tools/provider/net/dialect.h"

namespace emend::tools {

namespace {

using core::StructuredOutput;
using nlohmann::json;

class Gemini : public Dialect {
public:
    std::string_view name() const override { return "gemini"; }
    std::string_view defaultBaseUrl() const override
    {
        return "https://generativelanguage.googleapis.com";
    }
    std::string_view keyVariable() const override { return "GEMINI_API_KEY"; }
    std::string path(const core::ModelRequest &request) const override
    {
        std::string model; // of a task: no character of it may change what is asked for
        for (const char c : request.model) {
            constexpr std::string_view plain = "-_.~/";
            const auto byte = static_cast<unsigned char>(c);
            constexpr std::string_view hex = "0123456789ABCDEF";
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                plain.find(c) != std::string_view::npos)
                model += c;
            else
                model += {'%', hex[byte >> 4], hex[byte & 15]};
        }
        if (!model.starts_with("models/") && !model.starts_with("tunedModels/"))
            model = "models/" + model;
        return "/v1beta/" + model +
               (request.stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
    }
    std::vector<HttpHeader> keyHeaders(const std::string &key) const override
    {
        return {{"x-goog-api-key", key}};
    }

    json body(const core::ModelRequest &request, const core::ModelSettings &settings) const override
    {
        const Conversation conversation = conversationOf(request);
        json contents = json::array();
        for (const core::Message &turn : conversation.turns)
            contents.push_back({{"role", turn.role == core::Role::User ? "user" : "model"},
                                {"parts", {{{"text", turn.text}}}}});
        json generation = {{"temperature", request.temperature},
                           {"maxOutputTokens", request.maxOutputTokens}};
        const StructuredOutput wish = settings.structuredOutput;
        if (wish == StructuredOutput::Json || wish == StructuredOutput::Schema)
            generation["responseMimeType"] = "application/json";
        if (wish == StructuredOutput::Schema)
            generation["responseSchema"] = schemaOf(request);
        json out = {{"contents", contents}, {"generationConfig", generation}};
        if (!conversation.system.empty())
            out["systemInstruction"] = {{"parts", {{{"text", conversation.system}}}}};
        if (wish == StructuredOutput::Tools) {
            out["tools"] = {{{"functionDeclarations",
                              {{{"name", decisionFunction},
                                {"description", "States the one decision of this step."},
                                {"parameters", schemaOf(request)}}}}}};
            out["toolConfig"] = {{"functionCallingConfig",
                                  {{"mode", "ANY"}, {"allowedFunctionNames", {decisionFunction}}}}};
        }
        return out;
    }

    void read(const json &payload, bool streamed, Reading &reading) const override
    {
        if (payload.is_array()) { // the stream of old clients: all chunks in one list
            for (const json &chunk : payload)
                if (chunk.is_object())
                    read(chunk, streamed, reading);
            return;
        }
        readUsage(memberOf(payload, "usageMetadata"), reading.usage);
        if (const std::string why = textOf(memberOf(payload, "promptFeedback"), "blockReason");
            !why.empty()) {
            reading.answered = true;
            reading.block(why, "blocked the prompt (" + serverWords(reading.asked, why) +
                                   "): change it");
        }
        const json &candidates = memberOf(payload, "candidates");
        if (!candidates.is_array() || candidates.empty())
            return;
        reading.answered = true;
        for (const json &part : memberOf(memberOf(candidates[0], "content"), "parts"))
            readPart(part, reading);
        readFinish(textOf(candidates[0], "finishReason"), reading);
    }

    std::string modelsPath() const override { return "/v1beta/models?pageSize=1000"; }
    std::vector<std::string> models(const json &body) const override
    {
        std::vector<std::string> out;
        for (const json &model : memberOf(body, "models")) {
            const json &methods = memberOf(model, "supportedGenerationMethods");
            const bool chats = !methods.is_array() || std::find(methods.begin(), methods.end(),
                                                                "generateContent") != methods.end();
            std::string id = textOf(model, "name");
            if (id.starts_with("models/"))
                id.erase(0, 7);
            if (chats && !id.empty())
                out.push_back(std::move(id));
        }
        return out;
    }

private:
    // It refuses objects without properties, so tool_input lists those of all tools.
    static json schemaOf(const core::ModelRequest &request)
    {
        json schema = decisionSchema(request);
        json inputs = json::object();
        for (const core::ToolSpec &tool : *request.tools)
            if (const json &properties = memberOf(tool.inputSchema, "properties");
                properties.is_object())
                for (const auto &[name, property] : properties.items())
                    if (const std::string type = textOf(property, "type");
                        type == "string" || type == "number" || type == "integer" ||
                        type == "boolean")
                        inputs.emplace(name, json{{"type", type}});
        if (inputs.empty())
            schema["properties"].erase("tool_input");
        else
            schema["properties"]["tool_input"]["properties"] = inputs;
        return schema;
    }

    static void readUsage(const json &usage, core::Usage &out)
    {
        if (const auto in = countOf(usage, "promptTokenCount"))
            out.in = in;
        if (const auto cached = countOf(usage, "cachedContentTokenCount"))
            out.cachedIn = cached;
        const auto said = countOf(usage, "candidatesTokenCount");
        const auto thought = countOf(usage, "thoughtsTokenCount");
        if (thought)
            out.reasoningOut = thought;
        if (said) {
            constexpr std::int64_t most = 1'000'000'000'000;
            out.out = std::min(*said, most) + std::min(out.reasoningOut.value_or(0), most);
        }
    }

    static void readPart(const json &part, Reading &reading)
    {
        const json &thought = memberOf(part, "thought");
        if (thought.is_boolean() && thought.get<bool>())
            return;
        reading.text += textOf(part, "text");
        const json &call = memberOf(part, "functionCall");
        if (!call.is_object())
            return;
        if (reading.toolIsText && textOf(call, "name") == decisionFunction)
            reading.toolText += memberOf(call, "args").dump();
        else
            reading.nativeCall = true;
    }

    static void readFinish(const std::string &reason, Reading &reading)
    {
        static constexpr std::array<std::string_view, 8> filters = {
            "SAFETY", "RECITATION", "BLOCKLIST",    "PROHIBITED_CONTENT",
            "SPII",   "LANGUAGE",   "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"};
        if (reason.empty() || reason == "FINISH_REASON_UNSPECIFIED")
            return;
        reading.finishReason = reason;
        reading.complete = true;
        reading.truncated = reason == "MAX_TOKENS";
        if (std::find(filters.begin(), filters.end(), reason) != filters.end())
            reading.block(reason, "stopped the reply (" + reason + "): change the prompt");
        if (reason == "MALFORMED_FUNCTION_CALL" || reason == "UNEXPECTED_TOOL_CALL")
            reading.nativeCall = true;
    }
};

} // namespace

const Dialect &geminiDialect()
{
    static const Gemini dialect;
    return dialect;
}

} // namespace emend::tools
