// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/contract/decision.h"

#include "core/contract/hints.h"
#include "core/contract/validator.h"
#include "core/contract/wrappers.h"
#include "core/json/strictreader.h"

namespace emend::core {

namespace {

Rejection emptyReply(std::string_view reply, const Unwrapped &unwrapped)
{
    Rejection rejection;
    rejection.category = Category::EmptyResponse;
    rejection.place = placeAt(reply, reply.size());
    if (unwrapped.unclosedThink)
        rejection.error = "the reply is an unclosed <think> block; no answer was given";
    else if (!unwrapped.normalisations.empty())
        rejection.error = "the reply is empty inside its wrapper";
    else
        rejection.error = "the reply is empty";
    return rejection;
}

Rejection notJson(std::string_view reply, const Unwrapped &unwrapped, const JsonSyntaxError &fault)
{
    Rejection rejection;
    rejection.category = Category::InvalidJson;
    const std::size_t offset = unwrapped.offset + fault.offset;
    rejection.place = placeAt(reply, offset);
    rejection.error = "not valid JSON at line " + std::to_string(rejection.place->line) +
                      " column " + std::to_string(rejection.place->column) + ": " + fault.message;
    const std::string hint = jsonHint(reply, unwrapped.offset, offset, fault.inString);
    if (!hint.empty())
        rejection.error += ". Hint: " + hint;
    return rejection;
}

} // namespace

ReadReply readReply(std::string_view reply, const std::vector<ToolSpec> &tools,
                    const ContractOptions &options)
{
    ReadReply out;
    Unwrapped unwrapped = unwrapReply(reply, options.acceptWrappers);
    out.normalisations = unwrapped.normalisations;
    if (unwrapped.body.empty() || unwrapped.unclosedThink) {
        out.rejection = emptyReply(reply, unwrapped);
        return out;
    }
    auto json = readStrictJson(unwrapped.body, options.maxDepth);
    if (!json) {
        out.rejection = notJson(reply, unwrapped, json.error());
        return out;
    }
    validateDecision(std::move(*json), tools, options.acceptWrappers, out);
    if (out.rejection && out.rejection->pointer)
        out.rejection->place = placeAt(
            reply, unwrapped.offset + offsetOfPointer(unwrapped.body, *out.rejection->pointer));
    return out;
}

nlohmann::json decisionToJson(const Decision &decision)
{
    if (decision.kind == Decision::Kind::Action)
        return {{"state", "action"},
                {"reason", decision.reason},
                {"tool", decision.tool},
                {"tool_input", decision.toolInput}};
    return {{"state", "final"},
            {"satisfied", decision.satisfied},
            {"final_summary", decision.finalSummary}};
}

} // namespace emend::core
