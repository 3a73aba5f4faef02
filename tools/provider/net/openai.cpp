// SPDX-License-Identifier: GPL-3.0-or-later
// Chat completions: OpenAI and every compatible server (llama.cpp, vLLM, OpenRouter …).
#include "tools/provider/net/dialect.h"

namespace emend::tools {

namespace {

using core::StructuredOutput;
using nlohmann::json;

class OpenAi : public Dialect {
public:
    std::string_view name() const override { return "openai"; }
    std::string_view defaultBaseUrl() const override { return "https://api.openai.com/v1"; }
    std::string_view keyVariable() const override { return "OPENAI_API_KEY"; }
    std::string path(const core::ModelRequest &) const override { return "/chat/completions"; }
    std::vector<HttpHeader> keyHeaders(const std::string &key) const override
    {
        return {{"Authorization", "Bearer " + key}};
    }

    json body(const core::ModelRequest &request, const core::ModelSettings &settings) const override
    {
        const bool own = settings.baseUrl.empty() || settings.baseUrl == defaultBaseUrl();
        const bool reasons = own && isReasoning(request.model);
        json out = {{"model", request.model},
                    {"messages", chatMessages(request)},
                    {"stream", request.stream}};
        if (!reasons) // those models refuse any other than their default
            out["temperature"] = request.temperature;
        out[own ? "max_completion_tokens" : "max_tokens"] = request.maxOutputTokens;
        if (request.stream)
            out["stream_options"] = {{"include_usage", true}};
        wish(request, settings.structuredOutput, out);
        return out;
    }

    void read(const json &payload, bool streamed, Reading &reading) const override
    {
        const json &choices = memberOf(payload, "choices");
        readUsage(memberOf(payload, "usage"), reading.usage);
        if (!choices.is_array() || choices.empty())
            return; // a chunk of usage or of filter results; a body without any is told later
        const json &choice = choices[0];
        const json &delta = memberOf(choice, streamed ? "delta" : "message");
        reading.answered = true;
        readMessage(delta.is_null() ? memberOf(choice, "message") : delta, reading);
        const std::string finish = textOf(choice, "finish_reason");
        if (finish.empty())
            return;
        reading.finishReason = finish;
        reading.complete = true;
        reading.truncated = finish == "length";
        if (finish == "content_filter" && !reading.error)
            reading.block("content_filter", "withheld the reply: its content filter stopped it");
    }

    std::string modelsPath() const override { return "/models"; }
    std::vector<std::string> models(const json &body) const override
    {
        return textsIn(memberOf(body, "data"), "id");
    }

private:
    static bool isReasoning(const std::string &model)
    {
        return model.starts_with("gpt-5") || model.starts_with("o1") || model.starts_with("o3") ||
               model.starts_with("o4");
    }

    static void wish(const core::ModelRequest &request, StructuredOutput kind, json &out)
    {
        if (kind == StructuredOutput::Json)
            out["response_format"] = {{"type", "json_object"}};
        if (kind == StructuredOutput::Schema)
            out["response_format"] = {
                {"type", "json_schema"},
                {"json_schema", {{"name", "decision"}, {"schema", decisionSchema(request)}}}};
        if (kind == StructuredOutput::Tools) {
            out["tools"] = json::array({decisionTool(request)});
            out["tool_choice"] = {{"type", "function"}, {"function", {{"name", decisionFunction}}}};
        }
    }

    static void readUsage(const json &usage, core::Usage &out)
    {
        if (!usage.is_object())
            return;
        out.in = countOf(usage, "prompt_tokens");
        out.out = countOf(usage, "completion_tokens");
        out.cachedIn = countOf(memberOf(usage, "prompt_tokens_details"), "cached_tokens");
        out.reasoningOut =
            countOf(memberOf(usage, "completion_tokens_details"), "reasoning_tokens");
    }

    // Reasoning is never promoted to a reply; a list of parts gives its texts.
    static void readMessage(const json &message, Reading &reading)
    {
        const json &content = memberOf(message, "content");
        if (content.is_string())
            reading.text += content.get_ref<const std::string &>();
        if (content.is_array()) {
            reading.contentParts = true;
            for (const json &part : content)
                if (const std::string type = textOf(part, "type");
                    type == "text" || type == "output_text")
                    reading.text += textOf(part, "text");
        }
        if (const std::string refusal = textOf(message, "refusal"); !refusal.empty())
            reading.block("refusal", "refused to answer: " + serverWords(reading.asked, refusal));
        readCalls(memberOf(message, "tool_calls"), reading);
        if (memberOf(message, "function_call").is_object())
            reading.nativeCall = true;
    }

    // A stream gives the name first and then the arguments in pieces.
    static void readCalls(const json &calls, Reading &reading)
    {
        if (!calls.is_array())
            return;
        for (const json &call : calls) {
            const json &function = memberOf(call, "function");
            const std::string name = textOf(function, "name");
            const auto index = countOf(call, "index").value_or(0);
            const bool ours =
                reading.toolIsText && index == 0 && (name.empty() || name == decisionFunction);
            if (ours)
                reading.toolText += textOf(function, "arguments");
            else
                reading.nativeCall = true;
        }
    }
};

} // namespace

const Dialect &openaiDialect()
{
    static const OpenAi dialect;
    return dialect;
}

} // namespace emend::tools
