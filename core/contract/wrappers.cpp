// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/contract/wrappers.h"

#include <optional>

#include "core/base/text.h"

namespace emend::core {

namespace {

constexpr std::string_view thinkOpen = "<think>";
constexpr std::string_view thinkClose = "</think>";

bool looksLikeAnswer(std::string_view body)
{
    return body.starts_with('{') || body.starts_with('[') || body.starts_with('"') ||
           body.starts_with("```");
}

std::size_t countBackTicks(std::string_view text)
{
    const std::size_t end = text.find_first_not_of('`');
    return end == std::string_view::npos ? text.size() : end;
}

bool isJsonTag(std::string_view tag)
{
    constexpr std::string_view json = "json";
    if (tag.size() != json.size())
        return false;
    for (std::size_t i = 0; i < tag.size(); ++i)
        if ((tag[i] | 0x20) != json[i])
            return false;
    return true;
}

// A line inside the fence that could end it or begin another one makes the wrapper ambiguous.
bool holdsFenceLine(std::string_view inside, std::size_t ticks)
{
    for (std::size_t line = 0; line < inside.size();) {
        const std::string_view rest = inside.substr(line);
        const std::size_t indent = rest.find_first_not_of(' ');
        if (indent != std::string_view::npos && indent <= 3 &&
            countBackTicks(rest.substr(indent)) >= ticks)
            return true;
        const std::size_t end = rest.find_first_of("\r\n");
        if (end == std::string_view::npos)
            break;
        line += end + 1;
    }
    return false;
}

// What one fence around all of `body` encloses; nothing if there is no such fence.
std::optional<std::string_view> insideFence(std::string_view body)
{
    const std::size_t ticks = countBackTicks(body);
    if (ticks < 3)
        return std::nullopt;
    std::string_view inside = body.substr(ticks);
    const std::size_t tagEnd = std::min(inside.find_first_of(" \t\r\n{["), inside.size());
    const std::string_view tag = inside.substr(0, tagEnd);
    if (!tag.empty() && !isJsonTag(tag))
        return std::nullopt;
    inside = inside.substr(tagEnd);
    const std::size_t last = inside.find_last_not_of('`');
    const std::size_t closing = inside.size() - (last == std::string_view::npos ? 0 : last + 1);
    if (closing >= ticks) // a missing closing line leaves no doubt either
        inside.remove_suffix(closing);
    if (holdsFenceLine(inside, ticks))
        return std::nullopt;
    return inside;
}

} // namespace

Unwrapped unwrapReply(std::string_view reply, bool acceptWrappers)
{
    Unwrapped out;
    out.body = reply;
    const auto finish = [&] {
        out.offset = static_cast<std::size_t>(out.body.data() - reply.data());
        return out;
    };
    if (!acceptWrappers) {
        out.body = trimJsonSpace(out.body);
        return finish();
    }
    if (out.body.starts_with("\xEF\xBB\xBF")) {
        out.body.remove_prefix(3);
        out.normalisations.emplace_back("bom");
    }
    out.body = trimJsonSpace(out.body);
    const bool opened = out.body.starts_with(thinkOpen);
    if (const std::size_t close = out.body.find(thinkClose);
        close != std::string_view::npos && (opened || !looksLikeAnswer(out.body)) &&
        (opened || out.body.substr(0, close).find(thinkOpen) == std::string_view::npos)) {
        out.body = trimJsonSpace(out.body.substr(close + thinkClose.size()));
        out.normalisations.emplace_back("think");
    } else if (opened) {
        out.unclosedThink = true;
        return finish();
    }
    if (const auto inside = insideFence(out.body)) {
        out.body = trimJsonSpace(*inside);
        out.normalisations.emplace_back("fence");
    }
    return finish();
}

} // namespace emend::core
