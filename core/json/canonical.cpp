// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/canonical.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/base/text.h"

namespace emend::core {

namespace {

constexpr std::int64_t hugeExponent = 1'000'000'000;

std::optional<std::uint64_t> wholeMagnitude(const Decimal &d)
{
    if (d.digits.empty())
        return 0;
    if (!d.integral() || d.exponent > 20 ||
        d.digits.size() + static_cast<std::size_t>(d.exponent) > 20)
        return std::nullopt;
    const std::string text = d.digits + std::string(static_cast<std::size_t>(d.exponent), '0');
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// Order of RFC 8785: by UTF-16 code units. Differs from byte order only where characters beyond the
// basic plane (lead byte F0 and up) meet U+E000…U+FFFF (lead bytes EE and EF).
bool lessUtf16(std::string_view a, std::string_view b)
{
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end() || y == b.end())
        return x == a.end() && y != b.end();
    const auto p = static_cast<unsigned char>(*x), q = static_cast<unsigned char>(*y);
    if (p >= 0xF0 && (q == 0xEE || q == 0xEF))
        return true;
    if (q >= 0xF0 && (p == 0xEE || p == 0xEF))
        return false;
    return p < q;
}

void appendString(std::string &out, std::string_view text)
{
    constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    const bool valid = firstInvalidUtf8(text) == std::string_view::npos;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || c == '"' || c == '\\' || (!valid && byte >= 0x80)) {
            out += valid ? "\\u00" : "\\x";
            out += hex[byte >> 4];
            out += hex[byte & 0xFU];
        } else {
            out += c;
        }
    }
    out += '"';
}

void append(std::string &out, const nlohmann::json &value)
{
    using Type = nlohmann::json::value_t;
    switch (value.type()) {
    case Type::object: {
        std::vector<const std::string *> keys;
        for (auto it = value.begin(); it != value.end(); ++it)
            keys.push_back(&it.key());
        std::sort(keys.begin(), keys.end(), [](auto a, auto b) { return lessUtf16(*a, *b); });
        out += '{';
        for (const std::string *key : keys) {
            if (out.back() != '{')
                out += ',';
            appendString(out, *key);
            out += ':';
            append(out, *value.find(*key));
        }
        out += '}';
        break;
    }
    case Type::array: {
        out += '[';
        bool first = true;
        for (const auto &element : value) {
            if (!first)
                out += ',';
            first = false;
            append(out, element);
        }
        out += ']';
        break;
    }
    case Type::string:
        appendString(out, value.get_ref<const std::string &>());
        break;
    case Type::boolean:
        out += value.get<bool>() ? "true" : "false";
        break;
    case Type::number_integer:
        out += Decimal::fromText(std::to_string(value.get<std::int64_t>())).text();
        break;
    case Type::number_unsigned:
        out += Decimal::fromText(std::to_string(value.get<std::uint64_t>())).text();
        break;
    case Type::number_float:
        out += Decimal::fromDouble(value.get<double>()).text();
        break;
    default:
        out += "null";
    }
}

} // namespace

Decimal Decimal::fromText(std::string_view number)
{
    Decimal d;
    std::size_t i = 0;
    if (i < number.size() && number[i] == '-') {
        d.negative = true;
        ++i;
    }
    bool fraction = false;
    for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
        if (number[i] == '.') {
            fraction = true;
            continue;
        }
        d.digits += number[i];
        d.exponent -= fraction ? 1 : 0;
    }
    if (i < number.size()) {
        ++i;
        i += i < number.size() && number[i] == '+' ? 1 : 0;
        std::int64_t exponent = 0;
        const auto result =
            std::from_chars(number.data() + i, number.data() + number.size(), exponent);
        if (result.ec == std::errc::result_out_of_range)
            exponent = number[i] == '-' ? -hugeExponent : hugeExponent;
        d.exponent += std::clamp(exponent, -hugeExponent, hugeExponent);
    }
    d.digits.erase(0, std::min(d.digits.find_first_not_of('0'), d.digits.size()));
    while (!d.digits.empty() && d.digits.back() == '0') {
        d.digits.pop_back();
        ++d.exponent;
    }
    return d.digits.empty() ? Decimal{} : d;
}

Decimal Decimal::fromDouble(double value)
{
    std::array<char, 40> buffer{};
    // scientific: the plain form of a large number has more digits than identify it
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific)
                         .ptr;
    return fromText(std::string_view(buffer.data(), static_cast<std::size_t>(end - buffer.data())));
}

std::optional<std::int64_t> Decimal::toInt64() const
{
    const auto magnitude = wholeMagnitude(*this);
    constexpr auto limit = std::uint64_t{1} << 63;
    if (!magnitude || *magnitude > limit || (*magnitude == limit && !negative))
        return std::nullopt;
    return static_cast<std::int64_t>(negative ? ~*magnitude + 1 : *magnitude);
}

std::optional<std::uint64_t> Decimal::toUint64() const
{
    return negative ? std::nullopt : wholeMagnitude(*this);
}

std::string Decimal::text() const
{
    if (digits.empty())
        return "0";
    std::string out = negative ? "-" : "";
    out += digits;
    if (exponent >= 0 && exponent <= 20)
        out.append(static_cast<std::size_t>(exponent), '0');
    else
        out += 'e' + std::to_string(exponent);
    return out;
}

std::string canonicalText(const nlohmann::json &value)
{
    std::string out;
    append(out, value);
    return out;
}

std::uint64_t hash64(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3U;
    }
    return hash;
}

std::string shortHash(std::string_view text)
{
    const std::uint64_t hash = hash64(text);
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    for (int shift = 60; shift >= 0; shift -= 4)
        out += hex[(hash >> shift) & 0xFU];
    return out;
}

} // namespace emend::core
