// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/calculator.h"

#include <QTest>

#include <optional>
#include <random>

using emend::tools::evaluate;

namespace {

__extension__ using Wide = __int128;

bool fits(Wide value)
{
    return value >= INT64_MIN && value <= INT64_MAX;
}

// A random expression and its value by the book; no value if a part overflows or divides by zero.
struct Expression {
    std::string text;
    std::optional<Wide> value;
};

class Generator {
public:
    explicit Generator(unsigned seed)
        : m_random(seed)
    {}

    Expression next(int depth)
    {
        if (depth == 0 || pick(5) == 0)
            return literal();
        if (pick(6) == 0)
            return negated(next(depth - 1));
        return binary(next(depth - 1), next(depth - 1));
    }

private:
    int pick(int n) { return std::uniform_int_distribution(0, n - 1)(m_random); }

    Expression literal()
    {
        static constexpr std::int64_t edges[]{
            0,        1, 2, 3, 3037000499, 3037000500, 1LL << 53, (1LL << 53) + 1, INT64_MAX - 1,
            INT64_MAX};
        std::int64_t value = edges[pick(std::size(edges))];
        if (pick(3) != 0)
            value = static_cast<std::int64_t>(m_random() >> (1 + pick(63)));
        return {std::to_string(value), value};
    }

    static Expression negated(Expression of)
    {
        Expression result{"-(" + of.text + ")", std::nullopt};
        if (of.value && fits(-*of.value))
            result.value = -*of.value;
        return result;
    }

    Expression binary(Expression a, Expression b)
    {
        static constexpr const char *operators[]{"+", "-", "*", "//", "%"};
        const int which = pick(5);
        Expression result{"(" + a.text + ") " + operators[which] + " (" + b.text + ")", {}};
        if (!a.value || !b.value || (which >= 3 && *b.value == 0))
            return result;
        const Wide x = *a.value, y = *b.value;
        // The remainder in [0, y) or (y, 0], and the quotient that belongs to it.
        const Wide remainder = which >= 3 ? ((x % y) + y) % y : 0;
        const Wide values[]{x + y, x - y, x * y, which >= 3 ? (x - remainder) / y : 0, remainder};
        if (fits(values[which]))
            result.value = values[which];
        return result;
    }

    std::mt19937_64 m_random;
};

} // namespace

class TestCalculator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anExpressionHasAValue_data();
    void anExpressionHasAValue();
    void aMistakeIsNamedWithItsColumn_data();
    void aMistakeIsNamedWithItsColumn();
    void integersAgreeWithWideArithmetic_data();
    void integersAgreeWithWideArithmetic();
    void anExactQuotientIsAnInteger();
    void anythingAtAllEndsWithAValueOrAnError();
};

void TestCalculator::anExpressionHasAValue_data()
{
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *expression, const char *expected) {
        QTest::newRow(expression) << QByteArray(expression) << QByteArray(expected);
    };
    row("7", "7");
    row(" 1 +\t2 ", "3");
    row("007", "7");
    row("2 + 3 * 4", "14");
    row("(2 + 3) * 4", "20");
    row("10 - 4 - 3", "3");
    row("100 / 10 / 5", "2");
    row("(31 * 9 / 5) + 32", "87.8");
    // typographic
    row("6 × 7", "42");
    row("6 ÷ 4", "1.5");
    row("6 − 7", "-1");
    row("−3 × −2", "6");
    // unary
    row("-5", "-5");
    row("--5", "5");
    row("+-+5", "-5");
    row("3 - -2", "5");
    row("2 * -3", "-6");
    // exact integers
    row("9223372036854775807", "9223372036854775807");
    row("-9223372036854775808", "-9223372036854775808");
    row("9007199254740993 * 3", "27021597764222979");
    row("9007199254740993 + 0", "9007199254740993");
    row("9223372036854775806 + 1", "9223372036854775807");
    row("-2 ** 63", "-9223372036854775808");
    row("(-2) ** 63", "-9223372036854775808");
    row("2 ** 62 - 1 + 2 ** 62", "9223372036854775807");
    row("9223372036854775807 % 10", "7");
    // division
    row("6 / 3", "2");
    row("7 / 2", "3.5");
    row("1 / 3", "0.3333333333333333");
    row("2 / 3", "0.6666666666666666");
    row("1977073648 / 9109436187094995255", "2.1703578656172462e-10"); // not by rounding first
    row("1 / 9223372036854775807", "1.0842021724855044e-19");
    row("9223372036854775807 / 2", "4.611686018427388e+18");
    row("0 / 5", "0");
    row("7 // 2", "3");
    row("-7 // 2", "-4");
    row("7 // -2", "-4");
    row("-7 // -2", "3");
    row("7 % 3", "1");
    row("-7 % 3", "2");
    row("7 % -3", "-2");
    row("-7 % -3", "-1");
    row("7.5 // 2", "3");
    row("-7.5 // 2", "-4");
    row("-7.5 % 2", "0.5");
    row("7.5 % -2", "-0.5");
    row("1 // 0.1", "9");
    // powers
    row("2 ** 10", "1024");
    row("2 ** 3 ** 2", "512");
    row("(2 ** 3) ** 2", "64");
    row("-2 ** 2", "-4");
    row("(-2) ** 2", "4");
    row("2 ** -1", "0.5");
    row("2 ** -63", "1.0842021724855044e-19");
    row("10 ** -3", "0.001");
    row("10 ** -30", "1e-30");
    row("0 ** 0", "1");
    row("(-1) ** 1000000", "1");
    row("1 ** -1000000", "1");
    row("3 ** 39", "4052555153018976267");
    row("2 ** 0.5", "1.4142135623730951");
    row("1.0001 ** 10000", "2.7181459268249255");
    // decimals, in the fewest digits
    row("0.1 + 0.2", "0.30000000000000004");
    row("0.1", "0.1");
    row(".5", "0.5");
    row("5.", "5");
    row("1e3", "1000");
    row("100000.0", "100000");
    row("1.5E-3", "0.0015");
    row("1e-7", "1e-07");
    row("2.5e+20", "2.5e+20");
    row("1e300 * 10", "1e+301");
    row("5e-324", "5e-324");
    row("0.0 * -1", "0");
    row("2.0 * 3", "6");
    row("9007199254740992 + 0.0", "9007199254740992");
    const QByteArray deep = QByteArray(100, '(') + "1" + QByteArray(100, ')');
    QTest::newRow("100 parentheses") << deep << QByteArray("1");
    const QByteArray longest = "1" + QByteArray(998, ' ') + " ";
    QTest::newRow("1,000 characters") << longest << QByteArray("1");
    QByteArray wide("1");
    while (wide.size() < 1998)
        wide += "÷1"; // two bytes, one character
    QTest::newRow("characters, not bytes") << wide.left(3 * 333 + 1) << QByteArray("1");
}

void TestCalculator::anExpressionHasAValue()
{
    QFETCH(QByteArray, expression);
    QFETCH(QByteArray, expected);
    const auto result = evaluate(expression.toStdString());
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QCOMPARE(QByteArray::fromStdString(*result), expected);
}

void TestCalculator::aMistakeIsNamedWithItsColumn_data()
{
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<int>("column");
    QTest::addColumn<QByteArray>("words"); // part of the message
    const auto row = [](const char *expression, int column, const char *words) {
        QTest::newRow(expression) << QByteArray(expression) << column << QByteArray(words);
    };
    row("", 1, "ends where");
    row("   ", 4, "ends where");
    row("1 +", 4, "ends where a number");
    row("1 2", 3, "expected an operator");
    row("2(3)", 2, "expected an operator");
    row("1.2.3", 4, "expected an operator");
    row("(1 + 2", 1, "never closed");
    row("1 + 2)", 6, "expected an operator");
    row("()", 2, "expected a number");
    row("* 3", 1, "expected a number");
    row("2 ^ 3", 3, "**");
    row("1,000", 2, "without separators");
    row("1_000", 2, "no names");
    row("× 3", 1, "expected a number");
    row("6 × × 7", 5, "expected a number");
    row("sqrt(4)", 1, "no functions");
    row("__import__('os')", 1, "no functions");
    row("2 * pi", 5, "no names");
    row("nan", 1, "no names");
    row("inf + 1", 1, "no names");
    row("1e", 2, "no names");
    row("0x10", 2, "no names");
    row("5 €", 3, "expected an operator");
    row("1 + .", 5, "expected a number");
    // arithmetic
    row("1 / 0", 3, "division by zero");
    row("1 // 0", 3, "division by zero");
    row("1 % 0", 3, "division by zero");
    row("1 / 0.0", 3, "division by zero");
    row("1.5 // 0", 5, "division by zero");
    row("0 ** -1", 3, "division by zero");
    row("0.0 ** -1", 5, "division by zero");
    row("2 + 1 / (3 - 3)", 7, "division by zero");
    row("9223372036854775807 + 1", 21, "integer overflow");
    row("-9223372036854775808 - 1", 22, "integer overflow");
    row("9223372036854775808", 1, "integer overflow");
    row("99999999999999999999999999999999999999999999", 1, "integer overflow");
    row("3037000500 * 3037000500", 12, "integer overflow");
    row("2 ** 63", 1, "integer overflow");
    row("2 ** 64", 3, "integer overflow");
    row("10 ** 1000000", 4, "integer overflow");
    row("-9223372036854775808 // -1", 22, "integer overflow");
    row("-9223372036854775808 / -1", 22, "integer overflow");
    row("-(-9223372036854775808)", 1, "integer overflow");
    row("2 ** 1000001", 3, "exponent");
    row("2 ** -1000001", 3, "exponent");
    row("1.5 ** 1e300", 5, "exponent");
    row("9007199254740993 + 0.5", 18, "would be rounded");
    row("1e308 * 10.0", 7, "too large");
    row("1e400", 1, "does not fit in a double");
    row("(-8) ** 0.5", 6, "not a real number");
    const QByteArray deep = QByteArray(101, '(') + "1" + QByteArray(101, ')');
    QTest::newRow("101 parentheses") << deep << 102 << QByteArray("nested");
    QTest::newRow("many minus signs") << QByteArray(900, '-') + "1" << 102 << QByteArray("nested");
    QTest::newRow("too long") << QByteArray(1000, '1') + "1" << 1001 << QByteArray("1,000");
    QTest::newRow("not UTF-8") << QByteArray("1 + \xff") << 5 << QByteArray("UTF-8");
}

void TestCalculator::aMistakeIsNamedWithItsColumn()
{
    QFETCH(QByteArray, expression);
    QFETCH(int, column);
    QFETCH(QByteArray, words);
    const auto result = evaluate(expression.toStdString());
    QVERIFY2(!result, result ? result->c_str() : "");
    QVERIFY2(result.error().message.find(words.toStdString()) != std::string::npos,
             result.error().message.c_str());
    QCOMPARE(result.error().column, column);
}

void TestCalculator::integersAgreeWithWideArithmetic_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 10; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestCalculator::integersAgreeWithWideArithmetic()
{
    QFETCH(unsigned, seed);
    Generator generator(seed);
    int values = 0;
    for (int i = 0; i < 3000; ++i) {
        const Expression expression = generator.next(4);
        if (expression.text.size() > 1000)
            continue;
        const auto result = evaluate(expression.text);
        QVERIFY2(result.has_value() == expression.value.has_value(), expression.text.c_str());
        if (!result)
            continue;
        ++values;
        QVERIFY2(*result == std::to_string(static_cast<std::int64_t>(*expression.value)),
                 expression.text.c_str());
    }
    QVERIFY(values > 500);
}

void TestCalculator::anExactQuotientIsAnInteger()
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 5000; ++i) {
        const auto quotient = static_cast<std::int64_t>(random() >> 33);
        const auto divisor = static_cast<std::int64_t>(random() >> 33) + 1;
        const std::string text =
            std::to_string(quotient * divisor) + " / -" + std::to_string(divisor);
        const auto result = evaluate(text);
        QVERIFY2(result && *result == std::to_string(-quotient), text.c_str());
    }
}

void TestCalculator::anythingAtAllEndsWithAValueOrAnError()
{
    static constexpr std::string_view pieces[]{"1",  "9", ".",    "e",  "(", ")",  "+", "-", "*",
                                               "**", "/", "//",   "%",  " ", "×",  "÷", "−", "x",
                                               "99", "0", "1e99", "\n", "€", "()", ",", "_", "2.5"};
    std::mt19937 random(11);
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (unsigned n = random() % 12; n > 0; --n)
            text += pieces[random() % std::size(pieces)];
        const auto result = evaluate(text);
        if (result)
            QVERIFY2(!result->empty(), text.c_str());
        else
            QVERIFY2(!result.error().message.empty() && result.error().column > 0, text.c_str());
    }
}

QTEST_GUILESS_MAIN(TestCalculator)
#include "tst_calculator.moc"
