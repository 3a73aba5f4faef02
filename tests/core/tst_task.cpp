// SPDX-License-Identifier: GPL-3.0-or-later
// Task, scenario, prompt, price files: what is read, what is refused, and where it says so.
#include <QTest>

#include "core/context/prompt.h"
#include "core/task/prices.h"
#include "core/task/scenario.h"
#include "core/task/task.h"

using namespace emend::core;
using nlohmann::json;

namespace {

std::string task(const std::string &members)
{
    return "{\"emend\":\"task\",\"version\":1,\n\"goal\":\"g\"" +
           (members.empty() ? "" : ",\n" + members) + "}";
}

} // namespace

// A task of mode code whose member "code" has these members besides a spec.
std::string codeTask(const std::string &members, const std::string &rest = {})
{
    return task(rest + "\"mode\":\"code\",\n\"code\":{\"spec\":\"s\"" +
                (members.empty() ? "" : ",\n" + members) + "}");
}

template<typename Row>
void codeRows(const Row &row)
{
    const std::string tests = "\"tests\":\"t\",";
    row("code without code", task("\"mode\":\"code\""), "/code", 1, "required");
    row("code in another mode", task("\"code\":{}"), "/code", 3, "mode");
    row("code without a spec", task("\"mode\":\"code\",\"code\":{\"tests\":\"t\"}"), "/code/spec",
        3, "required");
    row("code without tests", codeTask(""), "/code/tests", 4, "required");
    row("blank tests", codeTask("\"tests\":\" \""), "/code/tests", 5, "not empty");
    row("a misspelt tests file", codeTask("\"tests\":{\"fil\":\"x\"}"), "/code/tests/file", 5,
        "required");
    row("a misspelt setting", codeTask(tests + "\"edge_test\":\"x\""), "/code/edge_test", 5,
        "\"edge_tests\"");
    row("a command as text", codeTask(tests + "\"command\":\"make test\""), "/code/command", 5,
        "a list");
    row("a command of numbers", codeTask(tests + "\"command\":[\"a\",1]"), "/code/command/1", 5,
        "a text");
    row("a solution outside", codeTask(tests + "\"solution_name\":\"../x.py\""),
        "/code/solution_name", 5, "without folders");
    row("one name for both", codeTask(tests + "\"solution_name\":\"a.py\",\"tests_name\":\"a.py\""),
        "/code/tests_name", 5, "the same file name");
    row("a report outside", codeTask(tests + "\"report\":\"a/../../b\""), "/code/report", 5,
        "inside");
    row("a sandbox of one's own", codeTask(tests + "\"sandbox\":\"off\""), "/code/sandbox", 5,
        "\"required\"");
    row("a generator for nobody", codeTask(tests + "\"generator\":[\"gen\"]"), "/code/compare", 4,
        "on each generated input");
    row("a comparison on nothing", codeTask(tests + "\"compare\":\"f\""), "/code/generator", 4,
        "one input a line");
    row("a function that is an expression",
        codeTask(tests + "\"generator\":[\"gen\"],\"compare\":\"f()\""), "/code/compare", 5,
        "the name of a function");
    row("a comparison of numbers",
        codeTask(tests + "\"generator\":[\"gen\"],\"compare\":[\"a\",1]"), "/code/compare/1", 5,
        "a text");
    row("a generator of C++ without a command",
        codeTask(tests + "\"language\":\"cpp\",\"generator_source\":\"x\",\"compare\":[\"a\"]"),
        "/code/generator", 4, "one input a line");
    row("no time", codeTask(tests + "\"timeout_seconds\":0"), "/code/timeout_seconds", 5, "from 1");
    row("options that are a list", codeTask(tests + "\"options\":[]"), "/code/options", 5,
        "an object");
    row("code with tools", codeTask("\"tests\":\"t\"", "\"tools\":[\"weather\"],"), "/tools", 3,
        "no tools");
    row("no attempts", codeTask("\"tests\":\"t\"", "\"bounds\":{\"max_attempts\":0},"),
        "/bounds/max_attempts", 3, "from 1");
}

class TestTask : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWrongTaskSaysWhere_data();
    void aWrongTaskSaysWhere();
    void addressesAndHeadersOfTheRightFormAreRead_data();
    void addressesAndHeadersOfTheRightFormAreRead();
    void aTaskSurvivesSavingAndReading();
    void aCodeTaskSurvivesSavingAndReading();
    void aTaskSavedElsewhereStillFindsItsFiles();
    void defaultsAreThoseOfTheDesign();
    void aWrongScenarioSaysWhere_data();
    void aWrongScenarioSaysWhere();
    void anUnknownPriceIsNotFree();
    void aPromptGetsItsTools();
    void hugeAndBrokenTextIsRefusedQuickly_data();
    void hugeAndBrokenTextIsRefusedQuickly();
};

void TestTask::aWrongTaskSaysWhere_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pointer");
    QTest::addColumn<int>("line");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, const std::string &text, const char *pointer, int line,
                        const char *words) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(pointer) << line
                            << QByteArray(words);
    };
    row("empty", "", "", 1, "empty");
    row("blank", " \n ", "", 2, "empty");
    row("not JSON", "hello", "", 1, "not JSON");
    row("cut", "{\"emend\":\"task\",\n\"version\":1", "", 2, "not JSON");
    row("bad UTF-8", "{\n\"emend\":\"\xFF\"}", "", 2, "UTF-8");
    row("not an object", "[1]", "", 1, "object");
    row("another file", "{\"a\":1}", "/emend", 1, "no Emend task");
    row("another kind", "{\"emend\":\"trace\",\"version\":1}", "/emend", 1, "\"trace\"");
    row("another version", "{\"emend\":\"task\",\n\"version\":2,\"goal\":\"g\"}", "/version", 2,
        "version 1");
    row("no goal", "{\"emend\":\"task\",\"version\":1}", "/goal", 1, "required");
    row("blank goal", "{\"emend\":\"task\",\"version\":1,\"goal\":\" \"}", "/goal", 1, "not empty");
    row("a mode of later", task("\"mode\":\"reflect\""), "/mode", 3, "not in this version");
    codeRows(row);
    row("an unknown mode", task("\"mode\":\"x\""), "/mode", 3, "\"react\"");
    row("a misspelt bound", task("\"bounds\":{\n\"max_action\":3}"), "/bounds/max_action", 4,
        "\"max_actions\"");
    row("a negative bound", task("\"bounds\":{\"max_actions\":-1}"), "/bounds/max_actions", 3,
        "from 0");
    row("a fraction", task("\"bounds\":{\"max_actions\":1.5}"), "/bounds/max_actions", 3, "whole");
    row("a text for a number", task("\"bounds\":{\"max_actions\":\"8\"}"), "/bounds/max_actions", 3,
        "text \"8\"");
    row("huge", task("\"bounds\":{\"max_actions\":99999999999999999999}"), "", 3, "more digits");
    row("wrong type of an object", task("\"model\":[]"), "/model", 3, "an object");
    row("a tool twice", task("\"tools\":[\"a\",\"a\"]"), "/tools/1", 3, "twice");
    row("a tool that is a number", task("\"tools\":[1]"), "/tools/0", 3, "tool");
    row("a bad schema", task("\"tools\":[{\"name\":\"t\",\"input_schema\":{\"type\":\"int\"}}]"),
        "/tools/0/input_schema/type", 3, "unknown type");
    row("a tool without schema", task("\"tools\":[{\"name\":\"t\"}]"), "/tools/0/input_schema", 3,
        "required");
    row("an odd tool name", task("\"tools\":[{\"name\":\"a b\",\"input_schema\":{}}]"),
        "/tools/0/name", 3, "64");
    row("two prompts", task("\"prompt\":{\"system\":\"a\",\"system_file\":\"b\"}"), "/prompt", 3,
        "either");
    row("an unknown mistake", task("\"model\":{\"mistakes\":{\"categories\":[\"x\"]}}"),
        "/model/mistakes/categories/0", 3, "unknown category");
    const auto headers = [](const std::string &members) {
        return task("\"model\":{\n\"headers\":{" + members + "}}");
    };
    for (const char *name :
         {"Content-Length", "TRANSFER-ENCODING", "host", "Connection", "Upgrade", "TE", "Trailer",
          "Expect", "Proxy-Connection", "proxy-foo", "Accept-Encoding", "Keep-Alive"})
        row(name, headers("\"" + std::string(name) + "\":\"1\""),
            ("/model/headers/" + std::string(name)).c_str(), 4, "made by the program");
    row("a header of a key", headers("\"X-Api-Key\":\"1\""), "/model/headers/X-Api-Key", 4, "keys");
    row("a header with a space", headers("\"a b\":\"1\""), "/model/headers/a b", 4, "name");
    row("a header with a slash", headers("\"a/b\":\"1\""), "/model/headers/a~1b", 4, "name");
    row("a header without a name", headers("\"\":\"1\""), "/model/headers/", 4, "name");
    row("a header of two lines", headers("\"a\":\"1\\r\\nb: 2\""), "/model/headers/a", 4,
        "one line");
    row("a header with a blank end", headers("\"a\":\"1 \""), "/model/headers/a", 4, "blanks");
    row("a header that is a number", headers("\"a\":1"), "/model/headers/a", 4, "a text");
    const auto place = [&](const char *url, const char *words) {
        row(url, task("\"model\":{\"base_url\":\"" + std::string(url) + "\"}"), "/model/base_url",
            3, words);
    };
    place("localhost:8080", "begins with http");
    place("ftp://host", "begins with http");
    place("http://", "host is missing");
    place("http:///v1", "host is missing");
    place("http://:80", "host is missing");
    place("http://me:x@host", "user name");
    place("http://host?x=1", "query");
    place("http://host#x", "fragment");
    place("http://host:0", "1 to 65535");
    place("http://host:65536", "1 to 65535");
    place("http://host:/v1", "1 to 65535");
    place("http://host:8o", "1 to 65535");
    place("http://ho st/v1", "spaces");
    place("http://a..b", "no host name");
    place("http://[::1", "IPv6");
    place("http://[::1]8080", "a port is expected");
    const auto proxy = [&](const char *name, const char *words) {
        row(("proxy " + std::string(name)).c_str(),
            task("\"model\":{\"transport\":{\"proxy\":\"" + std::string(name) + "\"}}"),
            "/model/transport/proxy", 3, words);
    };
    proxy("system", "\"none\"");
    proxy("https://host:1", "\"none\"");
    proxy("http://host", "port is missing");
    proxy("socks5://host:99999", "1 to 65535");
    proxy("http://host:8080/x", "1 to 65535");
    proxy("http://me@host:1", "password");
    row("a duplicate key", task("\"name\":\"a\",\"name\":\"b\""), "", 3, "duplicate");
}

void TestTask::aWrongTaskSaysWhere()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pointer);
    QFETCH(int, line);
    QFETCH(QByteArray, words);
    const auto read = parseTask(text.toStdString());
    QVERIFY(!read);
    const std::string said = read.error().text();
    QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
    QCOMPARE(read.error().pointer, pointer.toStdString());
    QVERIFY2(read.error().line == line, said.c_str());
    QVERIFY(read.error().column > 0);
}

void TestTask::addressesAndHeadersOfTheRightFormAreRead_data()
{
    QTest::addColumn<QByteArray>("model");
    const auto row = [](const char *model) { QTest::newRow(model) << QByteArray(model); };
    for (const char *url :
         {"http://localhost:11434", "https://api.example.org/v1/", "HTTP://127.0.0.1:1/a/b",
          "http://[::1]:8080/v1", "http://münchen.example", "http://my_host", "http://h:65535"})
        row(("\"base_url\":\"" + std::string(url) + "\"").c_str());
    for (const char *proxy : {"", "none", "http://127.0.0.1:3128", "socks5://[::1]:1080"})
        row(("\"transport\":{\"proxy\":\"" + std::string(proxy) + "\"}").c_str());
    row(R"("headers":{"X-Title":"Emend","!#$%&'*+-.^_`|~9":"","a":"b\tc é"})");
    row(R"("base_url":"http://[redacted]/v1")"); // of a recording
}

void TestTask::addressesAndHeadersOfTheRightFormAreRead()
{
    QFETCH(QByteArray, model);
    const auto read = parseTask(task("\"model\":{" + model.toStdString() + "}"));
    QVERIFY2(read, read ? "" : read.error().text().c_str());
}

void TestTask::aTaskSurvivesSavingAndReading()
{
    Task full;
    full.name = "näme \"quoted\"";
    full.goal = "two\nlines";
    full.model.provider = "scripted";
    full.model.temperature = 0.7;
    full.model.mistakes = {0.25, {"invalid_json"}, 9};
    full.scenarioFile = "s.json";
    full.systemPrompt = "be brief";
    full.tools = {{"weather", false, {}, false, {}},
                  {"mine", true, "does", true, {{"type", "object"}}}};
    full.toolFiles = {"t.json"};
    full.repeatGuard = RepeatGuard::UntilChange;
    full.acceptWrappers = false;
    full.bounds.maxActions = 3;
    full.bounds.maxTokens = 5000;
    full.bounds.maxCostUsd = 0.5;
    full.bounds.maxSeconds = std::nullopt;
    full.breaker = {5, 7, BreakerScope::Session};
    const std::string text = taskToFileText(full);
    const auto read = parseTask(text);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QCOMPARE(taskToJson(*read).dump(), taskToJson(full).dump());
    QCOMPARE(taskToFileText(*read), text);
}

void TestTask::aCodeTaskSurvivesSavingAndReading()
{
    const auto small = parseTask(codeTask("\"tests\":{\"file\":\"t.py\"}"));
    QVERIFY2(small, small ? "" : small.error().text().c_str());
    QCOMPARE(small->code.testsFile, std::string("t.py"));
    QVERIFY(small->code.gate && !small->code.showTests && !small->code.sandboxRequired);
    QCOMPARE(small->bounds.maxAttempts, 3);
    QCOMPARE(json::parse(taskToFileText(*small))["code"].dump(),
             json::parse(R"({"spec":"s","tests":{"file":"t.py"}})").dump());

    Task full;
    full.mode = Mode::Code;
    full.name = "n";
    full.goal = "other words than the spec";
    full.bounds.maxAttempts = 5;
    CodeSettings &code = full.code;
    code.spec = "write it";
    code.tests = "def test_a(): pass";
    code.edgeTestsFile = "edge.py";
    code.verifier = "command";
    code.language = "cpp";
    code.solutionName = "solution.cpp";
    code.testsName = "main.cpp";
    code.command = {"sh", "-c", ""};
    code.report = "out/report.xml";
    code.generator = {"python3", "generator", "100"};
    code.generatorFile = "inputs.py";
    code.compareCommand = {"./compare", ""};
    code.options = {{"a", 1}};
    code.timeoutSeconds = 20;
    code.memoryMb = 256;
    code.maxProcesses = 8;
    code.sandboxRequired = true;
    code.gate = false;
    code.showTests = true;
    const std::string text = taskToFileText(full);
    const auto read = parseTask(text);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QCOMPARE(taskToJson(*read).dump(), taskToJson(full).dump());
    QCOMPARE(taskToFileText(*read), text);

    Task loaded = *read; // what loadTaskFile does: the header of a trace needs no other file
    loaded.code.edgeTests = "def test_b(): pass";
    loaded.code.generatorSource = "print(1)";
    const auto again = parseTask(taskToJson(loaded).dump());
    QVERIFY2(again, again ? "" : again.error().text().c_str());
    QCOMPARE(again->code.edgeTests, loaded.code.edgeTests);
    QVERIFY(again->code.edgeTestsFile.empty());
    QCOMPARE(again->code.generatorSource, loaded.code.generatorSource);
    QVERIFY(again->code.compareCommand == code.compareCommand);

    const auto python = parseTask(codeTask(
        "\"tests\":\"t\",\"generator_source\":{\"file\":\"g.py\"},\"compare\":\"double\""));
    QVERIFY2(python, python ? "" : python.error().text().c_str());
    QVERIFY(python->code.generator == (std::vector<std::string>{"python3", "generator"}));
    QCOMPARE(python->code.compareFunction, std::string("double"));
}

void TestTask::aTaskSavedElsewhereStillFindsItsFiles()
{
    Task moved;
    moved.code.testsFile = "tests.py";
    moved.folder = ":/emend/scenarios";
    moved.scenarioFile = "demo.scenario.json";
    moved.toolFiles = {"/abs/t.json"};
    moveTo(moved, "/home/me");
    QCOMPARE(moved.scenarioFile, std::string(":/emend/scenarios/demo.scenario.json"));
    QCOMPARE(moved.toolFiles[0], std::string("/abs/t.json"));
    QCOMPARE(moved.code.testsFile, std::string(":/emend/scenarios/tests.py"));
    moveTo(moved, "/home/me/else");
    QCOMPARE(moved.scenarioFile, std::string(":/emend/scenarios/demo.scenario.json"));
}

void TestTask::defaultsAreThoseOfTheDesign()
{
    const auto read = parseTask(task(""));
    QVERIFY(read);
    QCOMPARE(read->bounds.maxActions, 8);
    QCOMPARE(read->bounds.maxCorrections, 2);
    QCOMPARE(read->bounds.maxToolRetries, 1);
    QCOMPARE(*read->bounds.maxSeconds, 600);
    QVERIFY(!read->bounds.maxModelCalls && !read->bounds.maxTokens && !read->bounds.maxCostUsd);
    QCOMPARE(read->breaker.failureThreshold, 2);
    QCOMPARE(read->breaker.cooldownSeconds, 30);
    QVERIFY(read->acceptWrappers && read->repeatGuard == RepeatGuard::Run);
    const Bound worst = bound(*read, true, {});
    QCOMPARE(worst.modelCalls, 27);
    QCOMPARE(worst.toolExecutions, 16);
}

void TestTask::aWrongScenarioSaysWhere_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QByteArray>("pointer");
    QTest::newRow("replies") << QByteArray("\"replies\":{}") << QByteArray("/replies");
    QTest::newRow("a reply") << QByteArray("\"replies\":[1]") << QByteArray("/replies/0");
    QTest::newRow("an empty reply") << QByteArray("\"replies\":[{}]") << QByteArray("/replies/0");
    QTest::newRow("a kind") << QByteArray("\"replies\":[{\"error\":{\"kind\":\"x\"}}]")
                            << QByteArray("/replies/0/error/kind");
    QTest::newRow("no kind") << QByteArray("\"replies\":[{\"error\":{}}]")
                             << QByteArray("/replies/0/error/kind");
    QTest::newRow("base64") << QByteArray("\"replies\":[{\"text_b64\":\"*\"}]")
                            << QByteArray("/replies/0/text_b64");
    QTest::newRow("a tool") << QByteArray("\"tools\":{\"t\":{}}") << QByteArray("/tools/t");
    QTest::newRow("a try") << QByteArray("\"tools\":{\"t\":[{}]}") << QByteArray("/tools/t/0");
    QTest::newRow("actions") << QByteArray("\"actions\":[[],[{\"outptu\":\"x\"}]]")
                             << QByteArray("/actions/1/0/outptu");
    QTest::newRow("when") << QByteArray("\"when_exhausted\":\"loop\"")
                          << QByteArray("/when_exhausted");
}

void TestTask::aWrongScenarioSaysWhere()
{
    QFETCH(QByteArray, members);
    QFETCH(QByteArray, pointer);
    const auto read =
        parseScenario("{\"emend\":\"scenario\",\"version\":1," + members.toStdString() + "}");
    QVERIFY(!read);
    QCOMPARE(read.error().pointer, pointer.toStdString());
    QCOMPARE(read.error().line, 1);
}

void TestTask::anUnknownPriceIsNotFree()
{
    const auto prices = parsePrices(
        R"({"emend":"prices","version":1,"models":[{"provider":"p","model":"*","in":1,"out":2},
            {"provider":"p","model":"big","in":3,"out":4}]})");
    QVERIFY(prices);
    QCOMPARE(priceOf(*prices, "p", "big")->out, 4.0);
    QCOMPARE(priceOf(*prices, "p", "other")->out, 2.0);
    QVERIFY(!priceOf(*prices, "q", "big"));
    QVERIFY(!priceOf(*prices, "p", "big", "http://localhost:1/v1")); // served by someone else
    const auto more = parsePrices(
        R"({"emend":"prices","version":1,"models":[{"provider":"p","model":"m-1*","in":1,"out":1},
        {"provider":"p","model":"m-1-mini*","in":2,"out":2,"cached_in":0.5},
        {"provider":"p","model":"m-1","in":3,"out":3},
        {"provider":"p","model":"m-1","in":4,"out":4,"base_url":"http://x"},
        {"provider":"l","model":"*","in":0,"out":0,"base_url":"*"}]})");
    QVERIFY(more);
    QCOMPARE(priceOf(*more, "p", "m-1")->in, 3.0);
    QCOMPARE(priceOf(*more, "p", "m-1-2026")->in, 1.0);
    QCOMPARE(priceOf(*more, "p", "m-1-mini-2026")->in, 2.0);
    QCOMPARE(priceOf(*more, "p", "m-1", "http://x")->in, 4.0);
    QCOMPARE(priceOf(*more, "l", "any", "http://127.0.0.1")->in, 0.0);
    QVERIFY(!priceOf(*more, "p", "n"));
    QCOMPARE(costArithmetic(*priceOf(*more, "p", "m-1-mini"), 12345, 2000, 99),
             std::string("10,345 in × $2 + 2,000 cached × $0.5 + 99 out × $2 per million = "
                         "$0.021888"));
    QCOMPARE(costArithmetic({0.15, 0.6, {}}, 100, 50, 10),
             std::string("50 in × $0.15 + 50 cached × $0.15 + 10 out × $0.6 per million = "
                         "$0.000021"));
    QVERIFY(!parsePrices(R"({"emend":"prices","version":1,"models":[{"provider":"p"}]})"));
}

void TestTask::aPromptGetsItsTools()
{
    ToolSpec tool{"echo", "says it", true, {{"type", "object"}}, nullptr};
    const auto with = parsePrompt(
        R"({"emend":"prompt","version":1,"id":"x","revision":3,"system":["a {{tools}} b","{{max_actions}}"]})");
    QVERIFY(with);
    QCOMPARE(with->version, 3);
    const std::string rendered = renderSystemPrompt(*with, {tool}, 5);
    QVERIFY(rendered.find("\"echo\"") != std::string::npos);
    QVERIFY(rendered.find("\n5\n") != std::string::npos);
    QVERIFY(renderSystemPrompt({"task", 1, "no marks"}, {tool}, 5).find("\"echo\"") !=
            std::string::npos);
}

void TestTask::hugeAndBrokenTextIsRefusedQuickly_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("a 100 MB string as the goal is read") << 0;
    QTest::newRow("a million open brackets") << 1;
    QTest::newRow("a million duplicate keys") << 2;
}

void TestTask::hugeAndBrokenTextIsRefusedQuickly()
{
    QFETCH(int, kind);
    std::string text;
    if (kind == 0)
        text =
            "{\"emend\":\"task\",\"version\":1,\"goal\":\"" + std::string(100'000'000, 'x') + "\"}";
    else if (kind == 1)
        text.assign(1'000'000, '[');
    else
        for (int i = 0; i < 100'000; ++i)
            text += i == 0 ? "{\"a\":1" : ",\"a\":1";
    const auto read = parseTask(text);
    QCOMPARE(read.has_value(), kind == 0);
    if (kind == 0)
        QCOMPARE(read->goal.size(), 100'000'000U);
}

QTEST_GUILESS_MAIN(TestTask)
#include "tst_task.moc"
