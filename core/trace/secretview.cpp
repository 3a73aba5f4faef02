// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretview.h"

#include <array>
#include <charconv>
#include <utility>

namespace emend::core {

namespace {

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The value of `count` hex digits at `at`, or -1.
int hexAt(std::string_view text, std::size_t at, std::size_t count)
{
    if (at + count > text.size())
        return -1;
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        const int digit = hexDigit(text[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

void appendUtf8(std::string &out, std::uint32_t c)
{
    const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0U | (c >> 6U));
        byte(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        byte(0xE0U | (c >> 12U));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    } else {
        byte(0xF0U | (c >> 18U));
        byte(0x80U | ((c >> 12U) & 0x3FU));
        byte(0x80U | ((c >> 6U) & 0x3FU));
        byte(0x80U | (c & 0x3FU));
    }
}

// Appends what the escape at `at` means; returns its length, 1 if it is none.
std::size_t decodeEscape(std::string_view text, std::size_t at, std::string &out)
{
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (at + 1 >= text.size())
        return out += '\\', 1;
    if (const std::size_t i = letters.find(text[at + 1]); i != std::string_view::npos)
        return out += meanings[i], 2;
    if (const int byte = text[at + 1] == 'x' ? hexAt(text, at + 2, 2) : -1; byte >= 0)
        return out += static_cast<char>(byte), 4;
    const int unit = text[at + 1] == 'u' ? hexAt(text, at + 2, 4) : -1;
    if (unit < 0)
        return out += '\\', 1;
    auto c = static_cast<std::uint32_t>(unit);
    std::size_t length = 6;
    if (c >= 0xD800 && c < 0xDC00 && text.substr(at + 6).starts_with("\\u")) {
        const int low = hexAt(text, at + 8, 4);
        if (low >= 0xDC00 && low < 0xE000) {
            c = 0x10000U + ((c - 0xD800U) << 10U) + (static_cast<std::uint32_t>(low) - 0xDC00U);
            length = 12;
        }
    }
    appendUtf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFDU : c);
    return length;
}

std::size_t decodePercent(std::string_view text, std::size_t at, std::string &out)
{
    const int byte = hexAt(text, at + 1, 2);
    out += byte < 0 ? '%' : static_cast<char>(byte);
    return byte < 0 ? 1 : 3;
}

// The character of `&#65;` or `&#x41;`, or nothing.
std::optional<std::uint32_t> numberedCharacter(std::string_view name)
{
    if (!name.starts_with('#'))
        return std::nullopt;
    const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::string_view digits = name.substr(hex ? 2 : 1);
    std::uint32_t value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    if (problem != std::errc() || end != digits.data() + digits.size() || value > 0x10FFFF)
        return std::nullopt;
    return value;
}

std::size_t decodeEntity(std::string_view text, std::size_t at, std::string &out)
{
    constexpr std::size_t longest = 12;
    constexpr std::array<std::pair<std::string_view, char>, 5> named = {
        {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
    const std::string_view rest = text.substr(at + 1, longest);
    const std::size_t end = rest.find(';');
    const std::string_view name = rest.substr(0, end);
    if (end != rest.npos) {
        if (const auto c = numberedCharacter(name))
            return appendUtf8(out, *c), end + 2;
        for (const auto &[known, c] : named)
            if (name == known)
                return out += c, end + 2;
    }
    return out += '&', 1;
}

template<typename Decode>
SecretView decoded(const SecretView &view, char mark, Decode decode)
{
    SecretView out;
    out.text.reserve(view.text.size());
    out.from.reserve(view.text.size());
    out.to.reserve(view.text.size());
    for (std::size_t i = 0; i < view.text.size();) {
        std::size_t length = 1;
        if (view.text[i] == mark)
            length = decode(view.text, i, out.text);
        else
            out.text += view.text[i];
        const auto from = static_cast<std::uint32_t>(view.beginOf(i));
        const auto to = static_cast<std::uint32_t>(view.endOf(i + length - 1));
        out.from.resize(out.text.size(), from);
        out.to.resize(out.text.size(), to);
        i += length;
    }
    return out;
}

} // namespace

std::optional<SecretView> withoutEscapes(const SecretView &view)
{
    if (view.text.find('\\') == std::string::npos)
        return std::nullopt;
    return decoded(view, '\\', decodeEscape);
}

std::optional<SecretView> withoutPercents(const SecretView &view)
{
    for (std::size_t i = view.text.find('%'); i != std::string::npos;
         i = view.text.find('%', i + 1))
        if (hexAt(view.text, i + 1, 2) >= 0)
            return decoded(view, '%', decodePercent);
    return std::nullopt;
}

std::optional<SecretView> withoutEntities(const SecretView &view)
{
    std::string ignored;
    for (std::size_t i = view.text.find('&'); i != std::string::npos;
         i = view.text.find('&', i + 1))
        if (decodeEntity(view.text, i, ignored) > 1)
            return decoded(view, '&', decodeEntity);
    return std::nullopt;
}

} // namespace emend::core
