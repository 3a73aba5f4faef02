// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of every run (design section 5), against a model and tools that do their worst.
#include <QTest>

#include <random>

#include "core/loop/bound.h"
#include "tests/core/looprun.h"

using namespace emend::core;
using namespace emend::tests;
using nlohmann::json;

namespace {

// A random script: good and bad decisions, transport errors, failing and slow tools, random bounds.
class Adversary {
public:
    explicit Adversary(unsigned seed)
        : m_random(seed)
    {}

    LoopScript script()
    {
        LoopScript out;
        Task &task = out.task;
        task.goal = "the goal";
        task.bounds.maxActions = pick(6);
        task.bounds.maxCorrections = pick(4);
        task.bounds.maxToolRetries = pick(3);
        task.model.transport.maxRetries = pick(3);
        task.model.maxOutputTokens = 50 + pick(500);
        task.breaker.failureThreshold = 1 + pick(4);
        task.breaker.cooldownSeconds = pick(3);
        task.repeatGuard = pick(2) ? RepeatGuard::Run : RepeatGuard::UntilChange;
        task.acceptWrappers = pick(4) != 0;
        if (pick(3) == 0)
            task.bounds.maxModelCalls = pick(12);
        if (pick(3) == 0)
            task.bounds.maxTokens = 200 + pick(20'000);
        if (pick(3) == 0) {
            task.bounds.maxCostUsd = 0.001 * pick(40);
            out.price = Price{1.0 + pick(5), 2.0 + pick(9)};
        }
        if (pick(4) == 0)
            task.bounds.maxSeconds = 1 + pick(4), out.callUs = pick(900'000);
        for (int i = 0; i < 80; ++i)
            out.replies.push_back(reply(task.model.maxOutputTokens));
        for (int i = 0; i < 20; ++i) {
            Tries tries;
            for (int t = 0; t < 4; ++t)
                tries.push_back(outcome());
            out.actions.push_back(std::move(tries));
        }
        return out;
    }

    LoopScript codeScript()
    {
        LoopScript out;
        Task &task = out.task;
        task.mode = Mode::Code;
        task.goal = task.code.spec = "the spec";
        task.code.tests = "tests";
        task.code.edgeTests = pick(3) ? edgeTests : "";
        task.code.gate = pick(4) != 0;
        if (pick(2) == 0) {
            task.code.generator = {"generate"};
            task.code.compareFunction = "f";
        }
        if (pick(30) == 0)
            out.preparation = pick(2) ? VerifyOutcome{} : cannotVerify("no_tests", garbage());
        task.code.showTests = pick(2) == 0;
        task.bounds.maxAttempts = 1 + pick(4);
        task.model.transport.maxRetries = pick(3);
        task.model.maxOutputTokens = 50 + pick(500);
        task.acceptWrappers = pick(4) != 0;
        if (pick(3) == 0)
            task.bounds.maxModelCalls = pick(6);
        if (pick(3) == 0)
            task.bounds.maxTokens = 200 + pick(8'000);
        if (pick(4) == 0)
            task.bounds.maxSeconds = 1 + pick(4), out.callUs = pick(900'000);
        for (int i = 0; i < 20; ++i)
            out.replies.push_back(codeReply(task.model.maxOutputTokens));
        for (int i = 0; i < 12; ++i)
            out.verdicts.push_back(verdictOf());
        return out;
    }

    static constexpr const char *edgeTests = "HELD-OUT";

private:
    int pick(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }

    std::string garbage()
    {
        std::string out;
        for (int i = pick(40); i > 0; --i)
            out += static_cast<char>(pick(256));
        return out;
    }

    ToolOutcome outcome()
    {
        switch (pick(6)) {
        case 0:
        case 1:
            return ToolOutcome::failed("no " + garbage());
        case 2:
            return ToolOutcome::timeout("late");
        case 3:
            return ToolOutcome::succeeded(
                std::string(static_cast<std::size_t>(pick(20) ? 300 : pick(90'000)), 'x'));
        default:
            return ToolOutcome::succeeded("found " + std::to_string(pick(9)) + garbage());
        }
    }

    VerifyOutcome verdictOf()
    {
        const char *causes[] = {"tests_failed", "timeout",   "crashed", "collection_error",
                                "no_report",    "exit_code", "flipped", ""};
        if (pick(40) == 0)
            return cannotVerify("not_installed", "install " + garbage());
        if (pick(80) == 0)
            return {};
        if (pick(3) != 0)
            return testsPass(pick(5));
        return verdict(VerifyOutcome::Kind::Failed, causes[pick(8)], pick(4), pick(4),
                       std::string(static_cast<std::size_t>(pick(3000)), 'E') + garbage());
    }

    Reply codeReply(int maxTokens)
    {
        const std::string code = "```python\nx = " + std::to_string(pick(9)) + "\n```";
        switch (pick(9)) {
        case 0:
            return {garbage(), {}};
        case 1:
            return {code + code + garbage(), {}};
        case 2:
            return {
                "```\n" + std::string(static_cast<std::size_t>(maxTokens) * 4 - 4, '`'), {}, true};
        case 3:
            return {
                {},
                TransportError{static_cast<TransportClass>(pick(15)), "net", pick(3) != 0,
                               pick(2) ? std::optional<std::int64_t>(pick(90'000)) : std::nullopt,
                               garbage()}};
        default:
            return {garbage() + "\n" + code + "\n" + garbage(), {}};
        }
    }

    Reply reply(int maxTokens)
    {
        const char *tools[] = {"search_notes", "lookup_id", "write_note"};
        const json inputs[] = {
            {{"query", "a"}}, {{"id", pick(3)}}, {{"path", "p"}, {"text", "[1]"}}};
        const int which = pick(3);
        std::string text = action(tools[which], inputs[which]);
        switch (pick(12)) {
        case 0:
            text = garbage();
            break;
        case 1:
            text.resize(text.size() / 2);
            break;
        case 2:
            text = final(pick(2) == 0);
            break;
        case 3:
            text = action("nowhere", json::object());
            break;
        case 4:
            text = action("lookup_id", {{"id", "one"}});
            break;
        case 5:
            text = std::string(static_cast<std::size_t>(maxTokens) * 4, '{');
            break;
        case 6:
            return {
                {},
                TransportError{static_cast<TransportClass>(pick(15)), "net", pick(3) != 0,
                               pick(2) ? std::optional<std::int64_t>(pick(90'000)) : std::nullopt,
                               garbage()}};
        default:
            break;
        }
        if (pick(9) == 0)
            text = "```json\n" + text + "\n```";
        return {text, {}};
    }

    std::mt19937 m_random;
};

// Of every run: one outcome, at the end, and a trace without gaps. Empty: as it should be.
std::string brokenTrace(const LoopRun &run)
{
    std::uint64_t seq = 0;
    std::int64_t time = 0;
    int finished = 0, permitsOpen = 0;
    for (const Event &event : run.events) {
        if (event.seq != ++seq || event.tUs < time || eventBody(event).is_discarded())
            return " at event " + std::to_string(seq);
        time = event.tUs;
        finished += event.kind == EventKind::RunFinished ? 1 : 0;
    }
    for (const auto &[name, breaker] : run.result.breakers)
        permitsOpen += breaker.openPermits();
    if (finished != 1 || run.events.back().kind != EventKind::RunFinished)
        return " has not one end";
    if (permitsOpen != 0)
        return " keeps a permit";
    return run.finish["outcome"] == outcomeName(run.result.outcome) ? "" : " differs in outcome";
}

} // namespace

class TestAdversary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noModelExceedsTheBound();
    void aScenarioReachesTheBoundExactly();
    void noModelExceedsTheBoundOfCode();
    void aScenarioReachesTheBoundOfCodeExactly_data();
    void aScenarioReachesTheBoundOfCodeExactly();
};

void TestAdversary::noModelExceedsTheBound()
{
    const auto tools = caseTools();
    std::map<std::string, int> ends;
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        const LoopScript script = Adversary(seed).script();
        const Bound worst = bound(script.task, true, script.price);
        const LoopRun run = runLoop(script, tools);
        const QByteArray where = "seed " + QByteArray::number(seed);
        const json totals = run.finish["totals"];
        const auto total = [&](const char *key) { return totals[key].get<std::int64_t>(); };
        QVERIFY2(total("model_calls") <= worst.modelCalls, where);
        QVERIFY2(total("model_requests") <= worst.modelRequests, where);
        QVERIFY2(static_cast<std::int64_t>(run.requests.size()) == total("model_requests"), where);
        QVERIFY2(total("tool_executions") <= worst.toolExecutions, where);
        QVERIFY2(static_cast<std::int64_t>(run.executed.size()) == total("tool_executions"), where);
        QVERIFY2(total("tokens_in") + total("tokens_out") <= worst.tokens, where);
        if (worst.costUsd)
            QVERIFY2(totals["cost_usd"].get<double>() <= *worst.costUsd + 1e-9, where);
        if (worst.seconds)
            QVERIFY2(total("duration_us") <= *worst.seconds * 1'000'000, where);

        const std::string broken = brokenTrace(run);
        QVERIFY2(broken.empty(), where + broken.c_str());
        if (run.result.outcome == Outcome::Satisfied)
            QVERIFY2(run.finish["reason"] == "final", where);
        ++ends[run.result.reason];
    }
    // The adversary is worth something only if it gets everywhere.
    for (const char *reason :
         {"final", "corrections_exhausted", "action_limit", "budget:max_tokens",
          "budget:max_model_calls", "budget:max_cost_usd", "budget:max_seconds"})
        QVERIFY2(ends[reason] > 0, reason);
}

void TestAdversary::aScenarioReachesTheBoundExactly()
{
    LoopScript script;
    script.task.goal = "the goal";
    script.task.breaker.failureThreshold = 1000;
    for (int slot = 1; slot <= 9; ++slot) {
        script.replies.push_back({"not json", {}});
        script.replies.push_back({"[]", {}});
        script.replies.push_back(
            {slot < 9 ? action("lookup_id", {{"id", slot}}) : final(false), {}});
    }
    script.actions.assign(8, Tries{ToolOutcome::failed("no"), ToolOutcome::failed("no")});
    const LoopRun run = runLoop(script, caseTools());
    const Bound worst = bound(script.task, true, {});
    QCOMPARE(worst.modelCalls, 27);
    QCOMPARE(worst.toolExecutions, 16);
    QCOMPARE(run.finish["totals"]["model_calls"].get<std::int64_t>(), worst.modelCalls);
    QCOMPARE(run.finish["totals"]["tool_executions"].get<std::int64_t>(), worst.toolExecutions);
}

void TestAdversary::noModelExceedsTheBoundOfCode()
{
    std::map<std::string, int> ends;
    for (unsigned seed = 1; seed <= 1500; ++seed) {
        const LoopScript script = Adversary(seed).codeScript();
        const Bound worst = bound(script.task, true, script.price);
        const LoopRun run = runLoop(script, {});
        const QByteArray where = "seed " + QByteArray::number(seed);
        const json totals = run.finish["totals"];
        const auto total = [&](const char *key) { return totals[key].get<std::int64_t>(); };
        QVERIFY2(total("model_calls") <= worst.modelCalls, where);
        QVERIFY2(total("model_requests") <= worst.modelRequests, where);
        QVERIFY2(static_cast<std::int64_t>(run.requests.size()) == total("model_requests"), where);
        QVERIFY2(total("verifier_runs") <= worst.verifierRuns, where);
        QVERIFY2(static_cast<std::int64_t>(run.verified.size()) == total("verifier_runs"), where);
        QVERIFY2(total("tokens_in") + total("tokens_out") <= worst.tokens, where);
        QVERIFY2(total("tool_executions") == 0 && worst.toolExecutions == 0, where);
        if (worst.seconds)
            QVERIFY2(total("duration_us") <= *worst.seconds * 1'000'000, where);
        const std::string broken = brokenTrace(run);
        QVERIFY2(broken.empty(), where + broken.c_str());
        // satisfied only if real tests said so, in the last judgement of what is handed over
        if (run.result.outcome == Outcome::Satisfied)
            QVERIFY2(run.result.reason == (script.task.code.gate ? "confirmed" : "final"), where);
        for (const auto &request : run.requests)
            for (const Message &message : request)
                QVERIFY2(message.text.find(Adversary::edgeTests) == std::string::npos, where);
        ++ends[run.result.reason];
    }
    for (const char *reason :
         {"final", "confirmed", "disagreement", "attempts_exhausted", "verifier_unavailable",
          "budget:max_tokens", "budget:max_model_calls", "budget:max_seconds"})
        QVERIFY2(ends[reason] > 0, reason);
}

void TestAdversary::aScenarioReachesTheBoundOfCodeExactly_data()
{
    QTest::addColumn<bool>("gate");
    QTest::addColumn<bool>("edge");
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("runs");
    QTest::addColumn<bool>("generator");
    QTest::newRow("as it is") << true << true << 4 << 6 << false;
    QTest::newRow("no edge tests") << true << false << 4 << 4 << false;
    QTest::newRow("no gate") << false << true << 3 << 3 << false;
    QTest::newRow("generated inputs") << true << true << 4 << 7 << true;
    QTest::newRow("generated inputs alone") << true << false << 4 << 5 << true;
    QTest::newRow("a generator without a gate") << false << true << 3 << 3 << true;
}

void TestAdversary::aScenarioReachesTheBoundOfCodeExactly()
{
    QFETCH(bool, gate);
    QFETCH(bool, edge);
    QFETCH(int, calls);
    QFETCH(int, runs);
    QFETCH(bool, generator);
    LoopScript script;
    if (generator)
        script.task.code.generator = {"generate"};
    script.task.mode = Mode::Code;
    script.task.goal = script.task.code.spec = "the spec";
    script.task.code.tests = "tests";
    script.task.code.edgeTests = edge ? "edge" : "";
    script.task.code.gate = gate;
    script.replies = {{"```\nx\n```", {}}};
    script.verdicts = {testsFail(), testsFail(), testsPass()};
    const Bound worst = bound(script.task, false, {});
    QCOMPARE(worst.modelCalls, calls);
    QCOMPARE(worst.verifierRuns, runs);
    const LoopRun run = runLoop(script, {});
    QCOMPARE(run.finish["totals"]["model_calls"].get<std::int64_t>(), worst.modelCalls);
    QCOMPARE(run.finish["totals"]["verifier_runs"].get<std::int64_t>(), worst.verifierRuns);
}

QTEST_GUILESS_MAIN(TestAdversary)
#include "tst_adversary.moc"
