// SPDX-License-Identifier: GPL-3.0-or-later
// The gate before each effect: what a person does while something is due and has not begun.
#include <QTest>

#include "core/run/runner.h"
#include "core/trace/summary.h"
#include "tests/core/looprun.h"
#include "tests/fakes/fakeprovider.h"
#include "tests/fakes/faketool.h"

using namespace emend::core;
using namespace emend::tests;
using nlohmann::json;

namespace {

// A run of one clock action and a final decision, and a person who acts at the pauses.
struct Scene {
    FakeClock clock;
    FakeSink sink;
    RunControl control{clock};
    FakeTool tool{"clock"};
    FakeProvider provider{{action("clock", json::object()), final(false)}};
    RunSetup setup;
    Result<RunResult> result = fail(ErrorCode::NotFound, "not run");
    int pauses = 0;
    std::function<void(int)> onPause;

    Scene()
    {
        setup.task.goal = "g";
        setup.prompt = {"t", 1, "p"};
        setup.tools = {tool.spec()};
        setup.toolsByName = {{"clock", &tool}};
        setup.provider = &provider;
        setup.clock = &clock;
        setup.sink = &sink;
        setup.control = &control;
        setup.runId = "r";
        sink.onEvent = [this](const Event &event) {
            if (event.kind == EventKind::ControlPaused && onPause)
                onPause(++pauses);
        };
    }

    void run() { result = emend::core::run(setup); }

    json finish() const { return eventBody(sink.events.back()); }
    int count(EventKind kind) const { return static_cast<int>(sink.bodiesOf(kind).size()); }
    // Totals of run.finished are what the events say.
    bool totalsAgree() const
    {
        const json totals = finish()["totals"];
        return totals["model_requests"] == count(EventKind::ModelRequested) &&
               totals["tool_executions"] == count(EventKind::ToolStarted);
    }
};

} // namespace

class TestRunner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKillAtTheGateCountsNothingThatWasNotSent_data();
    void aKillAtTheGateCountsNothingThatWasNotSent();
    void forceOpenStopsTheExecutionThatIsDue();
    void forceOpenOfTheProviderStopsTheCallThatIsDue();
    void aResetIsRecordedEvenIfTheBreakerIsClosed();
    void waitingForAPersonDoesNotCountAgainstTheTime();
    void aKillOutranksAnEscalation();
    void permitsComeBackWhenTheTraceCannotBeWritten_data();
    void permitsComeBackWhenTheTraceCannotBeWritten();
};

void TestRunner::aKillAtTheGateCountsNothingThatWasNotSent_data()
{
    QTest::addColumn<int>("pause");
    QTest::newRow("before the first model call") << 1;
    QTest::newRow("before the tool") << 2;
    QTest::newRow("before the last model call") << 3;
}

void TestRunner::aKillAtTheGateCountsNothingThatWasNotSent()
{
    QFETCH(int, pause);
    Scene scene;
    scene.onPause = [&](int n) { n == pause ? scene.control.kill() : scene.control.step(); };
    scene.control.pause();
    scene.run();
    QVERIFY(scene.result->outcome == Outcome::Killed);
    QVERIFY2(scene.totalsAgree(), scene.sink.events.back().line.c_str());
    QCOMPARE(scene.finish()["totals"]["model_calls"].get<int>(),
             scene.count(EventKind::ModelRequested));
    QCOMPARE(scene.sink.bodiesOf(EventKind::ControlKilled).at(0)["in_flight"].size(), 0U);
    for (const auto &[name, breaker] : scene.result->breakers)
        QCOMPARE(breaker.openPermits(), 0);
}

void TestRunner::forceOpenStopsTheExecutionThatIsDue()
{
    Scene scene;
    scene.onPause = [&](int n) {
        if (n == 2) { // the tool is due
            scene.control.breaker({"clock", BreakerCommandKind::ForceOpen});
            scene.control.resume();
        } else {
            scene.control.step();
        }
    };
    scene.control.pause();
    scene.run();
    QVERIFY(scene.tool.inputs.empty());
    QCOMPARE(scene.count(EventKind::ToolStarted), 0);
    QCOMPARE(scene.sink.bodiesOf(EventKind::ToolSkipped).at(0)["reason"].dump(),
             "\"breaker_forced_open\"");
    QVERIFY(scene.totalsAgree());
    QVERIFY(scene.result->reason == "final");
}

void TestRunner::forceOpenOfTheProviderStopsTheCallThatIsDue()
{
    Scene scene;
    scene.onPause = [&](int) {
        scene.control.breaker({"provider:practice", BreakerCommandKind::ForceOpen});
        scene.control.resume();
    };
    scene.control.pause();
    scene.run();
    QVERIFY(scene.provider.asked.empty());
    QVERIFY(scene.result->outcome == Outcome::Failed);
    QCOMPARE(scene.result->reason, std::string("transport:breaker_open"));
    const json failure = scene.sink.bodiesOf(EventKind::RunFinished).at(0)["failure"];
    QCOMPARE(failure["class"].dump(), "\"breaker_open\""); // no connection was tried
    QVERIFY(scene.totalsAgree());
}

void TestRunner::aResetIsRecordedEvenIfTheBreakerIsClosed()
{
    Scene scene;
    scene.onPause = [&](int) {
        scene.control.breaker({"clock", BreakerCommandKind::Reset});
        scene.control.resume();
    };
    scene.control.pause();
    scene.run();
    const json change = scene.sink.bodiesOf(EventKind::BreakerChanged).at(0);
    QCOMPARE(change["why"].dump(), "\"person\"");
    QCOMPARE(change["to"].dump(), "\"closed\"");
}

void TestRunner::waitingForAPersonDoesNotCountAgainstTheTime()
{
    Scene scene;
    scene.setup.task.bounds.maxSeconds = 5;
    scene.onPause = [&](int) {
        scene.clock.advance(60'000'000);
        scene.control.resume();
    };
    scene.control.pause();
    scene.run();
    QCOMPARE(scene.result->reason, std::string("final"));
}

void TestRunner::aKillOutranksAnEscalation()
{
    Scene scene;
    scene.onPause = [&](int) {
        scene.control.escalate("look");
        scene.clock.advance(1000);
        scene.control.kill();
        scene.control.escalate("too late");
    };
    scene.control.pause();
    scene.run();
    QVERIFY(scene.result->outcome == Outcome::Killed);
    const json receipt = scene.sink.bodiesOf(EventKind::ControlKilled).at(0);
    QCOMPARE(receipt["quiet_after_us"].get<int>(), 0); // measured from the kill
}

void TestRunner::permitsComeBackWhenTheTraceCannotBeWritten_data()
{
    QTest::addColumn<int>("written");
    for (int i = 1; i < 10; ++i) // a whole run writes ten events
        QTest::newRow(qPrintable(QString::number(i))) << i;
}

void TestRunner::permitsComeBackWhenTheTraceCannotBeWritten()
{
    QFETCH(int, written);
    Scene scene;
    scene.sink.failAfter = static_cast<std::size_t>(written);
    scene.run();
    QVERIFY(scene.result->outcome == Outcome::Failed);
    QVERIFY(scene.result->traceError);
    QCOMPARE(scene.result->reason, std::string("trace_unwritable"));
    QCOMPARE(static_cast<int>(scene.sink.events.size()), written);
    for (const auto &[name, breaker] : scene.result->breakers)
        QCOMPARE(breaker.openPermits(), 0);
}

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
