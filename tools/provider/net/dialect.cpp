// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/dialect.h"

#include "core/base/text.h"

namespace emend::tools {

using nlohmann::json;

void Reading::block(const std::string &detail, const std::string &words)
{
    core::TransportError blocked;
    blocked.cls = core::TransportClass::ContentBlocked;
    blocked.message = asked.provider + " " + words;
    blocked.detail = detail;
    blocked.httpStatus = 200;
    error = std::move(blocked);
}

Conversation conversationOf(const core::ModelRequest &request)
{
    Conversation out;
    for (const core::Message &message : *request.messages) {
        const std::string text = core::toValidUtf8(message.text);
        if (text.empty())
            continue;
        if (message.role == core::Role::System)
            out.system += (out.system.empty() ? "" : "\n\n") + text;
        else if (!out.turns.empty() && out.turns.back().role == message.role)
            out.turns.back().text += "\n\n" + text;
        else
            out.turns.push_back({message.role, text});
    }
    return out;
}

json decisionSchema(const core::ModelRequest &request)
{
    json tools = json::array();
    for (const core::ToolSpec &tool : *request.tools)
        tools.push_back(tool.name);
    json properties = {{"state", {{"type", "string"}, {"enum", {"action", "final"}}}},
                       {"reason", {{"type", "string"}}},
                       {"tool_input", {{"type", "object"}}},
                       {"satisfied", {{"type", "boolean"}}},
                       {"final_summary", {{"type", "string"}}}};
    properties["tool"] = {{"type", "string"}};
    if (!tools.empty())
        properties["tool"]["enum"] = tools;
    return {{"type", "object"}, {"properties", properties}, {"required", {"state"}}};
}

json chatMessages(const core::ModelRequest &request)
{
    const Conversation conversation = conversationOf(request);
    json messages = json::array();
    if (!conversation.system.empty())
        messages.push_back({{"role", "system"}, {"content", conversation.system}});
    for (const core::Message &turn : conversation.turns)
        messages.push_back({{"role", core::roleName(turn.role)}, {"content", turn.text}});
    return messages;
}

json decisionTool(const core::ModelRequest &request)
{
    return {{"type", "function"},
            {"function",
             {{"name", decisionFunction},
              {"description", "States the one decision of this step."},
              {"parameters", decisionSchema(request)}}}};
}

std::vector<std::string> textsIn(const json &list, const char *key)
{
    std::vector<std::string> out;
    for (const json &one : list)
        if (std::string text = textOf(one, key); !text.empty())
            out.push_back(std::move(text));
    return out;
}

const json &memberOf(const json &object, const char *key)
{
    static const json nothing;
    if (!object.is_object())
        return nothing;
    const auto it = object.find(key);
    return it == object.end() ? nothing : *it;
}

std::string textOf(const json &object, const char *key)
{
    const json &value = memberOf(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::int64_t> countOf(const json &object, const char *key)
{
    const json &value = memberOf(object, key);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= INT64_MAX)
        return static_cast<std::int64_t>(value.get<std::uint64_t>());
    return std::nullopt;
}

} // namespace emend::tools
