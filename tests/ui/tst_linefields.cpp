// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QTest>

#include "ui/run/linefields.h"
#include "ui/text/textmark.h"

using namespace emend::ui;
using namespace Qt::StringLiterals;

class LineFieldsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsMembers();
    void keysInsideStringsAndObjectsAreNotMembers();
    void decodesEscapes_data();
    void decodesEscapes();
    void cutsAtACharacter();
    void tornLinesGiveWhatTheyHave_data();
    void tornLinesGiveWhatTheyHave();
    void numbersKeepTheirDigits();
    void prettyJsonTouchesNoToken();
    void aHundredMegabytesAreQuick();
    void marks_data();
    void marks();
    void marksFarInAreShownWithTheirSurroundings();
};

void LineFieldsTest::readsMembers()
{
    const std::string line =
        R"({"seq":7,"ok":true,"none":null,"text":"a b","list":["x",{"y":1},2],"o":{"k":"v"},"f":1.5})";
    const LineFields f(line);
    QCOMPARE(f.number("seq"), std::optional<qint64>(7));
    QVERIFY(f.flag("ok"));
    QVERIFY(!f.has("none"));
    QVERIFY(!f.has("absent"));
    QCOMPARE(f.text("text"), u"a b"_s);
    QCOMPARE(f.texts("list"), QStringList({u"x"_s, u"{\"y\":1}"_s, u"2"_s}));
    QCOMPARE(f.object("o").text("k"), u"v"_s);
    QCOMPARE(f.real("f"), std::optional<double>(1.5));
    QCOMPARE(f.number("f"), std::optional<qint64>());
}

void LineFieldsTest::keysInsideStringsAndObjectsAreNotMembers()
{
    const std::string line = R"({"a":"\"x\":1,\\","o":{"x":2},"x":3})";
    const LineFields f(line);
    QCOMPARE(f.number("x"), std::optional<qint64>(3));
    QCOMPARE(f.text("a"), u"\"x\":1,\\"_s);
}

void LineFieldsTest::decodesEscapes_data()
{
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << QByteArray(R"("abc")") << u"abc"_s;
    QTest::newRow("newline") << QByteArray(R"("a\nb\t\"\/\\")") << u"a\nb\t\"/\\"_s;
    QTest::newRow("bmp") << QByteArray(R"("\u00e9")") << QStringLiteral("é");
    QTest::newRow("pair") << QByteArray(R"("\ud83d\ude00")") << QStringLiteral("😀");
    QTest::newRow("lone high") << QByteArray(R"("\ud83dx")") << QStringLiteral("\ufffdx");
    QTest::newRow("lone low") << QByteArray(R"("\ude00")") << QStringLiteral("\ufffd");
    QTest::newRow("nul") << QByteArray(R"("\u0000")") << QString(QChar(0));
    QTest::newRow("torn escape") << QByteArray(R"("\u12")") << u"12"_s;
    QTest::newRow("no string") << QByteArray("12.50") << u"12.50"_s;
}

void LineFieldsTest::decodesEscapes()
{
    QFETCH(QByteArray, raw);
    QFETCH(QString, text);
    QCOMPARE(
        QString::fromStdString(jsonBytes(std::string_view(raw.data(), std::size_t(raw.size())))),
        text);
}

void LineFieldsTest::cutsAtACharacter()
{
    const std::string raw = "\"aé😀z\"";
    for (std::size_t most = 0; most < 9; ++most) {
        const QString text = QString::fromStdString(jsonBytes(raw, most));
        QVERIFY(!text.contains(QChar(0xfffd)));
    }
    QCOMPARE(QString::fromStdString(jsonBytes(raw, 2)), u"a"_s);
    QCOMPARE(QString::fromStdString(jsonBytes(raw, 3)), QStringLiteral("aé"));
}

void LineFieldsTest::tornLinesGiveWhatTheyHave_data()
{
    QTest::addColumn<QByteArray>("line");
    const QByteArray whole = R"({"seq":7,"text":"a\"b","list":[1,{"k":"v"}],"n":null})";
    for (qsizetype n = 0; n <= whole.size(); ++n)
        QTest::addRow("%d bytes", int(n)) << whole.left(n);
    QTest::newRow("array") << QByteArray("[1,2]");
    QTest::newRow("brackets") << QByteArray("{\"a\":]]]}}");
    QTest::newRow("colon") << QByteArray("{\"a\"::1}");
}

void LineFieldsTest::tornLinesGiveWhatTheyHave()
{
    QFETCH(QByteArray, line);
    const LineFields f(std::string_view(line.data(), std::size_t(line.size())));
    f.text("text");
    f.texts("list");
    prettyJson(std::string_view(line.data(), std::size_t(line.size())));
    if (line.size() > 10 && line.startsWith("{\"seq\""))
        QCOMPARE(f.number("seq"), std::optional<qint64>(7));
}

void LineFieldsTest::numbersKeepTheirDigits()
{
    const std::string line = R"({"input":{"id":12345678901234567890123,"x":1e400}})";
    QVERIFY(prettyJson(LineFields(line).raw("input")).contains(u"12345678901234567890123"_s));
    QVERIFY(prettyJson(LineFields(line).raw("input")).contains(u"1e400"_s));
}

void LineFieldsTest::prettyJsonTouchesNoToken()
{
    QCOMPARE(prettyJson(R"({"a":[1,{}],"b":"x,{y}","c":[]})"),
             u"{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"x,{y}\",\n  \"c\": []\n}"_s);
}

void LineFieldsTest::aHundredMegabytesAreQuick()
{
    std::string line = R"({"seq":1,"kind":"model.replied","text":")";
    line.append(100 << 20, 'x');
    line += R"(","tokens_in":5})";
    QElapsedTimer timer;
    timer.start();
    const LineFields f(line);
    QCOMPARE(f.number("tokens_in"), std::optional<qint64>(5));
    QCOMPARE(f.text("text", 16384).size(), 16384);
    qInfo("100 MB line read in %lld ms", static_cast<long long>(timer.elapsed()));
}

void LineFieldsTest::marks_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("marked");
    QTest::addColumn<bool>("atEnd");
    QTest::newRow("word") << QByteArray("{\"a\": nan}") << 6 << u"nan"_s << false;
    QTest::newRow("string") << QByteArray("{\"a\\\"b\": 1}") << 1 << u"\"a\\\"b\""_s << false;
    QTest::newRow("single quotes") << QByteArray("{'a': 1}") << 1 << u"'a'"_s << false;
    QTest::newRow("apostrophe") << QByteArray("don't") << 3 << u"'"_s << false;
    QTest::newRow("open string") << QByteArray("{\"a: 1}\n") << 1 << u"\"a: 1}"_s << false;
    QTest::newRow("after multibyte") << QByteArray("{\"é😀\": tru}") << 11 << u"tru"_s << false;
    QTest::newRow("non-BMP itself") << QByteArray("x 😀 y") << 2 << QStringLiteral("😀") << false;
    QTest::newRow("not UTF-8 before") << QByteArray("a\xff\xfe{'b'}") << 4 << u"'b'"_s << false;
    QTest::newRow("not UTF-8 itself")
        << QByteArray("ab\xff{") << 2 << QStringLiteral("\ufffd") << false;
    QTest::newRow("past the end") << QByteArray("{\"a\":1") << 6 << u"1"_s << true;
    QTest::newRow("far past the end") << QByteArray("é") << 99 << QStringLiteral("é") << true;
    QTest::newRow("empty") << QByteArray() << 0 << QString() << true;
    QTest::newRow("control character")
        << QByteArray("a\x01 b") << 1 << QStringLiteral("\u2401") << false;
}

void LineFieldsTest::marks()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, offset);
    QFETCH(QString, marked);
    QFETCH(bool, atEnd);
    const MarkedText text =
        markText(std::string_view(bytes.data(), std::size_t(bytes.size())), offset, 16384);
    QCOMPARE(text.text.mid(std::max(text.markStart, 0), text.markLength), marked);
    QCOMPARE(text.markAtEnd, atEnd);
    QVERIFY(!text.cutBefore && !text.cutAfter);
}

void LineFieldsTest::marksFarInAreShownWithTheirSurroundings()
{
    std::string bytes;
    for (int n = 0; n < 20'000; ++n)
        bytes += "é";
    const std::size_t place = bytes.size();
    bytes += "wrong";
    bytes.append(40'000, ' ');
    const MarkedText text = markText(bytes, qint64(place), 1000);
    QVERIFY(text.cutBefore && text.cutAfter);
    QVERIFY(text.text.size() <= 1000);
    QCOMPARE(text.text.mid(text.markStart, text.markLength), u"wrong"_s);
    QVERIFY(!text.text.contains(QChar(0xfffd)));
}

QTEST_MAIN(LineFieldsTest)
#include "tst_linefields.moc"
