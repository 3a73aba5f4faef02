// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/codereply.h"

#include <algorithm>

namespace emend::core {

namespace {

constexpr std::string_view thinkOpen = "<think>", thinkClose = "</think>";
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

// A line that may begin or end a code block.
struct Fence {
    std::size_t indent = 0; // spaces before it
    char mark = '`';
    std::size_t length = 0;
    std::string_view info; // what stands behind it
};

struct Block {
    std::size_t begin = 0;           // of its opening line
    std::size_t inside = 0, end = 0; // of the code
    std::size_t after = 0;           // the byte behind the closing line
    std::size_t indent = 0;
    bool closed = false;
};

std::optional<Fence> fenceIn(std::string_view line)
{
    Fence fence;
    fence.indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(fence.indent);
    if (fence.indent > 3 || line.empty() || (line.front() != '`' && line.front() != '~'))
        return std::nullopt;
    fence.mark = line.front();
    fence.length = std::min(line.find_first_not_of(fence.mark), line.size());
    fence.info = trimJsonSpace(line.substr(fence.length));
    if (fence.length < 3 || (fence.mark == '`' && fence.info.find('`') != std::string_view::npos))
        return std::nullopt;
    return fence;
}

std::vector<Block> blocksOf(std::string_view text)
{
    std::vector<Block> blocks;
    std::optional<Fence> open;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t feed = std::min(text.find('\n', at), text.size());
        const std::size_t next = std::min(feed + 1, text.size());
        std::string_view line = text.substr(at, feed - at);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const auto fence = fenceIn(line);
        if (!open && fence) {
            open = fence;
            blocks.push_back({at, next, text.size(), text.size(), fence->indent, false});
        } else if (open && fence && fence->mark == open->mark && fence->length >= open->length &&
                   fence->info.empty()) {
            blocks.back().end = at;
            blocks.back().after = next;
            blocks.back().closed = true;
            open.reset();
        }
        at = next;
    }
    return blocks;
}

// The lines of an indented block lose as much of their own indent (CommonMark 0.31, example 131).
std::string unindented(std::string_view code, std::size_t indent)
{
    std::string out;
    out.reserve(code.size());
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t next = std::min(code.find('\n', at), code.size() - 1) + 1;
        std::string_view line = code.substr(at, next - at);
        line.remove_prefix(std::min({line.find_first_not_of(' '), indent, line.size()}));
        out += line;
        at = next;
    }
    return out;
}

// Takes off what may stand before the answer; false: a think block that has no end.
bool unwrap(std::string_view &body, std::vector<std::string> &normalisations)
{
    if (body.starts_with(byteOrderMark)) {
        body.remove_prefix(byteOrderMark.size());
        normalisations.emplace_back("bom");
    }
    const std::string_view trimmed = trimJsonSpace(body);
    const bool opened = trimmed.starts_with(thinkOpen);
    const std::size_t close = body.find(thinkClose);
    if (close == std::string_view::npos)
        return !opened;
    const auto before = blocksOf(body.substr(0, close));
    if (opened || (before.empty() && body.substr(0, close).find(thinkOpen) == body.npos)) {
        body.remove_prefix(close + thinkClose.size());
        normalisations.emplace_back("think");
    }
    return true;
}

} // namespace

CodeReply readCodeReply(std::string_view reply, bool acceptWrappers)
{
    CodeReply out;
    const auto refuse = [&](const char *category, const char *error) {
        out.category = category;
        out.error = error;
        return out;
    };
    std::string_view body = reply;
    if (trimJsonSpace(reply).empty())
        return refuse("empty_response", "the reply is empty");
    if (acceptWrappers && !unwrap(body, out.normalisations))
        return refuse("no_code_block", "the reply is a <think> block without an end");
    const auto blocks = blocksOf(body);
    const auto offset = static_cast<std::size_t>(body.data() - reply.data());
    if (blocks.empty())
        return refuse("no_code_block", "the reply holds no fenced code block");
    if (blocks.size() > 1) {
        out.place = placeAt(reply, offset + blocks[1].begin);
        return refuse("several_code_blocks",
                      "the reply holds several fenced code blocks, and which of them is meant is "
                      "not guessed at");
    }
    const Block &block = blocks.front();
    out.place = placeAt(reply, offset + block.begin);
    if (!trimJsonSpace(body.substr(0, block.begin)).empty() ||
        !trimJsonSpace(body.substr(block.after)).empty()) {
        if (!acceptWrappers)
            return refuse("prose_around_code", "there is text beside the code block");
        out.normalisations.emplace_back("prose");
    }
    out.normalisations.emplace_back(block.closed ? "fence" : "unclosed_fence");
    const std::string_view inside = body.substr(block.inside, block.end - block.inside);
    if (trimJsonSpace(inside).empty())
        return refuse("empty_code", "the code block is empty");
    out.code = inside;
    if (block.indent > 0) {
        out.code = unindented(inside, block.indent);
        out.normalisations.emplace_back("indent");
    }
    out.place.reset();
    return out;
}

} // namespace emend::core
