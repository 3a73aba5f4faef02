// SPDX-License-Identifier: GPL-3.0-or-later
// The composition with its real clock, tools and files: kills in every state, the bundled tasks,
// many runs in one process.
#include <QTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <thread>

#include "app/workbench.h"
#include "tests/fakes/watcher.h"

using namespace emend::app;
using namespace emend::core;
using emend::tests::Watcher;
using nlohmann::json;

namespace {

// Calls back on each event, on the run's thread.
// A scripted reply that is this decision.
QByteArray replyOf(const json &decision)
{
    return QByteArray::fromStdString(json{{"text", decision.dump()}}.dump());
}

const QByteArray act = replyOf({{"state", "action"},
                                {"reason", "r"},
                                {"tool", "calculator"},
                                {"tool_input", {{"expression", "1"}}}});
const QByteArray done = replyOf({{"state", "final"}, {"satisfied", true}, {"final_summary", "x"}});

} // namespace

class TestWorkbench : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void bundledTasksAreValid_data();
    void bundledTasksAreValid();
    void theBuiltInPromptIsThere();
    void aStopIsQuietAndItsReceiptRight_data();
    void aStopIsQuietAndItsReceiptRight();
    void stepLetsOneEffectThrough();
    void breakersOfASessionAreKept();
    void practiceAnswersANewGoal();
    void aTraceInASubfolderThatIsNotThere();

private:
    Task scripted(const QByteArray &replies, const QByteArray &more = {})
    {
        QFile file(m_folder.filePath(QStringLiteral("w.scenario.json")));
        if (file.open(QIODevice::WriteOnly))
            file.write("{\"emend\":\"scenario\",\"version\":1,\"replies\":[" + replies + "]" +
                       more + "}");
        Task task;
        task.goal = "g";
        task.model.provider = "scripted";
        task.scenarioFile = file.fileName().toStdString();
        task.folder = m_folder.path().toStdString();
        task.tools = {{"calculator", false, {}, false, {}}};
        return task;
    }
    std::string trace() const
    {
        return m_folder.filePath(QStringLiteral("w.trace.jsonl")).toStdString();
    }

    QTemporaryDir m_folder;
    Workbench m_workbench;
};

void TestWorkbench::bundledTasksAreValid_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(":/emend/scenarios"));
    for (const QString &name : folder.entryList({QStringLiteral("*.task.json")}))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestWorkbench::bundledTasksAreValid()
{
    QFETCH(QString, file);
    const auto task = m_workbench.loadTask(file.toStdString());
    QVERIFY2(task, task ? "" : task.error().text().c_str());
    const auto worst = m_workbench.boundOf(*task);
    QVERIFY2(worst, worst ? "" : worst.error().text().c_str());
}

void TestWorkbench::theBuiltInPromptIsThere()
{
    const Prompt prompt = m_workbench.builtInPrompt(Mode::React);
    QCOMPARE(prompt.id, std::string("react"));
    QVERIFY(prompt.version >= 1);
    QVERIFY(prompt.system.find("{{tools}}") != std::string::npos);
    QVERIFY(m_workbench.demoTask());
}

void TestWorkbench::aStopIsQuietAndItsReceiptRight_data()
{
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<int>("kind"); // the event at which the person acts
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<bool>("kill");
    QTest::addColumn<bool>("pauseFirst");
    const QByteArray hangingTool = R"(,"tools":{"calculator":[{"hang":true}]})";
    const auto row = [](const char *name, const QByteArray &replies, const QByteArray &more,
                        EventKind kind, const char *what, bool kill, bool pauseFirst) {
        QTest::newRow(name) << replies << more << static_cast<int>(kind) << QByteArray(what) << kill
                            << pauseFirst;
    };
    row("kill while a tool hangs", act, hangingTool, EventKind::ToolStarted, "tool", true, false);
    row("kill while the model hangs", R"({"hang":true})", "", EventKind::ModelRequested, "model",
        true, false);
    row("kill in a backoff wait", R"({"error":{"kind":"http","status":503,"retry_after_s":50}})",
        "", EventKind::ModelWaiting, "wait", true, false);
    row("kill while paused", act, "", EventKind::ControlPaused, "", true, true);
    row("escalate while a tool hangs", act, hangingTool, EventKind::ToolStarted, "tool", false,
        false);
    row("escalate while paused", act, "", EventKind::ControlPaused, "", false, true);
}

void TestWorkbench::aStopIsQuietAndItsReceiptRight()
{
    QFETCH(QByteArray, replies);
    QFETCH(QByteArray, more);
    QFETCH(int, kind);
    QFETCH(QByteArray, what);
    QFETCH(bool, kill);
    QFETCH(bool, pauseFirst);
    RunControl control(m_workbench.clock());
    Watcher watcher;
    std::thread person; // acts from another thread, when the event is out and the effect begins
    watcher.onEvent = [&](const Event &event) {
        if (static_cast<int>(event.kind) != kind || person.joinable())
            return;
        person = std::thread([&] { kill ? control.kill() : control.escalate("look at this"); });
    };
    if (pauseFirst)
        control.pause();
    const auto report = m_workbench.run(scripted(replies, more), trace(), control, watcher);
    QVERIFY(person.joinable());
    person.join();
    QVERIFY(report);
    QVERIFY(report->result.outcome == (kill ? Outcome::Killed : Outcome::Escalated));
    json receipt;
    for (const Event &event : watcher.events)
        if (event.kind == EventKind::ControlKilled || event.kind == EventKind::ControlEscalated)
            receipt = eventBody(event);
    QVERIFY(receipt.is_object());
    QCOMPARE(receipt["in_flight"].size(), what.isEmpty() ? 0U : 1U);
    if (!what.isEmpty()) {
        QCOMPARE(receipt["in_flight"][0]["what"].get<std::string>(), what.toStdString());
        QCOMPARE(receipt["in_flight"][0]["fate"].dump(), "\"aborted\"");
    }
    QVERIFY(receipt["quiet_us"].get<std::int64_t>() >= receipt["clicked_us"].get<std::int64_t>());
    // a generous upper bound of what section 9 promises; the figure itself is in the receipt
    QVERIFY2(receipt["quiet_after_us"].get<std::int64_t>() < 100'000, receipt.dump().c_str());
    QVERIFY(watcher.events.back().kind == EventKind::RunFinished);
}

void TestWorkbench::stepLetsOneEffectThrough()
{
    RunControl control(m_workbench.clock());
    Watcher watcher;
    int paused = 0;
    std::vector<int> effects; // how many effects had begun at each pause
    int begun = 0;
    watcher.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ModelRequested || event.kind == EventKind::ToolStarted)
            ++begun;
        if (event.kind != EventKind::ControlPaused)
            return;
        effects.push_back(begun);
        ++paused < 4 ? control.step() : control.resume();
    };
    control.pause();
    const auto report =
        m_workbench.run(scripted(act + "," + act + "," + done), trace(), control, watcher);
    QVERIFY(report && report->result.outcome == Outcome::Satisfied);
    QCOMPARE(effects, (std::vector<int>{0, 1, 2, 3}));
    int stepped = 0;
    for (const Event &event : watcher.events)
        stepped += event.kind == EventKind::ControlStepped ? 1 : 0;
    QCOMPARE(stepped, 3);
}

void TestWorkbench::breakersOfASessionAreKept()
{
    Task task = scripted(act + "," + done,
                         R"(,"tools":{"calculator":[{"error":"down"},{"error":"down"}]})");
    task.breaker.scope = BreakerScope::Session;
    Watcher first, second;
    RunControl one(m_workbench.clock()), two(m_workbench.clock());
    QVERIFY(m_workbench.run(task, trace(), one, first));
    QVERIFY(m_workbench.run(task, trace(), two, second));
    const auto kinds = [](const Watcher &watcher, EventKind kind) {
        return std::count_if(watcher.events.begin(), watcher.events.end(),
                             [kind](const Event &event) { return event.kind == kind; });
    };
    QCOMPARE(kinds(first, EventKind::ToolFailed), 2);
    QCOMPARE(kinds(second, EventKind::ToolStarted), 0);
    QCOMPARE(kinds(second, EventKind::ToolSkipped), 1);
}

void TestWorkbench::practiceAnswersANewGoal()
{
    Task task;
    task.goal = "What is 17% of 2340, and what is the weather in Oslo?";
    task.tools = {{"calculator", false, {}, false, {}}, {"weather", false, {}, false, {}}};
    task.model.mistakes = {1.0, {"invalid_json"}, 3};
    RunControl control(m_workbench.clock());
    Watcher watcher;
    const auto report = m_workbench.run(task, trace(), control, watcher);
    QVERIFY(report);
    const std::string &last = watcher.events.back().line;
    QVERIFY2(report->result.outcome == Outcome::Satisfied, last.c_str());
    QVERIFY2(last.find("397.8") != std::string::npos, last.c_str());
    const bool corrected =
        std::any_of(watcher.events.begin(), watcher.events.end(), [](const Event &event) {
            return event.kind == EventKind::CorrectionRequested;
        });
    QVERIFY(corrected);
}

void TestWorkbench::aTraceInASubfolderThatIsNotThere()
{
    const std::string path = m_folder.filePath(QStringLiteral("a/b/c.trace.jsonl")).toStdString();
    RunControl control(m_workbench.clock());
    Watcher watcher;
    QVERIFY(m_workbench.run(scripted(done), path, control, watcher));
    QVERIFY(QFile::exists(QString::fromStdString(path)));
}

QTEST_GUILESS_MAIN(TestWorkbench)
#include "tst_workbench.moc"
