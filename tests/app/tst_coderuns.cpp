// SPDX-License-Identifier: GPL-3.0-or-later
// Code runs with real tests, from the recording on: replays, and what a person answers.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include <QFile>
#include <QTemporaryDir>

#include "app/workbench.h"
#include "tests/app/recordingtest.h"

using namespace emend::app;
using namespace emend::core;
using emend::fakes::Watcher;
using nlohmann::json;

namespace {

const char *const tests = "from solution import double\n\n"
                          "def test_two():\n    assert double(2) == 4\n\n"
                          "def test_three():\n    assert double(3) == 6\n";

json block(const std::string &code)
{
    return {{"text", "```python\n" + code + "\n```"}};
}

const std::string wrong = "def double(n):\n    return n + 2";
const std::string right = "def double(n):\n    return n * 2";

} // namespace

class TestCodeRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void aReplayPlaysTheVerdicts_data();
    void aReplayPlaysTheVerdicts();
    void anAlteredSolutionIsADifference();
    void aPersonsCodeIsJudgedByTheTests_data();
    void aPersonsCodeIsJudgedByTheTests();
    void aHintGivesTheModelAnotherTry();
    void codeDoesNotAnswerAnotherMode();

private:
    Task task(const json &replies, bool gate = false, const json &more = json::object());
    RunReport run(const Task &task, Watcher &watcher);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workbench> m_workbench;
};

void TestCodeRuns::init()
{
    m_workbench.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    qputenv("XDG_DATA_HOME", m_folder->filePath("data").toUtf8());
    m_workbench = std::make_unique<Workbench>();
}

// `more`: further members of "code".
Task TestCodeRuns::task(const json &replies, bool gate, const json &more)
{
    const auto write = [this](const char *name, const json &content) {
        QFile file(m_folder->filePath(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(content.dump()));
        return file.fileName().toStdString();
    };
    const std::string scenario =
        write("s.json", {{"emend", "scenario"}, {"version", 1}, {"replies", replies}});
    json code = {{"spec", "double(n)"}, {"tests", tests}, {"gate", gate}};
    code.update(more);
    const auto loaded =
        m_workbench->loadTask(write("t.task.json", {{"emend", "task"},
                                                    {"version", 1},
                                                    {"mode", "code"},
                                                    {"model", {{"provider", "scripted"}}},
                                                    {"scenario", scenario},
                                                    {"code", code}}));
    return loaded ? *loaded : Task{};
}

RunReport TestCodeRuns::run(const Task &task, Watcher &watcher)
{
    RunControl control(m_workbench->clock());
    auto report = m_workbench->run(task, {}, control, watcher);
    if (!report)
        qWarning("%s", report.error().text().c_str());
    return report ? *report : RunReport{};
}

void TestCodeRuns::aReplayPlaysTheVerdicts_data()
{
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<bool>("gate");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<QByteArray>("more");
    const auto row = [](const char *name, const json &replies, bool gate, Outcome outcome,
                        const json &more = json::object()) {
        QTest::newRow(name) << QByteArray::fromStdString(replies.dump()) << gate
                            << static_cast<int>(outcome) << QByteArray::fromStdString(more.dump());
    };
    const json generated = {{"generator_source", "for n in range(12): print(n)"},
                            {"compare", "double"}};
    row("mended", json::array({block(wrong), block(right)}), false, Outcome::Satisfied);
    row("no code at first", json::array({{{"text", "I would rather not."}}, block(right)}), false,
        Outcome::Satisfied);
    row("given up", json::array({block(wrong), block(wrong), block(wrong)}), false,
        Outcome::Escalated);
    row("confirmed", json::array({block(right), block(right)}), true, Outcome::Satisfied);
    row("disagreement", json::array({block(right), block(wrong)}), true, Outcome::Escalated);
    row("generated inputs agree", json::array({block(right), block("def double(n): return n + n")}),
        true, Outcome::Satisfied, generated);
    row("generated inputs differ",
        json::array({block(right), block("def double(n): return n * 2 if n < 9 else n")}), true,
        Outcome::Escalated, generated);
    row("nothing can be judged", json::array({block(right)}), true, Outcome::Failed,
        {{"edge_tests", "def none(): pass"}});
    row("loud", json::array({block("print('\\x1b[31mno' * 9000)\n" + wrong), block(right)}), false,
        Outcome::Satisfied);
}

void TestCodeRuns::aReplayPlaysTheVerdicts()
{
    QFETCH(QByteArray, replies);
    QFETCH(bool, gate);
    QFETCH(int, outcome);
    QFETCH(QByteArray, more);
    Watcher watcher;
    const RunReport first = run(
        task(json::parse(replies.toStdString()), gate, json::parse(more.toStdString())), watcher);
    QCOMPARE(static_cast<int>(first.result.outcome), outcome);
    // Nothing of it is there any more, and no test can be run.
    QVERIFY(QFile::remove(m_folder->filePath("s.json")));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    RunControl control(m_workbench->clock());
    Watcher again;
    const auto replayed = m_workbench->replay(first.traceFile, {}, control, again);
    qputenv("PATH", path);
    QVERIFY2(replayed.has_value(), replayed ? "" : replayed.error().text().c_str());
    QVERIFY2(!replayed->difference, replayed->difference ? replayed->difference->what.c_str() : "");
    QCOMPARE(static_cast<int>(replayed->result.outcome), outcome);
    QCOMPARE(again.events.size(), watcher.events.size());
}

void TestCodeRuns::anAlteredSolutionIsADifference()
{
    Watcher watcher;
    const RunReport first = run(task(json::array({block(wrong), block(right)})), watcher);
    QFile file(QString::fromStdString(first.traceFile));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray trace = file.readAll();
    trace.replace("return n * 2\\n```", "return 2 * n\\n```");
    QVERIFY(file.resize(0) && file.seek(0) && file.write(trace) == trace.size());
    file.close();
    RunControl control(m_workbench->clock());
    Watcher again;
    const auto replayed = m_workbench->replay(first.traceFile, {}, control, again);
    QVERIFY(replayed.has_value() && replayed->difference);
    QVERIFY2(replayed->difference->what.find("solution") != std::string::npos,
             replayed->difference->what.c_str());
}

void TestCodeRuns::aPersonsCodeIsJudgedByTheTests_data()
{
    QTest::addColumn<QByteArray>("replies");
    QTest::addColumn<bool>("gate");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("outcome");
    const auto row = [](const char *name, const json &replies, bool gate, const std::string &code,
                        const char *outcome) {
        QTest::newRow(name) << QByteArray::fromStdString(replies.dump()) << gate
                            << QByteArray::fromStdString(code) << QByteArray(outcome);
    };
    const json failing = json::array({block(wrong), block(wrong), block(wrong)});
    row("right", failing, false, right, "satisfied");
    row("wrong as well", failing, false, wrong, "escalated");
    row("with back-ticks in it", failing, false, "# ```\n" + right + "  # ```", "satisfied");
    // The model's next reply is the second solution of the gate.
    row("then the gate agrees",
        json::array({block(wrong), block(wrong), block(wrong), block(right)}), true, right,
        "satisfied");
    // Of a disagreement the person's code takes the place of the first solution.
    row("after a disagreement", json::array({block(right), block(wrong), block(right)}), true,
        right, "satisfied");
}

void TestCodeRuns::aPersonsCodeIsJudgedByTheTests()
{
    QFETCH(QByteArray, replies);
    QFETCH(bool, gate);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, outcome);
    Watcher watcher;
    const RunReport first = run(task(json::parse(replies.toStdString()), gate), watcher);
    QCOMPARE(first.result.outcome, Outcome::Escalated);
    QVERIFY(!first.escalation.empty());
    const auto detail = m_workbench->escalations().detail(first.escalation);
    QVERIFY(detail.has_value());
    RunControl control(m_workbench->clock());
    Watcher next;
    const auto answered = m_workbench->answer(
        first.escalation, {AnswerKind::Code, code.toStdString(), false}, {}, control, next);
    QVERIFY2(answered.has_value(), answered ? "" : answered.error().text().c_str());
    QCOMPARE(QByteArray::fromStdString(std::string(outcomeName(answered->result.outcome))),
             outcome);
    int byPerson = 0;
    for (const Event &event : next.events)
        byPerson += event.kind == EventKind::ModelReplied &&
                            eventBody(event).value("by", std::string()) == "person"
                        ? 1
                        : 0;
    QCOMPARE(byPerson, 1);
    const auto list = m_workbench->escalations().list();
    QVERIFY(list.has_value());
    QCOMPARE(list->size(), outcome == "escalated" ? 2U : 1U);
    QCOMPARE(list->back().state, EscalationState::Answered);
    // The run that went on is a recording like any other.
    RunControl replayControl(m_workbench->clock());
    Watcher replayWatcher;
    const auto replayed =
        m_workbench->replay(answered->traceFile, {}, replayControl, replayWatcher);
    QVERIFY(replayed.has_value());
    QVERIFY2(!replayed->difference, replayed->difference ? replayed->difference->what.c_str() : "");
}

void TestCodeRuns::aHintGivesTheModelAnotherTry()
{
    Watcher watcher;
    const json replies = json::array({block(wrong), block(wrong), block(wrong), block(right)});
    const RunReport first = run(task(replies), watcher);
    QCOMPARE(first.result.outcome, Outcome::Escalated);
    RunControl control(m_workbench->clock());
    Watcher next;
    const auto answered = m_workbench->answer(
        first.escalation, {AnswerKind::Hint, "Multiply, do not add.", false}, {}, control, next);
    QVERIFY2(answered.has_value(), answered ? "" : answered.error().text().c_str());
    QCOMPARE(answered->result.outcome, Outcome::Satisfied);
    int told = 0;
    for (const Event &event : next.events)
        told += event.kind == EventKind::ModelRequested &&
                        event.line.find("Multiply, do not add.") != std::string::npos
                    ? 1
                    : 0;
    QCOMPARE(told, 1); // not what was asked before the hint
}

void TestCodeRuns::codeDoesNotAnswerAnotherMode()
{
    Task react;
    react.goal = "2+2";
    react.tools.emplace_back().name = "calculator";
    RunControl control(m_workbench->clock());
    control.escalate("look at it");
    Watcher watcher;
    const auto report = m_workbench->run(react, {}, control, watcher);
    QVERIFY(report.has_value());
    QCOMPARE(report->result.outcome, Outcome::Escalated);
    RunControl again(m_workbench->clock());
    const auto answered =
        m_workbench->answer(report->escalation, {AnswerKind::Code, "x", false}, {}, again, watcher);
    QVERIFY(!answered.has_value());
    QVERIFY(answered.error().message.find("mode") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCodeRuns)
#include "tst_coderuns.moc"
