// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/goaltokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emend::tools {

namespace {

using Kind = GoalToken::Kind;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80u;
}

std::string lowered(std::string text)
{
    for (char &c : text) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

struct Sign {
    std::string_view written;
    Kind kind;
    std::string_view text;
};

constexpr std::array signs = {
    Sign{"**", Kind::Operator, "**"}, Sign{"//", Kind::Operator, "//"},
    Sign{"^", Kind::Operator, "**"},  Sign{"*", Kind::Operator, "*"},
    Sign{"×", Kind::Operator, "*"},   Sign{"·", Kind::Operator, "*"},
    Sign{"/", Kind::Operator, "/"},   Sign{"÷", Kind::Operator, "/"},
    Sign{"+", Kind::Operator, "+"},   Sign{"-", Kind::Operator, "-"},
    Sign{"−", Kind::Operator, "-"},   Sign{"–", Kind::Operator, "-"},
    Sign{"&", Kind::Word, "and"},     Sign{"(", Kind::Open, "("},
    Sign{")", Kind::Close, ")"},      Sign{",", Kind::Comma, ","},
    Sign{".", Kind::Stop, "."},       Sign{"?", Kind::Stop, "?"},
    Sign{"!", Kind::Stop, "!"},       Sign{";", Kind::Stop, ";"},
    Sign{":", Kind::Stop, ":"},       Sign{"\n", Kind::Stop, ";"},
};

class Lexer {
public:
    explicit Lexer(std::string_view text)
        : m_text(text)
    {}

    std::vector<GoalToken> read()
    {
        while (m_pos < m_text.size() && m_tokens.size() < maxGoalTokens) {
            if (!readDate() && !readNumber() && !readPercent() && !readSign() && !readWord())
                ++m_pos;
        }
        m_tokens.push_back({Kind::End, {}, {}});
        return std::move(m_tokens);
    }

private:
    char at(std::size_t pos) const { return pos < m_text.size() ? m_text[pos] : '\0'; }

    std::size_t digitsAt(std::size_t pos) const
    {
        std::size_t count = 0;
        while (isDigit(at(pos + count)))
            ++count;
        return count;
    }

    void add(Kind kind, std::string_view text, std::size_t length)
    {
        std::string lower = kind == Kind::Word ? lowered(std::string(text)) : std::string();
        m_tokens.push_back({kind, std::string(text), std::move(lower)});
        m_pos += length;
    }

    bool readDate()
    {
        if (digitsAt(m_pos) != 4 || at(m_pos + 4) != '-' || digitsAt(m_pos + 5) != 2 ||
            at(m_pos + 7) != '-' || digitsAt(m_pos + 8) != 2)
            return false;
        add(Kind::Word, m_text.substr(m_pos, 10), 10);
        return true;
    }

    bool readNumber()
    {
        const bool startsWithPoint = at(m_pos) == '.' && isDigit(at(m_pos + 1));
        if (!isDigit(at(m_pos)) && !startsWithPoint)
            return false;
        std::size_t end = m_pos + digitsAt(m_pos);
        if (end - m_pos <= 3) {
            while (at(end) == ',' && digitsAt(end + 1) == 3)
                end += 4;
        }
        if (at(end) == '.' && isDigit(at(end + 1)))
            end += 1 + digitsAt(end + 1);
        std::string number(m_text.substr(m_pos, end - m_pos));
        number.erase(std::remove(number.begin(), number.end(), ','), number.end());
        add(Kind::Number, number, end - m_pos);
        if ((at(m_pos) == 'x' || at(m_pos) == 'X') && isDigit(at(m_pos + 1)))
            add(Kind::Operator, "*", 1);
        return true;
    }

    // "17 % 5" is a remainder, "17 %" and "17 % of 80" are percent.
    bool readPercent()
    {
        if (at(m_pos) != '%')
            return false;
        const std::size_t next = m_text.find_first_not_of(' ', m_pos + 1);
        const bool remainder =
            next < m_text.size() && (isDigit(m_text[next]) || m_text[next] == '(');
        add(remainder ? Kind::Operator : Kind::Word, remainder ? "%" : "percent", 1);
        return true;
    }

    bool readSign()
    {
        const std::string_view rest = m_text.substr(m_pos);
        const auto sign = std::find_if(signs.begin(), signs.end(), [&](const Sign &candidate) {
            return rest.starts_with(candidate.written);
        });
        if (sign == signs.end())
            return false;
        add(sign->kind, sign->text, sign->written.size());
        return true;
    }

    bool readWord()
    {
        if (!isLetter(at(m_pos)))
            return false;
        std::size_t end = m_pos;
        const auto joins = [](char c) { return c == '-' || c == '/' || c == '\''; };
        while (isLetter(at(end)) || isDigit(at(end)) || at(end) == '_' ||
               (joins(at(end)) && isLetter(at(end + 1))))
            ++end;
        add(Kind::Word, m_text.substr(m_pos, end - m_pos), end - m_pos);
        return true;
    }

    std::string_view m_text;
    std::size_t m_pos = 0;
    std::vector<GoalToken> m_tokens;
};

} // namespace

bool GoalToken::isCapitalised() const
{
    return kind == Kind::Word && !(text.front() >= 'a' && text.front() <= 'z');
}

std::vector<GoalToken> goalTokens(std::string_view goal)
{
    return Lexer(goal).read();
}

bool isOneOf(const GoalToken &token, std::string_view words)
{
    if (token.kind != Kind::Word)
        return false;
    for (std::size_t at = words.find(token.lower); at != std::string_view::npos;
         at = words.find(token.lower, at + 1)) {
        const std::size_t end = at + token.lower.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
            return true;
    }
    return false;
}

} // namespace emend::tools
