// SPDX-License-Identifier: GPL-3.0-or-later
// Traces as recordings: replay, the replay provider, forks and how they spread.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>

#include "app/workbench.h"
#include "core/trace/spread.h"
#include "tests/fakes/watcher.h"

using namespace emend::app;
using namespace emend::core;
using emend::tests::Watcher;
using nlohmann::json;

namespace {

json act(const std::string &tool, const json &input)
{
    return {{"state", "action"}, {"reason", "r"}, {"tool", tool}, {"tool_input", input}};
}

json reply(const json &decision)
{
    return {{"text", decision.dump()}};
}

json finalReply(const std::string &summary, bool satisfied = true)
{
    return reply({{"state", "final"}, {"satisfied", satisfied}, {"final_summary", summary}});
}

const json sum = reply(act("calculator", {{"expression", "1+1"}}));
const json time0 = reply(act("get_time", {{"timezone", "UTC"}}));

} // namespace

class TestReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();

    void aReplayIsTheSame_data();
    void aReplayIsTheSame();
    void aKillIsReplayedWhereItCame();
    void aPersonsBreakerCommandIsReplayed();
    void whatWasChangedInTheRecordingIsFound_data();
    void whatWasChangedInTheRecordingIsFound();
    void theReplayProviderStopsAtAChangedPrompt();
    void aRecordingThatIsNoneIsRefused_data();
    void aRecordingThatIsNoneIsRefused();
    void aForkKeepsItsPrefixAndGoesOn();
    void aForkGoesOnWithAnotherRecording();
    void aForkWhosePrefixNoLongerFitsSaysSo();
    void aForkStepOutsideTheTraceIsRefused();
    void severalRunsSpread();
    void aReplayOpensNoSocket();
    void theCommandLineReplaysAndForks();

private:
    std::string path(const char *name) const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }
    Task task(const json &replies, const json &more = json::object())
    {
        json scenario = {{"emend", "scenario"}, {"version", 1}, {"replies", replies}};
        scenario.update(more);
        write("s.scenario.json", scenario.dump());
        Task out;
        out.goal = "the goal";
        out.model.provider = "scripted";
        out.scenarioFile = "s.scenario.json";
        out.folder = m_folder->path().toStdString();
        for (const char *name : {"calculator", "get_time", "weather"})
            out.tools.push_back({name, false, {}, false, {}});
        return out;
    }
    void write(const char *name, const std::string &text)
    {
        QFile file(m_folder->filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
    }
    std::string read(const std::string &name)
    {
        QFile file(QString::fromStdString(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
    RunReport record(const Task &wanted, const std::string &to, Watcher &watcher)
    {
        RunControl control(m_workbench.clock());
        const auto report = m_workbench.run(wanted, to, control, watcher);
        return report ? *report : RunReport{};
    }
    Result<RunReport> replay(const std::string &recording, Watcher &watcher)
    {
        RunControl control(m_workbench.clock());
        return m_workbench.replay(recording, path("again.trace.jsonl"), control, watcher);
    }
    Result<RunReport> fork(int step, const Task &changed, Watcher &watcher)
    {
        RunControl control(m_workbench.clock());
        return m_workbench.fork({path("a.trace.jsonl"), step}, changed, path("f.trace.jsonl"),
                                control, watcher);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Workbench m_workbench;
};

void TestReplay::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestReplay::aReplayIsTheSame_data()
{
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("outcome");
    const auto row = [](const char *name, const json &replies, const json &more,
                        const char *outcome) {
        QTest::newRow(name) << QByteArray::fromStdString(replies.dump())
                            << QByteArray::fromStdString(more.dump()) << QByteArray(outcome);
    };
    const json down = {{"tools", {{"calculator", {{{"error", "down"}}, {{"error", "down"}}}}}}};
    row("tools whose results change with the time", {time0, finalReply("x")}, json::object(),
        "satisfied");
    row("corrections", {{{"text", "not JSON"}}, {{"text", "{\"state\":1}"}}, sum, finalReply("2")},
        json::object(), "satisfied");
    row("a tool that fails and a breaker that opens", {sum, sum, sum, sum, finalReply("x", false)},
        down, "unsatisfied");
    row("transport retries",
        {{{"error", {{"kind", "http"}, {"status", 503}, {"retry_after_s", 1}}}}, finalReply("x")},
        json::object(), "satisfied");
    row("a transport failure that stays", {{{"error", {{"kind", "http"}, {"status", 401}}}}},
        json::object(), "failed");
    row("all corrections used up", {{{"text", "a"}}, {{"text", "b"}}, {{"text", "c"}}},
        json::object(), "unsatisfied");
    row("a reply that is no UTF-8", {{{"text_b64", "/v8="}}, finalReply("x")}, json::object(),
        "satisfied");
    row("a tool that times out", {sum, finalReply("x", false)},
        {{"tools", {{"calculator", {{{"timeout", true}}, {{"timeout", true}}}}}}}, "unsatisfied");
}

void TestReplay::aReplayIsTheSame()
{
    QFETCH(QByteArray, replies);
    QFETCH(QByteArray, more);
    QFETCH(QByteArray, outcome);
    Watcher first, second;
    record(task(json::parse(replies.toStdString()), json::parse(more.toStdString())),
           path("a.trace.jsonl"), first);
    QCOMPARE(first.summary.outcome(), outcome.toStdString());
    QVERIFY(QFile::remove(m_folder->filePath("s.scenario.json"))); // only the trace is needed
    const auto report = replay(path("a.trace.jsonl"), second);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY2(!report->difference,
             report->difference ? (report->difference->what + report->difference->diff).c_str()
                                : "");
    json before = first.summary.toJson(), after = second.summary.toJson();
    for (json *summary : {&before, &after}) {
        summary->erase("duration_ms");
        for (json &stage : (*summary)["stages"])
            stage.erase("duration_us");
    }
    QCOMPARE(after.dump(), before.dump());
    QCOMPARE(second.events.size(), first.events.size());
    for (const Event &event : second.events) // and it says of itself that it is a recording
        if (event.kind == EventKind::ModelReplied)
            QVERIFY(eventBody(event)["recorded"] == true);
}

void TestReplay::aKillIsReplayedWhereItCame()
{
    Watcher first, second;
    RunControl control(m_workbench.clock());
    first.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ToolSucceeded)
            control.kill();
    };
    const Task wanted = task({sum, {{"hang", true}}});
    QVERIFY(m_workbench.run(wanted, path("a.trace.jsonl"), control, first));
    QCOMPARE(first.summary.outcome(), std::string("killed"));
    const auto report = replay(path("a.trace.jsonl"), second);
    QVERIFY(report && !report->difference);
    QCOMPARE(second.summary.outcome(), std::string("killed"));
    QCOMPARE(second.count(EventKind::ToolSucceeded), 1);
    // the receipt's times are those of one clock
    const json receipt = second.first(EventKind::ControlKilled);
    QVERIFY2(receipt["quiet_after_us"].get<std::int64_t>() < 1'000'000, receipt.dump().c_str());
}

void TestReplay::aPersonsBreakerCommandIsReplayed()
{
    Watcher first, second;
    RunControl control(m_workbench.clock());
    first.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ToolSucceeded && event.step == 1)
            control.breaker({"calculator", BreakerCommandKind::ForceOpen});
    };
    const json other = reply(act("calculator", {{"expression", "2+2"}}));
    QVERIFY(m_workbench.run(task({sum, other, finalReply("x")}), path("a.trace.jsonl"), control,
                            first));
    QCOMPARE(first.count(EventKind::ToolSkipped), 1);
    const auto report = replay(path("a.trace.jsonl"), second);
    QVERIFY(report);
    QVERIFY2(!report->difference, report->difference ? report->difference->what.c_str() : "");
    QCOMPARE(second.count(EventKind::ToolSkipped), 1);
}

void TestReplay::whatWasChangedInTheRecordingIsFound_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("what"); // in the difference
    QTest::newRow("the system prompt") << QByteArray("decides one step") << QByteArray("guesses")
                                       << QByteArray("the prompt of step_1");
    QTest::newRow("a tool's output")
        << QByteArray(R"("output":"2")") << QByteArray(R"("output":"3")")
        << QByteArray("the prompt of step_2");
    QTest::newRow("a decision") << QByteArray(R"(\"expression\":\"1+1\"}}","tokens)")
                                << QByteArray(R"(\"expression\":\"1+2\"}}","tokens)")
                                << QByteArray(R"("tool_input" of decision.accepted in step 1)");
    QTest::newRow("a reply that is none any more")
        << QByteArray(R"("text":"{\"final_summary)") << QByteArray(R"("text":"[{\"final_summary)")
        << QByteArray("now: decision.rejected in step 2 (invalid_json)");
    QTest::newRow("the end")
        << QByteArray(R"("reason":"final")") << QByteArray(R"("reason":"x")")
        << QByteArray(R"("reason" of run.finished differs: recorded "x", now "final")");
}

void TestReplay::whatWasChangedInTheRecordingIsFound()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, what);
    Watcher first, second;
    Task wanted = task({sum, finalReply("2")});
    wanted.systemPrompt = "A program that decides one step at a time.\n{{tools}}";
    record(wanted, path("a.trace.jsonl"), first);
    std::string text = read(path("a.trace.jsonl"));
    // of the events: the header's task is what runs
    const std::size_t at = text.find(from.toStdString(), text.find('\n'));
    QVERIFY2(at != std::string::npos, text.c_str());
    write("a.trace.jsonl",
          text.replace(at, static_cast<std::size_t>(from.size()), to.toStdString()));
    const auto report = replay(path("a.trace.jsonl"), second);
    QVERIFY(report && report->difference);
    QVERIFY2(report->difference->what.find(what.toStdString()) != std::string::npos,
             report->difference->what.c_str());
    if (what.startsWith("the prompt"))
        QVERIFY2(report->difference->diff.find("\n-") != std::string::npos &&
                     report->difference->diff.find("\n+") != std::string::npos,
                 report->difference->diff.c_str());
    QCOMPARE(second.count(EventKind::RunFinished), 1); // and it leaves a whole trace
}

void TestReplay::theReplayProviderStopsAtAChangedPrompt()
{
    Watcher first, same, changed;
    record(task({sum, finalReply("2")}), path("a.trace.jsonl"), first);
    Task again = task(json::array());
    again.scenarioFile.clear();
    again.model.provider = "replay";
    again.model.recording = "a.trace.jsonl"; // relative to the task's folder
    QVERIFY(!record(again, path("b.trace.jsonl"), same).difference);
    QCOMPARE(same.summary.outcome(), std::string("satisfied"));
    again.goal = "another goal";
    const auto difference = record(again, path("c.trace.jsonl"), changed).difference;
    QVERIFY(difference);
    QVERIFY(difference->diff.find("+another goal") != std::string::npos);
    QCOMPARE(changed.summary.outcome(), std::string("failed"));
}

void TestReplay::aRecordingThatIsNoneIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("no trace") << QByteArray("hello\n") << QByteArray("a.trace.jsonl");
    QTest::newRow("a header without a task")
        << QByteArray("{\"emend\":\"trace\",\"version\":1}\n") << QByteArray("task");
    QTest::newRow("a message that is not there")
        << QByteArray("{\"emend\":\"trace\",\"version\":1,\"task\":{\"emend\":\"task\",\"version\":"
                      "1,\"goal\":\"g\"}}\n{\"seq\":1,\"t_us\":1,\"kind\":\"model.requested\","
                      "\"step\":1,\"attempt\":0,\"stage\":\"step_1\",\"messages\":[7]}\n")
        << QByteArray("event 1: a message of the prompt is not in the trace");
}

void TestReplay::aRecordingThatIsNoneIsRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, message);
    write("a.trace.jsonl", content.toStdString());
    Watcher watcher;
    const auto report = replay(path("a.trace.jsonl"), watcher);
    QVERIFY(!report);
    QVERIFY2(report.error().text().find(message.toStdString()) != std::string::npos,
             report.error().text().c_str());
    QVERIFY(watcher.events.empty());
}

void TestReplay::aForkKeepsItsPrefixAndGoesOn()
{
    Watcher first, second;
    record(task({{{"text", "oops"}}, sum, time0, finalReply("old")}), path("a.trace.jsonl"), first);
    const auto recordedTime = first.summary.toJson()["actions"][1]["output"].get<std::string>();
    auto changed = m_workbench.taskOfTrace(path("a.trace.jsonl"));
    QVERIFY2(changed, changed ? "" : changed.error().text().c_str());
    changed->goal = "a new goal";
    write("s.scenario.json",
          json{{"emend", "scenario"},
               {"version", 1},
               {"replies", {{{"text", "unused"}}, sum, time0, finalReply("new")}}}
              .dump());
    const auto report = fork(3, *changed, second);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY2(!report->difference, report->difference ? report->difference->what.c_str() : "");
    const json summary = second.summary.toJson();
    QCOMPARE(summary["final_summary"].get<std::string>(), std::string("new"));
    QCOMPARE(summary["corrections"].size(), 1U); // of the prefix
    QCOMPARE(summary["actions"][1]["output"].get<std::string>(), recordedTime);
    int recorded = 0;
    std::string prompt;
    for (const Event &event : second.events) {
        if (event.kind == EventKind::ModelReplied)
            recorded += eventBody(event).contains("recorded") ? 1 : 0;
        if (event.kind == EventKind::ModelRequested)
            prompt += event.line;
    }
    QCOMPARE(recorded, 3);
    QVERIFY(prompt.find("a new goal") != std::string::npos);
    const json header =
        json::parse(read(path("f.trace.jsonl")).substr(0, read(path("f.trace.jsonl")).find('\n')));
    QCOMPARE(header["origin"]["step"].get<int>(), 3);
    QCOMPARE(header["origin"]["kind"].get<std::string>(), std::string("fork"));
    // and a fork is itself a recording
    Watcher third;
    const auto again = replay(path("f.trace.jsonl"), third);
    QVERIFY(again);
    QVERIFY2(!again->difference, again->difference ? again->difference->what.c_str() : "");
}

void TestReplay::aForkGoesOnWithAnotherRecording()
{
    Watcher first, other, forked;
    record(task({sum, finalReply("old")}), path("a.trace.jsonl"), first);
    record(task({time0, sum, finalReply("other end")}), path("b.trace.jsonl"), other);
    auto changed = m_workbench.taskOfTrace(path("a.trace.jsonl"));
    QVERIFY(changed);
    changed->model.provider = "replay";
    changed->model.recording = path("b.trace.jsonl");
    QVERIFY(QFile::remove(m_folder->filePath("s.scenario.json")));
    const auto report = fork(2, *changed, forked);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY2(!report->difference, report->difference ? report->difference->what.c_str() : "");
    QCOMPARE(forked.summary.toJson()["final_summary"].get<std::string>(), std::string("other end"));
    QCOMPARE(forked.count(EventKind::ToolSucceeded), 2);
}

void TestReplay::aForkWhosePrefixNoLongerFitsSaysSo()
{
    Watcher first, forked;
    record(task({sum, finalReply("old")}), path("a.trace.jsonl"), first);
    auto changed = m_workbench.taskOfTrace(path("a.trace.jsonl"));
    QVERIFY(changed);
    changed->tools.erase(changed->tools.begin()); // the calculator, which the prefix uses
    const auto report = fork(2, *changed, forked);
    QVERIFY(report && report->difference);
    QVERIFY2(report->difference->what.find("step_1_correction_1") != std::string::npos,
             report->difference->what.c_str());
    QCOMPARE(forked.summary.outcome(), std::string("failed"));
}

void TestReplay::aForkStepOutsideTheTraceIsRefused()
{
    Watcher first, forked;
    record(task({sum, finalReply("old")}), path("a.trace.jsonl"), first);
    const auto changed = m_workbench.taskOfTrace(path("a.trace.jsonl"));
    for (const int step : {0, 3, -1}) {
        const auto report = fork(step, *changed, forked);
        QVERIFY(!report);
        QVERIFY(report.error().message.find("the steps 1 to 2") != std::string::npos);
    }
    QVERIFY(forked.events.empty());
}

void TestReplay::severalRunsSpread()
{
    Watcher one, two, three;
    record(task({sum, finalReply("2")}), path("a.trace.jsonl"), one);
    record(task({{{"text", "?"}}, sum, finalReply(" 2 ")}), path("b.trace.jsonl"), two);
    record(task(json::array({finalReply("no", false)})), path("c.trace.jsonl"), three);
    const Spread spread = spreadOf({one.summary, two.summary, three.summary}, 1);
    QCOMPARE(spread.runs, 3);
    QCOMPARE(spread.outcomes.at("satisfied"), 2);
    QCOMPARE(spread.outcomes.at("unsatisfied"), 1);
    QCOMPARE(spread.answers.at("2"), 2);
    QCOMPARE(spread.firstSteps.size(), 2U);
    QCOMPARE(spread.corrections.least, 0.0);
    QCOMPARE(spread.corrections.median, 0.0);
    QCOMPARE(spread.corrections.most, 1.0);
    QCOMPARE(spread.modelCalls.median, 2.0);
    QCOMPARE(spread.costUsd.known, 3);
    QCOMPARE(spreadOf({}, 1).actions.known, 0);
}

void TestReplay::aReplayOpensNoSocket()
{
    Watcher first;
    record(task({reply(act("weather", {{"city", "Oslo"}})), finalReply("x")}),
           path("a.trace.jsonl"), first);
    const auto guarded = [&](const QStringList &arguments) {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_PRELOAD", EMEND_NO_SOCKETS);
        environment.insert("EMEND_WEATHER_URL", "http://127.0.0.1:9");
        environment.insert("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0");
        process.setProcessEnvironment(environment);
        process.start(EMEND_CLI, arguments);
        process.waitForFinished(60'000);
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    };
    write(
        "live.task.json",
        json{{"emend", "task"}, {"version", 1}, {"goal", "weather in Oslo"}, {"tools", {"weather"}}}
            .dump());
    const QString live = m_folder->filePath("live.task.json");
    QCOMPARE(guarded({"run", live, "--trace", m_folder->filePath("l.trace.jsonl")}), 99);
    const QString recording = m_folder->filePath("a.trace.jsonl");
    QCOMPARE(guarded({"replay", recording, "--trace", m_folder->filePath("r.trace.jsonl")}), 0);
}

void TestReplay::theCommandLineReplaysAndForks()
{
    Watcher first;
    record(task({sum, finalReply("2")}), path("a.trace.jsonl"), first);
    const auto cli = [&](QStringList arguments, int &code) {
        QProcess process;
        arguments.insert(1, m_folder->filePath("a.trace.jsonl"));
        process.start(EMEND_CLI, arguments);
        process.waitForFinished(60'000);
        code = process.exitCode();
        return json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    };
    int code = -1;
    json out = cli({"replay", "--json", "--trace", m_folder->filePath("r.trace.jsonl")}, code);
    QCOMPARE(code, 0);
    QVERIFY(out["same"] == true && out["difference"].is_null());
    out = cli({"fork", "--step", "2", "--times", "3", "--goal", "What is 3*4?", "--provider",
               "practice", "--json", "--trace", m_folder->filePath("k.trace.jsonl")},
              code);
    QCOMPARE(code, 0);
    QCOMPARE(out["runs"].size(), 3U);
    QCOMPARE(out["spread"]["outcomes"]["satisfied"].get<int>(), 3);
    QVERIFY(QFile::exists(m_folder->filePath("k-3.trace.jsonl")));
    cli({"fork", "--step", "9"}, code);
    QCOMPARE(code, 65);
    cli({"fork", "--step", "x"}, code);
    QCOMPARE(code, 64);
}

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
