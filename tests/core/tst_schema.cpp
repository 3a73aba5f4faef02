// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/closest.h"
#include "core/json/schema.h"

using namespace emend::core;
using nlohmann::json;

class TestSchema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aValueFitsOrSaysWhereAndWhy_data();
    void aValueFitsOrSaysWhereAndWhy();
    void defaultsAreFilledInAndStringsTrimmed();
    void equalInputsAreSpelledEqually();
    void allMismatchesComeInOneMessage();
    void anUnknownKeywordIsRefused_data();
    void anUnknownKeywordIsRefused();
    void theClosestNameIsOffered_data();
    void theClosestNameIsOffered();
};

void TestSchema::aValueFitsOrSaysWhereAndWhy_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("pointer"); // empty: it fits
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, const char *schema, const char *value,
                        const char *pointer, const char *words) {
        QTest::newRow(name) << QByteArray(schema) << QByteArray(value) << QByteArray(pointer)
                            << QByteArray(words);
    };
    const char *person = R"({"type":"object","required":["name"],"properties":{
        "name":{"type":"string","minLength":1,"maxLength":5},"age":{"type":"integer","minimum":0,
        "maximum":150},"tags":{"type":"array","items":{"type":"string"},"maxItems":2,
        "uniqueItems":true},"unit":{"enum":["a","b"]},"id":{"type":["integer","null"]},
        "code":{"type":"string","pattern":"^[a-z]+$"},"half":{"type":"number","multipleOf":0.5},
        "inner":{"type":"object","properties":{"x":{"type":"boolean"}}}}})";
    row("fits", person, R"({"name":"Al","age":3.0})", "", "");
    row("missing", person, "{}", "/p/name", "missing");
    row("unknown, with a suggestion", person, R"({"name":"Al","agee":3})", "/p/agee", "\"age\"");
    row("a near name instead of a required one", person, R"({"nam":"Al"})", "/p/nam", "\"name\"");
    row("a string for an integer", person, R"({"name":"Al","age":"3"})", "/p/age", "string \"3\"");
    row("a fraction for an integer", person, R"({"name":"Al","age":3.5})", "/p/age", "integer");
    row("null where it is not allowed", person, R"({"name":null})", "/p/name", "null");
    row("null where it is", person, R"({"name":"Al","id":null})", "", "");
    row("below", person, R"({"name":"Al","age":-1})", "/p/age", "at least 0");
    row("above", person, R"({"name":"Al","age":151})", "/p/age", "at most 150");
    row("blank becomes empty", person, R"({"name":"  "})", "/p/name", "must not be empty");
    row("too long", person, R"({"name":"Alexander"})", "/p/name", "at most 5");
    row("five code points of many bytes", person, R"({"name":"ééééé"})", "", "");
    row("in an array", person, R"({"name":"Al","tags":["x",1]})", "/p/tags/1", "string");
    row("too many items", person, R"({"name":"Al","tags":["x","y","z"]})", "/p/tags", "at most 2");
    row("not unique", person, R"({"name":"Al","tags":["x","x"]})", "/p/tags/1", "twice");
    row("enum", person, R"({"name":"Al","unit":"A"})", "/p/unit", "\"a\", \"b\"");
    row("pattern", person, R"({"name":"Al","code":"A1"})", "/p/code", "[a-z]");
    row("multipleOf", person, R"({"name":"Al","half":0.3})", "/p/half", "multiple of");
    row("unknown further in", person, R"({"name":"Al","inner":{"y":1}})", "/p/inner/y", "unknown");
    row("a key with a slash", R"({"type":"object"})", R"({"a/b":1})", "/p/a~1b", "unknown");
    row("additional allowed", R"({"type":"object","additionalProperties":true})", R"({"z":1})", "",
        "");
    row("additional of a type", R"({"additionalProperties":{"type":"integer"}})", R"({"z":"1"})",
        "/p/z", "integer");
    row("multipleOf with next to nothing", R"({"multipleOf":1})", "1e-10", "/p", "multiple of");
    row("a pattern that would backtrack for ever", R"({"pattern":"^(a+)+$"})",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"", "/p", "matching");
    row("const", R"({"const":{"a":1.0}})", R"({"a":1})", "", "");
    row("anyOf fits", R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "3", "", "");
    row("anyOf fits none", R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "true", "/p",
        "none");
    row("oneOf fits two", R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "3", "/p", "more than one");
    row("not", R"({"not":{"type":"string"}})", "\"x\"", "/p", "forbidden");
    row("a big integer stays whole", R"({"type":"integer"})", "9007199254740993", "", "");
}

void TestSchema::aValueFitsOrSaysWhereAndWhy()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, pointer);
    QFETCH(QByteArray, words);
    const auto compiled = Schema::compile(json::parse(schema.toStdString()));
    QVERIFY2(compiled, compiled ? "" : compiled.error().text().c_str());
    json copy = json::parse(value.toStdString());
    const auto fits = (*compiled)->apply(copy, "/p");
    QVERIFY2(fits.has_value() == pointer.isEmpty(), fits ? "fits" : fits.error().message.c_str());
    if (fits)
        return;
    QCOMPARE(fits.error().pointer, pointer.toStdString());
    QVERIFY2(fits.error().message.find(words.toStdString()) != std::string::npos,
             fits.error().message.c_str());
}

void TestSchema::defaultsAreFilledInAndStringsTrimmed()
{
    const auto schema = Schema::compile(json::parse(
        R"({"properties":{"zone":{"type":"string","default":"UTC"},"city":{"type":"string"}}})"));
    json value = {{"city", "  Oslo \n"}};
    QVERIFY((*schema)->apply(value));
    QCOMPARE(value.dump(), json({{"city", "Oslo"}, {"zone", "UTC"}}).dump());
    QVERIFY((*schema)->acceptsEmptyObject());
}

// What the repeat guard rests on: defaults and blanks make no new action.
void TestSchema::equalInputsAreSpelledEqually()
{
    const auto same = [](const char *schemaText, const char *first, const char *second) {
        const auto schema = Schema::compile(json::parse(schemaText));
        json a = json::parse(first), b = json::parse(second);
        return (*schema)->apply(a) && (*schema)->apply(b) && a == b;
    };
    QVERIFY(same(R"({"properties":{"o":{"default":{},"properties":{"unit":{"default":"C"}}}}})",
                 "{}", R"({"o":{}})"));
    QVERIFY(same(R"({"oneOf":[{"properties":{"q":{"type":"string"}}},{"type":"integer"}]})",
                 R"({"q":"x"})", R"({"q":" x"})"));
    QVERIFY(same(R"({"additionalProperties":true})", R"({"q":["x"]})", R"({"q":["x "]})"));
}

void TestSchema::allMismatchesComeInOneMessage()
{
    const auto schema = Schema::compile(json::parse(
        R"({"properties":{"a":{"type":"integer"},"b":{"type":"boolean"}},"required":["c"]})"));
    json value = {{"a", "1"}, {"b", 1}};
    const auto fits = (*schema)->apply(value, "/tool_input");
    QVERIFY(!fits);
    for (const char *pointer : {"/tool_input/a", "/tool_input/b"})
        QVERIFY2(fits.error().message.find(pointer) != std::string::npos,
                 fits.error().message.c_str());
    QCOMPARE(fits.error().pointer, std::string("/tool_input/c"));
}

void TestSchema::anUnknownKeywordIsRefused_data()
{
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("pointer");
    QTest::newRow("misspelt") << QByteArray(R"({"minimun":1})") << QByteArray("/minimun");
    QTest::newRow("deep") << QByteArray(R"({"properties":{"a":{"if":{}}}})")
                          << QByteArray("/properties/a/if");
    QTest::newRow("wrong type name") << QByteArray(R"({"type":"int"})") << QByteArray("/type");
    QTest::newRow("bad pattern") << QByteArray(R"({"pattern":"("})") << QByteArray("/pattern");
    QTest::newRow("negative length")
        << QByteArray(R"({"minLength":-1})") << QByteArray("/minLength");
    QTest::newRow("empty enum") << QByteArray(R"({"enum":[]})") << QByteArray("/enum");
    QTest::newRow("multipleOf 0") << QByteArray(R"({"multipleOf":0})") << QByteArray("/multipleOf");
    QTest::newRow("look-ahead") << QByteArray("{\"pattern\":\"a(?=b)\"}") << QByteArray("/pattern");
    QTest::newRow("no schema") << QByteArray("[1]") << QByteArray("");
}

void TestSchema::anUnknownKeywordIsRefused()
{
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, pointer);
    const auto compiled = Schema::compile(json::parse(schema.toStdString()));
    QVERIFY(!compiled);
    QCOMPARE(compiled.error().pointer, pointer.toStdString());
}

void TestSchema::theClosestNameIsOffered_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("offered");
    for (const char *name : {"Weather", "weather ", "wheather", "functions.weather", "get_weather",
                             "weather<|channel|>commentary"})
        QTest::newRow(name) << QByteArray(name) << QByteArray("weather");
    for (const char *name : {"browser_open", "", "w", "calc", "clockwork orange juice"})
        QTest::newRow(qPrintable(QStringLiteral("none for '%1'").arg(QLatin1String(name))))
            << QByteArray(name) << QByteArray("");
}

void TestSchema::theClosestNameIsOffered()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, offered);
    QCOMPARE(closestName(name.toStdString(), {"calculator", "weather", "clock"}),
             offered.toStdString());
}

QTEST_GUILESS_MAIN(TestSchema)
#include "tst_schema.moc"
