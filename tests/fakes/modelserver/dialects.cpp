// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/modelserver/dialects.h"

#include <nlohmann/json.hpp>

namespace emend::fakes {

using nlohmann::json;

namespace {

QByteArray text(const json &value)
{
    return QByteArray::fromStdString(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

QByteArray event(const json &value)
{
    return "data: " + text(value) + "\n\n";
}

QByteArray named(const char *type, json value)
{
    value["type"] = type;
    return "event: " + QByteArray(type) + "\n" + event(value);
}

std::string whole(const Answer &answer)
{
    std::string out;
    for (const std::string &piece : answer.pieces)
        out += piece;
    return out;
}

json openAiUsage(const Answer &answer)
{
    return {{"prompt_tokens", answer.tokensIn},
            {"completion_tokens", answer.tokensOut},
            {"total_tokens", answer.tokensIn + answer.tokensOut},
            {"prompt_tokens_details", {{"cached_tokens", 0}}}};
}

json openAiChunk(const Answer &answer, const json &delta, const json &finish)
{
    return {{"id", "chatcmpl-fake"},
            {"object", "chat.completion.chunk"},
            {"model", answer.model},
            {"choices", {{{"index", 0}, {"delta", delta}, {"finish_reason", finish}}}}};
}

Stream openAi(const Answer &answer)
{
    Stream out{
        "text/event-stream", event(openAiChunk(answer, {{"role", "assistant"}}, nullptr)), {}, {}};
    for (const std::string &piece : answer.pieces)
        out.pieces.append(event(openAiChunk(answer, {{"content", piece}}, nullptr)));
    out.end =
        event(openAiChunk(answer, json::object(), answer.truncated ? "length" : "stop")) +
        event(
            {{"id", "chatcmpl-fake"}, {"choices", json::array()}, {"usage", openAiUsage(answer)}}) +
        "data: [DONE]\n\n";
    return out;
}

Stream anthropic(const Answer &answer)
{
    Stream out;
    out.contentType = "text/event-stream";
    out.begin = named("message_start", {{"message",
                                         {{"id", "msg_fake"},
                                          {"role", "assistant"},
                                          {"model", answer.model},
                                          {"content", json::array()},
                                          {"usage", {{"input_tokens", answer.tokensIn}}}}}}) +
                named("content_block_start",
                      {{"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}}) +
                named("ping", json::object());
    for (const std::string &piece : answer.pieces)
        out.pieces.append(
            named("content_block_delta",
                  {{"index", 0}, {"delta", {{"type", "text_delta"}, {"text", piece}}}}));
    out.end = named("content_block_stop", {{"index", 0}}) +
              named("message_delta",
                    {{"delta", {{"stop_reason", answer.truncated ? "max_tokens" : "end_turn"}}},
                     {"usage", {{"output_tokens", answer.tokensOut}}}}) +
              named("message_stop", json::object());
    return out;
}

json geminiChunk(const std::string &piece)
{
    return {{"candidates",
             {{{"index", 0}, {"content", {{"role", "model"}, {"parts", {{{"text", piece}}}}}}}}}};
}

json geminiEnd(const Answer &answer, json chunk)
{
    chunk["candidates"][0]["finishReason"] = answer.truncated ? "MAX_TOKENS" : "STOP";
    chunk["usageMetadata"] = {{"promptTokenCount", answer.tokensIn},
                              {"candidatesTokenCount", answer.tokensOut},
                              {"totalTokenCount", answer.tokensIn + answer.tokensOut}};
    return chunk;
}

Stream gemini(const Answer &answer)
{
    Stream out{"text/event-stream", {}, {}, event(geminiEnd(answer, geminiChunk("")))};
    for (const std::string &piece : answer.pieces)
        out.pieces.append(event(geminiChunk(piece)));
    return out;
}

json ollamaLine(const Answer &answer, const std::string &piece, bool done)
{
    return {{"model", answer.model},
            {"message", {{"role", "assistant"}, {"content", piece}}},
            {"done", done}};
}

json ollamaEnd(const Answer &answer, const std::string &piece)
{
    json out = ollamaLine(answer, piece, true);
    out["done_reason"] = answer.truncated ? "length" : "stop";
    out["prompt_eval_count"] = answer.tokensIn;
    out["eval_count"] = answer.tokensOut;
    return out;
}

Stream ollama(const Answer &answer)
{
    Stream out{"application/x-ndjson", {}, {}, text(ollamaEnd(answer, "")) + "\n"};
    for (const std::string &piece : answer.pieces)
        out.pieces.append(text(ollamaLine(answer, piece, false)) + "\n");
    return out;
}

json errorBody(Api api, int status, const std::string &message)
{
    switch (api) {
    case Api::OpenAi:
        return {{"error", {{"message", message}, {"type", "fake_error"}, {"code", status}}}};
    case Api::Anthropic:
        return {{"type", "error"},
                {"error",
                 {{"type", status == 529   ? "overloaded_error"
                           : status == 404 ? "not_found_error"
                                           : "api_error"},
                  {"message", message}}}};
    case Api::Gemini:
        return {{"error", {{"code", status}, {"message", message}, {"status", "FAKE"}}}};
    case Api::Ollama:
        break;
    }
    return {{"error", message}};
}

} // namespace

Stream streamOf(Api api, const Answer &answer)
{
    switch (api) {
    case Api::OpenAi:
        return openAi(answer);
    case Api::Anthropic:
        return anthropic(answer);
    case Api::Gemini:
        return gemini(answer);
    case Api::Ollama:
        break;
    }
    return ollama(answer);
}

QByteArray bodyOf(Api api, const Answer &answer)
{
    switch (api) {
    case Api::OpenAi:
        return text({{"id", "chatcmpl-fake"},
                     {"object", "chat.completion"},
                     {"model", answer.model},
                     {"choices",
                      {{{"index", 0},
                        {"message", {{"role", "assistant"}, {"content", whole(answer)}}},
                        {"finish_reason", answer.truncated ? "length" : "stop"}}}},
                     {"usage", openAiUsage(answer)}});
    case Api::Anthropic:
        return text(
            {{"id", "msg_fake"},
             {"type", "message"},
             {"role", "assistant"},
             {"model", answer.model},
             {"content", {{{"type", "text"}, {"text", whole(answer)}}}},
             {"stop_reason", answer.truncated ? "max_tokens" : "end_turn"},
             {"usage", {{"input_tokens", answer.tokensIn}, {"output_tokens", answer.tokensOut}}}});
    case Api::Gemini:
        return text(geminiEnd(answer, geminiChunk(whole(answer))));
    case Api::Ollama:
        break;
    }
    return text(ollamaEnd(answer, whole(answer)));
}

QByteArray errorOf(Api api, int status, const std::string &message)
{
    return text(errorBody(api, status, message));
}

QByteArray unknownModelOf(Api api, const std::string &model)
{
    switch (api) {
    case Api::OpenAi:
        return text({{"error",
                      {{"message", "The model `" + model +
                                       "` does not exist or you do not have access to it."},
                       {"type", "invalid_request_error"},
                       {"param", nullptr},
                       {"code", "model_not_found"}}}});
    case Api::Anthropic:
        return text({{"type", "error"},
                     {"error", {{"type", "not_found_error"}, {"message", "model: " + model}}}});
    case Api::Gemini:
        return text({{"error",
                      {{"code", 404},
                       {"message", "models/" + model +
                                       " is not found for API version v1beta, or is not supported "
                                       "for generateContent."},
                       {"status", "NOT_FOUND"}}}});
    case Api::Ollama:
        break;
    }
    return text({{"error", "model '" + model + "' not found"}});
}

QByteArray streamErrorOf(Api api, const std::string &message)
{
    const json body = errorBody(api, 500, message);
    return api == Api::Ollama ? text(body) + "\n" : event(body);
}

QByteArray modelsOf(Api api, const QList<std::string> &names)
{
    json list = json::array();
    for (const std::string &name : names) {
        if (api == Api::Gemini)
            list.push_back(
                {{"name", "models/" + name}, {"supportedGenerationMethods", {"generateContent"}}});
        else if (api == Api::Ollama)
            list.push_back({{"name", name}});
        else
            list.push_back({{"id", name}, {"object", "model"}});
    }
    const bool data = api == Api::OpenAi || api == Api::Anthropic;
    return text({{data ? "data" : "models", list}});
}

} // namespace emend::fakes
