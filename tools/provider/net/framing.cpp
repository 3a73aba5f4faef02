// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/framing.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace emend::tools {

namespace {

constexpr std::string_view bom = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\n";

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(blanks) == std::string_view::npos;
}

bool isJson(std::string_view text)
{
    return nlohmann::json::accept(text);
}

} // namespace

// Decides the form as soon as a byte that is no blank is there; `bytes` becomes what belongs to it.
void Framing::sniff(std::string_view &bytes)
{
    m_head += bytes;
    bytes = {};
    if (bom.starts_with(m_head)) // the mark may come in pieces
        return;
    std::size_t at = m_head.starts_with(bom) ? bom.size() : 0;
    at = m_head.find_first_not_of(blanks, at);
    if (at == std::string::npos)
        return;
    const char first = m_head[at];
    m_form = first == '{' || first == '[' ? Form::Json : first == '<' ? Form::Page : Form::Events;
    m_head.erase(0, at);
    bytes = m_head;
}

bool Framing::feed(std::string_view bytes, const OnPayload &onPayload)
{
    if (m_form == Form::Unknown)
        sniff(bytes);
    switch (m_form) {
    case Form::Unknown:
        return true;
    case Form::Events:
        return feedEvents(bytes, onPayload);
    case Form::Json:
        return feedJson(bytes, onPayload);
    case Form::Page:
        m_buffer += bytes;
        return true;
    }
    return true;
}

// A line ends with LF, CR or CRLF, and a read may end between the two.
bool Framing::feedEvents(std::string_view bytes, const OnPayload &onPayload)
{
    for (const char c : bytes) {
        if (c == '\n' && m_afterCr) {
            m_afterCr = false;
            continue;
        }
        m_afterCr = c == '\r';
        if (c != '\n' && c != '\r')
            m_buffer += c;
        else if (!endLine(onPayload))
            return false;
    }
    return true;
}

bool Framing::endLine(const OnPayload &onPayload)
{
    const std::string line = std::move(m_buffer);
    m_buffer.clear();
    if (line.empty())
        return dispatch(onPayload);
    const std::size_t colon = line.find(':');
    std::string_view name = std::string_view(line).substr(0, colon), value;
    if (colon != std::string::npos)
        value = std::string_view(line).substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    constexpr std::array<std::string_view, 5> fields = {"", "data", "event", "id", "retry"};
    m_anyField = m_anyField || std::find(fields.begin(), fields.end(), name) != fields.end();
    if (!m_anyField && m_sample.size() < 1024)
        m_sample += line + '\n';
    if (name == "data") { // other fields, comments and unknown names mean nothing here
        m_data += m_hasData ? "\n" : "";
        m_data += value;
        m_hasData = true;
    }
    return true;
}

bool Framing::dispatch(const OnPayload &onPayload)
{
    if (!m_hasData)
        return true;
    const std::string data = std::move(m_data);
    m_data.clear();
    m_hasData = false;
    return onPayload(data);
}

// A line that is a JSON value by itself is a payload; one that is none begins a body of many lines.
bool Framing::feedJson(std::string_view bytes, const OnPayload &onPayload)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        m_buffer += bytes.substr(0, end);
        if (end == std::string_view::npos)
            return true;
        bytes.remove_prefix(end + 1);
        if (isBlank(m_buffer)) {
            m_buffer.clear();
        } else if (m_lines > 0 || (m_buffer.find('\n') == std::string::npos && isJson(m_buffer))) {
            ++m_lines;
            const std::string line = std::move(m_buffer);
            m_buffer.clear();
            if (!onPayload(line))
                return false;
        } else {
            m_buffer += '\n';
        }
    }
    return true;
}

bool Framing::finish(const OnPayload &onPayload)
{
    if (m_form == Form::Events) {
        const std::string cut = m_buffer; // a last line without its end
        if (!m_buffer.empty())
            endLine(onPayload);
        if (m_hasData && (m_data == "[DONE]" || isJson(m_data)))
            return dispatch(onPayload);
        m_buffer = m_anyField ? cut : m_sample;
        return true;
    }
    if (m_form != Form::Json || isBlank(m_buffer))
        return true;
    if (!isJson(m_buffer))
        return true; // the caller sees it in rest()
    const std::string body = std::move(m_buffer);
    m_buffer.clear();
    return onPayload(body);
}

} // namespace emend::tools
