// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include "core/loop/bound.h"
#include "core/run/runner.h"
#include "tests/fakes/fakeclock.h"
#include "tests/fakes/fakesink.h"
#include "tools/agent/registry.h"
#include "tools/provider/registry.h"
#include "tools/scenario/playedtool.h"
#include "tools/scenario/scenariofile.h"
#include "tools/scenario/scenarioplayer.h"

using namespace emend;
using core::ErrorCode;
using core::EventKind;

namespace {

QByteArray task(const char *members = "")
{
    return QByteArray(R"({"emend":"task","version":1,"mode":"react","name":"n","goal":"g")") +
           members + "}";
}

QByteArray codeTask(const char *members)
{
    return QByteArray(
               R"({"emend":"task","version":1,"mode":"code","name":"n","code":{"spec":"s",)") +
           members + "}}";
}

constexpr const char *scenario = R"({"emend":"scenario","version":1,"replies":[{"text":"hi"}]})";

// One run of a bundled task on a fake clock, through the same parts as in the program.
struct Performance {
    explicit Performance(const std::string &name)
    {
        const auto loaded = tools::loadTaskFile(":/emend/scenarios/" + name + ".task.json");
        if (!loaded)
            qFatal("%s", loaded.error().text().c_str());
        setup.task = *loaded;
        const auto played = tools::loadScenarioFor(setup.task);
        if (!played)
            qFatal("%s", played.error().text().c_str());
        const auto player = std::make_shared<tools::ScenarioPlayer>(*played);
        const auto real = tools::makeBuiltInTools({clock, nullptr, {}});
        std::vector<std::unique_ptr<tools::PlayedTool>> wrapped;
        for (const core::ToolReference &reference : setup.task.tools) {
            for (const auto &tool : real) {
                if (tool->spec().name != reference.name)
                    continue;
                wrapped.push_back(
                    std::make_unique<tools::PlayedTool>(tool->spec(), tool.get(), player, &clock));
                setup.tools.push_back(tool->spec());
                setup.toolsByName[reference.name] = wrapped.back().get();
            }
        }
        auto provider = tools::makeProvider(setup.task, {&clock, player});
        if (!provider)
            qFatal("%s", provider.error().text().c_str());
        core::RunControl control(clock);
        setup.provider = provider->get();
        setup.prompt = {"react", 1, "{{tools}}"};
        setup.clock = &clock;
        setup.sink = &sink;
        setup.control = &control;
        setup.runId = "r";
        const auto ran = core::run(setup);
        if (!ran)
            qFatal("%s", ran.error().text().c_str());
        result = *ran;
    }

    int count(EventKind kind) const { return static_cast<int>(sink.bodiesOf(kind).size()); }

    tests::FakeClock clock;
    tests::FakeSink sink;
    core::RunSetup setup;
    core::RunResult result;
};

} // namespace

class TestScenarioFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aTaskComesBackWithWhatItNames();
    void pathsAreRelativeToTheFile();
    void aByteOrderMarkIsNotPartOfTheText();
    void theFirstErrorNamesFileAndPlace_data();
    void theFirstErrorNamesFileAndPlace();
    void onlyRegularFilesAreRead();
    void aFileBeyondTheLimitIsRefused();
    void aTaskWithoutAScenarioHasAnEmptyOne();
    void testsOfATaskMayStandInFiles();
    void theBundledTasksOfModeCodeAreWhole();
    void theDemoTellsItsStory();
    void theWeatherScenarioIsShortAndInstant();
    void theLimitsScenarioReachesTheBoundExactly();

private:
    void write(const char *name, const QByteArray &content)
    {
        const QString path = m_folder->filePath(QString::fromUtf8(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write the test file");
    }
    std::string path(const char *name) const
    {
        return m_folder->filePath(QString::fromUtf8(name)).toStdString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestScenarioFile::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestScenarioFile::aTaskComesBackWithWhatItNames()
{
    write("a.task.json", task(R"(,"prompt":{"system_file":"p.txt"},"scenario":"s.json",
        "tools":[{"file":"t.json"},"calculator"])"));
    write("p.txt", "Be brief.\n");
    write("s.json", scenario);
    write("t.json", R"({"emend":"tools","version":1,"tools":[{"name":"crane","idempotent":true,
        "input_schema":{"type":"object"}}]})");
    const auto loaded = tools::loadTaskFile(path("a.task.json"));
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->systemPrompt, std::string("Be brief.\n"));
    QCOMPARE(loaded->systemPromptFile, std::string("p.txt"));
    QCOMPARE(loaded->tools.size(), 2u);
    QCOMPARE(loaded->tools[1].name, std::string("crane"));
    QVERIFY(loaded->tools[1].declared && loaded->tools[1].idempotent);
    // saved again, it names its files; in a trace it has their contents
    const std::string saved = core::taskToFileText(*loaded);
    QVERIFY2(saved.find("Be brief") == std::string::npos, saved.c_str());
    QVERIFY(saved.find("p.txt") != std::string::npos && saved.find("t.json") != std::string::npos);
    QVERIFY(saved.find("crane") == std::string::npos);
    const std::string whole = core::taskToJson(*loaded).dump();
    QVERIFY2(whole.find("Be brief") != std::string::npos &&
                 whole.find("crane") != std::string::npos,
             whole.c_str());
    QVERIFY(whole.find("t.json") == std::string::npos);
    QCOMPARE(loaded->folder, m_folder->path().toStdString());
    const auto played = tools::loadScenarioFor(*loaded);
    QVERIFY(played.has_value());
    QCOMPARE(played->replies.front().text, std::string("hi"));
    write("b.task.json", QByteArray::fromStdString(saved));
    const auto again = tools::loadTaskFile(path("b.task.json"));
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QCOMPARE(core::taskToJson(*again).dump(), whole);
}

void TestScenarioFile::pathsAreRelativeToTheFile()
{
    write("tasks/a.task.json", task(R"(,"scenario":"../shared/s.json")"));
    write("shared/s.json", scenario);
    const auto loaded = tools::loadTaskFile(path("tasks/a.task.json"));
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->scenarioFile, std::string("../shared/s.json"));
    QVERIFY(tools::loadScenarioFor(*loaded).has_value());
}

void TestScenarioFile::aByteOrderMarkIsNotPartOfTheText()
{
    write("a.task.json", "\xEF\xBB\xBF" + task());
    QVERIFY(tools::loadTaskFile(path("a.task.json")).has_value());
}

void TestScenarioFile::theFirstErrorNamesFileAndPlace_data()
{
    QTest::addColumn<QByteArray>("taskText");
    QTest::addColumn<QByteArray>("other"); // other.json beside it
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("pointer");
    const auto code = [](ErrorCode value) { return static_cast<int>(value); };
    QTest::newRow("broken task") << QByteArray("{\n\"emend\":\"task\",\n}") << QByteArray()
                                 << "a.task.json" << code(ErrorCode::BadJson) << 3 << "";
    QTest::newRow("no UTF-8") << QByteArray("{\n\"emend\":\"\xff\"}") << QByteArray()
                              << "a.task.json" << code(ErrorCode::BadJson) << 2 << "";
    QTest::newRow("scenario missing")
        << task(R"(,"scenario":"none.json")") << QByteArray() << "a.task.json"
        << code(ErrorCode::NotFound) << 0 << "/scenario";
    QTest::newRow("scenario broken") << task(R"(,"scenario":"other.json")")
                                     << QByteArray("{\"emend\":\"scenario\",\n\"version\":1")
                                     << "other.json" << code(ErrorCode::BadJson) << 2 << "";
    QTest::newRow("scenario no UTF-8")
        << task(R"(,"scenario":"other.json")") << QByteArray("\n\n\"\xc3(\"") << "other.json"
        << code(ErrorCode::BadJson) << 3 << "";
    QTest::newRow("scenario is the task")
        << task(R"(,"scenario":"./a.task.json")") << QByteArray() << "a.task.json"
        << code(ErrorCode::Cycle) << 0 << "/scenario";
    QTest::newRow("prompt is the task")
        << task(R"(,"prompt":{"system_file":"a.task.json"})") << QByteArray() << "a.task.json"
        << code(ErrorCode::Cycle) << 0 << "/prompt/system_file";
    QTest::newRow("prompt missing")
        << task(R"(,"prompt":{"system_file":"none"})") << QByteArray() << "a.task.json"
        << code(ErrorCode::NotFound) << 0 << "/prompt/system_file";
    QTest::newRow("prompt empty") << task(R"(,"prompt":{"system_file":"other.json"})")
                                  << QByteArray(" \n") << "other.json" << code(ErrorCode::BadValue)
                                  << 0 << "";
    QTest::newRow("tests missing")
        << codeTask(R"("tests":{"file":"none"})") << QByteArray() << "a.task.json"
        << code(ErrorCode::NotFound) << 0 << "/code/tests";
    QTest::newRow("tests are the task")
        << codeTask(R"("tests":{"file":"a.task.json"})") << QByteArray() << "a.task.json"
        << code(ErrorCode::Cycle) << 0 << "/code/tests";
    QTest::newRow("edge tests blank")
        << codeTask(R"("tests":"t","edge_tests":{"file":"other.json"})") << QByteArray(" \n")
        << "other.json" << code(ErrorCode::BadValue) << 0 << "";
    QTest::newRow("tools missing") << task(R"(,"tools":[{"file":"none"}])") << QByteArray()
                                   << "a.task.json" << code(ErrorCode::NotFound) << 0 << "/tools";
    QTest::newRow("tools name the task")
        << task(R"(,"tools":[{"file":"a.task.json"}])") << QByteArray() << "a.task.json"
        << code(ErrorCode::Cycle) << 0 << "/tools";
    QTest::newRow("a tool twice") << task(R"(,"tools":["crane",{"file":"other.json"}])")
                                  << QByteArray(R"({"emend":"tools","version":1,"tools":[
            {"name":"crane","input_schema":{"type":"object"}}]})")
                                  << "other.json" << code(ErrorCode::BadValue) << 0 << "/tools";
}

void TestScenarioFile::theFirstErrorNamesFileAndPlace()
{
    QFETCH(QByteArray, taskText);
    QFETCH(QByteArray, other);
    QFETCH(QString, file);
    write("a.task.json", taskText);
    write("other.json", other);
    const auto loaded = tools::loadTaskFile(path("a.task.json"));
    QVERIFY(!loaded);
    const core::Error &error = loaded.error();
    QCOMPARE(QString::fromStdString(error.file), m_folder->filePath(file));
    QVERIFY(!error.message.empty());
    QTEST(static_cast<int>(error.code), "code");
    QTEST(error.line, "line");
    QTEST(QString::fromStdString(error.pointer), "pointer");
}

void TestScenarioFile::onlyRegularFilesAreRead()
{
    QCOMPARE(tools::readTextFile(path("none")).error().code, ErrorCode::NotFound);
    const auto folder = tools::readTextFile(m_folder->path().toStdString());
    QCOMPARE(folder.error().code, ErrorCode::Unreadable);
    QCOMPARE(folder.error().message, std::string("this is a folder, not a file"));
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    QCOMPARE(tools::readTextFile(path("pipe")).error().code, ErrorCode::Unreadable);
}

void TestScenarioFile::aFileBeyondTheLimitIsRefused()
{
    write("a.txt", "12345678");
    QVERIFY(tools::readTextFile(path("a.txt"), 8).has_value());
    const auto read = tools::readTextFile(path("a.txt"), 7);
    QCOMPARE(read.error().code, ErrorCode::TooLarge);
    QCOMPARE(read.error().message, std::string("the file is longer than 7 bytes"));
}

void TestScenarioFile::aTaskWithoutAScenarioHasAnEmptyOne()
{
    const auto played = tools::loadScenarioFor(core::Task());
    QVERIFY(played.has_value());
    QVERIFY(played->replies.empty());
}

void TestScenarioFile::testsOfATaskMayStandInFiles()
{
    write("in/t.py", "def test_a(): pass\n");
    write("in/a.task.json", codeTask(R"("tests":{"file":"t.py"},"edge_tests":"e")"));
    const auto loaded = tools::loadTaskFile(path("in/a.task.json"));
    QVERIFY2(loaded, loaded ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->code.tests, std::string("def test_a(): pass\n"));
    QCOMPARE(loaded->code.testsFile, std::string("t.py"));
    QCOMPARE(loaded->code.edgeTests, std::string("e"));
    // a file of a task stays a reference, the header of a trace needs none
    QVERIFY(core::taskToFileText(*loaded).find("\"t.py\"") != std::string::npos);
    QCOMPARE(core::taskToJson(*loaded)["code"]["tests"].dump(), "\"def test_a(): pass\\n\"");
}

void TestScenarioFile::theBundledTasksOfModeCodeAreWhole()
{
    const QDir folder(QStringLiteral(EMEND_SOURCE_DIR "/resources/tasks"));
    const QStringList names = folder.entryList({QStringLiteral("*.task.json")});
    QVERIFY(names.size() >= 5);
    for (const QString &name : names) {
        const auto loaded = tools::loadTaskFile(folder.filePath(name).toStdString());
        QVERIFY2(loaded, loaded ? "" : loaded.error().text().c_str());
        QVERIFY(loaded->mode == core::Mode::Code);
        QVERIFY(!loaded->code.tests.empty() && !loaded->code.edgeTests.empty());
        const auto played = tools::loadScenarioFor(*loaded);
        QVERIFY(played && !played->replies.empty());
        QVERIFY(static_cast<std::int64_t>(played->replies.size()) <=
                core::bound(*loaded, false, {}).modelCalls);
    }
}

void TestScenarioFile::theDemoTellsItsStory()
{
    const Performance demo("demo");
    QCOMPARE(demo.result.outcome, core::Outcome::Satisfied);
    const auto rejected = demo.sink.bodiesOf(EventKind::DecisionRejected);
    QCOMPARE(rejected.size(), 2u); // both in one slot
    QCOMPARE(rejected[0]["category"], "invalid_json");
    QCOMPARE(rejected[1]["category"], "unknown_tool");
    QCOMPARE(rejected[1]["suggest"], "weather");
    QCOMPARE(rejected[0]["step"], rejected[1]["step"]);
    QCOMPARE(demo.count(EventKind::ToolFailed), 2);
    QCOMPARE(demo.sink.bodiesOf(EventKind::BreakerChanged).front()["to"], "open");
    QCOMPARE(demo.count(EventKind::ToolSkipped), 1);
    const auto outputs = demo.sink.bodiesOf(EventKind::ToolSucceeded);
    QCOMPARE(outputs.size(), 3u);
    QCOMPARE(outputs[1]["output"], "87.8"); // what the final decision says is what came out
    QCOMPARE(outputs[2]["output"], "80");
    const double seconds = static_cast<double>(demo.clock.nowUs()) / 1e6;
    QVERIFY2(seconds > 10 && seconds < 14, std::to_string(seconds).c_str());
}

void TestScenarioFile::theWeatherScenarioIsShortAndInstant()
{
    const Performance weather("weather");
    QCOMPARE(weather.result.outcome, core::Outcome::Satisfied);
    QCOMPARE(weather.count(EventKind::DecisionAccepted), 3);
    QCOMPARE(weather.count(EventKind::DecisionRejected), 1);
    QCOMPARE(weather.sink.bodiesOf(EventKind::ToolSucceeded)[1]["output"], "87.8");
    QCOMPARE(weather.clock.nowUs(), 0);
}

void TestScenarioFile::theLimitsScenarioReachesTheBoundExactly()
{
    const Performance limits("limits");
    QCOMPARE(limits.result.outcome, core::Outcome::Satisfied);
    const core::Bound bound = core::bound(limits.setup.task, true, std::nullopt);
    QCOMPARE(bound.modelCalls, 27);
    QCOMPARE(bound.toolExecutions, 16);
    QCOMPARE(limits.count(EventKind::ModelRequested), 27);
    QCOMPARE(limits.count(EventKind::ToolStarted), 16);
    QCOMPARE(limits.count(EventKind::CorrectionRequested), 18);
}

QTEST_GUILESS_MAIN(TestScenarioFile)
#include "tst_scenariofile.moc"
