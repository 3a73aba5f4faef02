// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/calculator.h"

#include "core/base/text.h"
#include "tools/agent/builtintool.h"
#include "tools/agent/number.h"

#include <array>

namespace emend::tools {

namespace {

constexpr std::size_t maxCharacters = 1000;
constexpr int maxDepth = 100;

enum class Token : std::uint8_t {
    End,
    Number,
    Plus,
    Minus,
    Times,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    Open,
    Close,
    Other,
};

struct Spelling {
    std::string_view text;
    Token token;
};

// Longer spellings first.
constexpr std::array spellings{
    Spelling{"**", Token::Power}, Spelling{"//", Token::FloorDivide}, Spelling{"+", Token::Plus},
    Spelling{"-", Token::Minus},  Spelling{"*", Token::Times},        Spelling{"/", Token::Divide},
    Spelling{"%", Token::Modulo}, Spelling{"(", Token::Open},         Spelling{")", Token::Close},
    Spelling{"×", Token::Times},  Spelling{"÷", Token::Divide},       Spelling{"−", Token::Minus},
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

core::Result<std::string> refuse(std::string_view text, std::size_t offset, core::ErrorCode code,
                                 std::string message)
{
    core::Error error{code, std::move(message), {}, {}, 0, 0};
    const core::Place place = core::placeAt(text, offset);
    error.line = place.line;
    error.column = place.column;
    return tl::unexpected<core::Error>(std::move(error));
}

// Recursive descent with one token of look-ahead. The first error is kept and ends everything.
class Evaluator {
public:
    explicit Evaluator(std::string_view text)
        : m_text(text)
    {
        next();
    }

    core::Result<std::string> run()
    {
        const Number value = sum();
        if (m_error.empty() && m_token != Token::End)
            failHere(describeUnexpected("an operator"));
        if (m_error.empty())
            return toText(value);
        return refuse(m_text, m_errorOffset, core::ErrorCode::BadValue, m_error);
    }

private:
    using Operation = NumberResult (*)(Number, Number);

    // Counts one level of nesting for as long as it lives.
    class Nesting {
    public:
        explicit Nesting(Evaluator &evaluator)
            : m_depth(evaluator.m_depth)
        {
            if (++m_depth > maxDepth)
                evaluator.failHere("nested more than 100 levels deep");
        }
        ~Nesting() { --m_depth; }
        Nesting(const Nesting &) = delete;
        Nesting &operator=(const Nesting &) = delete;

    private:
        int &m_depth;
    };

    Number sum()
    {
        Number value = product();
        while (m_token == Token::Plus || m_token == Token::Minus) {
            const Operation operation = m_token == Token::Plus ? add : subtract;
            const std::size_t at = take();
            const Number right = product();
            value = settle(at, [&] { return operation(value, right); });
        }
        return value;
    }

    Number product()
    {
        Number value = signedFactor();
        while (const Operation operation = productOperation(m_token)) {
            const std::size_t at = take();
            const Number right = signedFactor();
            value = settle(at, [&] { return operation(value, right); });
        }
        return value;
    }

    static Operation productOperation(Token token)
    {
        switch (token) {
        case Token::Times:
            return multiply;
        case Token::Divide:
            return divide;
        case Token::FloorDivide:
            return floorDivide;
        case Token::Modulo:
            return modulo;
        default:
            return nullptr;
        }
    }

    // The level where 2^63 must have met its minus.
    Number signedFactor()
    {
        const std::size_t start = m_start;
        if (m_token != Token::Minus && m_token != Token::Plus) {
            const Number value = raised();
            return settle(start, [&] { return fitsInt64(value); });
        }
        const bool negative = m_token == Token::Minus;
        const std::size_t at = take();
        if (m_token != Token::Minus && m_token != Token::Plus) {
            const Number value = raised();
            return settle(at, [&] { return negative ? negate(value) : fitsInt64(value); });
        }
        const Nesting level(*this);
        const Number value = signedFactor();
        return settle(at, [&] { return negative ? negate(value) : value; });
    }

    Number raised()
    {
        const Number base = primary();
        if (m_token != Token::Power)
            return base;
        const std::size_t at = take();
        const Nesting level(*this);
        const Number exponent = signedFactor();
        return settle(at, [&] { return power(base, exponent); });
    }

    Number primary()
    {
        if (m_token == Token::Number)
            return literal();
        if (m_token != Token::Open) {
            failHere(describeUnexpected("a number or an opening parenthesis"));
            return {};
        }
        const std::size_t open = take();
        const Nesting level(*this);
        const Number value = sum();
        if (m_token == Token::Close)
            take();
        else if (m_token == Token::End)
            failAt(open, "this parenthesis is never closed");
        else
            failHere(describeUnexpected("an operator or a closing parenthesis"));
        return value;
    }

    Number literal()
    {
        const std::string_view text = m_text.substr(m_start, m_end - m_start);
        const bool decimal = text.find_first_of(".eE") != std::string_view::npos;
        const std::size_t at = take();
        return settle(at, [&] { return decimal ? parseDecimal(text) : parseInteger(text); });
    }

    // The result of `operation`, unless something failed before or fails now.
    template<typename Compute>
    Number settle(std::size_t at, Compute compute)
    {
        if (!m_error.empty())
            return {};
        NumberResult result = compute();
        if (result)
            return *result;
        failAt(at, std::move(result.error()));
        return {};
    }

    void failHere(std::string reason) { failAt(m_start, std::move(reason)); }

    void failAt(std::size_t offset, std::string reason)
    {
        if (!m_error.empty())
            return;
        m_error = std::move(reason);
        m_errorOffset = offset;
        m_token = Token::End; // unwinds: no rule goes on after the end
        m_end = m_text.size();
    }

    std::string describeUnexpected(const std::string &wanted) const
    {
        if (m_token == Token::End)
            return "the expression ends where " + wanted + " is expected";
        const std::string_view found = m_text.substr(m_start, m_end - m_start);
        if (isLetter(found.front()))
            return "there are no names and no functions here, only numbers and operators: " +
                   core::inQuotes(found);
        if (found == "^")
            return "\"^\" is no operator; a power is written **";
        if (found == "," || found == "_")
            return "a number is written without separators, and with a decimal point";
        return "expected " + wanted + ", found " + core::inQuotes(found);
    }

    // Steps over the current token and returns its offset.
    std::size_t take()
    {
        const std::size_t at = m_start;
        next();
        return at;
    }

    void next()
    {
        const std::size_t start = m_text.find_first_not_of(" \t\r\n", m_end);
        m_start = m_end = std::min(start, m_text.size());
        if (!m_error.empty() || m_start == m_text.size()) {
            m_token = Token::End;
            return;
        }
        const std::string_view rest = m_text.substr(m_start);
        for (const Spelling &spelling : spellings) {
            if (rest.starts_with(spelling.text)) {
                m_token = spelling.token;
                m_end += spelling.text.size();
                return;
            }
        }
        if (isDigit(rest.front()) || (rest.size() > 1 && rest[0] == '.' && isDigit(rest[1]))) {
            m_token = Token::Number;
            m_end += numberLength(rest);
            return;
        }
        m_token = Token::Other;
        m_end += otherLength(rest);
    }

    static std::size_t digitsFrom(std::string_view text, std::size_t offset)
    {
        while (offset < text.size() && isDigit(text[offset]))
            ++offset;
        return offset;
    }

    // 12, 12.5, .5, 12., 1e9, 1.5E-3. An "e" without digits is not part of the number.
    static std::size_t numberLength(std::string_view text)
    {
        std::size_t end = digitsFrom(text, 0);
        if (end < text.size() && text[end] == '.')
            end = digitsFrom(text, end + 1);
        if (end == text.size() || (text[end] != 'e' && text[end] != 'E'))
            return end;
        std::size_t exponent = end + 1;
        if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
            ++exponent;
        const std::size_t exponentEnd = digitsFrom(text, exponent);
        return exponentEnd > exponent ? exponentEnd : end;
    }

    // A whole word, or one code point.
    static std::size_t otherLength(std::string_view text)
    {
        std::size_t end = 0;
        while (end < text.size() && (isLetter(text[end]) || (end > 0 && isDigit(text[end]))))
            ++end;
        return end > 0 ? end : core::prefixCodePoints(text, 1).size();
    }

    std::string_view m_text;
    Token m_token = Token::End;
    std::size_t m_start = 0; // of the current token
    std::size_t m_end = 0;
    int m_depth = 0;
    std::string m_error;
    std::size_t m_errorOffset = 0;
};

constexpr std::string_view schema = R"({
    "type": "object",
    "properties": {
        "expression": {
            "type": "string",
            "description": "Arithmetic only: numbers, + - * / // % ** and parentheses. // and % round down as in Python; ** is power. Example: (31 * 9 / 5) + 32",
            "minLength": 1,
            "maxLength": 1000
        }
    },
    "required": ["expression"]
})";

class CalculatorTool : public BuiltInTool {
public:
    explicit CalculatorTool(const ToolEnvironment &environment)
        : BuiltInTool(environment.clock, "calculator",
                      "Computes an arithmetic expression. Integers are exact.", schema)
    {}

protected:
    core::ToolOutcome run(const nlohmann::json &input, const core::CallContext &) override
    {
        const auto result = evaluate(textAt(input, "expression"));
        if (result)
            return core::ToolOutcome::succeeded(*result);
        const core::Error &error = result.error();
        return core::ToolOutcome::failed("column " + std::to_string(error.column) + ": " +
                                         error.message);
    }
};

} // namespace

core::Result<std::string> evaluate(std::string_view expression)
{
    const std::size_t invalid = core::firstInvalidUtf8(expression);
    if (invalid != std::string_view::npos)
        return refuse(expression, invalid, core::ErrorCode::BadValue, "this is not UTF-8");
    const std::size_t allowed = core::prefixCodePoints(expression, maxCharacters).size();
    if (allowed < expression.size())
        return refuse(expression, allowed, core::ErrorCode::TooLarge,
                      "the expression is longer than 1,000 characters");
    return Evaluator(expression).run();
}

std::unique_ptr<core::Tool> makeCalculatorTool(const ToolEnvironment &environment)
{
    return std::make_unique<CalculatorTool>(environment);
}

} // namespace emend::tools
