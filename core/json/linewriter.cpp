// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/linewriter.h"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace emend::core {

namespace {

void appendEscaped(std::string &out, std::string_view text)
{
    std::size_t plain = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        out.append(text, plain, i - plain);
        plain = i + 1;
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default: {
            constexpr std::string_view hex = "0123456789abcdef";
            out += "\\u00";
            out += hex[c >> 4];
            out += hex[c & 0xFU];
        }
        }
    }
    out.append(text, plain);
}

} // namespace

void appendJsonString(std::string &out, std::string_view value)
{
    out += '"';
    if (firstInvalidUtf8(value) == std::string_view::npos)
        appendEscaped(out, value);
    else
        appendEscaped(out, toValidUtf8(value));
    out += '"';
}

void LineWriter::key(std::string_view name)
{
    if (!m_out.empty())
        m_out += ',';
    m_out += '"';
    m_out += name;
    m_out += "\":";
}

LineWriter &LineWriter::text(std::string_view name, std::string_view value)
{
    key(name);
    appendJsonString(m_out, value);
    return *this;
}

LineWriter &LineWriter::number(std::string_view name, std::int64_t value)
{
    key(name);
    std::array<char, 24> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    m_out.append(buffer.data(), end);
    return *this;
}

LineWriter &LineWriter::number(std::string_view name, const std::optional<std::int64_t> &value)
{
    return value ? number(name, *value) : null(name);
}

LineWriter &LineWriter::real(std::string_view name, double value)
{
    if (!std::isfinite(value))
        return null(name);
    key(name);
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    m_out.append(buffer.data(), end);
    return *this;
}

LineWriter &LineWriter::flag(std::string_view name, bool value)
{
    key(name);
    m_out += value ? "true" : "false";
    return *this;
}

LineWriter &LineWriter::null(std::string_view name)
{
    key(name);
    m_out += "null";
    return *this;
}

LineWriter &LineWriter::json(std::string_view name, const nlohmann::json &value)
{
    key(name);
    m_out += value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return *this;
}

LineWriter &LineWriter::raw(std::string_view name, std::string_view value)
{
    key(name);
    m_out += value;
    return *this;
}

} // namespace emend::core
