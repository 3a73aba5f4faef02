// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/output.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace emend::core {

namespace {

constexpr char escape = '\x1B', bell = '\x07';
constexpr std::string_view leftOut = "\n[…]\n";

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

bool within(char c, int low, int high)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= low && byte <= high;
}

// The byte behind a control sequence whose parameters begin at `at`. A line end is never part of
// it.
std::size_t skipControlSequence(std::string_view text, std::size_t at)
{
    while (at < text.size() && within(text[at], 0x20, 0x3F))
        ++at;
    return at < text.size() && within(text[at], 0x40, 0x7E) ? at + 1 : at;
}

// The same for a string that ends with BEL or ESC \ (OSC, DCS …); a line end breaks it off.
std::size_t skipString(std::string_view text, std::size_t at)
{
    for (; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == bell)
            return at + 1;
        if (text[at] == escape)
            return at + 1 < text.size() && text[at + 1] == '\\' ? at + 2 : at;
    }
    return at;
}

// The byte behind the escape sequence at `at`.
std::size_t skipEscape(std::string_view text, std::size_t at)
{
    if (++at >= text.size())
        return at;
    const char kind = text[at];
    if (kind == '[')
        return skipControlSequence(text, at + 1);
    if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_')
        return skipString(text, at + 1);
    while (at < text.size() && within(text[at], 0x20, 0x2F))
        ++at;
    return at < text.size() && within(text[at], 0x30, 0x7E) ? at + 1 : at;
}

bool isAssertion(std::string_view line)
{
    if (line == "E" || line.starts_with("E  ")) // pytest
        return true;
    if (line.starts_with("not ok ")) // Test Anything Protocol
        return true;
    if (line.starts_with("FAILED ") || line.starts_with("ERROR ")) // its summary, not the place
        return false;
    static constexpr std::array<std::string_view, 6> words = {
        "AssertionError", "Assertion `", "ssertion failed", "error: ", "Error: ", "panicked at"};
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return line.find(word) != std::string_view::npos;
    });
}

// The first run of lines that say what was asserted, with the line of source that pytest puts
// before it.
struct Run {
    std::size_t begin = std::string_view::npos, end = std::string_view::npos;
    std::size_t last = std::string_view::npos; // where the last such line of the text begins
};

Run findAssertion(std::string_view text)
{
    Run run;
    std::size_t source = std::string_view::npos; // a line "> …" just before
    bool inside = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t feed = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, feed - at);
        if (isAssertion(line)) {
            if (run.begin == std::string_view::npos) {
                run.begin = source == std::string_view::npos ? at : source;
                inside = true;
            }
            if (inside)
                run.end = feed;
            run.last = at;
        } else {
            inside = false;
        }
        source = line.starts_with(">") ? at : std::string_view::npos;
        at = feed + 1;
    }
    return run;
}

} // namespace

std::string plainOutput(std::string_view raw)
{
    const std::string valid = toValidUtf8(raw);
    const std::string_view text = valid;
    std::string out;
    out.reserve(text.size());
    std::size_t line = 0;  // where the current line begins in `out`
    bool returned = false; // the next character begins the line anew
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == escape) {
            at = skipEscape(text, at);
            continue;
        }
        if (text.substr(at).starts_with("\xC2\x9B")) { // the same as one character (C1)
            at = skipControlSequence(text, at + 2);
            continue;
        }
        ++at;
        if (c == '\n') {
            out += c;
            line = out.size();
            returned = false;
        } else if (c == '\r') {
            returned = true;
        } else if (c == '\b') {
            while (out.size() > line && isContinuation(out.back()))
                out.pop_back();
            if (out.size() > line)
                out.pop_back();
        } else if (c == '\t' || (!within(c, 0, 0x1F) && c != '\x7F')) {
            if (returned)
                out.resize(line);
            returned = false;
            out += c;
        }
    }
    return out;
}

std::string failureExcerpt(std::string_view plain, std::size_t limit)
{
    while (plain.ends_with('\n') || plain.ends_with(' '))
        plain.remove_suffix(1);
    const std::string_view tail = suffixCodePoints(plain, limit);
    const auto tailAt = static_cast<std::size_t>(tail.data() - plain.data());
    const Run run = findAssertion(plain);
    if (tailAt == 0 || run.begin == std::string_view::npos || run.last >= tailAt)
        return std::string(tail);
    const std::size_t gap = countCodePoints(leftOut);
    if (limit <= 2 * gap)
        return std::string(tail);
    const std::string_view said =
        prefixCodePoints(plain.substr(run.begin, run.end - run.begin), limit / 2);
    std::string out(said);
    out += leftOut;
    out += suffixCodePoints(plain, limit - countCodePoints(out));
    return out;
}

std::string_view tailBytes(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return text;
    std::size_t at = text.size() - bytes;
    for (int i = 0; i < 3 && at < text.size() && isContinuation(text[at]); ++i)
        ++at;
    return text.substr(at);
}

} // namespace emend::core
