// SPDX-License-Identifier: GPL-3.0-or-later
// The code loop by its log: a row is a script and what is to be in the trace.
#include <QTest>

#include "core/context/prompt.h"
#include "core/trace/summary.h"
#include "tests/core/looprun.h"

using namespace emend::core;
using namespace emend::tests;
using nlohmann::json;

namespace {

constexpr const char *edgeSecret = "EDGE-ONLY-7261";

std::string block(const std::string &code)
{
    return "```python\n" + code + "\n```";
}

LoopScript scriptWith(std::vector<Reply> replies, std::vector<VerifyOutcome> verdicts)
{
    LoopScript script;
    script.task.mode = Mode::Code;
    script.task.goal = script.task.code.spec = "write f";
    script.task.code.tests = "MAIN-TESTS";
    script.task.code.edgeTests = edgeSecret;
    script.replies = std::move(replies);
    script.verdicts = std::move(verdicts);
    return script;
}

std::vector<json> bodies(const LoopRun &run, EventKind kind)
{
    std::vector<json> out;
    for (const Event &event : run.events)
        if (event.kind == kind)
            out.push_back(eventBody(event));
    return out;
}

json logOf(const LoopRun &run)
{
    json log = json::array();
    for (const Event &event : run.events)
        log.push_back(std::string(eventKindName(event.kind)) + " " + std::to_string(event.step) +
                      "." + std::to_string(event.attempt));
    return log;
}

bool anyPromptHolds(const LoopRun &run, const std::string &text)
{
    for (const auto &request : run.requests)
        for (const Message &message : request)
            if (message.text.find(text) != std::string::npos)
                return true;
    return false;
}

std::string promptOf(const LoopRun &run, std::size_t request)
{
    std::string out;
    for (const Message &message : run.requests.at(request))
        out += message.text + "\n";
    return out;
}

} // namespace

class TestCodeLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCorrectedRunWritesExactlyTheseEvents();
    void ends_data();
    void ends();
    void theSecondSolutionKnowsNothingOfTheFirst();
    void edgeTestsNeverReachTheModel();
    void theMainTestsAreShownOnlyIfTheTaskSaysSo();
    void aReplyWithoutOneBlockIsACorrection();
    void aReplyCutInsideTheBlockIsNotRun();
    void feedbackIsWhatTheTestsSaid();
    void anEscalationTellsEverything();
    void theGateShowsItsTable();
    void nothingIsJudgedWithoutAVerifier();
    void theTimeOfTheRunIsNotTheAttemptsFault();
    void whatIsKeptOfAVerificationIsBounded();
    void aKillNamesTheVerificationInFlight_data();
    void aKillNamesTheVerificationInFlight();
    void aKillBeforeAVerificationCountsNone();
    void theSummaryIsWhatTheEventsSay();
    void aGoalBesideTheSpecIsSaidToo();
};

void TestCodeLoop::aCorrectedRunWritesExactlyTheseEvents()
{
    const LoopRun run = runLoop(
        scriptWith({{block("bad"), {}}, {"Sure:\n" + block("good"), {}}, {block("other"), {}}},
                   {testsFail(), testsPass()}),
        {});
    const json expected = {
        "run.started 0.-1",    "model.requested 1.0",     "model.replied 1.0",
        "verify.started 1.0",  "verify.finished 1.0",     "correction.requested 1.0",
        "model.requested 1.1", "model.replied 1.1",       "verify.started 1.1",
        "verify.finished 1.1", "correction.resolved 1.1", "model.requested 2.0",
        "model.replied 2.0",   "verify.started 2.0",      "verify.finished 2.0",
        "verify.started 1.1",  "verify.finished 1.1",     "verify.started 2.0",
        "verify.finished 2.0", "gate.finished 2.-1",      "run.finished 0.-1"};
    QCOMPARE(logOf(run).dump(), expected.dump());
    const auto started = bodies(run, EventKind::VerifyStarted);
    QCOMPARE(started[1]["stage"].dump(), "\"step_1_correction_1\"");
    QCOMPARE(started[1]["solution"].dump(), "\"good\\n\"");
    QCOMPARE(started[1]["normalisations"].dump(), "[\"prose\",\"fence\"]");
    QCOMPARE(started[3]["suite"].dump(), "\"edge_tests\"");
    QVERIFY(!started[3].contains("solution"));
    QCOMPARE(started[3]["solution_hash"], started[1]["solution_hash"]);
    QCOMPARE(run.verified.size(), 5U);
    QCOMPARE(run.verified[3].solution, std::string("good\n"));
    QCOMPARE(run.verified[3].tests, std::string(edgeSecret));
    QCOMPARE(run.verified[4].solution, std::string("other\n"));
    QCOMPARE(run.partialOutput, std::string("E   no"));
    QCOMPARE(run.finish["final_summary"].dump(),
             "\"2 of 2 tests and 2 of 2 held-out edge tests passed, by two independent "
             "solutions\"");
    QCOMPARE(run.finish["totals"]["verifier_runs"].get<int>(), 5);
}

void TestCodeLoop::ends_data()
{
    QTest::addColumn<QList<int>>("verdicts"); // 1 passes, 0 fails
    QTest::addColumn<bool>("gate");
    QTest::addColumn<bool>("edge");
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<QByteArray>("outcome");
    const auto row = [](const char *name, QList<int> verdicts, bool gate, bool edge,
                        const char *words, const char *outcome) {
        QTest::newRow(name) << verdicts << gate << edge << QByteArray(words) << QByteArray(outcome);
    };
    const char *allPass = "first:tests:passed second:tests:passed first:edge_tests:passed "
                          "second:edge_tests:passed gate:confirmed stop:confirmed";
    row("confirmed", {1}, true, true, allPass, "satisfied");
    row("no gate", {1}, false, true, "first:tests:passed", "satisfied");
    row("no edge tests", {1}, true, false,
        "first:tests:passed second:tests:passed gate:confirmed stop:confirmed", "satisfied");
    row("three attempts", {0}, true, true,
        "first:tests:tests_failed correction:tests_failed first:tests:tests_failed "
        "correction:tests_failed first:tests:tests_failed stop:attempts_exhausted",
        "escalated");
    row("second fails", {1, 0, 1}, true, true,
        "first:tests:passed second:tests:tests_failed first:edge_tests:passed "
        "second:edge_tests:passed gate:disagreement stop:disagreement",
        "escalated");
    row("first fails the edges", {1, 1, 0, 1}, true, true,
        "first:tests:passed second:tests:passed first:edge_tests:tests_failed "
        "second:edge_tests:passed gate:disagreement stop:disagreement",
        "escalated");
    row("second fails the edges", {1, 1, 1, 0}, true, true,
        "first:tests:passed second:tests:passed first:edge_tests:passed "
        "second:edge_tests:tests_failed gate:disagreement stop:disagreement",
        "escalated");
}

void TestCodeLoop::ends()
{
    QFETCH(QList<int>, verdicts);
    QFETCH(bool, gate);
    QFETCH(bool, edge);
    QFETCH(QByteArray, words);
    QFETCH(QByteArray, outcome);
    std::vector<VerifyOutcome> outcomes;
    for (const int verdict : verdicts)
        outcomes.push_back(verdict == 1 ? testsPass() : testsFail());
    LoopScript script = scriptWith({{block("x"), {}}}, outcomes);
    script.task.code.gate = gate;
    if (!edge)
        script.task.code.edgeTests.clear();
    const LoopRun run = runLoop(script, {});
    std::string said;
    for (const std::string &word : run.words)
        said += (said.empty() ? "" : " ") + word;
    QCOMPARE(said, words.toStdString());
    QCOMPARE(run.finish["outcome"].get<std::string>(), outcome.toStdString());
    QCOMPARE(run.finish["satisfied"] == true, outcome == "satisfied");
    QCOMPARE(run.finish["missing"].empty(), outcome == "satisfied");
    if (!gate)
        QCOMPARE(run.finish["reason"].dump(), "\"final\"");
}

void TestCodeLoop::theSecondSolutionKnowsNothingOfTheFirst()
{
    const LoopRun run =
        runLoop(scriptWith({{block("FIRST-ONE"), {}}, {block("FIRST-TWO"), {}}, {block("x"), {}}},
                           {testsFail(1, 1, "E   FEEDBACK"), testsPass()}),
                {});
    QCOMPARE(run.requests.size(), 3U);
    QVERIFY(promptOf(run, 1).find("FIRST-ONE") != std::string::npos);
    QVERIFY(promptOf(run, 1).find("FEEDBACK") != std::string::npos);
    const std::string second = promptOf(run, 2);
    for (const char *word : {"FIRST", "FEEDBACK", "correction trust", "test_"})
        QVERIFY2(second.find(word) == std::string::npos, second.c_str());
    QVERIFY(second.find("independent") != std::string::npos);
    QVERIFY(second.find("write f") != std::string::npos);
}

void TestCodeLoop::edgeTestsNeverReachTheModel()
{
    // What the edge tests say fails them, and even then nothing of it is sent or kept for sending.
    for (const bool shown : {false, true}) {
        LoopScript script = scriptWith({{block("a"), {}}, {block("b"), {}}, {block("c"), {}}},
                                       {testsFail(), testsPass(), testsPass(),
                                        testsFail(0, 1, std::string("E   ") + edgeSecret),
                                        testsFail(0, 1, std::string("E   ") + edgeSecret)});
        script.task.code.showTests = shown;
        const LoopRun run = runLoop(script, {});
        QCOMPARE(run.words.back(), std::string("stop:disagreement"));
        QVERIFY(!anyPromptHolds(run, edgeSecret));
        for (const Event &event : run.events) {
            const bool ofEdges = event.line.find(edgeSecret) != std::string::npos;
            QVERIFY2(!ofEdges || (event.kind == EventKind::VerifyFinished &&
                                  eventBody(event)["suite"] == "edge_tests"),
                     event.line.c_str());
        }
    }
}

void TestCodeLoop::theMainTestsAreShownOnlyIfTheTaskSaysSo()
{
    LoopScript script = scriptWith({{block("x"), {}}}, {testsPass()});
    QVERIFY(!anyPromptHolds(runLoop(script, {}), "MAIN-TESTS"));
    script.task.code.showTests = true;
    const LoopRun run = runLoop(script, {});
    QVERIFY(promptOf(run, 0).find("<tests>\nMAIN-TESTS\n</tests>") != std::string::npos);
    QVERIFY(promptOf(run, 1).find("MAIN-TESTS") != std::string::npos); // both know the same
}

void TestCodeLoop::aReplyWithoutOneBlockIsACorrection()
{
    const LoopRun run = runLoop(
        scriptWith(
            {{"def f(): pass", {}}, {block("a") + "\n" + block("b"), {}}, {block("good"), {}}},
            {testsPass()}),
        {});
    const auto refused = bodies(run, EventKind::DecisionRejected);
    QCOMPARE(refused.size(), 2U);
    QCOMPARE(refused[0]["category"].dump(), "\"no_code_block\"");
    QCOMPARE(refused[1]["category"].dump(), "\"several_code_blocks\"");
    QCOMPARE(refused[1]["line"].get<int>(), 4);
    QCOMPARE(run.verified.size(), 4U);
    QVERIFY(promptOf(run, 1).find("<previous_reply>def f(): pass</previous_reply>") !=
            std::string::npos);
    QCOMPARE(run.words.front(), std::string("correction:no_code_block"));

    // of the second solution nothing is asked again
    const LoopRun gate =
        runLoop(scriptWith({{block("good"), {}}, {"no block", {}}}, {testsPass()}), {});
    QCOMPARE(gate.requests.size(), 2U);
    QCOMPARE(bodies(gate, EventKind::GateFinished).at(0)["why"].dump(), "\"second_unreadable\"");
    QCOMPARE(json(gate.words).dump(), json({"first:tests:passed", "first:edge_tests:passed",
                                            "gate:disagreement", "stop:disagreement"})
                                          .dump());
}

void TestCodeLoop::aReplyCutInsideTheBlockIsNotRun()
{
    LoopScript script = scriptWith(
        {{"```python\ndef f():", {}, true}, {block("x") + "\nand so", {}, true}}, {testsPass()});
    const LoopRun run = runLoop(script, {});
    QCOMPARE(run.words.front(), std::string("correction:truncated_reply"));
    QCOMPARE(run.verified.at(0).solution, std::string("x\n")); // cut behind the block: whole
}

void TestCodeLoop::feedbackIsWhatTheTestsSaid()
{
    const std::string output =
        "\x1B[31mE   assert f('Aa') is True\x1B[0m\n" + std::string(3000, '.') + "\rdone\n1 failed";
    const LoopRun run = runLoop(
        scriptWith({{block("bad"), {}}, {block("x"), {}}}, {testsFail(1, 1, output), testsPass()}),
        {});
    const json requested = bodies(run, EventKind::CorrectionRequested).at(0);
    const auto feedback = requested["feedback"].get<std::string>();
    QVERIFY2(feedback.find("<output>E   assert f('Aa') is True\ndone\n1 failed</output>") !=
                 std::string::npos,
             feedback.c_str());
    QVERIFY(feedback.find("<previous_code>bad\n</previous_code>") != std::string::npos);
    QVERIFY(feedback.find("<error>1 of 2 tests failed</error>") != std::string::npos);
    QVERIFY(promptOf(run, 1).find(feedback) != std::string::npos);
    QCOMPARE(requested["error"].dump(), "\"1 of 2 tests failed\"");
    // the trace keeps the colours
    QVERIFY(bodies(run, EventKind::VerifyFinished)
                .at(0)["output"]
                .get<std::string>()
                .starts_with("\x1B[31m"));
}

void TestCodeLoop::anEscalationTellsEverything()
{
    const LoopRun run = runLoop(scriptWith({{block("one"), {}}, {"two", {}}, {block("three"), {}}},
                                           {testsFail(), testsFail(0, 2, "E   last")}),
                                {});
    const json opened = bodies(run, EventKind::EscalationOpened).at(0);
    QCOMPARE(opened["reason"].dump(), "\"attempts_exhausted\"");
    QCOMPARE(opened["by"].dump(), "\"loop\"");
    QCOMPARE(opened["attempts"].size(), 3U);
    QCOMPARE(opened["attempts"][0]["solution"].dump(), "\"one\\n\"");
    QCOMPARE(opened["attempts"][1]["category"].dump(), "\"no_code_block\"");
    QCOMPARE(opened["attempts"][2]["counts"]["failed"].get<int>(), 2);
    QCOMPARE(opened["last_feedback"].dump(), "\"2 of 2 tests failed\\nE   last\"");

    const LoopRun gate = runLoop(
        scriptWith({{block("one"), {}}, {block("two"), {}}}, {testsPass(), testsFail()}), {});
    const json both = bodies(gate, EventKind::EscalationOpened).at(0)["attempts"];
    QCOMPARE(both.size(), 2U);
    QCOMPARE(both[0]["candidate"].dump(), "\"first\"");
    QCOMPARE(both[0]["solution"].dump(), "\"one\\n\"");
    QCOMPARE(both[1]["candidate"].dump(), "\"second\"");
    QCOMPARE(both[1]["solution"].dump(), "\"two\\n\"");
}

void TestCodeLoop::theGateShowsItsTable()
{
    const LoopRun run = runLoop(
        scriptWith({{block("a"), {}}}, {testsPass(5), testsPass(5), testsPass(3), testsFail(2, 1)}),
        {});
    const json gate = bodies(run, EventKind::GateFinished).at(0);
    QCOMPARE(gate["verdict"].dump(), "\"disagreement\"");
    QCOMPARE(gate["why"].dump(), "\"second_failed_edge_tests\"");
    QCOMPARE(gate["held_out"].dump(), "true");
    std::string table;
    for (const json &row : gate["table"])
        table += row["solution"].get<std::string>() + " " + row["suite"].get<std::string>() + " " +
                 row["passed"].dump() + "/" + row["total"].dump() + "\n";
    QCOMPARE(table, std::string("first tests 5/5\nfirst edge_tests 3/3\nsecond tests 5/5\n"
                                "second edge_tests 2/3\n"));
}

void TestCodeLoop::nothingIsJudgedWithoutAVerifier()
{
    const LoopRun run = runLoop(
        scriptWith({{block("x"), {}}}, {cannotVerify("not_installed", "install pytest")}), {});
    QCOMPARE(run.finish["outcome"].dump(), "\"failed\"");
    QCOMPARE(run.finish["reason"].dump(), "\"verifier_unavailable\"");
    QCOMPARE(run.finish["failure"]["class"].dump(), "\"verifier_unavailable\"");
    QCOMPARE(run.finish["failure"]["message"].dump(), "\"install pytest\"");
    QCOMPARE(run.finish["failure"]["detail"].dump(), "\"not_installed\"");
    QVERIFY(bodies(run, EventKind::CorrectionRequested).empty());
    const json finished = bodies(run, EventKind::VerifyFinished).at(0);
    QCOMPARE(finished["judged"].dump(), "false");

    const LoopRun none = runLoop(scriptWith({{block("x"), {}}}, {}), {});
    QCOMPARE(none.finish["reason"].dump(), "\"verifier_unavailable\"");
    const LoopRun odd = runLoop(scriptWith({{block("x"), {}}}, {VerifyOutcome{}}), {});
    QCOMPARE(odd.finish["reason"].dump(), "\"verifier_unavailable\"");
    // in the gate as well
    const LoopRun late = runLoop(scriptWith({{block("x"), {}}}, {testsPass(), testsPass(),
                                                                 cannotVerify("no_tests", "none")}),
                                 {});
    QCOMPARE(late.finish["reason"].dump(), "\"verifier_unavailable\"");
}

void TestCodeLoop::theTimeOfTheRunIsNotTheAttemptsFault()
{
    LoopScript script = scriptWith({{block("x"), {}}}, {testsFail()});
    script.task.bounds.maxSeconds = 3;
    script.task.bounds.maxAttempts = 1;
    script.callUs = 2'000'000;
    const LoopRun run = runLoop(script, {});
    QCOMPARE(run.finish["reason"].dump(), "\"budget:max_seconds\"");
    QCOMPARE(run.finish["missing"].dump(), "[\"solution that passes the tests\"]");
}

void TestCodeLoop::whatIsKeptOfAVerificationIsBounded()
{
    VerifyOutcome huge = testsPass(3000);
    huge.output = std::string(500'000, 'x') + "\xFF end";
    huge.outputBytes = 9'000'000;
    LoopScript script = scriptWith({{block("x"), {}}}, {huge});
    script.task.code.gate = false;
    const LoopRun run = runLoop(script, {});
    const json finished = bodies(run, EventKind::VerifyFinished).at(0);
    QCOMPARE(finished["tests"].size(), 1000U);
    QCOMPARE(finished["tests_left_out"].get<int>(), 2000);
    QCOMPARE(finished["counts"]["passed"].get<int>(), 3000);
    QVERIFY(finished["output"].get<std::string>().size() <= 65536 + 2);
    QVERIFY(finished["output"].get<std::string>().ends_with("\xEF\xBF\xBD end"));
    QVERIFY(finished.contains("output_b64"));
    QCOMPARE(finished["output_bytes"].get<int>(), 9'000'000);
}

void TestCodeLoop::aKillNamesTheVerificationInFlight_data()
{
    QTest::addColumn<bool>("killed");
    QTest::addColumn<bool>("edge"); // in the gate
    QTest::addColumn<bool>("late"); // the verifier finished nevertheless
    QTest::newRow("killed") << true << false << false;
    QTest::newRow("escalated") << false << false << false;
    QTest::newRow("killed in the gate") << true << true << false;
    QTest::newRow("killed too late") << true << false << true;
}

void TestCodeLoop::aKillNamesTheVerificationInFlight()
{
    QFETCH(bool, killed);
    QFETCH(bool, edge);
    QFETCH(bool, late);
    CodeWorld world(block("x"), [&](const VerifyRequest &request, const CallContext &context) {
        if ((request.suite == "edge_tests") != edge)
            return testsPass();
        killed ? world.control.kill() : world.control.escalate("look");
        world.clock.advance(20'000);
        return late || !context.stop.stop_requested() ? testsPass() : VerifyOutcome{};
    });
    const auto result = world.run(scriptWith({}, {}).task);
    QVERIFY(result->outcome == (killed ? Outcome::Killed : Outcome::Escalated));
    const json receipt =
        world.sink.bodiesOf(killed ? EventKind::ControlKilled : EventKind::ControlEscalated).at(0);
    const json inFlight = receipt["in_flight"].at(0);
    QCOMPARE(inFlight["what"].dump(), "\"verify\"");
    QCOMPARE(inFlight["name"].dump(), edge ? "\"edge_tests of step_1\"" : "\"tests of step_1\"");
    QCOMPARE(inFlight["fate"].dump(), late ? "\"finished, result dropped\"" : "\"aborted\"");
    QCOMPARE(receipt["quiet_after_us"].get<int>(), 20'000);
    const json last = world.sink.bodiesOf(EventKind::VerifyFinished).back();
    QCOMPARE(last["cause"].dump(), "\"cancelled\"");
    QCOMPARE(last["duration_us"].get<int>(), 20'000);
    QCOMPARE(world.sink.bodiesOf(EventKind::VerifyStarted).size(),
             world.sink.bodiesOf(EventKind::VerifyFinished).size());
    if (!killed)
        QCOMPARE(world.sink.bodiesOf(EventKind::EscalationOpened).at(0)["by"].dump(), "\"person\"");
}

void TestCodeLoop::aKillBeforeAVerificationCountsNone()
{
    CodeWorld world(block("x"), [](const auto &, const auto &) { return testsPass(); });
    int pauses = 0;
    world.sink.onEvent = [&](const Event &event) {
        if (event.kind == EventKind::ControlPaused)
            ++pauses == 3 ? world.control.kill() : world.control.step();
    };
    world.control.pause();
    (void)world.run(scriptWith({}, {}).task);
    QVERIFY(world.verifier.asked.empty() &&
            world.verifier.prepared == 1); // the first step was that
    QVERIFY(world.sink.bodiesOf(EventKind::VerifyStarted).empty());
    const json totals = eventBody(world.sink.events.back())["totals"];
    QCOMPARE(totals["verifier_runs"].get<int>(), 0);
}

void TestCodeLoop::theSummaryIsWhatTheEventsSay()
{
    const LoopRun run = runLoop(
        scriptWith(
            {{"no block", {}}, {block("bad"), {}}, {block("good"), {}}, {block("other"), {}}},
            {testsFail(), testsPass()}),
        {});
    RunSummary summary;
    for (const Event &event : run.events)
        summary.add(event);
    const json out = summary.toJson();
    QCOMPARE(out["outcome"].dump(), "\"satisfied\"");
    QCOMPARE(out["solution"].dump(), "\"good\\n\"");
    QCOMPARE(out["attempts"].size(), 4U);
    QCOMPARE(out["attempts"][0]["cause"].dump(), "\"no_code_block\"");
    QCOMPARE(out["attempts"][1]["passed"].dump(), "false");
    QCOMPARE(out["attempts"][1]["tests"]["failed"].get<int>(), 1);
    QCOMPARE(out["attempts"][2]["passed"].dump(), "true");
    QCOMPARE(out["attempts"][3]["candidate"].dump(), "\"second\"");
    QCOMPARE(out["gate"]["verdict"].dump(), "\"confirmed\"");
    QCOMPARE(out["gate"]["table"].size(), 4U);
    QCOMPARE(out["corrections"].size(), 2U);
    QCOMPARE(out["corrections"][1]["resolved"].dump(), "true");
    QCOMPARE(out["verifier_runs"].get<int>(), 5);
    QCOMPARE(out["stages"][1]["result"].dump(), "\"tests_failed\"");
    QCOMPARE(out["stages"][2]["result"].dump(), "\"passed\"");
    // and a run of another mode has none of it
    LoopScript react;
    react.task.goal = "g";
    react.replies = {{final(true), {}}};
    RunSummary plain;
    for (const Event &event : runLoop(react, {}).events)
        plain.add(event);
    QVERIFY(!plain.toJson().contains("attempts"));
}

void TestCodeLoop::aGoalBesideTheSpecIsSaidToo()
{
    LoopScript script = scriptWith({{block("x"), {}}}, {testsPass()});
    script.task.goal = "a goal & more";
    script.task.code.solutionName = "f.py";
    const LoopRun run = runLoop(script, {});
    QVERIFY(promptOf(run, 0).find("a goal &amp; more\n\nwrite f") != std::string::npos);
    const std::string system =
        renderCodePrompt({"x", 1, "a {{language}} b {{file}}"}, script.task.code);
    QVERIFY(system.starts_with("a python b "));
    QVERIFY(system.find("f.py") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCodeLoop)
#include "tst_codeloop.moc"
