// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/recognizer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/text.h"

namespace emend::core {

namespace {

class Recognizer {
public:
    explicit Recognizer(std::string_view text)
        : m_text(text)
        , m_badUtf8(firstInvalidUtf8(text))
    {}

    std::optional<JsonSyntaxError> run()
    {
        while (!m_fault) {
            m_at = std::min(m_text.find_first_not_of(" \t\n\r", m_at), m_text.size());
            if (m_due == Due::Nothing && m_open.empty()) {
                if (m_at == m_text.size())
                    return std::nullopt;
                fault("something stands after the JSON value");
            } else {
                token();
            }
        }
        return m_fault;
    }

private:
    enum class Due { Value, ValueOrEnd, Name, NameOrEnd, Colon, Nothing };

    bool ended() const { return m_at >= m_text.size(); }
    char here() const { return ended() ? '\0' : m_text[m_at]; }
    bool digit() const { return !ended() && here() >= '0' && here() <= '9'; }

    bool fault(std::string expected, bool inString = false)
    {
        if (m_fault)
            return false;
        JsonSyntaxError error{std::min(m_at, m_text.size()), std::move(expected), inString};
        if (ended())
            error.message = "the text ends too early: " + error.message;
        else if (m_at == m_badUtf8)
            error.message = "not UTF-8: " + describeCodePoint(m_text, m_at);
        m_fault = std::move(error);
        return false;
    }

    void token()
    {
        switch (m_due) {
        case Due::Name:
        case Due::NameOrEnd:
            if (here() == '"')
                string() ? void(m_due = Due::Colon) : void();
            else if (here() == '}' && m_due == Due::NameOrEnd)
                close();
            else
                fault("expected a name in double quotes");
            break;
        case Due::Colon:
            here() == ':' ? take(Due::Value) : void(fault("expected ':'"));
            break;
        case Due::Value:
        case Due::ValueOrEnd:
            value();
            break;
        case Due::Nothing:
            afterValue();
        }
    }

    void take(Due next)
    {
        ++m_at;
        m_due = next;
    }

    void close()
    {
        m_open.pop_back();
        take(Due::Nothing);
    }

    void afterValue()
    {
        const bool object = m_open.back() == '{';
        if (here() == ',')
            take(object ? Due::Name : Due::Value);
        else if (!ended() && here() == (object ? '}' : ']'))
            close();
        else
            fault(object ? "expected ',' or '}'" : "expected ',' or ']'");
    }

    void value()
    {
        const char c = here();
        if (c == '{' || c == '[') {
            m_open.push_back(c);
            take(c == '{' ? Due::NameOrEnd : Due::ValueOrEnd);
            return;
        }
        if (c == ']' && m_due == Due::ValueOrEnd)
            return close();
        const bool ok = c == '"'              ? string()
                        : c == '-' || digit() ? number()
                        : c == 't'            ? literal("true")
                        : c == 'f'            ? literal("false")
                        : c == 'n'            ? literal("null")
                                              : fault("expected a value");
        if (ok)
            m_due = Due::Nothing;
    }

    bool literal(std::string_view word)
    {
        for (const char c : word) {
            if (here() != c)
                return fault("expected " + std::string(word));
            ++m_at;
        }
        return true;
    }

    bool digits()
    {
        if (!digit())
            return fault("expected a digit");
        while (digit())
            ++m_at;
        return true;
    }

    bool number()
    {
        m_at += here() == '-' ? 1 : 0;
        if (here() == '0')
            ++m_at;
        else if (!digits())
            return false;
        if (here() == '.') {
            ++m_at;
            if (!digits())
                return false;
        }
        if (here() == 'e' || here() == 'E') {
            ++m_at;
            m_at += here() == '+' || here() == '-' ? 1 : 0;
            return digits();
        }
        return true;
    }

    bool string()
    {
        for (++m_at; here() != '"' || ended(); ++m_at) {
            if (ended())
                return fault("a string has no closing quote", true);
            if (m_at == m_badUtf8)
                return fault("not UTF-8", true);
            if (static_cast<unsigned char>(here()) < 0x20)
                return fault("a raw control character in a string", true);
            if (here() == '\\' && !escape())
                return false;
        }
        ++m_at;
        return true;
    }

    // From the backslash to the last character of the escape.
    bool escape()
    {
        const std::size_t start = m_at++;
        if (here() != 'u') {
            constexpr std::string_view known = "\"\\/bfnrt";
            return (!ended() && known.find(here()) != std::string_view::npos) ||
                   fault("no such escape in a string", true);
        }
        unsigned unit = 0;
        if (!hex(unit))
            return false;
        const auto lone = [&] {
            m_at = start;
            return fault("a lone surrogate escape, which stands for no character", true);
        };
        if (unit >= 0xDC00 && unit <= 0xDFFF)
            return lone();
        if (unit < 0xD800 || unit > 0xDBFF)
            return true;
        if (m_text.substr(m_at + 1, 2) != "\\u")
            return lone();
        m_at += 2;
        return hex(unit) && ((unit >= 0xDC00 && unit <= 0xDFFF) || lone());
    }

    // Four hex digits after the current character; ends on the last of them.
    bool hex(unsigned &unit)
    {
        unit = 0;
        for (int i = 0; i < 4; ++i) {
            ++m_at;
            const char c = here();
            const int value = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (value < 0)
                return fault("\\u wants four hex digits", true);
            unit = unit * 16 + static_cast<unsigned>(value);
        }
        return true;
    }

    std::string_view m_text;
    std::size_t m_badUtf8;
    std::size_t m_at = 0;
    Due m_due = Due::Value;
    std::vector<char> m_open;
    std::optional<JsonSyntaxError> m_fault;
};

} // namespace

std::optional<JsonSyntaxError> findJsonFault(std::string_view text)
{
    return Recognizer(text).run();
}

} // namespace emend::core
