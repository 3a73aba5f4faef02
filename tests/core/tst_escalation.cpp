// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says about its escalation, and where in a recording an answer belongs.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include "core/escalation/answer.h"
#include "core/escalation/escalation.h"

using namespace emend::core;

namespace {

RecordedItem call(int step, bool answered = true)
{
    RecordedCall out;
    out.step = step;
    out.stage = "step_" + std::to_string(step);
    if (answered)
        out.outcome = ModelOutcome::replied({"reply " + std::to_string(step), {}, "stop"});
    return out;
}

RecordedItem execution(int step, std::optional<ToolOutcome> outcome)
{
    RecordedExecution out;
    out.step = step;
    out.tool = "weather";
    out.outcome = std::move(outcome);
    return out;
}

RecordedEvent happened(EventKind kind, int step, const std::string &what = {})
{
    return {0, kind, step, -1, what};
}

const RecordedEvent asked1 = happened(EventKind::ModelRequested, 1);
const RecordedEvent acted1 =
    happened(EventKind::DecisionAccepted, 1, R"({"kind":"decision.accepted","state":"action"})");
const RecordedEvent asked2 = happened(EventKind::ModelRequested, 2);
const RecordedEvent bad2 = happened(EventKind::DecisionRejected, 2, "invalid_json");
const ToolOutcome worked = ToolOutcome::succeeded("31"), broke = ToolOutcome::failed("down");

struct Case {
    std::vector<RecordedItem> items;
    std::vector<RecordedEvent> events;
};

} // namespace

Q_DECLARE_METATYPE(Case)

class TestEscalation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSituationIsReadFromTheRecording_data();
    void aSituationIsReadFromTheRecording();
    void instructionsBeginWhereTheyWereGiven();
    void aHeaderOfWrongTypesHoldsNoInstructions();
    void onlyRunsThatWaitAreEscalations_data();
    void onlyRunsThatWaitAreEscalations();
    void momentsAreAdded_data();
    void momentsAreAdded();
};

void TestEscalation::aSituationIsReadFromTheRecording_data()
{
    QTest::addColumn<Case>("how");
    QTest::addColumn<QString>("at");   // "step/attempt toolStep toolState"
    QTest::addColumn<int>("decision"); // items before a person's decision
    QTest::addColumn<int>("result");   // … before a person's result; -1: there can be none
    const auto row = [](const char *name, const Case &how, const char *at, int decision,
                        int result) { QTest::newRow(name) << how << at << decision << result; };
    row("nothing yet", {{}, {}}, "1/0 0 ", 0, -1);
    row("the model thinks", {{call(1, false)}, {asked1}}, "1/0 0 ", 0, -1);
    row("decided", {{call(1)}, {asked1, acted1}}, "1/0 1 not_begun", 0, 1);
    row("the tool hangs", {{call(1), execution(1, std::nullopt)}, {asked1, acted1}},
        "1/0 1 aborted", 0, 1);
    row("the tool was aborted",
        {{call(1), execution(1, ToolOutcome::cancelled())}, {asked1, acted1}}, "1/0 1 aborted", 0,
        1);
    row("it worked", {{call(1), execution(1, worked)}, {asked1, acted1}}, "2/0 0 ", 2, -1);
    row("it failed", {{call(1), execution(1, broke)}, {asked1, acted1}}, "2/0 1 failed", 2, 1);
    row("it failed twice", {{call(1), execution(1, broke), execution(1, broke)}, {asked1, acted1}},
        "2/0 1 failed", 3, 2);
    row("failed, then asked",
        {{call(1), execution(1, broke), call(2, false)}, {asked1, acted1, asked2}}, "2/0 1 failed",
        2, 1);
    row("the breaker refused",
        {{call(1), call(2, false)},
         {asked1, acted1, happened(EventKind::ToolSkipped, 1, "weather"), asked2}},
        "2/0 0 ", 1, -1);
    row("in a correction",
        {{call(1), execution(1, worked), call(2), call(2, false)},
         {asked1, acted1, asked2, bad2, asked2}},
        "2/1 0 ", 3, -1);
    row("a correction was due",
        {{call(1), execution(1, worked), call(2)}, {asked1, acted1, asked2, bad2}}, "2/1 0 ", 3,
        -1);
    row("a stop ends it", {{call(1), RecordedStop{0, false, "r"}}, {asked1, acted1}},
        "1/0 1 not_begun", 0, 1);
}

void TestEscalation::aSituationIsReadFromTheRecording()
{
    QFETCH(Case, how);
    QFETCH(int, decision);
    QFETCH(int, result);
    Recording recording;
    recording.items = how.items;
    recording.events = how.events;
    const Situation at = situationOf(recording, {});
    QTEST(QString("%1/%2 %3 %4")
              .arg(at.step)
              .arg(at.attempt)
              .arg(at.toolStep)
              .arg(QString::fromStdString(at.toolState)),
          "at");
    const Continuation decided = continueWith(recording, at, {AnswerKind::Decision, "{}", false});
    QCOMPARE(int(decided.recording.items.size()), decision + 1);
    const auto *mine = std::get_if<RecordedCall>(&decided.recording.items.back());
    QVERIFY(mine && mine->outcome->reply.by == "person");
    QCOMPARE(decided.step, at.step);
    const Continuation hinted = continueWith(recording, at, {AnswerKind::Hint, "h", false});
    QCOMPARE(int(hinted.recording.items.size()), decision);
    QCOMPARE(hinted.instructions.size(), 1U);
    QCOMPARE(at.fits(AnswerKind::ToolResult), result >= 0);
    QCOMPARE(checkAnswer(at, {AnswerKind::ToolResult, {}, false}).has_value(), result >= 0);
    if (result < 0)
        return;
    const Continuation given = continueWith(recording, at, {AnswerKind::ToolResult, "31", false});
    QCOMPARE(int(given.recording.items.size()), result + 1);
    const auto *item = std::get_if<RecordedExecution>(&given.recording.items.back());
    QVERIFY(item && item->outcome->by == "person" && item->outcome->text == "31");
    QCOMPARE(given.liveStep, at.toolStep + 1);
}

void TestEscalation::instructionsBeginWhereTheyWereGiven()
{
    Recording recording;
    recording.header = {
        {"origin", {{"instructions", instructionsToJson({{2, 1, "first"}, {5, 0, "later"}})}}}};
    QCOMPARE(instructionsOf(recording, 1).size(), 0U);
    QCOMPARE(instructionsOf(recording, 2).size(), 1U);
    const auto all = instructionsOf(recording, INT_MAX);
    QCOMPARE(all.size(), 2U);
    QCOMPARE(all[0].text, "first");
    QCOMPARE(all[0].attempt, 1);
}

void TestEscalation::aHeaderOfWrongTypesHoldsNoInstructions()
{
    using nlohmann::json;
    for (const char *text :
         {"null", "[]", R"({"origin":7})", R"({"origin":{"instructions":"x"}})",
          R"({"origin":{"instructions":[1,{"step":"1","attempt":0,"text":"t"},{"step":1}]}})"}) {
        Recording recording;
        recording.header = json::parse(text);
        QVERIFY2(instructionsOf(recording, INT_MAX).empty(), text);
    }
}

void TestEscalation::onlyRunsThatWaitAreEscalations_data()
{
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<bool>("opened");
    QTest::addColumn<bool>("escalation");
    QTest::newRow("a run") << QByteArray("null") << true << true;
    QTest::newRow("a run that was not escalated") << QByteArray("null") << false << false;
    QTest::newRow("a fork") << QByteArray(R"({"kind":"fork"})") << true << true;
    QTest::newRow("a replay") << QByteArray(R"({"kind":"replay"})") << true << false;
    QTest::newRow("an answer") << QByteArray(R"({"kind":"answer","escalation":"abcd"})") << true
                               << true;
}

void TestEscalation::onlyRunsThatWaitAreEscalations()
{
    QFETCH(QByteArray, origin);
    QFETCH(bool, opened);
    QFETCH(bool, escalation);
    EscalationReader reader(R"({"run_id":"run-1","started_at":"2026-01-31T12:00:00.000Z",)"
                            R"("task":{"goal":"the goal","mode":"react"},"origin":)" +
                                origin.toStdString() + "}",
                            "/a");
    if (opened)
        reader.add(parseEventLine(
            R"({"seq":1,"t_us":5,"kind":"escalation.opened","reason":"r","by":"loop"})"));
    const auto found = reader.escalation();
    QCOMPARE(found.has_value(), escalation);
    if (!found)
        return;
    QCOMPARE(found->taskName, "the goal"); // where it has no name
    QCOMPARE(found->by, "loop");
    QCOMPARE(found->parent, origin.contains("answer") ? "abcd" : "");
}

void TestEscalation::momentsAreAdded_data()
{
    QTest::addColumn<QString>("start");
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("opened");
    QTest::newRow("over midnight, over the leap day")
        << "2028-02-28T23:59:59.500Z" << qint64(86'400'600'000) << "2028-03-01T00:00:00.100Z";
    QTest::newRow("no moment") << "yesterday" << qint64(5) << "yesterday";
    QTest::newRow("no day") << "2026-02-31T00:00:00.000Z" << qint64(5)
                            << "2026-02-31T00:00:00.000Z";
    QTest::newRow("too far") << "2026-01-31T00:00:00.000Z" << qint64(INT64_MAX)
                             << "2026-01-31T00:00:00.000Z";
}

void TestEscalation::momentsAreAdded()
{
    QFETCH(QString, start);
    QFETCH(qint64, us);
    EscalationReader reader(R"({"run_id":"r","started_at":")" + start.toStdString() + R"("})", {});
    reader.add(parseEventLine(R"({"seq":1,"t_us":)" + std::to_string(us) +
                              R"(,"kind":"escalation.opened","reason":"r","by":"loop"})"));
    QTEST(QString::fromStdString(reader.escalation()->openedAt), "opened");
}

QTEST_GUILESS_MAIN(TestEscalation)
#include "tst_escalation.moc"
