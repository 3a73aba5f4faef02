// SPDX-License-Identifier: GPL-3.0-or-later
// From an escalated run to the inbox, and from a person's answer to the run that goes on.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <functional>
#include <optional>

#include <sys/mount.h>
#include <unistd.h>

#include "app/workbench.h"
#include "tests/fakes/watcher.h"
#include "tools/store/escalationstore.h"
#include "tools/store/sqliteconnection.h"

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
json final(const std::string &summary)
{
    return {{"state", "final"}, {"satisfied", true}, {"final_summary", summary}};
}

const json sum = act("calculator", {{"expression", "1+1"}});
const json twice = act("calculator", {{"expression", "2*2"}});
const json slow = {{"text", sum.dump()}, {"delay_ms", 60'000}};
const json bad = {{"text", "{'state'"}};
const json hang = json::array({{{"output", "2"}}, {{"hang", true}}});
const json once = json::array({{{"error", "it is down"}}, {{"error", "it is still down"}}});

struct Case {
    json replies;
    json calculator = json(); // what the tool plays
    EventKind at = EventKind::ModelRequested;
    int step = 2;
    int attempt = -1;
};

// What the command line says and does.
struct Ended {
    int code = -1;
    QByteArray out, err;
    json parsed() const { return json::parse(out.toStdString(), nullptr, false); }
};

} // namespace

Q_DECLARE_METATYPE(Case)
Q_DECLARE_METATYPE(Answer)

class TestEscalations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();

    void aPersonsAnswerGoesOnFromTheRecording_data();
    void aPersonsAnswerGoesOnFromTheRecording();
    void aHintIsInThePromptFromThereOn();
    void aDecisionStandsInForTheModelsReply();
    void aResultThatFailedIsNotTriedAgain();
    void anAnswerThatDoesNotFitChangesNothing_data();
    void anAnswerThatDoesNotFitChangesNothing();
    void aRunThatEscalatesAgainIsLinked();
    void aKilledAnswerMayBeGivenAgain();
    void aReplayOpensNoEscalation();
    void aLockedInboxKeepsItInTheTraceAndSaysSo();
    void aFolderThatCannotBeWrittenSaysSo();
    void aFullDiskSaysSo();
    void aKillRightAfterTheRunLosesNothing_data();
    void aKillRightAfterTheRunLosesNothing();
    void aScanReadsWhatHasChangedOnly();
    void twoProcessesAtOnceLoseNothing();
    void theCommandLineListsShowsAndExports();
    void theCommandLineAnswers();
    void anEscalatedRunBringsInEarlierOnes();
    void theCommandLineSaysWhatIsWrong_data();
    void theCommandLineSaysWhatIsWrong();

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }
    QString data() const { return path("data/emend"); }
    QString inbox() const { return data() + "/escalations.sqlite"; }
    void write(const QString &name, const std::string &text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), qint64(text.size()));
    }
    Task taskOf(const Case &how)
    {
        json scenario = {{"emend", "scenario"}, {"version", 1}, {"replies", how.replies}};
        if (!how.calculator.is_null())
            scenario["tools"] = {{"calculator", how.calculator}};
        write("s.scenario.json", scenario.dump());
        Task task;
        task.name = "A sum";
        task.goal = "the goal";
        task.model.provider = "scripted";
        task.scenarioFile = path("s.scenario.json").toStdString();
        task.folder = m_folder->path().toStdString();
        ToolReference tool;
        tool.name = "calculator";
        task.tools = {tool};
        return task;
    }
    // Runs it and escalates where the case says.
    std::optional<RunReport> escalate(Workbench &workbench, const Case &how,
                                      const std::string &trace = {})
    {
        RunControl control(workbench.clock());
        Watcher watcher;
        watcher.onEvent = [&](const Event &event) {
            if (event.kind == how.at && event.step == how.step &&
                (how.attempt < 0 || event.attempt == how.attempt))
                control.escalate("it needs a person");
        };
        auto report = workbench.run(taskOf(how), trace, control, watcher);
        if (!report || report->result.outcome != Outcome::Escalated)
            return std::nullopt;
        return std::move(*report);
    }
    Result<RunReport> answer(Workbench &workbench, const std::string &id, const Answer &given,
                             Watcher &watcher)
    {
        RunControl control(workbench.clock());
        return workbench.answer(id, given, {}, control, watcher);
    }
    Ended cli(const QStringList &arguments, const QByteArray &input = {})
    {
        QProcess process;
        process.start(EMEND_CLI, arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(60'000))
            return {};
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
                process.readAllStandardOutput(), process.readAllStandardError()};
    }

    std::optional<QTemporaryDir> m_folder;
    const Case m_slow{json::array({reply(sum), slow, reply(final("three"))})};
};

void TestEscalations::init()
{
    m_folder.emplace();
    QVERIFY(m_folder->isValid());
    qputenv("XDG_DATA_HOME", QFile::encodeName(path("data")));
}

void TestEscalations::aPersonsAnswerGoesOnFromTheRecording_data()
{
    QTest::addColumn<Case>("how");
    QTest::addColumn<Answer>("given");
    QTest::addColumn<int>("step");      // that was answered
    QTest::addColumn<QString>("tools"); // "try:by" of what was executed, in order
    const json three = json::array({reply(sum), slow, reply(final("three"))});
    const json tool = json::array({reply(sum), reply(twice), reply(final("three"))});
    const Answer decided{AnswerKind::Decision, twice.dump(), false};
    const Answer result{AnswerKind::ToolResult, "4", false};
    const Answer hint{AnswerKind::Hint, "say it in words", false};
    QTest::newRow("a decision while the model thinks") << Case{three} << decided << 2 << "1 1";
    QTest::newRow("a decision while the tool hangs")
        << Case{tool, hang, EventKind::ToolStarted}
        << Answer{AnswerKind::Decision, final("mine").dump(), false} << 2 << "1";
    QTest::newRow("a decision before the tool began")
        << Case{tool, json(), EventKind::DecisionAccepted} << decided << 2 << "1 1";
    QTest::newRow("a decision in a correction")
        << Case{json::array({reply(sum), bad, slow, reply(final("three"))}), json(),
                EventKind::ModelRequested, 2, 1}
        << decided << 2 << "1 1";
    QTest::newRow("a decision at the very beginning")
        << Case{json::array({slow, reply(final("three"))}), json(), EventKind::ModelRequested, 1}
        << decided << 1 << "1";
    QTest::newRow("a result while the tool hangs")
        << Case{tool, hang, EventKind::ToolStarted} << result << 2 << "1 1:person";
    QTest::newRow("a result before the tool began")
        << Case{tool, json(), EventKind::DecisionAccepted} << result << 2 << "1 1:person";
    QTest::newRow("a result for a failure")
        << Case{json::array({reply(sum), slow, reply(final("three"))}), once} << result << 1
        << "1 2:person 1";
    QTest::newRow("a result for a failure that was to be tried again")
        << Case{json::array({reply(sum), reply(final("three"))}), once, EventKind::ToolFailed, 1}
        << result << 1 << "1:person";
    QTest::newRow("a hint") << Case{json::array({reply(sum), slow}), json()} << hint << 2 << "1 1";
    QTest::newRow("a hint while the tool hangs")
        << Case{json::array({reply(sum), reply(twice)}), hang, EventKind::ToolStarted} << hint << 2
        << "1 1";
}

void TestEscalations::aPersonsAnswerGoesOnFromTheRecording()
{
    QFETCH(Case, how);
    QFETCH(Answer, given);
    QFETCH(int, step);
    Workbench workbench;
    const auto report = escalate(workbench, how);
    QVERIFY(report && !report->escalation.empty() && report->escalationProblem.empty());
    Case quick = how; // where the model is asked again, it takes no time now
    for (json &one : quick.replies)
        one.erase("delay_ms");
    if (given.kind == AnswerKind::Hint)
        quick = {json::array({reply(sum), reply(twice), reply(final("three"))})};
    taskOf(quick);

    Watcher watcher;
    const auto next = answer(workbench, report->escalation, given, watcher);
    QVERIFY2(next, next ? "" : next.error().text().c_str());
    QVERIFY2(!next->difference, next->difference ? next->difference->what.c_str() : "");
    QCOMPARE(outcomeName(next->result.outcome), "satisfied");

    QCOMPARE(eventKindName(watcher.events.at(0).kind), "run.started");
    QCOMPARE(eventKindName(watcher.events.at(1).kind), "control.answered");
    QCOMPARE(eventKindName(watcher.events.at(2).kind), "escalation.closed");
    const json answered = eventBody(watcher.events.at(1));
    QCOMPARE(answered["by"].get<std::string>(), "person");
    QCOMPARE(answered["at_step"].get<int>(), step);
    QCOMPARE(answered["answer"].dump(), answerToJson(given).dump());
    const json origin = watcher.header["origin"];
    QCOMPARE(origin["kind"].get<std::string>(), "answer");
    QCOMPARE(origin["step"].get<int>(), step);
    QCOMPARE(origin["escalation"].get<std::string>(), report->escalation);

    QStringList tools;
    for (const Event &event : watcher.events) {
        const json body = eventBody(event);
        if (event.kind == EventKind::ToolSucceeded || event.kind == EventKind::ToolFailed)
            tools << QString::number(body["try"].get<int>()) +
                         (body.contains("by") ? ":person" : "");
    }
    QTEST(tools.join(' '), "tools");

    const auto detail = workbench.escalations().detail(report->escalation);
    QVERIFY(detail);
    const Escalation &now = detail->escalation;
    QCOMPARE(escalationStateName(now.state), "answered");
    QCOMPARE(now.outcome, "satisfied");
    QCOMPARE(now.answerTrace, next->traceFile);
    QCOMPARE(now.answerRunId, watcher.header["run_id"].get<std::string>());

    RunControl control(workbench.clock());
    Watcher again;
    const auto replayed = workbench.replay(next->traceFile, {}, control, again);
    QVERIFY(replayed);
    QVERIFY2(!replayed->difference, replayed->difference ? replayed->difference->what.c_str() : "");
}

void TestEscalations::aHintIsInThePromptFromThereOn()
{
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    write("s.scenario.json",
          json({{"emend", "scenario"},
                {"version", 1},
                {"replies", json::array({reply(sum), reply(twice), reply(final("three"))})}})
              .dump());
    Watcher watcher;
    const Answer hint{AnswerKind::Hint, "use <b>words</b> & be brief", false};
    const auto next = answer(workbench, report->escalation, hint, watcher);
    QVERIFY(next);
    std::map<int, std::size_t> found;
    json sent;
    for (const Event &event : watcher.events) {
        if (event.kind != EventKind::ModelRequested)
            continue;
        const json body = eventBody(event);
        for (const json &message : body["messages"])
            if (message.is_object())
                sent[std::to_string(message["id"].get<int>())] = message["text"];
        for (const json &message : body["messages"]) {
            const int id = message.is_object() ? message["id"].get<int>() : message.get<int>();
            const auto text = sent[std::to_string(id)].get<std::string>();
            found[event.step] +=
                text.find("use &lt;b&gt;words&lt;/b&gt; &amp; be brief") != std::string::npos ? 1
                                                                                              : 0;
        }
    }
    QCOMPARE(found[1], 0U);
    QCOMPARE(found[2], 1U);
    QCOMPARE(found[3], 1U);
}

void TestEscalations::aDecisionStandsInForTheModelsReply()
{
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    Watcher watcher;
    const Answer given{AnswerKind::Decision, "```json\n" + final("mine").dump() + "\n```", false};
    QVERIFY(answer(workbench, report->escalation, given, watcher));
    const json replied = watcher.first(EventKind::ModelReplied, 2);
    QCOMPARE(replied["by"].get<std::string>(), "person");
    QCOMPARE(replied["text"].get<std::string>(), given.text);
    QCOMPARE(replied["tokens_in"].get<int>(), 0); // nothing was asked of a model
    const json accepted = watcher.first(EventKind::DecisionAccepted, 2);
    QCOMPARE(accepted["normalisations"].dump(), "[\"fence\"]"); // through the contract
    QCOMPARE(watcher.first(EventKind::RunFinished)["final_summary"].get<std::string>(), "mine");
}

void TestEscalations::aResultThatFailedIsNotTriedAgain()
{
    Workbench workbench; // the calculator may be repeated without asking
    const auto report =
        escalate(workbench, {json::array({reply(sum), reply(twice), reply(final("three"))}), hang,
                             EventKind::ToolStarted});
    QVERIFY(report);
    Watcher watcher;
    const auto next = answer(workbench, report->escalation,
                             {AnswerKind::ToolResult, "no such service", true}, watcher);
    QVERIFY(next);
    const json failed = watcher.first(EventKind::ToolFailed, 2);
    QCOMPARE(failed["error"].get<std::string>(), "no such service");
    QCOMPARE(failed["will_retry"].get<bool>(), false);
    QCOMPARE(watcher.count(EventKind::ToolStarted), 2);
}

void TestEscalations::anAnswerThatDoesNotFitChangesNothing_data()
{
    QTest::addColumn<Answer>("given");
    QTest::addColumn<QString>("why");
    QTest::newRow("broken JSON") << Answer{AnswerKind::Decision, "{\n 'state'", false}
                                 << "line 2 column 2";
    QTest::newRow("unknown tool") << Answer{AnswerKind::Decision,
                                            act("calculater", json::object()).dump(), false}
                                  << "calculator";
    QTest::newRow("no action to have a result")
        << Answer{AnswerKind::ToolResult, "4", false} << "no action waits";
    QTest::newRow("an empty hint") << Answer{AnswerKind::Hint, " \n", false} << "empty";
    QTest::newRow("a hint too long")
        << Answer{AnswerKind::Hint, std::string(4001, 'x'), false} << "4,000";
    QTest::newRow("code") << Answer{AnswerKind::Code, "x = 1", false} << "mode react";
}

void TestEscalations::anAnswerThatDoesNotFitChangesNothing()
{
    QFETCH(Answer, given);
    QFETCH(QString, why);
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    Watcher watcher;
    const auto next = answer(workbench, report->escalation, given, watcher);
    QVERIFY(!next);
    const std::string text = next.error().text();
    QVERIFY2(QString::fromStdString(text).contains(why), text.c_str());
    QVERIFY(watcher.events.empty());
    const auto detail = workbench.escalations().detail(report->escalation);
    QCOMPARE(escalationStateName(detail->escalation.state), "open");
}

void TestEscalations::aRunThatEscalatesAgainIsLinked()
{
    Workbench workbench;
    const auto first =
        escalate(workbench, {json::array({reply(sum), slow, slow, reply(final("three"))})});
    QVERIFY(first);
    RunControl control(workbench.clock());
    Watcher watcher;
    watcher.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ModelRequested && event.step == 3)
            control.escalate("again");
    };
    const auto second = workbench.answer(
        first->escalation, {AnswerKind::Decision, twice.dump(), false}, {}, control, watcher);
    QVERIFY(second && second->result.outcome == Outcome::Escalated);
    QVERIFY(!second->escalation.empty() && second->escalation != first->escalation);
    const auto detail = workbench.escalations().detail(second->escalation);
    QCOMPARE(detail->escalation.parent, first->escalation);
    QCOMPARE(detail->escalation.reason, "again");
    QCOMPARE(workbench.escalations().detail(first->escalation)->escalation.outcome, "escalated");

    Watcher last; // and the answer to that one has the person's earlier words in its recording
    const auto third = answer(workbench, second->escalation,
                              {AnswerKind::Decision, final("mine").dump(), false}, last);
    QVERIFY(third && third->result.outcome == Outcome::Satisfied);
    QCOMPARE(last.count(EventKind::ModelReplied), 3);
}

void TestEscalations::aKilledAnswerMayBeGivenAgain()
{
    Workbench workbench;
    const auto report =
        escalate(workbench, {json::array({reply(sum), slow, slow, reply(final("three"))})});
    QVERIFY(report);
    const Answer given{AnswerKind::Decision, twice.dump(), false};
    RunControl control(workbench.clock());
    Watcher watcher;
    watcher.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ModelRequested && event.step == 3)
            control.kill();
    };
    const auto killed = workbench.answer(report->escalation, given, {}, control, watcher);
    QVERIFY(killed && killed->result.outcome == Outcome::Killed);
    Watcher second;
    const auto again = answer(workbench, report->escalation,
                              {AnswerKind::Decision, final("mine").dump(), false}, second);
    QVERIFY(again && again->result.outcome == Outcome::Satisfied);
    const auto third = answer(workbench, report->escalation, given, second);
    QVERIFY(!third); // now something has come of it
    QVERIFY2(third.error().message.find("answered") != std::string::npos,
             third.error().message.c_str());
}

void TestEscalations::aReplayOpensNoEscalation()
{
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    RunControl control(workbench.clock());
    Watcher watcher;
    const auto replayed = workbench.replay(report->traceFile, {}, control, watcher);
    QVERIFY(replayed && replayed->result.outcome == Outcome::Escalated);
    QVERIFY(workbench.escalations().rescan({}));
    QCOMPARE(workbench.escalations().list()->size(), 1U);
}

// ---- nothing is lost ----

void TestEscalations::aLockedInboxKeepsItInTheTraceAndSaysSo()
{
    Workbench workbench;
    QVERIFY(escalate(workbench, m_slow));
    const std::string elsewhere = path("elsewhere.trace.jsonl").toStdString();
    {
        emend::tools::SqliteConnection other(inbox().toStdString(), 100, {{}});
        QVERIFY(other.begin());
        for (const std::string &trace : {std::string(), elsewhere}) {
            const auto report = escalate(workbench, m_slow, trace);
            QVERIFY(report && report->escalation.empty());
            QVERIFY2(report->escalationProblem.find("locked by another program") !=
                         std::string::npos,
                     report->escalationProblem.c_str());
        }
    }
    Workbench next; // the next start, of either program
    QVERIFY(next.escalations().rescan({}));
    QCOMPARE(next.escalations().list()->size(), 3U);
    QVERIFY(next.escalations().rescan({}));
    QCOMPARE(next.escalations().list()->size(), 3U);
    QVERIFY(QDir(data() + "/escalations.pending").isEmpty(QDir::Files));
}

void TestEscalations::aFolderThatCannotBeWrittenSaysSo()
{
    // Where the data folder should be there is a file: so for root, too, nothing can be written.
    QVERIFY(QDir().mkpath(path("data")));
    write("data/emend", "in the way");
    Workbench workbench;
    const std::string trace = path("out.trace.jsonl").toStdString();
    const auto report = escalate(workbench, m_slow, trace);
    QVERIFY(report && !report->escalationProblem.empty());
    QFile file(QString::fromStdString(trace));
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("escalation.opened"));
}

void TestEscalations::aFullDiskSaysSo()
{
    QVERIFY(QDir().mkpath(data()));
    const QByteArray mountPoint = QFile::encodeName(data());
    if (::mount("tmpfs", mountPoint.constData(), "tmpfs", 0, "size=64k") != 0)
        QSKIP("only root can mount the small file system that this needs");
    struct Unmount {
        QByteArray at;
        ~Unmount() { ::umount2(at.constData(), MNT_DETACH); }
    } unmount{mountPoint};
    Workbench workbench;
    QFile filler(data() + "/filler");
    QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (filler.write(QByteArray(4096, 'x')) > 0) {
    }
    const auto report = escalate(workbench, m_slow, path("out.trace.jsonl").toStdString());
    QVERIFY(report);
    QVERIFY2(report->escalationProblem.find("full") != std::string::npos,
             report->escalationProblem.c_str());
    filler.remove();
    // Nothing of it was in the data folder, not even a note: the trace can still be named.
    QFile trace(path("out.trace.jsonl"));
    QVERIFY(trace.open(QIODevice::ReadOnly) && trace.readAll().contains("escalation.opened"));
}

void TestEscalations::aKillRightAfterTheRunLosesNothing_data()
{
    QTest::addColumn<QString>("trace");
    QTest::newRow("in the data folder") << QString();
    QTest::newRow("elsewhere") << "elsewhere.trace.jsonl";
}

void TestEscalations::aKillRightAfterTheRunLosesNothing()
{
    QFETCH(QString, trace);
    taskOf(m_slow);
    QProcess child; // this test again, as the process that dies
    child.start(QCoreApplication::applicationFilePath(),
                {"--die", m_folder->path(), trace.isEmpty() ? trace : path(trace)});
    QVERIFY(child.waitForFinished(60'000));
    QCOMPARE(child.exitStatus(), QProcess::CrashExit);
    Workbench workbench;
    QVERIFY(workbench.escalations().list()->empty());
    QVERIFY(workbench.escalations().rescan({}));
    const auto list = workbench.escalations().list();
    QVERIFY(list && list->size() == 1);
    QCOMPARE(list->front().reason, "it needs a person");
    QCOMPARE(list->front().taskName, "A sum");
    QCOMPARE(list->front().attempts, 2);
    QVERIFY(QDir(data() + "/escalations.pending").isEmpty(QDir::Files));
}

void TestEscalations::aScanReadsWhatHasChangedOnly()
{
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report && workbench.escalations().rescan({}));
    // What was looked at is not read again: the same size and time, other content.
    emend::tools::EscalationStore store(inbox().toStdString());
    const auto seen = store.seen();
    QVERIFY(seen && seen->contains(report->traceFile));
    const auto before = store.list();
    QVERIFY(QFile::remove(inbox()));
    QFile::remove(inbox() + "-wal");
    QFile::remove(inbox() + "-shm");
    QVERIFY(store.setSeen(*seen));
    QVERIFY(workbench.escalations().rescan({}) && workbench.escalations().list()->empty());
    // An inbox that is gone fills itself again, with the same names.
    QVERIFY(QFile::remove(inbox()));
    QVERIFY(workbench.escalations().rescan({}));
    QCOMPARE(workbench.escalations().list()->at(0).id, before->at(0).id);
}

void TestEscalations::twoProcessesAtOnceLoseNothing()
{
    taskOf(m_slow);
    std::vector<std::unique_ptr<QProcess>> children;
    for (int i = 0; i < 4; ++i) {
        children.push_back(std::make_unique<QProcess>());
        children.back()->start(QCoreApplication::applicationFilePath(),
                               {"--escalate", m_folder->path(), "5"});
    }
    for (const auto &child : children) {
        QVERIFY(child->waitForFinished(120'000));
        QVERIFY2(child->exitCode() == 0, child->readAllStandardError());
    }
    Workbench workbench;
    QCOMPARE(workbench.escalations().list()->size(), 20U);
}

// ---- the command line ----

void TestEscalations::theCommandLineListsShowsAndExports()
{
    Ended ended = cli({"escalations", "list"});
    QCOMPARE(ended.code, 0);
    QVERIFY(ended.out.isEmpty() && ended.err.contains("No escalations."));
    ended = cli({"escalations", "list", "--json"});
    QCOMPARE(ended.parsed().dump(), "[]");

    Workbench workbench;
    const auto report = escalate(
        workbench, {json::array({reply(sum), bad, slow}), json(), EventKind::ModelRequested, 2, 1});
    QVERIFY(report);
    const QString id = QString::fromStdString(report->escalation);
    ended = cli({"escalations", "list"});
    QVERIFY2(ended.out.contains(id.toUtf8()) && ended.out.contains("it needs a person"), ended.out);
    ended = cli({"escalations", "show", id.left(5), "--json"});
    QCOMPARE(ended.code, 0);
    json shown = ended.parsed();
    QCOMPARE(shown["state"].get<std::string>(), "open");
    QCOMPARE(shown["situation"]["step"].get<int>(), 2);
    QCOMPARE(shown["situation"]["attempt"].get<int>(), 1);
    QCOMPARE(shown["situation"]["fits"].dump(), "[\"decision\",\"hint\"]");
    QCOMPARE(cli({"escalations", "claim", id}).code, 0);
    ended = cli({"escalations", "show", id});
    QVERIFY2(ended.out.contains("claimed"), ended.out);
    QVERIFY(cli({"escalations", "list", "--state", "open", "--json"}).parsed().empty());

    const QString out = path("out.jsonl");
    ended = cli({"escalations", "export", "-o", out});
    QCOMPARE(ended.code, 0);
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray lines = file.readAll();
    QCOMPARE(lines.count('\n'), 1);
    const json line = json::parse(lines.toStdString(), nullptr, false);
    for (const char *key : {"timestamp", "task", "final_attempt", "attempts", "last_feedback",
                            "outcome", "reason", "run_id", "state"})
        QVERIFY2(line.contains(key), key);
    QCOMPARE(line["task"].get<std::string>(), "A sum");
    QCOMPARE(line["final_attempt"].get<std::string>(), "{'state'");
    QCOMPARE(line["attempts"].get<int>(), 3);
    QCOMPARE(line["outcome"].get<std::string>(), "escalated");
    QVERIFY(line["last_feedback"].get<std::string>().find("invalid_json") != std::string::npos);
    QCOMPARE(cli({"escalations", "export"}).out, lines);
}

void TestEscalations::theCommandLineAnswers()
{
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    const QString id = QString::fromStdString(report->escalation);
    Ended ended = cli({"escalations", "answer", id, "--decision", "-", "--json"},
                      QByteArray::fromStdString(final("mine").dump()));
    QVERIFY2(ended.code == 0, ended.err);
    QVERIFY2(ended.err.contains("answers with decision"), ended.err);
    const json summary = ended.parsed();
    QCOMPARE(summary["outcome"].get<std::string>(), "satisfied");
    QVERIFY(QFile::exists(QString::fromStdString(summary["trace"].get<std::string>())));
    QCOMPARE(cli({"escalations", "show", id, "--json"}).parsed()["outcome"].get<std::string>(),
             "satisfied");

    const auto second = escalate(workbench, m_slow);
    QVERIFY(second);
    const QString other = QString::fromStdString(second->escalation);
    ended = cli({"escalations", "answer", other, "--dismiss", "not worth it"});
    QCOMPARE(ended.code, 0);
    const json dismissed = cli({"escalations", "show", other, "--json"}).parsed();
    QCOMPARE(dismissed["state"].get<std::string>(), "dismissed");
    QCOMPARE(dismissed["answer"]["text"].get<std::string>(), "not worth it");
    ended = cli({"escalations", "answer", other, "--hint", "after all"});
    QCOMPARE(ended.code, 64);
    QVERIFY2(ended.err.contains("is dismissed"), ended.err);
}

void TestEscalations::anEscalatedRunBringsInEarlierOnes()
{
    {
        Workbench workbench;
        QVERIFY(escalate(workbench, m_slow));
    }
    for (const char *suffix : {"", "-wal", "-shm"})
        QFile::remove(inbox() + suffix); // as if it could not be written to then
    write("code.scenario.json",
          R"({"emend":"scenario","version":1,"replies":[{"text":"```json\n7\n```"}]})");
    write("code.task.json",
          R"({"emend":"task","version":1,"mode":"code","model":{"provider":"scripted"},
              "scenario":"code.scenario.json","bounds":{"max_attempts":1},
              "code":{"spec":"a text","tests":"{\"type\":\"string\"}","verifier":"json_schema",
                      "language":"json"}})");
    const Ended ended = cli({"run", path("code.task.json")});
    QVERIFY2(ended.code == 11, ended.err);
    Workbench workbench;
    const auto list = workbench.escalations().list(); // as it is, without a look at the traces
    QVERIFY(list);
    QCOMPARE(list->size(), 2U);
}

void TestEscalations::theCommandLineSaysWhatIsWrong_data()
{
    QTest::addColumn<QStringList>("arguments"); // ID stands for that of an open one
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, const QStringList &arguments, int code,
                        const char *words) {
        QTest::newRow(name) << arguments << code << QByteArray(words);
    };
    row("no action", {}, 64, "needs ACTION");
    row("unknown action", {"lst"}, 64, "did you mean list?");
    row("no ID", {"show"}, 64, "needs the ID");
    row("unknown ID", {"show", "ffffffff"}, 64, "no escalation");
    row("unknown state", {"list", "--state", "opn"}, 64, "dismissed");
    row("an ID too many", {"list", "x"}, 64, "unexpected");
    row("no answer", {"answer", "ID"}, 64, "--dismiss");
    row("two answers", {"answer", "ID", "--hint", "a", "--dismiss", "b"}, 64, "one of");
    row("failed alone", {"answer", "ID", "--hint", "a", "--failed"}, 64, "--tool-result");
    row("no such file", {"answer", "ID", "--decision", "nothere.json"}, 65, "nothere.json");
    row("a result without an action", {"answer", "ID", "--tool-result", "4"}, 64, "no action");
    row("code", {"answer", "ID", "--code", EMEND_SOURCE_DIR "/LICENSE"}, 64, "mode code");
    row("a decision that is none", {"answer", "ID", "--decision", EMEND_SOURCE_DIR "/LICENSE"}, 65,
        "LICENSE:1:");
    row("an export that cannot be written", {"export", "-o", "/nonexistent/x"}, 70, "cannot be");
}

void TestEscalations::theCommandLineSaysWhatIsWrong()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, words);
    Workbench workbench;
    const auto report = escalate(workbench, m_slow);
    QVERIFY(report);
    arguments.replaceInStrings("ID", QString::fromStdString(report->escalation));
    const Ended ended = cli(QStringList{"escalations"} + arguments);
    QVERIFY2(ended.err.contains(words), ended.err);
    QCOMPARE(ended.code, code);
    QVERIFY(ended.out.isEmpty());
    QCOMPARE(
        escalationStateName(workbench.escalations().detail(report->escalation)->escalation.state),
        "open");
}

// What the children of these tests do: escalated runs, the last of which may be the end of the
// process at the moment when its trace is whole and the inbox knows nothing.
static int runChild(const QStringList &words)
{
    const bool die = words.at(1) == "--die";
    qputenv("XDG_DATA_HOME", QFile::encodeName(words.at(2) + "/data"));
    Workbench workbench;
    Task task;
    task.name = "A sum";
    task.goal = "the goal";
    task.model.provider = "scripted";
    task.scenarioFile = (words.at(2) + "/s.scenario.json").toStdString();
    ToolReference tool;
    tool.name = "calculator";
    task.tools = {tool};
    const int times = die ? 1 : words.at(3).toInt();
    for (int i = 0; i < times; ++i) {
        RunControl control(workbench.clock());
        Watcher watcher;
        watcher.onEvent = [&](const Event &event) {
            if (event.kind == EventKind::ModelRequested && event.step == 2)
                control.escalate("it needs a person");
            if (die && event.kind == EventKind::RunFinished)
                ::kill(::getpid(), SIGKILL);
        };
        const std::string trace = die ? words.at(3).toStdString() : std::string();
        const auto report = workbench.run(task, trace, control, watcher);
        if (!report || report->escalation.empty()) {
            qWarning("%s", report ? report->escalationProblem.c_str() : "no run");
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 4 && (words.at(1) == "--die" || words.at(1) == "--escalate"))
        return runChild(words);
    TestEscalations test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_escalations.moc"
