// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/linefields.h"

#include <charconv>
#include <cstring>

namespace emend::ui {

namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t skipSpace(std::string_view text, std::size_t pos)
{
    while (pos < text.size() && isSpace(text[pos]))
        ++pos;
    return pos;
}

// `pos` is at the opening quote; returns the position after the closing one, or the end.
std::size_t skipString(std::string_view text, std::size_t pos)
{
    const std::size_t start = pos + 1;
    std::size_t from = start;
    while (from < text.size()) {
        const void *found = std::memchr(text.data() + from, '"', text.size() - from);
        if (!found)
            return text.size();
        const std::size_t quote = std::size_t(static_cast<const char *>(found) - text.data());
        std::size_t slash = quote;
        while (slash > start && text[slash - 1] == '\\')
            --slash;
        if ((quote - slash) % 2 == 0)
            return quote + 1;
        from = quote + 1;
    }
    return text.size();
}

std::size_t skipNested(std::string_view text, std::size_t pos)
{
    int depth = 0;
    while (pos < text.size()) {
        const char c = text[pos];
        if (c == '"') {
            pos = skipString(text, pos);
            continue;
        }
        ++pos;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            break;
    }
    return pos;
}

std::size_t skipValue(std::string_view text, std::size_t pos)
{
    if (pos >= text.size())
        return pos;
    if (text[pos] == '"')
        return skipString(text, pos);
    if (text[pos] == '{' || text[pos] == '[')
        return skipNested(text, pos);
    while (pos < text.size() && text[pos] != ',' && text[pos] != '}' && text[pos] != ']' &&
           !isSpace(text[pos]))
        ++pos;
    return pos;
}

int hexDigits(std::string_view text, std::size_t pos)
{
    int value = 0;
    if (pos + 4 > text.size())
        return -1;
    const auto result = std::from_chars(text.data() + pos, text.data() + pos + 4, value, 16);
    return result.ptr == text.data() + pos + 4 ? value : -1;
}

void appendUtf8(std::string &out, char32_t c)
{
    if (c < 0x80) {
        out += char(c);
    } else if (c < 0x800) {
        out += char(0xc0 | (c >> 6));
        out += char(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out += char(0xe0 | (c >> 12));
        out += char(0x80 | ((c >> 6) & 0x3f));
        out += char(0x80 | (c & 0x3f));
    } else {
        out += char(0xf0 | (c >> 18));
        out += char(0x80 | ((c >> 12) & 0x3f));
        out += char(0x80 | ((c >> 6) & 0x3f));
        out += char(0x80 | (c & 0x3f));
    }
}

// `pos` is after "\u"; returns the position after the escape.
std::size_t appendEscapedCodePoint(std::string &out, std::string_view text, std::size_t pos)
{
    const int high = hexDigits(text, pos);
    if (high < 0)
        return pos;
    pos += 4;
    if (high >= 0xd800 && high < 0xdc00 && text.substr(pos, 2) == "\\u") {
        const int low = hexDigits(text, pos + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            appendUtf8(out, 0x10000 + ((char32_t(high) - 0xd800) << 10) + (char32_t(low) - 0xdc00));
            return pos + 6;
        }
    }
    appendUtf8(out, high >= 0xd800 && high < 0xe000 ? char32_t(0xfffd) : char32_t(high));
    return pos;
}

char plainEscape(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    default:
        return c;
    }
}

// Bytes of a cut text without a torn last character.
void dropTornEnd(std::string &text)
{
    std::size_t start = text.size();
    while (start > 0 && text.size() - start < 3 && (text[start - 1] & 0xc0) == 0x80)
        --start;
    if (start == 0)
        return;
    const unsigned char lead = static_cast<unsigned char>(text[start - 1]);
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (text.size() - start + 1 < length)
        text.resize(start - 1);
}

} // namespace

LineFields::LineFields(std::string_view line)
{
    std::size_t pos = skipSpace(line, 0);
    if (pos >= line.size() || line[pos] != '{')
        return;
    ++pos;
    while (true) {
        pos = skipSpace(line, pos);
        if (pos >= line.size() || line[pos] != '"')
            return;
        const std::size_t keyEnd = skipString(line, pos);
        const std::string_view key = line.substr(pos + 1, keyEnd - pos - 2);
        pos = skipSpace(line, keyEnd);
        if (pos >= line.size() || line[pos] != ':')
            return;
        pos = skipSpace(line, pos + 1);
        const std::size_t end = skipValue(line, pos);
        m_fields.emplace_back(key, line.substr(pos, end - pos));
        pos = skipSpace(line, end);
        if (pos >= line.size() || line[pos] != ',')
            return;
        ++pos;
    }
}

std::string_view LineFields::raw(std::string_view key) const
{
    for (const auto &[name, value] : m_fields) {
        if (name == key)
            return value;
    }
    return {};
}

bool LineFields::has(std::string_view key) const
{
    const std::string_view value = raw(key);
    return !value.empty() && value != "null";
}

std::string LineFields::bytes(std::string_view key, std::size_t maxBytes) const
{
    return has(key) ? jsonBytes(raw(key), maxBytes) : std::string();
}

QString LineFields::text(std::string_view key, std::size_t maxBytes) const
{
    return QString::fromStdString(bytes(key, maxBytes));
}

std::optional<qint64> LineFields::number(std::string_view key) const
{
    const std::string_view value = raw(key);
    qint64 result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size())
        return {};
    return result;
}

std::optional<double> LineFields::real(std::string_view key) const
{
    const std::string_view value = raw(key);
    double result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc() || end != value.data() + value.size())
        return {};
    return result;
}

bool LineFields::flag(std::string_view key) const
{
    return raw(key) == "true";
}

QStringList LineFields::texts(std::string_view key) const
{
    QStringList result;
    for (const std::string_view element : elements(key))
        result.append(QString::fromStdString(jsonBytes(element)));
    return result;
}

std::vector<std::string_view> LineFields::elements(std::string_view key) const
{
    return jsonElements(raw(key));
}

std::vector<std::string_view> jsonElements(std::string_view array)
{
    std::vector<std::string_view> result;
    std::size_t pos = skipSpace(array, 0);
    if (pos >= array.size() || array[pos] != '[')
        return result;
    ++pos;
    while (true) {
        pos = skipSpace(array, pos);
        if (pos >= array.size() || array[pos] == ']')
            return result;
        const std::size_t end = skipValue(array, pos);
        if (end == pos)
            return result;
        result.push_back(array.substr(pos, end - pos));
        pos = skipSpace(array, end);
        if (pos < array.size() && array[pos] == ',')
            ++pos;
    }
}

std::string jsonBytes(std::string_view raw, std::size_t maxBytes)
{
    if (raw.empty() || raw.front() != '"') {
        std::string result(raw.substr(0, maxBytes));
        if (result.size() < raw.size())
            dropTornEnd(result);
        return result;
    }
    const std::size_t end = raw.size() > 1 && raw.back() == '"' ? raw.size() - 1 : raw.size();
    std::string out;
    out.reserve(std::min(end, maxBytes));
    std::size_t pos = 1;
    while (pos < end && out.size() < maxBytes) {
        const std::size_t room = std::min(end - pos, maxBytes - out.size());
        const void *found = std::memchr(raw.data() + pos, '\\', room);
        const std::size_t run =
            found ? std::size_t(static_cast<const char *>(found) - raw.data()) - pos : room;
        out.append(raw.substr(pos, run));
        pos += run;
        if (!found)
            continue;
        if (pos + 1 >= end)
            break; // torn inside an escape
        const char escape = raw[pos + 1];
        pos += 2;
        if (escape == 'u')
            pos = appendEscapedCodePoint(out, raw.substr(0, end), pos);
        else
            out += plainEscape(escape);
    }
    if (pos < end)
        dropTornEnd(out);
    return out;
}

QString prettyJson(std::string_view raw, std::size_t maxBytes)
{
    std::string out;
    std::size_t depth = 0;
    const auto newLine = [&] {
        out += '\n';
        out.append(std::min<std::size_t>(depth, 40) * 2, ' ');
    };
    std::size_t pos = 0;
    while (pos < raw.size() && pos < maxBytes) {
        const char c = raw[pos];
        if (c == '"') {
            const std::size_t end = std::min(skipString(raw, pos), maxBytes);
            out.append(raw.substr(pos, end - pos));
            pos = end;
            continue;
        }
        ++pos;
        if (isSpace(c))
            continue;
        if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
            newLine();
        }
        out += c;
        if (c == ':')
            out += ' ';
        if (c == ',')
            newLine();
        if (c == '{' || c == '[') {
            const std::size_t next = skipSpace(raw, pos);
            if (next < raw.size() && (raw[next] == '}' || raw[next] == ']')) {
                out += raw[next];
                pos = next + 1;
                continue;
            }
            ++depth;
            newLine();
        }
    }
    dropTornEnd(out);
    return QString::fromStdString(out);
}

} // namespace emend::ui
