// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/contract/hints.h"

#include <array>
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/json/strictreader.h"

namespace emend::core {

namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// The text at the place of the error, and what to say of it. First match wins.
constexpr std::array startRules = {
    Rule{"<tool_call", "a tool-call tag was found; write the decision object instead"},
    Rule{"<function", "a tool-call tag was found; write the decision object instead"},
    Rule{"<|", "channel markers are not part of a decision"},
    Rule{"'", "JSON strings stand in double quotes"},
    Rule{"True", "write true"},
    Rule{"False", "write false"},
    Rule{"None", "write null"},
    Rule{"NaN", "JSON has no NaN"},
    Rule{"Infinity", "JSON has no Infinity"},
    Rule{"undefined", "JSON has no undefined"},
    Rule{"//", "JSON has no comments"},
    Rule{"/*", "JSON has no comments"},
    Rule{"#", "JSON has no comments"},
    Rule{"+", "JSON numbers have no plus sign"},
    Rule{"...", "three dots stand for nothing; spell every member out"},
    Rule{"…", "an ellipsis stands for nothing; spell every member out"},
    Rule{"\\\"", "the quotes are escaped although the object is not inside a string"},
    Rule{"\\", "the object is escaped although it is not inside a string"},
    Rule{"&quot;", "the text is HTML-escaped (&quot;)"},
    Rule{"&", "the text is HTML-escaped"},
    Rule{"\xE2\x80\x9C", "U+201C is a typographic quote; use \""},
    Rule{"\xE2\x80\x9D", "U+201D is a typographic quote; use \""},
    Rule{"\xE2\x80\x9E", "U+201E is a typographic quote; use \""},
    Rule{"\xC2\xA0", "U+00A0 is a no-break space; use an ordinary space"},
    Rule{"\xEF\xBC\x9A", "U+FF1A is a full-width colon; use :"},
    Rule{"\xEF\xBC\x8C", "U+FF0C is a full-width comma; use ,"},
};

// The end of the object that begins at `open`, counting braces outside strings; nothing if it is
// cut.
std::optional<std::size_t> objectEnd(std::string_view text, std::size_t open)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = open; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return std::nullopt;
}

bool isDecisionLike(std::string_view text)
{
    const auto read = readStrictJson(text);
    return read && read->value.is_object() &&
           (read->value.contains("state") || read->value.contains("tool") ||
            read->value.contains("satisfied"));
}

// Where the decision-like objects of a reply begin; at most two are looked for, in a bounded
// search.
std::string foundObjects(std::string_view reply, std::size_t from)
{
    constexpr int maxCandidates = 50;
    constexpr std::size_t maxText = 1'000'000;
    int found = 0;
    std::size_t first = 0;
    std::size_t at = reply.size() > maxText ? std::string_view::npos : reply.find('{', from);
    for (int i = 0; i < maxCandidates && at != std::string_view::npos; ++i) {
        const auto end = objectEnd(reply, at);
        if (end && isDecisionLike(reply.substr(at, *end - at))) {
            if (found++ == 0)
                first = at;
            at = reply.find('{', *end);
        } else {
            at = reply.find('{', at + 1);
        }
    }
    if (found == 0)
        return {};
    if (found > 1)
        return std::to_string(found) +
               " JSON objects found; send exactly one and nothing around it";
    const Place place = placeAt(reply, first);
    return "one JSON object found at line " + std::to_string(place.line) + " column " +
           std::to_string(place.column) + "; send it alone, with nothing around it";
}

std::string hintInString(std::string_view reply, std::size_t at)
{
    const auto byte = static_cast<unsigned char>(reply[at]);
    if (byte >= 0x20)
        return {};
    return describeCodePoint(reply, at) + " stands raw inside a string; write it as an escape" +
           (byte == '\n'   ? " (\\n)"
            : byte == '\t' ? " (\\t)"
                           : "");
}

std::string hintAtPlace(std::string_view reply, std::size_t bodyOffset, std::size_t at)
{
    if (at >= reply.size())
        return reply.substr(bodyOffset).starts_with('{')
                   ? "the reply ends in the middle of the object"
                   : "";
    const std::string_view rest = reply.substr(at);
    const std::string_view before = reply.substr(bodyOffset, at - bodyOffset);
    const std::size_t last = before.find_last_not_of(" \t\r\n");
    if ((rest[0] == '}' || rest[0] == ']') && last != std::string_view::npos && before[last] == ',')
        return "no comma may stand before " + std::string(1, rest[0]);
    if (rest[0] == '{' && readStrictJson(before))
        return "a second object starts here; send exactly one";
    for (const auto &[start, words] : startRules)
        if (rest.starts_with(start))
            return std::string(words);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte < 0x20 || byte >= 0x80)
        return "found " + describeCodePoint(reply, at);
    return {};
}

} // namespace

std::string jsonHint(std::string_view reply, std::size_t bodyOffset, std::size_t errorOffset,
                     bool inString)
{
    std::string hint = inString && errorOffset < reply.size()
                           ? hintInString(reply, errorOffset)
                           : hintAtPlace(reply, bodyOffset, errorOffset);
    if (errorOffset == bodyOffset) {
        const std::string objects = foundObjects(reply, bodyOffset);
        if (!objects.empty())
            hint += (hint.empty() ? "" : "; ") + objects;
        else if (hint.empty())
            hint = "the reply must be one JSON object and nothing else";
    }
    return hint;
}

std::string lookAlikeHint(const std::string &wanted, std::string_view key)
{
    if (countCodePoints(key) != wanted.size() || firstInvalidUtf8(key) != std::string_view::npos)
        return {};
    std::string different;
    std::size_t i = 0;
    for (const char c : wanted) {
        const std::string_view one = prefixCodePoints(key.substr(i), 1);
        if (one.size() > 1)
            different += (different.empty() ? "" : ", ") + describeCodePoint(key, i);
        else if (one[0] != c)
            return {};
        i += one.size();
    }
    return different.empty() ? std::string()
                             : "the key " + inQuotes(key) + " differs from it only in " + different;
}

} // namespace emend::core
