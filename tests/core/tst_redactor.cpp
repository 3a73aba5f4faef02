// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets taken out of trace lines: by value, by the name of a field, by format, by own pattern.
#undef QT_NO_CAST_FROM_ASCII // JSON texts are plain words here
#include <QTest>

#include <random>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/trace/redactor.h"

using namespace emend::core;
using nlohmann::json;

namespace {

const std::string secret = "s3cr3t/canary+value==42";

std::shared_ptr<const Redactor> made(const std::vector<std::string> &patterns = {})
{
    return Redactor::make({secret, "short"}, patterns).value_or(nullptr);
}

std::string redacted(std::string line, const std::vector<std::string> &patterns = {})
{
    made(patterns)->redactLine(line);
    return line;
}

std::string percent(const std::string &text)
{
    return QByteArray::fromStdString(text).toPercentEncoding().toStdString();
}

json lineOf(const json &value)
{
    return {{"seq", 1}, {"kind", "tool.succeeded"}, {"output", value}};
}

} // namespace

class TestRedactor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesOfSecrets_data();
    void namesOfSecrets();
    void textIsRedacted_data();
    void textIsRedacted();
    void textIsKept_data();
    void textIsKept();
    void aSecretNameHidesItsTexts();
    void structureSurvives();
    void numbersKeepTheirDigits();
    void bytesAreDecodedFirst();
    void ownPatterns();
    void aBadPatternIsNamed_data();
    void aBadPatternIsNamed();
    void twiceIsOnce();
    void aSchemaKeepsItsWords();
    void aTailIsHeldBack();
    void nothingSlipsThrough();
};

void TestRedactor::namesOfSecrets_data()
{
    QTest::addColumn<bool>("is");
    for (const char *name :
         {"Authorization", "proxy-authorization", "x-api-key", "api_key", "apiKey",
          "OPENAI_API_KEY", "access_token", "GITHUB_TOKEN", "token", "password", "DB_PASSWORD",
          "client_secret", "AWS_SECRET_ACCESS_KEY", "Set-Cookie", "private key", "config.api_key"})
        QTest::newRow(name) << true;
    for (const char *name : {"tokens_in", "max_output_tokens", "reserved_tokens", "keys", "monkey",
                             "key", "tokens", "secretary", "author", "extra_keys", "tokenizer"})
        QTest::newRow(name) << false;
}

void TestRedactor::namesOfSecrets()
{
    QFETCH(bool, is);
    QCOMPARE(isSecretName(QTest::currentDataTag()), is);
}

void TestRedactor::textIsRedacted_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<QByteArray>("rule");
    const auto row = [](const char *name, const std::string &text, const char *expected,
                        const char *rule) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(expected)
                            << QByteArray(rule);
    };
    const std::string key(40, 'A');
    row("the value", "a " + secret + " b", "a [redacted] b", "known_value");
    row("the value twice", secret + " " + secret, "[redacted] [redacted]", "known_value");
    row("percent-encoded", "a=" + percent(secret), "a=[redacted]", "known_value");
    row("JSON in a text", json(json({{"a", secret}}).dump()).dump(), R"("{\"a\":\"[redacted]\"}")",
        "known_value");
    row("a field of JSON", R"({"api_key": "abc"})", R"({"api_key": "[redacted]"})", "field_name");
    row("a field of JSON in JSON", json(R"({"api_key": "abc"})").dump(),
        R"("{\"api_key\": \"[redacted]\"}")", "field_name");
    row("an assignment", "password=hunter", "password=[redacted]", "field_name");
    row("a password that is a word", "password: hunter", "password: [redacted]", "field_name");
    row("a token of letters", "auth_token: aBcDeFgH", "auth_token: [redacted]", "field_name");
    row("a header", "Authorization: Bearer abcdef", "Authorization: [redacted]", "field_name");
    row("a query", "GET https://h/p?key=abc&b=1", "GET https://h/p?key=[redacted]&b=1",
        "field_name");
    row("user and password", "see https://me:pw@host/x", "see https://[redacted]@host/x",
        "field_name");
    row("a user, password with @", "https://me:p@w@host/x", "https://[redacted]@host/x",
        "field_name");
    row("a bearer in prose", "use bearer abcdefghijklmnop1", "use bearer [redacted]", "field_name");
    row("OpenAI", "x sk-proj-" + key, "x [redacted]", "key_format");
    row("after a line feed in JSON", "a\\nsk-" + key, "a\\n[redacted]", "key_format");
    row("Anthropic", "sk-ant-api03-" + key + ".", "[redacted].", "key_format");
    row("Google", "AIza" + key, "[redacted]", "key_format");
    row("GitHub", "ghp_" + key + " github_pat_" + key, "[redacted] [redacted]", "key_format");
    row("Slack", "xoxb-123456789012-abc", "[redacted]", "key_format");
    row("AWS", "AKIAABCDEFGHIJKLMNOP", "[redacted]", "key_format");
    row("Hugging Face", "hf_" + key, "[redacted]", "key_format");
    row("GitLab", "glpat-" + key, "[redacted]", "key_format");
    row("npm", "npm_" + key, "[redacted]", "key_format");
    row("a JWT", "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl", "[redacted]", "key_format");
    row("a password in code", "password = 'hunter2'", "password = '[redacted]'", "field_name");
    row("a password with a digit", "password: hunter2", "password: [redacted]", "field_name");
    row("a short password in JSON", R"({"password":"cat"})", R"({"password":"[redacted]"})",
        "field_name");
    row("a password with a dollar", "password=$ecret", "password=[redacted]", "field_name");
    row("a token in code", "token = \"ghp_" + key + "\"", "token = \"[redacted]\"", "field_name");
    row("a token that is no word", R"({"token":"c4t"})", R"({"token":"[redacted]"})", "field_name");
    row("a token in a query", "GET /p?token=secretive", "GET /p?token=[redacted]", "field_name");
    row("a key in the environment", "API_KEY=abcd1234efgh5678", "API_KEY=[redacted]", "field_name");
    row("a token as the user", "https://abcdef0123456789@host/", "https://[redacted]@host/",
        "field_name");
    row("a user and a short password", "https://user:pass@host/", "https://[redacted]@host/",
        "field_name");
    row("a default value", "password=${A:-hunter2}", "password=[redacted]{A:-hunter2}",
        "field_name");
    row("a private key", "-----BEGIN RSA PRIVATE KEY-----\nab\ncd\n-----END RSA PRIVATE KEY-----.",
        "[redacted].", "key_format");
    row("a private key that is cut", "-----BEGIN PRIVATE KEY-----\nab\ncd", "[redacted]",
        "key_format");
}

void TestRedactor::textIsRedacted()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, rule);
    const std::string line = redacted(lineOf(text.toStdString()).dump());
    const json out = json::parse(line, nullptr, false);
    QVERIFY2(out.is_object(), line.c_str());
    QCOMPARE(QByteArray::fromStdString(out["output"].get<std::string>()), expected);
    QVERIFY2(out.contains("redactions"), line.c_str());
    const json note = out["redactions"][0];
    QCOMPARE(note["pointer"].get<std::string>(), std::string("/output"));
    QCOMPARE(QByteArray::fromStdString(note["rule"].get<std::string>()), rule);
    QCOMPARE(note["count"].get<int>(), static_cast<int>(expected.count("[redacted]")));
    QVERIFY(line.ends_with("]}"));
    QCOMPARE(redacted(line), line);
}

void TestRedactor::textIsKept_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"tokens_in: 5, max_output_tokens=400",
                             "a task-force-of-very-many-people",
                             "17% of 2340",
                             "https://host/p?q=1&monkey=2",
                             "mail me@host.example",
                             "https://host/a@b",
                             "the key: value",
                             "what a token: is",
                             "sk-test****",
                             R"({"password": true, "token": 17, "keys": ["a"]})",
                             "short",
                             "C:\\new\\path %41",
                             "eyJ is how they begin",
                             "no Authorization: none is needed",
                             "an access_token: means the token",
                             "API secret: important.",
                             "const token = lexer.nextToken();",
                             "let token = next;",
                             "password=None",
                             "password=$PASSWORD",
                             "password=${DB_PASSWORD}",
                             "Authorization: Bearer $TOKEN",
                             R"({"token":"cat"})",
                             "ssh://git@github.com/x",
                             "https://${TOKEN}@host/x",
                             "sk-learn-is-a-great-library-for-x",
                             "password: string;",
                             "password: str = None",
                             "CSRF token: double-submit-cookie",
                             "password: ********",
                             R"({"password":"********"})",
                             "password = os.environ[\"DB\"]",
                             "connect(password=password)",
                             "password = config.password",
                             R"(password: "<your password>")",
                             "use {{token}}",
                             "if (token == EndOfFile) return;",
                             "access_token: AccessToken",
                             "self.password = password",
                             "postgres://db_user@localhost/db",
                             "token=${{ secrets.GITHUB_TOKEN }}",
                             "lexer.cpp: token->kind"})
        QTest::newRow(text) << QByteArray(text);
}

void TestRedactor::textIsKept()
{
    QFETCH(QByteArray, text);
    const std::string line = lineOf(text.toStdString()).dump();
    QCOMPARE(redacted(line), line);
}

void TestRedactor::aSecretNameHidesItsTexts()
{
    const std::string line =
        R"({"seq":1,"headers":{"X-Api-Key":"a","n":1},"password":{"x":["b",2,true,null]},"token":5})";
    const json out = json::parse(redacted(line), nullptr, false);
    QCOMPARE(out["headers"].dump(), std::string(R"({"X-Api-Key":"[redacted]","n":1})"));
    QCOMPARE(out["password"].dump(), std::string(R"({"x":["[redacted]",2,true,null]})"));
    QCOMPARE(out["token"].get<int>(), 5);
    QCOMPARE(out["redactions"][1]["pointer"].get<std::string>(), std::string("/password/x/0"));
}

void TestRedactor::structureSurvives()
{
    const auto redactor = Redactor::make({"calculator", "tool.started"}, {"step"}).value();
    std::string line =
        R"({"seq":1,"kind":"tool.started","stage":"step_1","tool":"calculator","x":"a step"})";
    redactor->redactLine(line);
    QVERIFY(line.starts_with(
        R"({"seq":1,"kind":"tool.started","stage":"step_1","tool":"calculator","x":"a [redacted]")"));
}

void TestRedactor::numbersKeepTheirDigits()
{
    const std::string head =
        R"({ "a" : 1.50e+03 , "b":[12345678901234567890.10, -0],"c":"\u00e9\/)";
    const std::string line = head + secret + "\"}";
    QVERIFY(redacted(line).starts_with(head + "[redacted]\""));
    const std::string without = head + "\"}";
    QCOMPARE(redacted(without), without);
}

void TestRedactor::bytesAreDecodedFirst()
{
    const std::string bytes = "\xff " + secret + " \xfe";
    const json out =
        json::parse(redacted(json{{"output_b64", base64(bytes)}, {"n", 1}}.dump()), nullptr, false);
    std::string kept;
    QVERIFY(fromBase64(out["output_b64"].get<std::string>(), kept));
    QCOMPARE(kept, std::string("\xff [redacted] \xfe"));
}

void TestRedactor::ownPatterns()
{
    const json out = json::parse(
        redacted(lineOf("order 1234-5678 and x").dump(), {"nothing", "[0-9]{4}-[0-9]{4}"}), nullptr,
        false);
    QCOMPARE(out["output"].get<std::string>(), std::string("order [redacted] and x"));
    QCOMPARE(out["redactions"][0]["rule"].get<std::string>(), std::string("pattern 2"));
}

void TestRedactor::aBadPatternIsNamed_data()
{
    QTest::addColumn<QByteArray>("pattern");
    for (const char *pattern : {"(", "a*", "", "(?=x)", "x|"})
        QTest::newRow(pattern) << QByteArray(pattern);
}

void TestRedactor::aBadPatternIsNamed()
{
    QFETCH(QByteArray, pattern);
    const auto result = Redactor::make({}, {"fine", pattern.toStdString()});
    QVERIFY(!result);
    QVERIFY(result.error().message.find(inQuotes(pattern.toStdString())) != std::string::npos);
}

void TestRedactor::twiceIsOnce()
{
    const std::vector<std::string> patterns = {"[a-z]+d", "\\[.*"};
    const std::string once = redacted(lineOf("need [it] now, password=x").dump(), patterns);
    QCOMPARE(redacted(once, patterns), once);
    // another redactor adds to the list that is there
    const std::string more = redacted(once, {"now"});
    QCOMPARE(json::parse(more, nullptr, false).is_object(), true);
}

void TestRedactor::aSchemaKeepsItsWords()
{
    const std::string line =
        R"({"input_schema":{"properties":{"password":{"type":"string","default":"x"}}}})";
    const json out = json::parse(redacted(line), nullptr, false);
    const json schema = out["input_schema"]["properties"]["password"];
    QCOMPARE(schema.dump(), std::string(R"({"default":"[redacted]","type":"string"})"));
}

void TestRedactor::aTailIsHeldBack()
{
    const auto redactor = made();
    QCOMPARE(redactor->heldBack("nothing!"), 0U);
    QCOMPARE(redactor->heldBack("abc " + secret.substr(0, 9)), 9U);
}

namespace {

// `text` as the body of a JSON string, with some characters as \u escapes.
std::string escapedAtRandom(const std::string &text, std::mt19937 &random)
{
    std::string out;
    for (const char c : text) {
        const bool must = c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
        if (!must && (random() % 4 != 0 || static_cast<unsigned char>(c) >= 0x80)) {
            out += c;
            continue;
        }
        if (!must && c == '/' && random() % 2 == 0) {
            out += "\\/";
            continue;
        }
        char buffer[8];
        std::snprintf(buffer, sizeof buffer, random() % 2 == 0 ? "\\u%04x" : "\\u%04X",
                      static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += buffer;
    }
    return out;
}

std::string quoted(const std::string &text, std::mt19937 &random)
{
    return "\"" + escapedAtRandom(text, random) + "\"";
}

std::string words(std::mt19937 &random)
{
    static const std::vector<std::string> some = {"\"",  "\\", "the ", "17% ", "é", "/",
                                                  "{a}", " ",  "tool", "\n",   ":", "%4"};
    std::string out;
    for (std::size_t i = random() % 6; i > 0; --i)
        out += some[random() % some.size()];
    return out;
}

// A random JSON value as text; what `leaf` gives stands in a text or a name once at least.
std::string value(int depth, const std::string &planted, std::mt19937 &random)
{
    const unsigned kind = depth == 0 ? 0 : random() % 5;
    if (kind == 0)
        return quoted(words(random) + planted + words(random), random);
    const std::string inner = value(depth - 1, planted, random);
    if (kind == 1)
        return "[1.50," + inner + ",null]";
    if (kind == 2)
        return "{" + quoted("n" + words(random), random) + ": " + inner + "}";
    if (kind == 3 && depth > 1)
        return "{" + quoted(words(random) + planted, random) + ":1}";
    return quoted(inner, random); // JSON in a text
}

bool holds(const json &tree, const std::string &what)
{
    const auto in = [&](std::string text) {
        for (int i = 0; i < 5; ++i) { // through JSON in texts
            if (text.find(what) != std::string::npos)
                return true;
            const json parsed = json::parse(text, nullptr, false);
            if (!parsed.is_discarded() && !parsed.is_number())
                return holds(parsed, what);
        }
        return false;
    };
    if (tree.is_string())
        return in(tree.get<std::string>());
    if (tree.is_object())
        for (const auto &[name, member] : tree.items())
            if (in(name) || holds(member, what))
                return true;
    if (tree.is_array())
        for (const json &each : tree)
            if (holds(each, what))
                return true;
    return false;
}

} // namespace

void TestRedactor::nothingSlipsThrough()
{
    std::mt19937 random(20261130);
    const auto redactor = made();
    for (int i = 0; i < 20'000; ++i) {
        const bool plant = i % 4 != 0;
        std::string form = plant ? secret : std::string("harmless");
        if (plant && i % 3 == 0)
            form = percent(form);
        const std::string line =
            "{\"seq\":1,\"x\":" + value(static_cast<int>(random() % 4), form, random) + "}";
        std::string out = line;
        redactor->redactLine(out);
        if (!plant) {
            QCOMPARE(out, line);
            continue;
        }
        const json parsed = json::parse(out, nullptr, false);
        QVERIFY2(!parsed.is_discarded(), out.c_str());
        QVERIFY2(!holds(parsed, secret) && !holds(parsed, percent(secret)),
                 (line + "\n" + out).c_str());
        QVERIFY2(parsed.contains("redactions"), line.c_str());
        std::string again = out;
        redactor->redactLine(again);
        QCOMPARE(again, out);
    }
}

QTEST_GUILESS_MAIN(TestRedactor)
#include "tst_redactor.moc"
