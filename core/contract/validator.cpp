// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/contract/validator.h"
#include "core/base/closest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "core/contract/hints.h"

namespace emend::core {

using nlohmann::json;

namespace {

constexpr std::size_t maxReason = 500; // design section 4

std::string typeName(const json &value)
{
    if (value.is_number_integer())
        return "integer";
    return value.is_number() ? "number" : value.type_name();
}

std::string got(const json &value)
{
    if (value.is_string())
        return "string " + inQuotes(value.get_ref<const std::string &>(), 60);
    if (value.is_null() || value.is_structured())
        return typeName(value);
    return typeName(value) + " " + value.dump();
}

class Validator {
public:
    Validator(StrictJson &&read, const std::vector<ToolSpec> &tools, bool acceptWrappers,
              ReadReply &out)
        : m_read(std::move(read))
        , m_value(m_read.value)
        , m_tools(tools)
        , m_wrappers(acceptWrappers)
        , m_out(out)
    {}

    void run()
    {
        if (!m_value.is_object())
            return rejectRoot();
        std::string state;
        if (!readState(state))
            return;
        if (m_wrappers && m_value.contains("thought") && !m_value.contains("reason")) {
            m_value["reason"] = m_value["thought"];
            m_value.erase("thought");
            m_out.normalisations.emplace_back("legacy_thought");
            m_thoughtTaken = true;
        }
        if (!noMixedKeys(state))
            return;
        Decision decision;
        const bool ok = state == "action" ? readAction(decision) : readFinal(decision);
        if (!ok)
            return;
        noteExtraKeys(state);
        warnOfControls(m_value, {});
        m_out.decision = std::move(decision);
    }

private:
    bool reject(Category category, std::string pointer, std::string error, std::string suggest = {})
    {
        Rejection rejection;
        rejection.category = category;
        rejection.error = pointer.empty() ? std::move(error) : pointer + ": " + error;
        rejection.pointer = std::move(pointer);
        rejection.suggest = std::move(suggest);
        m_out.rejection = std::move(rejection);
        return false;
    }

    bool schema(std::string pointer, std::string error, std::string suggest = {})
    {
        return reject(Category::DecisionSchema, std::move(pointer), std::move(error),
                      std::move(suggest));
    }

    void rejectRoot()
    {
        std::string error = "expected one object with the decision, got " + typeName(m_value);
        if (m_value.is_array())
            error += "; one decision a reply, not a list";
        if (m_value.is_string()) {
            const auto inner = readStrictJson(m_value.get_ref<const std::string &>());
            if (inner && inner->value.is_object())
                error += "; the string itself holds an object: send that object, unquoted";
        }
        schema("", std::move(error));
    }

    bool missing(const std::string &key, const std::string &what)
    {
        std::string error = "missing; expected " + what;
        for (const std::string &present : m_read.rootKeys)
            if (std::string hint = lookAlikeHint(key, present); !hint.empty())
                return schema("/" + key, error + "; " + hint);
        static const std::vector<std::string> known = {"state",      "reason",        "tool",
                                                       "tool_input", "final_summary", "satisfied"};
        for (const std::string &present : m_read.rootKeys)
            if (std::find(known.begin(), known.end(), present) == known.end() &&
                closestName(present, known) == key)
                return schema("/" + key, error + "; there is a key " + inQuotes(present), key);
        return schema("/" + key, std::move(error));
    }

    bool readState(std::string &state)
    {
        const auto it = m_value.find("state");
        if (it == m_value.end()) {
            const bool tool = m_value.contains("tool"), satisfied = m_value.contains("satisfied");
            if (!m_wrappers || (!tool && !satisfied))
                return missing("state", "\"action\" or \"final\"");
            if (tool && satisfied)
                return schema("/state", "missing, and keys of both states are there; expected "
                                        "\"action\" or \"final\"");
            state = tool ? "action" : "final";
            m_out.normalisations.emplace_back("legacy_state");
            return true;
        }
        if (it->is_string())
            state = it->get<std::string>();
        if (state == "action" || state == "final")
            return true;
        std::string suggest = closestName(state, {"action", "final"});
        std::string error = "expected \"action\" or \"final\", got " + got(*it);
        if (!suggest.empty())
            error += "; did you mean " + inQuotes(suggest) + "?";
        return schema("/state", std::move(error), std::move(suggest));
    }

    // The first key, in the order of the text, that belongs to the other state.
    bool noMixedKeys(const std::string &state)
    {
        const std::array<std::string, 2> other =
            state == "action" ? std::array<std::string, 2>{"satisfied", "final_summary"}
                              : std::array<std::string, 2>{"tool", "tool_input"};
        for (const std::string &key : m_read.rootKeys)
            if (key == other[0] || key == other[1])
                return schema("/" + key, "belongs to the other state; this object says state " +
                                             inQuotes(state) +
                                             ". Send either an action or a final");
        return true;
    }

    bool readAction(Decision &decision)
    {
        decision.kind = Decision::Kind::Action;
        return readReason(decision) && readTool(decision) && readInput(decision);
    }

    bool readReason(Decision &decision)
    {
        const auto it = m_value.find("reason");
        if (it == m_value.end())
            return missing("reason", "a sentence");
        const std::string at = m_thoughtTaken ? "/thought" : "/reason"; // as the reply has it
        if (!it->is_string())
            return schema(at, "expected string, got " + got(*it));
        decision.reason = std::string(trimBlank(it->get_ref<const std::string &>()));
        const std::size_t length = countCodePoints(decision.reason);
        if (length == 0)
            return schema(at, "must not be empty");
        if (length > maxReason)
            return schema(at, "at most " + std::to_string(maxReason) + " characters, got " +
                                  std::to_string(length));
        return true;
    }

    bool readTool(Decision &decision)
    {
        const auto it = m_value.find("tool");
        if (it == m_value.end())
            return missing("tool", "the name of one tool");
        if (!it->is_string())
            return schema("/tool", "expected string, got " + got(*it));
        decision.tool = it->get<std::string>();
        const auto known = std::find_if(m_tools.begin(), m_tools.end(),
                                        [&](const ToolSpec &t) { return t.name == decision.tool; });
        m_tool = known == m_tools.end() ? nullptr : &*known;
        return readInputType();
    }

    bool readInputType()
    {
        const auto it = m_value.find("tool_input");
        if (it == m_value.end() || it->is_null()) {
            if (m_wrappers && m_tool != nullptr && m_tool->schema->acceptsEmptyObject()) {
                m_value["tool_input"] = json::object();
                m_out.normalisations.emplace_back("empty_tool_input");
                return true;
            }
            if (it == m_value.end())
                return missing("tool_input", "an object, {} if the tool needs nothing");
        }
        if (it->is_object())
            return true;
        std::string error = "expected an object, {} if the tool needs nothing, got " + got(*it);
        if (it->is_string() && readStrictJson(it->get_ref<const std::string &>()))
            error += "; it holds JSON: send that object, unquoted";
        return schema("/tool_input", std::move(error));
    }

    bool unknownTool(const std::string &name)
    {
        std::vector<std::string> names;
        std::string offered;
        for (const ToolSpec &tool : m_tools) {
            names.push_back(tool.name);
            offered += (offered.empty() ? "" : ", ") + tool.name;
        }
        std::string suggest = closestName(name, names);
        std::string error = "unknown tool " + inQuotes(name);
        if (!suggest.empty())
            error += "; did you mean " + inQuotes(suggest) + "?";
        error += offered.empty() ? " There are no tools." : " Tools: " + offered;
        return reject(Category::UnknownTool, "/tool", std::move(error), std::move(suggest));
    }

    bool readInput(Decision &decision)
    {
        if (m_tool == nullptr)
            return unknownTool(decision.tool);
        const auto invalid = [&](std::string pointer, std::string error, std::string suggest = {}) {
            return reject(Category::InvalidToolInput, std::move(pointer), std::move(error),
                          std::move(suggest));
        };
        for (const InexactNumber &number : m_read.inexact)
            if (number.pointer.starts_with("/tool_input/"))
                return invalid(number.pointer, "the number " + number.digits.substr(0, 60) +
                                                   " has more digits than can be kept exactly");
        json &input = m_value["tool_input"];
        if (const auto nul = findNul(input, "/tool_input"))
            return invalid(*nul, "holds a NUL character (\\u0000)");
        decision.toolInput = input;
        const auto applied = m_tool->schema->apply(decision.toolInput, "/tool_input");
        if (!applied)
            return invalid(applied.error().pointer, applied.error().message,
                           applied.error().suggest);
        return true;
    }

    static std::optional<std::string> findNul(const json &value, const std::string &at)
    {
        if (value.is_string() &&
            value.get_ref<const std::string &>().find('\0') != std::string::npos)
            return at;
        if (!value.is_structured())
            return std::nullopt;
        for (const auto &[key, element] : value.items()) {
            const std::string here = joinPointer(at, key);
            if (key.find('\0') != std::string::npos)
                return at;
            if (auto found = findNul(element, here))
                return found;
        }
        return std::nullopt;
    }

    bool readFinal(Decision &decision)
    {
        decision.kind = Decision::Kind::Final;
        const auto satisfied = m_value.find("satisfied");
        if (satisfied == m_value.end())
            return missing("satisfied", "true or false");
        if (!satisfied->is_boolean())
            return schema("/satisfied", "expected true or false, got " + got(*satisfied));
        decision.satisfied = satisfied->get<bool>();
        const auto summary = m_value.find("final_summary");
        if (summary == m_value.end())
            return missing("final_summary", "a sentence");
        if (!summary->is_string())
            return schema("/final_summary", "expected string, got " + got(*summary));
        decision.finalSummary = summary->get<std::string>();
        if (trimBlank(decision.finalSummary).empty())
            return schema("/final_summary", "must not be empty");
        return true;
    }

    void noteExtraKeys(const std::string &state)
    {
        static const std::set<std::string> action = {"state", "reason", "tool", "tool_input"};
        static const std::set<std::string> final = {"state", "satisfied", "final_summary"};
        const auto &known = state == "action" ? action : final;
        for (const std::string &key : m_read.rootKeys)
            if (!known.contains(key) && !(key == "thought" && m_thoughtTaken))
                m_out.extraKeys.push_back(key);
    }

    // "C:\temp\new" and "\frac" are legal escapes that ate a backslash: nothing proves it, so it is
    // only pointed out.
    static bool looksEaten(const std::string &text, std::size_t i)
    {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c != '\n' && c != '\t' && c != '\r')
            return c < 0x20 || c == 0x7F;
        const auto letter = [&](std::size_t at) {
            return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
        };
        return i >= 2 && text[i - 1] == ':' && letter(i - 2) && !(i >= 3 && letter(i - 3)) &&
               letter(i + 1);
    }

    void warnOfControls(const json &value, const std::string &at)
    {
        if (value.is_structured()) {
            for (const auto &[key, element] : value.items())
                warnOfControls(element, joinPointer(at, key));
            return;
        }
        if (!value.is_string())
            return;
        const auto &text = value.get_ref<const std::string &>();
        std::vector<std::string> found;
        bool eaten = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = static_cast<unsigned char>(text[i]);
            if (c >= 0x20 && c != 0x7F)
                continue;
            eaten = eaten || looksEaten(text, i);
            if (std::string name = describeCodePoint(text, i);
                std::find(found.begin(), found.end(), name) == found.end())
                found.push_back(std::move(name));
        }
        if (!eaten)
            return;
        std::string names;
        for (const std::string &name : found)
            names += (names.empty() ? "" : ", ") + name;
        m_out.warnings.push_back("control characters " + names + " in " + at);
    }

    StrictJson m_read;
    json &m_value;
    const std::vector<ToolSpec> &m_tools;
    const ToolSpec *m_tool = nullptr;
    bool m_wrappers;
    bool m_thoughtTaken = false;
    ReadReply &m_out;
};

} // namespace

void validateDecision(StrictJson read, const std::vector<ToolSpec> &tools, bool acceptWrappers,
                      ReadReply &out)
{
    Validator(std::move(read), tools, acceptWrappers, out).run();
}

} // namespace emend::core
