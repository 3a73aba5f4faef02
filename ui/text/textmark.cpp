// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/textmark.h"

#include <algorithm>

#include "core/base/text.h"
#include "ui/text/plaintext.h"

namespace emend::ui {

namespace {

constexpr std::size_t longestMark = 160;

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-' || (c & 0x80);
}

std::size_t boundaryBefore(std::string_view bytes, std::size_t pos)
{
    pos = std::min(pos, bytes.size());
    for (int n = 0; n < 3 && pos > 0 && pos < bytes.size() && (bytes[pos] & 0xc0) == 0x80; ++n)
        --pos;
    return pos;
}

std::size_t boundaryAfter(std::string_view bytes, std::size_t pos)
{
    pos = std::min(pos, bytes.size());
    for (int n = 0; n < 3 && pos < bytes.size() && (bytes[pos] & 0xc0) == 0x80; ++n)
        ++pos;
    return pos;
}

// Where the token that starts at `from` ends.
std::size_t tokenEnd(std::string_view bytes, std::size_t from)
{
    const std::size_t limit = std::min(bytes.size(), from + longestMark);
    std::size_t pos = from;
    if (const char quote = bytes[from]; quote == '"' || quote == '\'') {
        for (++pos; pos < limit && bytes[pos] != quote && bytes[pos] != '\n'; ++pos) {
            if (bytes[pos] == '\\')
                ++pos;
        }
        if (pos < limit && bytes[pos] == quote)
            return pos + 1;
        // A string without an end is marked to the end of its line, an apostrophe by itself.
        return quote == '"' ? boundaryAfter(bytes, std::min(pos, limit)) : from + 1;
    }
    while (pos < limit && isWordByte(bytes[pos]))
        ++pos;
    return boundaryAfter(bytes, std::max(pos, from + 1));
}

int unitsOf(std::string_view bytes)
{
    return int(QString::fromStdString(core::toValidUtf8(bytes)).size());
}

} // namespace

MarkedText markText(std::string_view bytes, qint64 offset, std::size_t room)
{
    MarkedText result;
    std::size_t from = 0, to = std::min(bytes.size(), room);
    std::size_t place = std::string_view::npos;
    if (offset >= 0) {
        result.markAtEnd = std::size_t(offset) >= bytes.size();
        place = std::min(std::size_t(offset), bytes.size());
        if (result.markAtEnd && place > 0)
            place = boundaryBefore(bytes, place - 1);
        if (place > room / 4 * 3) {
            from = boundaryBefore(bytes, place - room / 2);
            to = std::min(bytes.size(), place + room / 2);
        }
    }
    to = to < bytes.size() ? boundaryBefore(bytes, to) : to;
    const std::string_view shown = bytes.substr(from, to - from);
    result.text = visible(QString::fromStdString(core::toValidUtf8(shown)));
    result.cutBefore = from > 0;
    result.cutAfter = to < bytes.size();
    if (place != std::string_view::npos && place < to) {
        const std::size_t end = std::min(tokenEnd(bytes, place), to);
        result.markStart = unitsOf(bytes.substr(from, place - from));
        result.markLength = std::max(1, unitsOf(bytes.substr(place, end - place)));
    }
    return result;
}

} // namespace emend::ui
