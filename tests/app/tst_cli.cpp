// SPDX-License-Identifier: GPL-3.0-or-later
// emend-cli as a user meets it: a real process, its output and its exit codes.
#undef QT_NO_CAST_FROM_ASCII // arguments are plain words here
#include <QTest>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>
#include <set>

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

const QString scenarios = QStringLiteral(EMEND_SOURCE_DIR "/resources/scenarios/");

struct Ended {
    int code = -1;
    QByteArray out, err;
    json parsed() const { return json::parse(out.toStdString(), nullptr, false); }
};

Ended cli(const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(QStringLiteral(EMEND_CLI), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    void usageMistakesExit64_data();
    void usageMistakesExit64();
    void helpIsAsked();
    void theDoctorSaysWhatIsThere();
    void decideReadsOneReply_data();
    void decideReadsOneReply();
    void aRunPrintsOneSummaryAndLeavesATrace();
    void outcomesHaveTheirExitCodes_data();
    void outcomesHaveTheirExitCodes();
    void badFilesExit65AndNameThePlace_data();
    void badFilesExit65AndNameThePlace();
    void aFullDiskStopsTheRunAndLosesNothing();
    void aSignalKillsTheRunCleanly_data();
    void aSignalKillsTheRunCleanly();
    void aSignalBeforeTheRunKillsItAllTheSame();
    void showTellsWhatIsBroken_data();
    void showTellsWhatIsBroken();
    void aTraceOfWrongTypesIsShownAllTheSame();
    void noOtherFileIsOverwritten();
    void theTerminalCannotBeSteered();
    void aHumanTimelineHasNoColourInAPipe();

private:
    QString write(const QString &name, const QByteArray &content)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            return {};
        return file.fileName();
    }
    QString trace() const { return m_folder.filePath(QStringLiteral("out.trace.jsonl")); }
    // A task with a scenario of these replies.
    QString scripted(const QByteArray &replies, const QByteArray &more = {})
    {
        write(QStringLiteral("s.scenario.json"),
              "{\"emend\":\"scenario\",\"version\":1,\"replies\":" + replies + more + "}");
        return write(QStringLiteral("s.task.json"),
                     "{\"emend\":\"task\",\"version\":1,\"goal\":\"g\",\"model\":{\"provider\":"
                     "\"scripted\",\"transport\":{\"max_retries\":0}},\"scenario\":"
                     "\"s.scenario.json\",\"tools\":[\"calculator\"]}");
    }

    QTemporaryDir m_folder;
};

void TestCli::usageMistakesExit64_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("nothing") << QStringList{} << QByteArray("no command");
    QTest::newRow("unknown") << QStringList{"rum"} << QByteArray("did you mean run?");
    QTest::newRow("no task") << QStringList{"run"} << QByteArray("needs TASK");
    QTest::newRow("two tasks") << QStringList{"run", "a", "b"} << QByteArray("unexpected");
    QTest::newRow("unknown option") << QStringList{"run", "a", "--jsn"} << QByteArray("--json");
    QTest::newRow("no value") << QStringList{"run", "a", "--goal"} << QByteArray("needs TEXT");
    QTest::newRow("a value too many")
        << QStringList{"show", "a", "--json=1"} << QByteArray("no value");
    QTest::newRow("unknown tool") << QStringList{"decide", "--tools", "x"} << QByteArray("\"x\"");
}

void TestCli::usageMistakesExit64()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    const Ended ended = cli(arguments);
    QCOMPARE(ended.code, 64);
    QVERIFY2(ended.err.contains(words), ended.err);
    QVERIFY(ended.out.isEmpty());
}

void TestCli::helpIsAsked()
{
    for (const QStringList &arguments : {QStringList{"--help"}, {"run", "--help"}, {"--version"}}) {
        const Ended ended = cli(arguments);
        QCOMPARE(ended.code, 0);
        QVERIFY(!ended.out.isEmpty() && ended.err.isEmpty());
    }
}

void TestCli::theDoctorSaysWhatIsThere()
{
    const Ended ended = cli({QStringLiteral("doctor"), QStringLiteral("--json")});
    const auto found = nlohmann::json::parse(ended.out.toStdString(), nullptr, false);
    QVERIFY2(found.is_object(), ended.out);
    QCOMPARE(ended.code, found["ok"].get<bool>() ? 0 : 13);
    std::set<std::string> names;
    for (const auto &check : found["checks"]) {
        names.insert(check["name"].get<std::string>());
        QVERIFY(!check["message"].get<std::string>().empty());
        if (check["needed"].get<bool>() && !check["ok"].get<bool>())
            QCOMPARE(ended.code, 13);
    }
    QVERIFY(names == (std::set<std::string>{"sandbox", "pytest", "sql", "compiler", "keychain"}));
    const Ended words = cli({QStringLiteral("doctor")});
    QCOMPARE(words.code, ended.code);
    QCOMPARE(words.out.count('\n'), int(names.size()));
}

void TestCli::decideReadsOneReply_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QByteArray>("expected"); // members that must be there
    QTest::newRow("an action")
        << QByteArray(
               R"({"state":"action","reason":"r","tool":"calculator","tool_input":{"expression":" 1+1 "}})")
        << QByteArray(R"({"ok":true,"normalisations":[],"extra_keys":[]})");
    QTest::newRow("a fence")
        << QByteArray("```json\n{\"satisfied\":true,\"final_summary\":\"x\"}\n```")
        << QByteArray(R"({"ok":true,"normalisations":["fence","legacy_state"]})");
    QTest::newRow("empty") << QByteArray()
                           << QByteArray(R"({"ok":false,"category":"empty_response"})");
    QTest::newRow("a place")
        << QByteArray("{\n'a'")
        << QByteArray(R"({"ok":false,"category":"invalid_json","offset":2,"line":2,"column":1})");
    QTest::newRow("a suggestion")
        << QByteArray(R"({"state":"action","reason":"r","tool":"Calculator","tool_input":{}})")
        << QByteArray(
               R"({"ok":false,"category":"unknown_tool","pointer":"/tool","suggest":"calculator"})");
    QTest::newRow("bytes") << QByteArray("\xFF\xFE")
                           << QByteArray(R"({"ok":false,"category":"invalid_json","offset":0})");
}

void TestCli::decideReadsOneReply()
{
    QFETCH(QByteArray, reply);
    QFETCH(QByteArray, expected);
    const Ended ended = cli({QStringLiteral("decide")}, reply);
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out.count('\n'), 1);
    const json out = ended.parsed();
    const json wanted = json::parse(expected.toStdString());
    for (const auto &[key, value] : wanted.items())
        QCOMPARE(out.value(key, json("absent")).dump(), value.dump());
}

void TestCli::aRunPrintsOneSummaryAndLeavesATrace()
{
    const Ended ended = cli({QStringLiteral("run"), scenarios + QStringLiteral("limits.task.json"),
                             QStringLiteral("--json"), QStringLiteral("--trace"), trace()});
    QVERIFY2(ended.code == 0 || ended.code == 10, ended.err);
    const json summary = ended.parsed();
    QVERIFY2(summary.is_object(), ended.out);
    for (const char *key : {"outcome", "reason", "satisfied", "final_summary", "missing", "actions",
                            "corrections", "failure", "breakers", "stages", "model_calls",
                            "tool_executions", "tokens", "cost_usd", "duration_ms", "trace"})
        QVERIFY2(summary.contains(key), key);
    QCOMPARE(summary["model_calls"].dump(), "27");
    QCOMPARE(summary["tool_executions"].dump(), "16");
    QCOMPARE(summary["trace"].get<std::string>(), trace().toStdString());
    QVERIFY(ended.err.contains("step 9")); // the timeline

    const Ended shown = cli({QStringLiteral("show"), trace(), QStringLiteral("--json")});
    QCOMPARE(shown.code, 0);
    QCOMPARE(shown.parsed()["integrity"]["ok"].dump(), "true");
    json again = shown.parsed()["summary"], before = summary;
    before.erase("trace");
    QCOMPARE(again.dump(), before.dump()); // the summary is in the trace
}

void TestCli::outcomesHaveTheirExitCodes_data()
{
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<int>("code");
    QTest::newRow("satisfied")
        << QByteArray(
               R"([{"text":"{\"state\":\"final\",\"satisfied\":true,\"final_summary\":\"x\"}"}])")
        << 0;
    QTest::newRow("unsatisfied")
        << QByteArray(
               R"([{"text":"{\"state\":\"final\",\"satisfied\":false,\"final_summary\":\"x\"}"}])")
        << 10;
    QTest::newRow("corrections exhausted")
        << QByteArray(R"([{"text":"a"},{"text":"b"},{"text":""}])") << 10;
    QTest::newRow("transport") << QByteArray(R"([{"error":{"kind":"http","status":401}}])") << 13;
    QTest::newRow("a scenario without replies") << QByteArray("[]") << 65;
}

void TestCli::outcomesHaveTheirExitCodes()
{
    QFETCH(QByteArray, replies);
    QFETCH(int, code);
    const Ended ended =
        cli({QStringLiteral("run"), scripted(replies), QStringLiteral("--trace"), trace()});
    QVERIFY2(ended.code == code, ended.err);
}

void TestCli::badFilesExit65AndNameThePlace_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    const QString good = scenarios + QStringLiteral("weather.task.json");
    const auto file = [this](const char *name, const QByteArray &text) {
        return write(QString::fromLatin1(name), text);
    };
    QTest::newRow("missing") << QStringList{"run", m_folder.filePath("none.json")}
                             << QByteArray("none.json");
    QTest::newRow("a folder") << QStringList{"run", m_folder.path()} << m_folder.path().toUtf8();
    QTest::newRow("empty") << QStringList{"run", file("e.task.json", "")}
                           << QByteArray("e.task.json:1");
    QTest::newRow("not JSON") << QStringList{"bound", file("n.task.json", "{\n,")}
                              << QByteArray("n.task.json:2:1");
    QTest::newRow("NUL bytes") << QStringList{"bound", file("z.task.json", QByteArray(4000, '\0'))}
                               << QByteArray("z.task.json:1:1");
    QTest::newRow("unknown built-in tool")
        << QStringList{"bound",
                       file("u.task.json",
                            R"({"emend":"task","version":1,"goal":"g","tools":["weathr"]})")}
        << QByteArray("\"weather\"");
    QTest::newRow("unknown provider")
        << QStringList{"run", good, "--provider", "practise"} << QByteArray("practice");
    QTest::newRow("a negative cost bound")
        << QStringList{"bound",
                       file(
                           "c.task.json",
                           R"({"emend":"task","version":1,"goal":"g","model":{"provider":"practice","model":"m"},"bounds":{"max_cost_usd":-1}})")}
        << QByteArray("/bounds/max_cost_usd");
    QTest::newRow("no scenario") << QStringList{"run", good, "--scenario", "/nowhere/s.json"}
                                 << QByteArray("/nowhere/s.json");
    QTest::newRow("a trace where no file can be")
        << QStringList{"run", good, "--trace", good + QStringLiteral("/x.jsonl")}
        << QByteArray("x.jsonl");
    QTest::newRow("show: missing")
        << QStringList{"show", "/nowhere.jsonl"} << QByteArray("/nowhere.jsonl");
    QTest::newRow("show: empty") << QStringList{"show", file("e.trace.jsonl", "")}
                                 << QByteArray("e.trace.jsonl");
    QTest::newRow("show: a task") << QStringList{"show", good} << QByteArray("weather.task.json");
    QTest::newRow("show: a version")
        << QStringList{"show", file("v.trace.jsonl", "{\"emend\":\"trace\",\"version\":9}\n")}
        << QByteArray("version");
    QTest::newRow("decide: tools file")
        << QStringList{"decide", "--tools-file", file("t.json", "{}")} << QByteArray("/tools");
}

void TestCli::badFilesExit65AndNameThePlace()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    const Ended ended = cli(arguments);
    QVERIFY2(ended.code == 65, ended.err + ended.out);
    QVERIFY2(ended.err.contains(words), ended.err);
}

void TestCli::aFullDiskStopsTheRunAndLosesNothing()
{
    const Ended ended = cli({QStringLiteral("run"), scenarios + QStringLiteral("weather.task.json"),
                             QStringLiteral("--trace"), QStringLiteral("/dev/full")});
    QVERIFY2(ended.code == 65 || ended.code == 13, ended.err);
    QVERIFY2(ended.err.contains("/dev/full"), ended.err);
}

void TestCli::aSignalKillsTheRunCleanly_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("last"); // the kind of event to wait for
    const QByteArray act =
        R"([{"text":"{\"state\":\"action\",\"reason\":\"r\",\"tool\":\"calculator\",\"tool_input\":{\"expression\":\"1\"}}"}])";
    QTest::newRow("SIGINT while the model hangs") << SIGINT << QByteArray(R"([{"hang":true}])")
                                                  << QByteArray() << QByteArray("model.requested");
    QTest::newRow("SIGTERM while a tool hangs")
        << SIGTERM << act << QByteArray(R"(,"tools":{"calculator":[{"hang":true}]})")
        << QByteArray("tool.started");
}

void TestCli::aSignalKillsTheRunCleanly()
{
    QFETCH(int, signal);
    QFETCH(QByteArray, replies);
    QFETCH(QByteArray, more);
    QFETCH(QByteArray, last);
    QProcess process;
    QFile::remove(trace());
    process.start(QStringLiteral(EMEND_CLI),
                  {QStringLiteral("run"), scripted(replies, more), QStringLiteral("--json"),
                   QStringLiteral("--trace"), trace()});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
                                 QFile file(trace());
                                 return file.open(QIODevice::ReadOnly) &&
                                        file.readAll().contains(last);
                             })(),
                             20'000);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(20'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 12);
    const json summary = json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    QCOMPARE(summary["outcome"].dump(), "\"killed\"");
    const Ended shown = cli({QStringLiteral("show"), trace(), QStringLiteral("--json")});
    QCOMPARE(shown.parsed()["integrity"]["ok"].dump(), "true");
    QCOMPARE(shown.parsed()["kinds"]["control.killed"].dump(), "1");
    QFile file(trace());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> all = file.readAll().trimmed().split('\n');
    QVERIFY(all.last().contains("run.finished")); // nothing after the receipt but the end
    QVERIFY(all.at(all.size() - 2).contains("control.killed"));
    const json receipt = json::parse(all.at(all.size() - 2).toStdString());
    QCOMPARE(receipt["in_flight"].size(), 1U);
    QCOMPARE(receipt["in_flight"][0]["fate"].dump(), "\"aborted\"");
}

void TestCli::aSignalBeforeTheRunKillsItAllTheSame()
{
    QProcess process;
    QFile::remove(trace());
    process.setChildProcessModifier([] { // it waits from the first instruction on
        sigset_t early;
        sigemptyset(&early);
        sigaddset(&early, SIGINT);
        sigprocmask(SIG_BLOCK, &early, nullptr);
        raise(SIGINT);
    });
    process.start(QStringLiteral(EMEND_CLI),
                  {QStringLiteral("run"), scripted(R"([{"hang":true}])", ""),
                   QStringLiteral("--trace"), trace()});
    QVERIFY(process.waitForFinished(30'000));
    QCOMPARE(process.exitCode(), 12);
    QFile written(trace());
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().contains("\"outcome\":\"killed\""));
}

void TestCli::showTellsWhatIsBroken_data()
{
    QTest::addColumn<int>("damage");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("a missing line") << 0 << QByteArray("missing before");
    QTest::newRow("a changed byte") << 1 << QByteArray("SHA-256");
    QTest::newRow("a torn end") << 2 << QByteArray("torn");
    QTest::newRow("a line of nonsense") << 3 << QByteArray("not a JSON object");
    QTest::newRow("an event after the end") << 4 << QByteArray("after run.finished");
}

void TestCli::showTellsWhatIsBroken()
{
    QFETCH(int, damage);
    QFETCH(QByteArray, words);
    QCOMPARE(cli({QStringLiteral("run"), scenarios + QStringLiteral("weather.task.json"),
                  QStringLiteral("--trace"), trace()})
                 .code,
             0);
    QFile file(trace());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    file.close();
    if (damage == 0)
        lines.removeAt(4);
    else if (damage == 1)
        lines[3].replace("step_1", "step_7");
    else if (damage == 2)
        lines.last().chop(20);
    else if (damage == 3)
        lines.insert(5, "\xFF nonsense");
    else
        lines.append(lines.at(3));
    const QString broken =
        write(QStringLiteral("broken.trace.jsonl"), lines.join('\n') + (damage == 2 ? "" : "\n"));
    const Ended shown = cli({QStringLiteral("show"), broken});
    QCOMPARE(shown.code, 0);
    QVERIFY2(shown.out.contains(words), shown.out);
    if (damage != 2)
        QVERIFY(shown.out.contains("satisfied"));
}

void TestCli::aTraceOfWrongTypesIsShownAllTheSame()
{
    const QString odd =
        write(QStringLiteral("odd.trace.jsonl"),
              "{\"emend\":\"trace\",\"version\":1,\"run_id\":5,\"task\":[],\"started_at\":{}}\n"
              "{\"seq\":1,\"t_us\":0,\"kind\":\"tool.started\",\"tool\":[],\"try\":{}}\n"
              "{\"seq\":2,\"t_us\":0,\"kind\":\"breaker.changed\",\"name\":7}\n"
              "{\"seq\":3,\"t_us\":0,\"kind\":\"run.finished\",\"final_summary\":3,"
              "\"outcome\":[],\"totals\":7,\"missing\":{}}\n");
    for (const QStringList &arguments : {QStringList{"show", odd}, {"show", odd, "--json"}}) {
        const Ended shown = cli(arguments);
        QVERIFY2(shown.code == 0, shown.err);
    }
    QVERIFY(cli({"show", odd}).out.contains("SHA-256 is missing"));
}

void TestCli::noOtherFileIsOverwritten()
{
    const QString precious = write(QStringLiteral("precious.txt"), "years of work");
    const Ended ended =
        cli({"run", scenarios + QStringLiteral("weather.task.json"), "--trace", precious});
    QVERIFY2(ended.code == 65, ended.err);
    QFile file(precious);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("years of work"));
}

void TestCli::theTerminalCannotBeSteered()
{
    const QString colours =
        write(QStringLiteral("c.task.json"),
              "{\"emend\":\"task\",\"version\":1,\"goal\":\"g\",\"\\u001b[31mX\":1}");
    const Ended refused = cli({"bound", colours});
    QCOMPARE(refused.code, 65);
    QVERIFY(!refused.err.contains('\x1b'));
    const QString task = scripted(
        R"([{"text":"{\"state\":\"final\",\"satisfied\":true,\"final_summary\":\"a\\u001b]0;evil\\u0007\\u202eb\"}"}])");
    const Ended ended = cli({QStringLiteral("run"), task, QStringLiteral("--trace"), trace()});
    QCOMPARE(ended.code, 0);
    for (const QByteArray &text : {ended.out, ended.err}) {
        QVERIFY(!text.contains('\x1b') && !text.contains('\x07'));
        QVERIFY(!text.contains("\u202e"));
    }
}

void TestCli::aHumanTimelineHasNoColourInAPipe()
{
    const Ended ended = cli({QStringLiteral("run"), scenarios + QStringLiteral("weather.task.json"),
                             QStringLiteral("--trace"), trace()});
    QVERIFY(!ended.err.contains('\x1b'));
    for (const char *words : {"step 1", "rejected", "correction 1 of 2", "resolved", "satisfied"})
        QVERIFY2(ended.err.contains(words), ended.err);
    QVERIFY(!ended.out.isEmpty());
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
