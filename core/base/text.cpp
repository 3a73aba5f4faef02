// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace emend::core {

namespace {

struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0; // bytes; 0: ill formed
    std::size_t bad = 1;    // for an ill-formed run: its maximal subpart (Unicode 15, table 3-8)
};

CodePoint decode(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80)
        return {lead, 1, 0};
    std::size_t need = 0;
    unsigned char low = 0x80, high = 0xBF;
    char32_t value = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        need = 1, value = lead & 0x1FU;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        need = 2, value = lead & 0x0FU;
        low = lead == 0xE0 ? 0xA0 : low;
        high = lead == 0xED ? 0x9F : high;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        need = 3, value = lead & 0x07U;
        low = lead == 0xF0 ? 0x90 : low;
        high = lead == 0xF4 ? 0x8F : high;
    } else {
        return {0, 0, 1};
    }
    for (std::size_t i = 1; i <= need; ++i) {
        if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high)
            return {0, 0, i};
        value = (value << 6) | (byte(at + i) & 0x3FU);
        low = 0x80, high = 0xBF;
    }
    return {value, need + 1, 0};
}

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

bool isBlank(char32_t c)
{
    return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200B) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

bool isInvisible(char32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD ||
           (c != ' ' && c != 0x3000 && isBlank(c)) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x061C ||
           c == 0x180E || (c >= 0xFFF9 && c <= 0xFFFB);
}

// XML 1.0 section 2.2, Char.
bool isXmlChar(char32_t c)
{
    return c == 0x09 || c == 0x0A || c == 0x0D || (c >= 0x20 && c <= 0xD7FF) ||
           (c >= 0xE000 && c <= 0xFFFD) || c >= 0x10000;
}

std::string escapeXml(std::string_view text, bool attribute)
{
    std::string out;
    out.reserve(text.size() + text.size() / 16);
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint cp = decode(text, i);
        if (cp.length == 0 || !isXmlChar(cp.value)) {
            out += "\xEF\xBF\xBD";
            i += cp.length == 0 ? cp.bad : cp.length;
            continue;
        }
        switch (cp.value) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += attribute ? "&quot;" : "\"";
            break;
        case '\'':
            out += attribute ? "&apos;" : "'";
            break;
        case '\t':
            out += attribute ? "&#9;" : "\t";
            break;
        case '\n':
            out += attribute ? "&#10;" : "\n";
            break;
        case '\r':
            out += "&#13;";
            break;
        default:
            out.append(text.substr(i, cp.length));
        }
        i += cp.length;
    }
    return out;
}

} // namespace

Place placeAt(std::string_view text, std::size_t offset)
{
    Place place;
    place.offset = offset < text.size() ? offset : text.size();
    for (std::size_t i = 0; i < place.offset;) {
        const char c = text[i];
        if (c == '\n' || c == '\r') {
            i += c == '\r' && i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
            if (i > place.offset) // between CR and LF
                break;
            ++place.line;
            place.column = 1;
            continue;
        }
        const std::size_t length = decode(text, i).length;
        i += length == 0 ? 1 : length;
        if (i > place.offset)
            break;
        ++place.column;
    }
    return place;
}

std::size_t firstInvalidUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = decode(text, i).length;
        if (length == 0)
            return i;
        i += length;
    }
    return std::string_view::npos;
}

std::string toValidUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t bad = firstInvalidUtf8(text.substr(i));
        if (bad == std::string_view::npos) {
            out.append(text.substr(i));
            break;
        }
        out.append(text.substr(i, bad));
        out += "\xEF\xBF\xBD";
        i += bad + decode(text, i + bad).bad;
    }
    return out;
}

std::string_view prefixCodePoints(std::string_view text, std::size_t maxCodePoints)
{
    if (text.size() <= maxCodePoints)
        return text;
    std::size_t i = 0;
    for (std::size_t n = 0; n < maxCodePoints && i < text.size(); ++n) {
        ++i;
        while (i < text.size() && isContinuation(text[i]))
            ++i;
    }
    return text.substr(0, i);
}

std::string_view suffixCodePoints(std::string_view text, std::size_t maxCodePoints)
{
    if (text.size() <= maxCodePoints)
        return text;
    std::size_t i = text.size();
    for (std::size_t n = 0; n < maxCodePoints && i > 0; ++n) {
        --i;
        while (i > 0 && isContinuation(text[i]))
            --i;
    }
    return text.substr(i);
}

std::size_t countCodePoints(std::string_view text)
{
    std::size_t n = 0;
    for (const char c : text)
        n += isContinuation(c) ? 0 : 1;
    return n;
}

std::string_view trimJsonSpace(std::string_view text)
{
    constexpr std::string_view space = " \t\n\r";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos)
        return text.substr(text.size());
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string_view trimBlank(std::string_view text)
{
    std::size_t begin = 0;
    while (begin < text.size()) {
        const CodePoint cp = decode(text, begin);
        if (cp.length == 0 || !isBlank(cp.value))
            break;
        begin += cp.length;
    }
    std::size_t end = text.size();
    while (end > begin) {
        std::size_t start = end - 1;
        while (start > begin && isContinuation(text[start]))
            --start;
        const CodePoint cp = decode(text, start);
        if (cp.length != end - start || !isBlank(cp.value))
            break;
        end = start;
    }
    return text.substr(begin, end - begin);
}

std::string escapeXmlText(std::string_view text)
{
    return escapeXml(text, false);
}

std::string escapeXmlAttribute(std::string_view text)
{
    return escapeXml(text, true);
}

std::string describeCodePoint(std::string_view text, std::size_t offset)
{
    if (offset >= text.size())
        return "end of text";
    const CodePoint cp = decode(text, offset);
    std::array<char, 16> buffer{};
    if (cp.length == 0)
        std::snprintf(buffer.data(), buffer.size(), "byte 0x%02X",
                      static_cast<unsigned>(static_cast<unsigned char>(text[offset])));
    else
        std::snprintf(buffer.data(), buffer.size(), "U+%04X", static_cast<unsigned>(cp.value));
    return buffer.data();
}

std::string inQuotes(std::string_view text, std::size_t maxCodePoints)
{
    std::string out = "\"";
    std::size_t n = 0;
    for (std::size_t i = 0; i < text.size(); ++n) {
        if (n == maxCodePoints)
            return out + "…\"";
        const CodePoint cp = decode(text, i);
        if (cp.length == 0) {
            out += "\xEF\xBF\xBD";
            i += cp.bad;
            continue;
        }
        if (cp.value == '"' || cp.value == '\\') {
            out += '\\';
            out += static_cast<char>(cp.value);
        } else if (isInvisible(cp.value)) {
            std::array<char, 12> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", static_cast<unsigned>(cp.value));
            out += buffer.data();
        } else {
            out.append(text.substr(i, cp.length));
        }
        i += cp.length;
    }
    return out + "\"";
}

std::string visibleLine(std::string_view text, std::size_t maxCodePoints)
{
    std::string out;
    std::size_t n = 0;
    for (std::size_t i = 0; i < text.size(); ++n) {
        if (n == maxCodePoints)
            return out + "…";
        const CodePoint cp = decode(text, i);
        if (cp.length == 0) {
            out += "\xEF\xBF\xBD";
            i += cp.bad;
            continue;
        }
        if (cp.value == '\n') {
            out += "⏎";
        } else if (cp.value == '\t') {
            out += ' ';
        } else if (cp.value < 0x20 || cp.value == 0x7F) {
            out += "\xE2\x90";
            out += static_cast<char>(cp.value == 0x7F ? 0xA1 : 0x80 + cp.value);
        } else if (cp.value != 0xA0 && isInvisible(cp.value)) {
            out += "\xEF\xBF\xBD";
        } else {
            out.append(text.substr(i, cp.length));
        }
        i += cp.length;
    }
    return out;
}

namespace {
constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::string_view bytes)
{
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t block = 0;
        const std::size_t n = bytes.size() - i < 3 ? bytes.size() - i : 3;
        for (std::size_t j = 0; j < 3; ++j)
            block = (block << 8) | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += j <= n ? alphabet[(block >> (18 - 6 * j)) & 0x3FU] : '=';
    }
    return out;
}

bool fromBase64(std::string_view text, std::string &out)
{
    if (text.size() % 4 != 0)
        return false;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t block = 0;
        std::size_t pad = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const char c = text[i + j];
            if (c == '=' && i + 4 == text.size() && j >= 2) {
                ++pad;
                block <<= 6;
                continue;
            }
            const std::size_t value = alphabet.find(c);
            if (value == std::string_view::npos || pad > 0)
                return false;
            block = (block << 6) | static_cast<std::uint32_t>(value);
        }
        for (std::size_t j = 0; j < 3 - pad; ++j)
            bytes += static_cast<char>((block >> (16 - 8 * j)) & 0xFFU);
    }
    out = std::move(bytes);
    return true;
}

} // namespace emend::core
