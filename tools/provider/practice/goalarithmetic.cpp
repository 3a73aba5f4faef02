// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/goalarithmetic.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emend::tools {

namespace {

using Kind = GoalToken::Kind;

constexpr int maxDepth = 50; // of nesting; a goal is foreign text

struct Expression {
    std::string text;
    bool composite = false; // needs parentheses as an operand
};

std::string operand(const Expression &e)
{
    return e.composite ? "(" + e.text + ")" : e.text;
}

Expression joined(const std::vector<Expression> &items, std::string_view op)
{
    Expression result{operand(items.front()), items.size() > 1};
    for (std::size_t i = 1; i < items.size(); ++i)
        result.text += " " + std::string(op) + " " + operand(items[i]);
    return result;
}

Expression binary(const Expression &left, std::string_view op, const Expression &right)
{
    return joined({left, right}, op);
}

// Counts the nesting of a reader while it lives.
class Level {
public:
    explicit Level(int &depth)
        : m_depth(depth)
    {
        ++m_depth;
    }
    ~Level() { --m_depth; }
    Level(const Level &) = delete;
    Level &operator=(const Level &) = delete;

private:
    int &m_depth;
};

// A recursive-descent reader; a function that returns no value leaves the position where it was.
class Reader {
public:
    Reader(const std::vector<GoalToken> &tokens, std::size_t begin, const std::string &previous)
        : m_tokens(tokens)
        , m_pos(begin)
        , m_previous(previous)
    {}

    std::size_t position() const { return m_pos; }

    std::optional<Expression> temperature();
    std::optional<Expression> sum();

private:
    using Read = std::optional<Expression> (Reader::*)();

    const GoalToken &token(std::size_t ahead = 0) const
    {
        return m_tokens[std::min(m_pos + ahead, m_tokens.size() - 1)];
    }
    bool take(std::string_view words)
    {
        const bool taken = isOneOf(token(), words);
        m_pos += taken ? 1 : 0;
        return taken;
    }
    std::optional<Expression> back(std::size_t pos)
    {
        m_pos = pos;
        return std::nullopt;
    }
    Expression reference() const { return {m_previous, false}; }

    std::string takeOperator();
    std::string takeScale(); // "celsius" → "C", "°F" → "F"
    std::optional<Expression> factor();
    std::optional<Expression> primary();
    std::optional<Expression> ofForm();
    std::optional<Expression> listForm();
    std::optional<Expression> command();
    std::optional<Expression> pronoun();
    std::vector<Expression> list();

    const std::vector<GoalToken> &m_tokens;
    std::size_t m_pos;
    std::string m_previous;
    int m_depth = 0;
};

std::string Reader::takeOperator()
{
    if (token().kind == Kind::Operator)
        return m_tokens[m_pos++].text;
    struct Phrase {
        std::array<std::string_view, 4> words;
        std::size_t length;
        std::string_view op;
    };
    static constexpr std::array phrases = {
        Phrase{{"plus"}, 1, "+"},
        Phrase{{"minus"}, 1, "-"},
        Phrase{{"times"}, 1, "*"},
        Phrase{{"x"}, 1, "*"},
        Phrase{{"multiplied", "by"}, 2, "*"},
        Phrase{{"divided", "by"}, 2, "/"},
        Phrase{{"over"}, 1, "/"},
        Phrase{{"mod"}, 1, "%"},
        Phrase{{"modulo"}, 1, "%"},
        Phrase{{"to", "the", "power", "of"}, 4, "**"},
    };
    for (const Phrase &phrase : phrases) {
        std::size_t i = 0;
        while (i < phrase.length && token(i).is(phrase.words[i]))
            ++i;
        if (i == phrase.length) {
            m_pos += phrase.length;
            return std::string(phrase.op);
        }
    }
    return {};
}

std::string Reader::takeScale()
{
    take("degrees degree °");
    if (take("celsius centigrade c °c"))
        return "C";
    if (take("fahrenheit f °f"))
        return "F";
    return {};
}

std::optional<Expression> Reader::temperature()
{
    const std::size_t begin = m_pos;
    const auto degrees = factor();
    const std::string from = degrees ? takeScale() : std::string();
    if (from.empty() || !take("to in into as"))
        return back(begin);
    const std::string to = takeScale();
    const std::string value = operand(*degrees);
    if (from == "C" && to == "F")
        return Expression{value + " * 9 / 5 + 32", true};
    if (from == "F" && to == "C")
        return Expression{"(" + value + " - 32) * 5 / 9", true};
    return back(begin);
}

// The operands of an infix chain stay as they were written; the calculator knows precedence.
std::optional<Expression> Reader::sum()
{
    const Level level(m_depth);
    auto result = factor();
    while (result) {
        const std::size_t before = m_pos;
        const std::string op = takeOperator();
        const auto right = op.empty() ? std::nullopt : factor();
        if (!right) {
            m_pos = before;
            break;
        }
        result->text += " " + op + " " + right->text;
        result->composite = true;
    }
    return result;
}

std::optional<Expression> Reader::factor()
{
    const std::size_t begin = m_pos;
    const Level level(m_depth);
    if (m_depth > maxDepth)
        return std::nullopt;
    std::optional<Expression> result;
    if ((token().kind == Kind::Operator && token().text == "-") || isOneOf(token(), "minus")) {
        ++m_pos;
        if (const auto inner = factor())
            result = Expression{"-" + operand(*inner), inner->composite};
    } else {
        result = primary();
    }
    if (!result)
        return back(begin);
    if (take("squared"))
        result = Expression{operand(*result) + " ** 2", true};
    else if (take("cubed"))
        result = Expression{operand(*result) + " ** 3", true};
    const std::size_t before = m_pos;
    if (take("percent") && take("of")) {
        if (const auto whole = factor())
            return Expression{operand(*whole) + " * " + operand(*result) + " / 100", true};
    }
    m_pos = before;
    return result;
}

std::optional<Expression> Reader::primary()
{
    const std::size_t begin = m_pos;
    if (token().kind == Kind::Number)
        return Expression{m_tokens[m_pos++].text, false};
    if (token().kind == Kind::Open) {
        ++m_pos;
        const auto inner = sum();
        if (!inner || token().kind != Kind::Close)
            return back(begin);
        ++m_pos;
        return Expression{"(" + inner->text + ")", false};
    }
    for (const Read read :
         {&Reader::ofForm, &Reader::listForm, &Reader::command, &Reader::pronoun}) {
        if (auto result = (this->*read)())
            return result;
    }
    return std::nullopt;
}

// "the square root of 144", "half of it", "twice 21".
std::optional<Expression> Reader::ofForm()
{
    struct Form {
        std::string_view words;  // one of these …
        std::string_view second; // … and then this, if not empty
        std::string_view behind; // is written behind the operand
    };
    static constexpr std::array forms = {
        Form{"square", "root", " ** 0.5"}, Form{"cube", "root", " ** (1 / 3)"},
        Form{"square", "", " ** 2"},       Form{"cube", "", " ** 3"},
        Form{"half", "", " / 2"},          Form{"third", "", " / 3"},
        Form{"quarter", "", " / 4"},       Form{"double twice", "", " * 2"},
        Form{"triple thrice", "", " * 3"},
    };
    const std::size_t begin = m_pos;
    take("the a");
    for (const Form &form : forms) {
        const std::size_t here = m_pos;
        if (take(form.words) && (form.second.empty() || take(form.second))) {
            take("of");
            if (const auto value = factor())
                return Expression{operand(*value) + std::string(form.behind), true};
        }
        m_pos = here;
    }
    return back(begin);
}

// "the sum of 1, 2 and 3", "the difference between 9 and 4".
std::optional<Expression> Reader::listForm()
{
    const std::size_t begin = m_pos;
    take("the");
    const GoalToken name = token();
    ++m_pos;
    if (!isOneOf(name, "sum total product average mean difference") || !take("of between from"))
        return back(begin);
    const auto items = list();
    if (items.size() < 2)
        return back(begin);
    if (name.is("product"))
        return joined(items, "*");
    if (name.is("difference"))
        return joined(items, "-");
    const Expression all = joined(items, "+");
    if (name.is("average") || name.is("mean"))
        return Expression{"(" + all.text + ") / " + std::to_string(items.size()), true};
    return all;
}

// "add 3 to 4", "subtract 3 from 10", "multiply it by 4", "then divide by 2".
std::optional<Expression> Reader::command()
{
    struct Verb {
        std::string_view words;
        std::string_view link;
        std::string_view op;
        bool turned; // "subtract a from b" is b - a
    };
    static constexpr std::array verbs = {
        Verb{"add", "to", "+", true},
        Verb{"subtract take", "from", "-", true},
        Verb{"multiply", "by with times", "*", false},
        Verb{"divide", "by", "/", false},
    };
    const std::size_t begin = m_pos;
    for (const Verb &verb : verbs) {
        if (!take(verb.words))
            continue;
        const auto first = list();
        if (first.size() > 1 && !verb.turned)
            return joined(first, verb.op);
        if (first.size() > 1 && verb.op == "+" && !isOneOf(token(), "to"))
            return joined(first, verb.op);
        const bool linked = take(verb.link);
        const auto second = linked ? sum() : std::nullopt;
        if ((linked && !second) || (first.empty() && (!linked || verb.turned)))
            return back(begin);
        if ((first.empty() || !second) && m_previous.empty())
            return back(begin);
        const Expression one = first.empty() ? reference() : joined(first, "+");
        const Expression two = second ? *second : reference();
        return verb.turned || !second ? binary(two, verb.op, one) : binary(one, verb.op, two);
    }
    return back(begin);
}

std::optional<Expression> Reader::pronoun()
{
    const std::size_t begin = m_pos;
    if (m_previous.empty())
        return std::nullopt;
    if (take("it that this"))
        return reference();
    if (take("the") && take("result answer sum product total difference value temperature"))
        return reference();
    return back(begin);
}

std::vector<Expression> Reader::list()
{
    std::vector<Expression> items;
    std::size_t end = m_pos;
    for (;;) {
        auto item = sum();
        if (!item)
            break;
        items.push_back(std::move(*item));
        end = m_pos;
        const bool comma = token().kind == Kind::Comma;
        m_pos += comma ? 1 : 0;
        if (!take("and") && !comma)
            break;
    }
    m_pos = end;
    return items;
}

} // namespace

std::optional<GoalCalculation> calculationAt(const std::vector<GoalToken> &tokens,
                                             std::size_t begin, const std::string &previous)
{
    for (const bool asTemperature : {true, false}) {
        Reader reader(tokens, begin, previous);
        const auto found = asTemperature ? reader.temperature() : reader.sum();
        // A number alone is no calculation.
        if (found && found->composite)
            return GoalCalculation{found->text, reader.position()};
    }
    return std::nullopt;
}

} // namespace emend::tools
