// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace emend::tools {

// Turns the bytes of a model's reply, however they are cut by the network, into payloads: one a
// server-sent event, one a line of NDJSON, or one JSON body. What comes is told by its first bytes,
// not by its content type, because servers and proxies get that wrong. Pure, one a reply.
class Framing {
public:
    enum class Form : std::uint8_t {
        Unknown, // nothing but blanks so far
        Events,  // server-sent events (WHATWG HTML, section 9.2)
        Json,    // one body, or a JSON object a line
        Page,    // HTML or XML
    };
    // Return false to get no more.
    using OnPayload = std::function<bool(std::string_view payload)>;

    // False: a payload was refused, feed no more.
    bool feed(std::string_view bytes, const OnPayload &onPayload);
    // The end of the body. What was not ended by its mark is still handed over if it is whole: an
    // event that is JSON or "[DONE]", a JSON body.
    bool finish(const OnPayload &onPayload);

    Form form() const { return m_form; }
    bool manyLines() const { return m_lines > 0; } // NDJSON
    // What is left and was no payload: a body that is no JSON, a cut line, a text without any field
    // of an event in it.
    const std::string &rest() const { return m_buffer; }
    bool anyField() const { return m_anyField; } // of an event

private:
    void sniff(std::string_view &bytes);
    bool feedEvents(std::string_view bytes, const OnPayload &onPayload);
    bool feedJson(std::string_view bytes, const OnPayload &onPayload);
    bool endLine(const OnPayload &onPayload);
    bool dispatch(const OnPayload &onPayload);

    Form m_form = Form::Unknown;
    std::string m_head;   // before the form is known: a byte order mark in pieces, blanks
    std::string m_buffer; // the line or body that is not complete
    std::string m_data;   // data lines of the event so far
    bool m_hasData = false;
    bool m_afterCr = false;
    bool m_anyField = false;
    std::string m_sample; // the beginning, while there is no field
    int m_lines = 0;
};

} // namespace emend::tools
