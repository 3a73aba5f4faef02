// SPDX-License-Identifier: GPL-3.0-or-later
// What the code loop does around its attempts: the verifier is prepared before, two solutions are
// compared on generated inputs after.
#include <QTest>

#include "core/loop/bound.h"
#include "core/replay/recording.h"
#include "core/trace/summary.h"
#include "tests/core/looprun.h"

using namespace emend::core;
using namespace emend::tests;
using nlohmann::json;

namespace {

constexpr const char *secretInput = "INPUT-3391";

VerifyOutcome comparison(int agree, int differ)
{
    VerifyOutcome out = differ == 0
                            ? testsPass(agree)
                            : verdict(VerifyOutcome::Kind::Failed, "generated_inputs_differ", agree,
                                      differ, secretInput);
    for (int i = 0; i < differ; ++i)
        out.differences.push_back({secretInput, "1\xFF", "2"});
    return out;
}

LoopScript script(std::vector<VerifyOutcome> verdicts)
{
    LoopScript out;
    out.task.mode = Mode::Code;
    out.task.goal = out.task.code.spec = "write f";
    out.task.code.tests = "MAIN";
    out.task.code.edgeTests = "EDGE";
    out.task.code.generator = {"generate", secretInput};
    out.task.code.compareFunction = "f";
    out.replies = {{"```\nfirst\n```", {}}, {"```\nsecond\n```", {}}};
    out.verdicts = std::move(verdicts);
    return out;
}

json bodyOf(const LoopRun &run, EventKind kind)
{
    json out;
    for (const Event &event : run.events)
        if (event.kind == kind)
            out = eventBody(event);
    return out;
}

std::string joined(const std::vector<std::string> &words)
{
    std::string out;
    for (const std::string &word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

} // namespace

class TestCodeGate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void solutionsThatPassAllAreCompared_data();
    void solutionsThatPassAllAreCompared();
    void theDifferencesAreInTheGate();
    void inputsNeverReachTheModel();
    void aComparisonIsARecordedVerification();
    void whatCannotJudgeEndsTheRunBeforeAnyCall_data();
    void whatCannotJudgeEndsTheRunBeforeAnyCall();
    void preparingTakesTimeOfTheRun();
    void aStopWhilePreparing_data();
    void aStopWhilePreparing();
};

void TestCodeGate::solutionsThatPassAllAreCompared_data()
{
    QTest::addColumn<QList<int>>("verdicts"); // 1 passes, 0 fails; the fifth is the comparison
    QTest::addColumn<bool>("edge");
    QTest::addColumn<QByteArray>("words"); // after the first solution's tests
    QTest::addColumn<int>("runs");
    const auto row = [](const char *name, QList<int> verdicts, bool edge, const char *words,
                        int runs) {
        QTest::newRow(name) << verdicts << edge << QByteArray(words) << runs;
    };
    row("they agree", {1}, true,
        "second:tests:passed first:edge_tests:passed second:edge_tests:passed "
        "second:generated:passed gate:confirmed stop:confirmed",
        5);
    row("without edge tests", {1}, false,
        "second:tests:passed second:generated:passed gate:confirmed stop:confirmed", 3);
    row("they differ", {1, 1, 1, 1, 0}, true,
        "second:tests:passed first:edge_tests:passed second:edge_tests:passed "
        "second:generated:generated_inputs_differ gate:disagreement stop:disagreement",
        5);
    row("a failed edge test is enough", {1, 1, 0, 1}, true,
        "second:tests:passed first:edge_tests:generated_inputs_differ second:edge_tests:passed "
        "gate:disagreement stop:disagreement",
        4);
}

void TestCodeGate::solutionsThatPassAllAreCompared()
{
    QFETCH(QList<int>, verdicts);
    QFETCH(bool, edge);
    QFETCH(QByteArray, words);
    QFETCH(int, runs);
    std::vector<VerifyOutcome> outcomes;
    for (const int verdict : verdicts)
        outcomes.push_back(comparison(4, verdict == 1 ? 0 : 1));
    LoopScript given = script(outcomes);
    if (!edge)
        given.task.code.edgeTests.clear();
    const LoopRun run = runLoop(given, {});
    QCOMPARE(joined(run.words), "first:tests:passed " + words.toStdString());
    QCOMPARE(run.finish["totals"]["verifier_runs"].get<int>(), runs);
    QVERIFY(runs <= bound(given.task, false, {}).verifierRuns);
    if (words.contains("generated:")) {
        const VerifyRequest &last = run.verified.back();
        QVERIFY(last.what == VerifyRequest::What::Compare);
        QCOMPARE(last.solution, std::string("second\n"));
        QCOMPARE(last.other, std::string("first\n"));
        QCOMPARE(last.tests, std::string("MAIN"));
    }
    if (run.finish["satisfied"] == true)
        QVERIFY(run.finish["final_summary"].get<std::string>().ends_with(
            "passed, by two independent solutions that agree on 4 generated inputs"));
}

void TestCodeGate::theDifferencesAreInTheGate()
{
    const LoopRun run = runLoop(
        script({testsPass(), testsPass(), testsPass(), testsPass(), comparison(90, 10)}), {});
    const json gate = bodyOf(run, EventKind::GateFinished);
    QCOMPARE(gate["why"].dump(), "\"generated_inputs_differ\"");
    QCOMPARE(gate["differences"].size(), 5U);
    QCOMPARE(gate["differences"][4]["input"].dump(), json(secretInput).dump());
    QCOMPARE(gate["differences"][0]["first"].dump(), json("1\xEF\xBF\xBD").dump());
    QVERIFY(gate["differences"][0].contains("first_b64"));
    std::string rows;
    for (const json &row : gate["table"])
        if (row["suite"] == "generated")
            rows += row["solution"].get<std::string>() + " " + row["passed"].dump() + "/" +
                    row["total"].dump() + (row["accepted"] == true ? "" : " no") + "\n";
    QCOMPARE(rows, std::string("first 90/100 no\nsecond 90/100 no\n"));
    RunSummary summary;
    for (const Event &event : run.events)
        summary.add(event);
    QCOMPARE(summary.toJson()["gate"]["differences"].size(), 5U);
    QCOMPARE(summary.toJson()["attempts"].size(), 2U);
}

void TestCodeGate::inputsNeverReachTheModel()
{
    const LoopRun run =
        runLoop(script({testsPass(), testsPass(), testsPass(), testsPass(), comparison(1, 3)}), {});
    for (const auto &request : run.requests)
        for (const Message &message : request)
            QVERIFY(message.text.find(secretInput) == std::string::npos);
    // Nor anything that an answered escalation would send back.
    for (const Event &event : run.events)
        QVERIFY2(event.line.find(secretInput) == std::string::npos ||
                     event.kind == EventKind::VerifyFinished ||
                     event.kind == EventKind::GateFinished,
                 event.line.c_str());
}

void TestCodeGate::aComparisonIsARecordedVerification()
{
    const LoopRun run =
        runLoop(script({testsPass(), testsPass(), testsPass(), testsPass(), comparison(1, 2)}), {});
    RecordingReader reader;
    json header = {{"emend", "trace"}, {"version", 1}, {"run_id", "r"}};
    header["task"] = taskToJson(script({}).task);
    QVERIFY(reader.begin(header.dump()));
    for (const Event &event : run.events)
        reader.add(event);
    const auto recording = reader.finish();
    QVERIFY(recording);
    const auto &last = std::get<RecordedVerification>(recording->items.back());
    QCOMPARE(last.suite, std::string("generated"));
    QVERIFY(!last.comparedWith.empty() && last.comparedWith != last.solutionHash);
    QCOMPARE(last.outcome->differences.size(), 2U);
    QCOMPARE(last.outcome->differences[0].first, std::string("1\xFF"));
    QCOMPARE(last.outcome->tests.size(), 3U);
}

void TestCodeGate::whatCannotJudgeEndsTheRunBeforeAnyCall_data()
{
    QTest::addColumn<bool>("stated"); // else it broke off for no reason
    QTest::newRow("cannot verify") << true;
    QTest::newRow("broke off") << false;
}

void TestCodeGate::whatCannotJudgeEndsTheRunBeforeAnyCall()
{
    QFETCH(bool, stated);
    LoopScript given = script({testsPass()});
    given.preparation = stated ? cannotVerify("no_tests", "write tests") : VerifyOutcome{};
    const LoopRun run = runLoop(given, {});
    QVERIFY(run.requests.empty() && run.verified.empty());
    QCOMPARE(run.finish["outcome"].dump(), "\"failed\"");
    QCOMPARE(run.finish["reason"].dump(), "\"verifier_unavailable\"");
    QCOMPARE(run.finish["failure"]["detail"].dump(), stated ? "\"no_tests\"" : "\"cancelled\"");
    QCOMPARE(run.finish["totals"]["verifier_runs"].get<int>(), 0);
    QCOMPARE(run.finish["totals"]["model_calls"].get<int>(), 0);
    const json finished = bodyOf(run, EventKind::VerifyFinished);
    QCOMPARE(finished["suite"].dump(), "\"prepare\"");
    QCOMPARE(finished["judged"].dump(), "false");
    QCOMPARE(run.events.size(), 4U);
}

void TestCodeGate::preparingTakesTimeOfTheRun()
{
    LoopScript given = script({testsPass()});
    given.preparation = VerifyOutcome{}; // cut off by the deadline
    given.task.bounds.maxSeconds = 3;
    given.callUs = 10'000'000;
    const LoopRun run = runLoop(given, {});
    QCOMPARE(run.finish["reason"].dump(), "\"budget:max_seconds\"");
    QVERIFY(run.requests.empty());
    QCOMPARE(run.finish["totals"]["duration_us"].get<int>(), 3'000'000);
}

void TestCodeGate::aStopWhilePreparing_data()
{
    QTest::addColumn<bool>("killed");
    QTest::newRow("killed") << true;
    QTest::newRow("escalated") << false;
}

void TestCodeGate::aStopWhilePreparing()
{
    QFETCH(bool, killed);
    CodeWorld world("```\nx\n```", [](const auto &, const auto &) { return testsPass(); });
    world.verifier.onPrepare = [&](const CallContext &context) {
        killed ? world.control.kill() : world.control.escalate("look");
        world.clock.advance(20'000);
        return context.stop.stop_requested() ? VerifyOutcome{} : testsPass(0);
    };
    const auto result = world.run(script({}).task);
    QVERIFY(result->outcome == (killed ? Outcome::Killed : Outcome::Escalated));
    const json receipt =
        world.sink.bodiesOf(killed ? EventKind::ControlKilled : EventKind::ControlEscalated).at(0);
    QCOMPARE(receipt["in_flight"][0]["what"].dump(), "\"verify\"");
    QCOMPARE(receipt["in_flight"][0]["name"].dump(), "\"preparation\"");
    QVERIFY(world.sink.bodiesOf(EventKind::VerifyFinished).empty());
    const json totals = eventBody(world.sink.events.back())["totals"];
    QCOMPARE(totals["verifier_runs"].get<int>(), 0);
}

QTEST_GUILESS_MAIN(TestCodeGate)
#include "tst_codegate.moc"
