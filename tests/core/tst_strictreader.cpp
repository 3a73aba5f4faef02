// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <random>

#include "core/base/text.h"
#include "core/json/canonical.h"
#include "core/json/strictreader.h"

using namespace emend::core;
using nlohmann::json;

class TestStrictReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFaultIsAtTheFirstImpossibleByte_data();
    void aFaultIsAtTheFirstImpossibleByte();
    void numbersKeepTheirValueOrAreReported_data();
    void numbersKeepTheirValueOrAreReported();
    void whatItAcceptsIsWhatJsonAccepts();
    void aPointerIsFoundInTheText_data();
    void aPointerIsFoundInTheText();
    void linesAndColumnsCountCodePoints_data();
    void linesAndColumnsCountCodePoints();
    void equalValuesHaveOneCanonicalText_data();
    void equalValuesHaveOneCanonicalText();
    void canonicalTextNeverFails();
};

void TestStrictReader::aFaultIsAtTheFirstImpossibleByte_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("offset");
    const auto row = [](const char *name, QByteArray text, int offset) {
        QTest::newRow(name) << text << offset;
    };
    row("nothing", "", 0);
    row("a cut literal", "tru", 3);
    row("a wrong letter in a literal", "trux", 3);
    row("a cut string", "\"ab", 3);
    row("a raw control character", "\"a\nb\"", 2);
    row("DEL is allowed, NUL is not", QByteArray("\"a\x7F\"\0", 5), 4);
    row("NUL in a string", QByteArray("\"a\0b\"", 5), 2);
    row("NUL after the text", QByteArray("{}\0{}", 5), 2);
    row("an unknown escape", "\"\\q\"", 2);
    row("short \\u", "\"\\u12\"", 5);
    row("a low surrogate alone", "[\"x\",\"\\udc00\"]", 6);
    row("a high surrogate alone", "\"ab\\ud800\"", 3);
    row("high, then an ordinary escape", "\"\\ud83d\\u0041\"", 1);
    row("a good pair, then half of one", "\"\\ud83d\\ude00 \\ud83d\"", 14);
    row("a lone surrogate in a key", "{\"\\ud800\":1}", 2);
    row("minus alone", "[-]", 2);
    row("a point without digits", "[1.]", 3);
    row("an exponent without digits", "[1e]", 3);
    row("a leading zero", "[01]", 2);
    row("hex", "[0x1]", 2);
    row("a trailing comma", "[1,]", 3);
    row("a comma first", "[,1]", 1);
    row("two values", "1 2", 2);
    row("two strings", "\"a\" \"b\"", 4);
    row("a key that is a number", "{1:2}", 1);
    row("no colon", "{\"a\" 1}", 5);
    row("a string where a colon must be", "{\"a\"\"b\"}", 4);
    row("a duplicate key", "{\"a\":1,\"b\":2,\"a\":3}", 13);
    row("a duplicate key spelled with an escape", "{\"a\":1, \"\\u0061\":3}", 8);
    row("a duplicate key further in", "[{\"x\":{\"k\":1,\"k\":1}}]", 13);
    row("a byte order mark", "\xEF\xBB\xBF{}", 0);
    row("a byte order mark and nothing", "\xEF\xBB\xBF", 0);
    row("an overlong form", "\"\xC0\xAF\"", 1);
    row("a surrogate in UTF-8", "\"\xED\xA0\x80\"", 1);
    row("a lone continuation byte", "\"a\x80\"", 2);
    row("a number beyond a double", "[1e999]", 1);
    row("a literal where a colon must be", "{\"satisfied\" true}", 13);
    row("a literal where a comma must be", "{\"a\": false\n null}", 13);
    row("an unquoted key that starts like true", "{\"a\":1,tool:2}", 7);
    row("an unquoted key that starts like false", "{\"a\":1,final:2}", 7);
    row("a number where a key must be", "{\"a\":1,-1:2}", 7);
    row("a broken byte before an innocent one", "\"caf\xE9 x\"", 4);
    row("a high surrogate and a broken escape", "\"\\ud83d\\u12\"", 11);
    row("too deep", QByteArray(129, '['), 128);
    row("as deep as allowed, cut", QByteArray(128, '['), 128);
}

void TestStrictReader::aFaultIsAtTheFirstImpossibleByte()
{
    QFETCH(QByteArray, text);
    QFETCH(int, offset);
    const auto read = readStrictJson(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(static_cast<int>(read.error().offset) == offset,
             (read.error().message + " at " + std::to_string(read.error().offset)).c_str());
    QVERIFY(!read.error().message.empty());
}

void TestStrictReader::numbersKeepTheirValueOrAreReported_data()
{
    QTest::addColumn<QByteArray>("number");
    QTest::addColumn<QByteArray>("kept"); // as JSON; empty: reported as inexact
    const auto row = [](const char *number, const char *kept) {
        QTest::newRow(number) << QByteArray(number) << QByteArray(kept);
    };
    row("9007199254740993", "9007199254740993");
    row("9007199254740993.0", "9007199254740993");
    row("-9223372036854775808", "-9223372036854775808");
    row("18446744073709551615", "18446744073709551615");
    row("18446744073709551616", "");
    row("1e16", "10000000000000000");
    row("5.0", "5");
    row("-0.0", "0");
    row("0e999999999999", "0");
    row("0.1", "0.1");
    row("1.10", "1.1");
    row("1e300", "1e+300");
    row("3.14159265358979323846", "");
    row("0.30000000000000004", "0.30000000000000004");
    row("1e-400", "");
    row("123456789012345678901234567890", "");
}

void TestStrictReader::numbersKeepTheirValueOrAreReported()
{
    QFETCH(QByteArray, number);
    QFETCH(QByteArray, kept);
    const auto read = readStrictJson("{\"a\":[" + number.toStdString() + "]}");
    QVERIFY(read);
    if (kept.isEmpty()) {
        QCOMPARE(read->inexact.size(), 1U);
        QCOMPARE(read->inexact[0].pointer, std::string("/a/0"));
        QCOMPARE(read->inexact[0].digits, number.toStdString());
        return;
    }
    QVERIFY(read->inexact.empty());
    QCOMPARE(read->value["a"][0].dump(), kept.toStdString());
}

// Mutated documents: where nlohmann's own parser says no, so do we; where it says yes, we give the
// same value or name one of the faults that it lets pass.
void TestStrictReader::whatItAcceptsIsWhatJsonAccepts()
{
    const std::string seedText =
        R"({"state":"action","n":[1,-2.5e3,0,true,null],"s":"a\u00e9\ud83d\ude00\n","o":{"k":{}}})";
    std::mt19937 random(7);
    int accepted = 0;
    for (int round = 0; round < 60'000; ++round) {
        std::string text = seedText;
        for (unsigned edits = 1 + random() % 3; edits > 0 && !text.empty(); --edits) {
            const std::size_t at = random() % text.size();
            const std::string pool = "{}[]\",:\\u09eE+-.tfn \n\x01\x80\xC3";
            switch (random() % 3) {
            case 0:
                text.erase(at, 1 + random() % 4);
                break;
            case 1:
                text.insert(at, 1, pool[random() % pool.size()]);
                break;
            default:
                text[at] = pool[random() % pool.size()];
            }
        }
        const auto read = readStrictJson(text);
        const json loose = json::parse(text, nullptr, false);
        if (read) {
            ++accepted;
            QVERIFY2(!loose.is_discarded(), text.c_str());
            QCOMPARE(canonicalText(read->value), canonicalText(loose));
        } else {
            const std::string &why = read.error().message;
            QVERIFY2(loose.is_discarded() || why.starts_with("duplicate key"),
                     (text + why).c_str());
            QVERIFY(read.error().offset <= text.size());
        }
    }
    QVERIFY(accepted > 1000);
}

void TestStrictReader::aPointerIsFoundInTheText_data()
{
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<QByteArray>("there"); // what begins at the place
    const auto row = [](const char *pointer, const char *there) {
        QTest::newRow(pointer) << QByteArray(pointer) << QByteArray(there);
    };
    row("", "{\"a");
    row("/a", "{\"b");
    row("/a/b", "[10");
    row("/a/b/1", "\"x\\\"y\"");
    row("/a/b/2", "-3}"); // the number reads one byte ahead
    row("/a/missing", "{\"b");
    row("/a~1c", "true");
    row("/ab", "{\"a"); // no prefix of another key
}

void TestStrictReader::aPointerIsFoundInTheText()
{
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, there);
    const std::string text = R"(  {"a" : {"b": [10 , "x\"y", -3}, "a/c":true})";
    const std::string good = R"(  {"a" : {"b": [10 , "x\"y", -3]}, "a/c":true})";
    const std::size_t offset = offsetOfPointer(good, pointer.toStdString());
    std::string wanted = there.toStdString();
    if (wanted == "-3}")
        wanted = "-3]";
    QCOMPARE(good.substr(offset, wanted.size()), wanted);
    QVERIFY(!readStrictJson(text));
}

void TestStrictReader::linesAndColumnsCountCodePoints_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("offset");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::newRow("start") << QByteArray("ab") << 0 << 1 << 1;
    QTest::newRow("end") << QByteArray("ab") << 9 << 1 << 3;
    QTest::newRow("LF") << QByteArray("a\nb") << 2 << 2 << 1;
    QTest::newRow("CRLF is one end of line") << QByteArray("a\r\nbc") << 4 << 2 << 2;
    QTest::newRow("a lone CR ends a line") << QByteArray("a\rb") << 2 << 2 << 1;
    QTest::newRow("two bytes, one column") << QByteArray("é!") << 2 << 1 << 2;
    QTest::newRow("four bytes, one column") << QByteArray("\xF0\x9F\x98\x80!") << 4 << 1 << 2;
    QTest::newRow("a broken byte is a column") << QByteArray("\x80\x80!") << 2 << 1 << 3;
}

void TestStrictReader::linesAndColumnsCountCodePoints()
{
    QFETCH(QByteArray, text);
    QFETCH(int, offset);
    QFETCH(int, line);
    QFETCH(int, column);
    const Place place = placeAt(text.toStdString(), static_cast<std::size_t>(offset));
    QCOMPARE(place.line, line);
    QCOMPARE(place.column, column);
}

void TestStrictReader::equalValuesHaveOneCanonicalText_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("equal");
    const auto row = [](const char *name, const char *a, const char *b, bool equal) {
        QTest::newRow(name) << QByteArray(a) << QByteArray(b) << equal;
    };
    row("key order", R"({"a":1,"b":{"d":1,"c":2}})", R"({"b":{"c":2,"d":1},"a":1})", true);
    row("white space", "[1, 2]", "[1,2]", true);
    row("1 and 1.0", "[1]", "[1.0]", true);
    row("1 and 1e0", "[1]", "[1e0]", true);
    row("100 and 1e2", "[100]", "[1E+2]", true);
    row("0 and -0.0", "[0]", "[-0.0]", true);
    row("0.5 and 5e-1", "[0.5]", "[5e-1]", true);
    row("2^53 and 2^53+1", "[9007199254740992]", "[9007199254740993]", false);
    row("2^53 and 2^53+1 as decimals", "[9007199254740992.0]", "[9007199254740993.0]", false);
    row("an escape and the character", R"(["\u00e9"])", R"(["é"])", true);
    row("composed and decomposed", R"(["é"])", R"(["e\u0301"])", false);
    row("a number and its text", "[1]", R"(["1"])", false);
    row("null and nothing", "[null]", "[]", false);
    row("true and 1", "[true]", "[1]", false);
    row("a quote in a key", R"({"a\":1,\"b":2})", R"({"a":1,"b":2})", false);
}

void TestStrictReader::equalValuesHaveOneCanonicalText()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, equal);
    const auto first = readStrictJson(a.toStdString()), second = readStrictJson(b.toStdString());
    QVERIFY(first && second);
    QCOMPARE(canonicalText(first->value) == canonicalText(second->value), equal);
}

void TestStrictReader::canonicalTextNeverFails()
{
    const json odd = {{"bad \x80", "\xFF\xFE"}, {"\xED\xA0\x80", nullptr}};
    QVERIFY(canonicalText(odd) !=
            canonicalText({{"bad \x81", "\xFF\xFE"}, {"\xED\xA0\x80", nullptr}}));
    // RFC 8785 section 3.2.3: by UTF-16 code units, so U+1F600 comes before U+FB33
    const std::string text = canonicalText({{"\xF0\x9F\x98\x80", 1}, {"\xEF\xAC\xB3", 2}});
    QVERIFY(text.find("\xF0\x9F\x98\x80") < text.find("\xEF\xAC\xB3"));
}

QTEST_GUILESS_MAIN(TestStrictReader)
#include "tst_strictreader.moc"
