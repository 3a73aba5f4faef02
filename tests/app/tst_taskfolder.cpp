// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on later finds the files that its task names, wherever its trace lies.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "app/workbench.h"
#include "tests/app/recordingtest.h"

using namespace emend::app;
using namespace emend::core;
using namespace emend::fakes;
using nlohmann::json;

class TestTaskFolder : public RecordingTest {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void filesAreFoundWhereTheyAre_data();
    void filesAreFoundWhereTheyAre();
    void theFolderIsNoDifference();
    void theOtherFilesAreFoundAsWell();

private:
    Task inFolder();
    RunReport escalated();
};

void TestTaskFolder::init()
{
    begin();
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(path("data")));
    m_workbench = std::make_unique<Workbench>();
    QVERIFY(QDir(m_folder->path()).mkdir("tasks"));
}

Task TestTaskFolder::inFolder()
{
    Task wanted = task(json::array({sum, sum, finalReply("two")}));
    QDir(m_folder->path()).rename("s.scenario.json", "tasks/s.scenario.json");
    wanted.folder = path("tasks");
    return wanted;
}

RunReport TestTaskFolder::escalated()
{
    RunControl control(m_workbench->clock());
    Watcher watcher;
    watcher.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ToolStarted && event.step == 2)
            control.escalate("look");
    };
    auto report = m_workbench->run(inFolder(), {}, control, watcher);
    return report ? std::move(*report) : RunReport{};
}

void TestTaskFolder::filesAreFoundWhereTheyAre_data()
{
    QTest::addColumn<QByteArray>("moved"); // to where; empty: it stays; "-": it is removed
    QTest::addColumn<bool>("folderToo");
    QTest::addColumn<bool>("found");
    QTest::newRow("where the task lay") << QByteArray() << false << true;
    QTest::newRow("beside the trace") << QByteArray("data/emend/traces") << false << true;
    QTest::newRow("beside the trace, the folder is gone")
        << QByteArray("data/emend/traces") << true << true;
    QTest::newRow("nowhere") << QByteArray("-") << false << false;
    QTest::newRow("nowhere, the folder is gone") << QByteArray("-") << true << false;
}

void TestTaskFolder::filesAreFoundWhereTheyAre()
{
    QFETCH(QByteArray, moved);
    QFETCH(bool, folderToo);
    QFETCH(bool, found);
    const RunReport before = escalated();
    QCOMPARE(before.result.outcome, Outcome::Escalated);
    const QDir top(m_folder->path());
    const QString file = top.filePath("tasks/s.scenario.json");
    if (moved == "-")
        QVERIFY(QFile::remove(file));
    else if (!moved.isEmpty())
        QVERIFY(QFile::rename(file, top.filePath(QString::fromUtf8(moved) + "/s.scenario.json")));
    if (folderToo)
        QVERIFY(QDir(top.filePath("tasks")).removeRecursively());
    RunControl control(m_workbench->clock());
    Watcher watcher;
    const auto answered = m_workbench->answer(
        before.escalation, {AnswerKind::ToolResult, "2", false}, {}, control, watcher);
    auto task = m_workbench->taskOfTrace(before.traceFile);
    QVERIFY(task);
    RunControl forkControl(m_workbench->clock());
    Watcher forkWatcher;
    const auto forked =
        m_workbench->fork({before.traceFile, 2}, *task, {}, forkControl, forkWatcher);
    QCOMPARE(answered.has_value(), found);
    QCOMPARE(forked.has_value(), found);
    if (found) {
        QCOMPARE(answered->result.outcome, Outcome::Satisfied);
        // What was made of it knows the folder, too.
        const auto again = m_workbench->taskOfTrace(answered->traceFile);
        QVERIFY(again && (again->folder == path("tasks") || !again->scenarioFile.starts_with("s")));
        return;
    }
    for (const auto *report : {&answered, &forked})
        QVERIFY2(report->error().text().find(path("tasks/s.scenario.json")) != std::string::npos,
                 report->error().text().c_str());
    QCOMPARE(m_workbench->escalations().detail(before.escalation)->escalation.state,
             EscalationState::Open); // nothing was started
}

void TestTaskFolder::theFolderIsNoDifference()
{
    const RunReport before = escalated();
    QVERIFY(QDir(QString::fromStdString(path("tasks"))).removeRecursively());
    RunControl control(m_workbench->clock());
    Watcher watcher;
    const auto replayed =
        m_workbench->replay(before.traceFile, path("again.trace.jsonl"), control, watcher);
    QVERIFY(replayed);
    QVERIFY2(!replayed->difference, replayed->difference ? replayed->difference->what.c_str() : "");
    const std::string trace = read("again.trace.jsonl");
    const json header = json::parse(trace.substr(0, trace.find('\n')));
    QCOMPARE(header["task_folder"].dump(), json(path("tasks")).dump());
}

void TestTaskFolder::theOtherFilesAreFoundAsWell()
{
    write("tasks/ca.pem", "x");
    write("r.trace.jsonl", "x"); // beside the trace that is written here
    Task wanted = inFolder();
    wanted.model.transport.caFile = "ca.pem";
    wanted.model.recording = "r.trace.jsonl";
    record(wanted);
    const auto again = m_workbench->taskOfTrace(path("a.trace.jsonl"));
    QVERIFY(again);
    QCOMPARE(again->folder, path("tasks"));
    QCOMPARE(again->model.transport.caFile, std::string("ca.pem"));
    QCOMPARE(again->model.recording, path("r.trace.jsonl"));
    QCOMPARE(again->scenarioFile, std::string("s.scenario.json"));
}

QTEST_GUILESS_MAIN(TestTaskFolder)
#include "tst_taskfolder.moc"
