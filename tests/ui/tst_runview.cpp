// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include "fakescript.h"
#include "ui/run/lanestrip.h"
#include "ui/run/outcomebanner.h"
#include "ui/run/runview.h"
#include "ui/run/storypanel.h"

#include <algorithm>

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;

class RunViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunShowsItsEventsAndOutcome();
    void pauseStepAndResumeByButtons();
    void pauseAndStepByKeys();
    void killByButtonGivesAReceipt();
    void killByKeyFromEveryFocus();
    void escapeNeverKills();
    void killWhilePaused();
    void escalateAsksForAReason();
    void breakersAreCommanded();
    void closingDuringARunIsClean();
    void deletingDuringAFloodIsClean();
    void startingAgainReplacesTheRun();
    void aFailedStartSaysWhy();
    void aTraceOpensAtItsBeginning();
    void aTraceWithoutOutcomeSaysSo();
    void aMissingTraceSaysWhy();
    void lanesAndTableChooseTheSame();
    void tailIsFollowedOnlyAtTheEnd();
    void everyControlHasANameAndIsReachedByTab();
    void twentyThousandEventsASecondDoNotStall();
};

namespace {

// A slow effect to be interrupted.
std::vector<test::FakeEffect> slowScript()
{
    auto script = test::weatherScript(2);
    for (test::FakeEffect &effect : script)
        effect.workMs = 60;
    return script;
}

test::FakeEffect hangingTool()
{
    test::FakeEffect effect;
    effect.what = "tool";
    effect.name = "weather";
    effect.workMs = 60'000;
    effect.before = {test::draft(core::EventKind::ToolStarted, 1, -1,
                                 R"("tool":"weather","tool_input":{},"try":1)")};
    return effect;
}

QAbstractButton *button(QWidget &view, const char *name)
{
    return view.findChild<QAbstractButton *>(QString::fromLatin1(name));
}

} // namespace

void RunViewTest::aRunShowsItsEventsAndOutcome()
{
    test::FakeEngine engine;
    engine.script = test::weatherScript(2);
    RunView view(engine);
    QSignalSpy titles(&view, &RunView::titleChanged);
    QSignalSpy finished(&view, &RunView::finished);
    view.show();
    QCOMPARE(view.state(), RunState::Idle);
    view.startRun(test::weatherTask());
    QCOMPARE(view.state(), RunState::Running);
    QVERIFY(finished.wait(5000));
    QCOMPARE(view.state(), RunState::Satisfied);
    QCOMPARE(titles.last().first().toString(), u"Weather in Fahrenheit"_s);
    auto *table = view.findChild<QTableView *>(u"eventTable"_s);
    QCOMPARE(table->model()->rowCount(), view.facts().events);
    QCOMPARE(view.facts().corrections, 1);
    QCOMPARE(view.facts().actions, 3);
    auto *banner = view.findChild<OutcomeBanner *>();
    QVERIFY(banner->isVisible());
    QVERIFY(banner->text().contains(u"Satisfied"_s));
    QVERIFY(banner->text().contains(QStringLiteral("88 °F")));
    QVERIFY(!button(view, "killButton")->isVisible());
    QCOMPARE(view.chosenRow(), table->model()->rowCount() - 1);
}

void RunViewTest::pauseStepAndResumeByButtons()
{
    test::FakeEngine engine;
    engine.script = slowScript();
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTest::mouseClick(button(view, "pauseButton"), Qt::LeftButton);
    QCOMPARE(view.state(), RunState::Pausing);
    QTRY_COMPARE(view.state(), RunState::Paused);
    QCOMPARE(button(view, "pauseButton")->text(), u"Resume"_s);
    const qint64 before = view.facts().events;
    QTest::qWait(100);
    QCOMPARE(view.facts().events, before);
    QTest::mouseClick(button(view, "stepButton"), Qt::LeftButton);
    QTRY_VERIFY(view.facts().events > before + 1);
    QTRY_COMPARE(view.state(), RunState::Paused);
    QTest::mouseClick(button(view, "pauseButton"), Qt::LeftButton);
    QTRY_COMPARE(view.state(), RunState::Satisfied);
}

void RunViewTest::pauseAndStepByKeys()
{
    test::FakeEngine engine;
    engine.script = slowScript();
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    auto *table = view.findChild<QTableView *>(u"eventTable"_s);
    QTest::keyClick(table, Qt::Key_F6);
    QTRY_COMPARE(view.state(), RunState::Paused);
    const qint64 before = view.facts().modelRequests + view.facts().toolExecutions;
    QTest::keyClick(table, Qt::Key_F10);
    QTRY_COMPARE(view.facts().modelRequests + view.facts().toolExecutions, before + 1);
    QTRY_COMPARE(view.state(), RunState::Paused);
    QTest::keyClick(table, Qt::Key_F6);
    QTRY_COMPARE(view.state(), RunState::Satisfied);
}

void RunViewTest::killByButtonGivesAReceipt()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    QElapsedTimer timer;
    timer.start();
    QTest::mouseClick(button(view, "killButton"), Qt::LeftButton);
    QCOMPARE(view.state(), RunState::Stopping);
    QTRY_COMPARE(view.state(), RunState::Killed);
    qInfo("killed on screen after %lld ms, quiet after %lld us",
          static_cast<long long>(timer.elapsed()), static_cast<long long>(engine.lastQuietUs));
    QVERIFY(engine.lastQuietUs < 100'000);
    const QString text = view.findChild<OutcomeBanner *>()->text();
    QVERIFY2(text.contains(u"Killed"_s) && text.contains(u"after the click"_s) &&
                 text.contains(u"tool weather, aborted"_s),
             qPrintable(text));
}

void RunViewTest::killByKeyFromEveryFocus()
{
    for (const char *name :
         {"eventTable", "laneStrip", "storyPanel", "pauseButton", "forceOpen", "escalateReason"}) {
        test::FakeEngine engine;
        engine.script = {hangingTool()};
        RunView view(engine);
        view.show();
        view.startRun(test::weatherTask());
        QTRY_COMPARE(view.facts().toolExecutions, 1);
        view.askEscalate();
        auto *widget = view.findChild<QWidget *>(QString::fromLatin1(name));
        QVERIFY2(widget, name);
        QTest::keyClick(widget, Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(view.state(), RunState::Killed);
    }
}

void RunViewTest::escapeNeverKills()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    const auto widgets = view.findChildren<QWidget *>();
    for (QWidget *widget : widgets)
        QTest::keyClick(widget, Qt::Key_Escape);
    QTest::qWait(50);
    QCOMPARE(view.state(), RunState::Running);
    QCOMPARE(engine.runsGoingOn, 1);
}

void RunViewTest::killWhilePaused()
{
    test::FakeEngine engine;
    engine.script = slowScript();
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    view.pauseOrResume();
    QTRY_COMPARE(view.state(), RunState::Paused);
    view.kill();
    QTRY_COMPARE(view.state(), RunState::Killed);
    QVERIFY(engine.lastQuietUs < 100'000);
    QVERIFY(view.findChild<OutcomeBanner *>()->text().contains(u"nothing was in flight"_s));
}

void RunViewTest::escalateAsksForAReason()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    QTest::mouseClick(button(view, "escalateButton"), Qt::LeftButton);
    auto *reason = view.findChild<QLineEdit *>(u"escalateReason"_s);
    QVERIFY(reason->isVisible());
    QVERIFY(!button(view, "escalateConfirm")->isEnabled());
    QTest::keyClick(reason, Qt::Key_Return);
    QCOMPARE(view.state(), RunState::Running);
    QTest::keyClick(reason, Qt::Key_Escape);
    QVERIFY(!reason->isVisible());
    QCOMPARE(view.state(), RunState::Running);
    QTest::mouseClick(button(view, "escalateButton"), Qt::LeftButton);
    QTest::keyClicks(reason, u"the tool needs a password"_s);
    QTest::keyClick(reason, Qt::Key_Return);
    QTRY_COMPARE(view.state(), RunState::Escalated);
    QVERIFY(view.findChild<OutcomeBanner *>()->text().contains(u"Handed over by a person"_s));
}

void RunViewTest::breakersAreCommanded()
{
    test::FakeEngine engine;
    engine.script = slowScript();
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(int(view.facts().breakers.size()), 3);
    view.pauseOrResume();
    QTRY_COMPARE(view.state(), RunState::Paused);
    button(view, "forceOpen")->click();
    QTRY_COMPARE(view.facts().breakers.front().state, u"forced_open"_s);
    QVERIFY(!button(view, "forceOpen")->isEnabled());
    button(view, "reset")->click();
    QTRY_COMPARE(view.facts().breakers.front().state, u"closed"_s);
}

void RunViewTest::closingDuringARunIsClean()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    QElapsedTimer timer;
    timer.start();
    view.close();
    QCOMPARE(engine.runsGoingOn, 0);
    QCOMPARE(view.state(), RunState::Killed);
    QVERIFY(timer.elapsed() < 1000);
}

void RunViewTest::deletingDuringAFloodIsClean()
{
    test::FakeEngine engine;
    engine.floodPerSecond = 200'000;
    engine.floodMs = 60'000;
    for (int n = 0; n < 5; ++n) {
        auto *view = new RunView(engine);
        view->show();
        view->startRun(test::weatherTask());
        QTest::qWait(30);
        delete view;
        QCOMPARE(engine.runsGoingOn, 0);
    }
}

void RunViewTest::startingAgainReplacesTheRun()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    engine.script = test::weatherScript(1);
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.state(), RunState::Satisfied);
    QCOMPARE(view.facts().toolExecutions, 3);
}

void RunViewTest::aFailedStartSaysWhy()
{
    test::FakeEngine engine;
    engine.startError = "the folder cannot be written";
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.state(), RunState::Failed);
    QVERIFY(view.findChild<OutcomeBanner *>()->text().contains(u"the folder cannot be written"_s));
}

void RunViewTest::aTraceOpensAtItsBeginning()
{
    test::FakeEngine engine;
    for (int n = 0; n < 30'000; ++n)
        engine.traceEvents.push_back(
            core::stamp(test::draft(core::EventKind::ToolStarted, n, -1, R"("tool":"t","try":1)"),
                        std::uint64_t(n) + 1, n));
    engine.traceEvents.push_back(core::stamp(
        test::draft(core::EventKind::RunFinished, 0, -1, engine.endMembers), 30'001, 30'001));
    RunView view(engine);
    view.resize(1000, 650);
    view.show();
    view.openTrace(u"/x/a.trace.jsonl"_s);
    QCOMPARE(view.state(), RunState::Loading);
    QTRY_COMPARE(view.state(), RunState::Satisfied);
    auto *table = view.findChild<QTableView *>(u"eventTable"_s);
    QCOMPARE(table->model()->rowCount(), 30'001);
    QCOMPARE(table->verticalScrollBar()->value(), 0);
    QCOMPARE(view.chosenRow(), 0);
    QVERIFY(!button(view, "pauseButton")->isVisible());
}

void RunViewTest::aTraceWithoutOutcomeSaysSo()
{
    test::FakeEngine engine;
    engine.traceEvents = {core::stamp(
        test::draft(core::EventKind::ToolStarted, 1, -1, R"("tool":"t","try":1)"), 1, 1)};
    RunView view(engine);
    view.openTrace(u"/x/a.trace.jsonl"_s);
    QTRY_COMPARE(view.state(), RunState::NoOutcome);
    QVERIFY(
        view.findChild<OutcomeBanner *>()->text().contains(u"The trace ends before the run did"_s));
}

void RunViewTest::aMissingTraceSaysWhy()
{
    test::FakeEngine engine;
    RunView view(engine);
    view.openTrace(u"missing"_s);
    QTRY_COMPARE(view.state(), RunState::Failed);
    QVERIFY(view.findChild<OutcomeBanner *>()->text().contains(u"no such file"_s));
}

void RunViewTest::lanesAndTableChooseTheSame()
{
    test::FakeEngine engine;
    engine.script = test::weatherScript(5);
    RunView view(engine);
    view.resize(1280, 800);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.state(), RunState::Satisfied);
    auto *strip = view.findChild<LaneStrip *>(u"laneStrip"_s);
    const LaneGeometry &lanes = strip->geometryOfLanes();
    const auto items = lanes.items(Lane::Corrections, 0);
    QVERIFY(!items.empty());
    const QPointF place((items[0].left + items[0].right) / 2,
                        lanes.laneRect(Lane::Corrections).center().y());
    QTest::mouseClick(strip, Qt::LeftButton, {}, place.toPoint());
    QCOMPARE(view.chosenRow(), items[0].row);
    QTRY_COMPARE(view.findChild<QLabel *>(u"storyTitle"_s)->text(), u"Correction 1 of 2"_s);
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(view.chosenRow(), lanes.neighbour(items[0].row, 1));
    QTest::keyClick(strip, Qt::Key_Plus);
    QVERIFY(!lanes.isFitted());
    QTest::keyClick(strip, Qt::Key_0);
    QVERIFY(lanes.isFitted());
    view.chooseRow(0);
    QCOMPARE(strip->currentRow(), 0);
}

void RunViewTest::tailIsFollowedOnlyAtTheEnd()
{
    test::FakeEngine engine;
    engine.floodPerSecond = 5000;
    engine.floodMs = 60'000;
    RunView view(engine);
    view.resize(1000, 650);
    view.show();
    view.startRun(test::weatherTask());
    auto *table = view.findChild<QTableView *>(u"eventTable"_s);
    QTRY_VERIFY(table->model()->rowCount() > 500);
    QCOMPARE(table->verticalScrollBar()->value(), table->verticalScrollBar()->maximum());
    view.chooseRow(3);
    const int value = table->verticalScrollBar()->value();
    QTest::qWait(100);
    QCOMPARE(table->verticalScrollBar()->value(), value);
    QAbstractButton *jump = button(view, "jumpToLatest");
    QVERIFY(jump->isVisible());
    jump->click();
    QCOMPARE(view.chosenRow(), -1);
    QTest::qWait(100);
    QCOMPARE(table->verticalScrollBar()->value(), table->verticalScrollBar()->maximum());
    QVERIFY(!jump->isVisible());
    view.kill();
    QTRY_COMPARE(view.state(), RunState::Killed);
}

void RunViewTest::everyControlHasANameAndIsReachedByTab()
{
    test::FakeEngine engine;
    engine.script = {hangingTool()};
    RunView view(engine);
    view.resize(1280, 800);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(view.facts().toolExecutions, 1);
    view.chooseRow(0);
    view.askEscalate();
    QTest::qWait(50);
    QSet<QWidget *> reached;
    QWidget *widget = &view;
    do {
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled())
            reached.insert(widget);
        widget = widget->nextInFocusChain();
    } while (widget != &view);
    for (const char *name :
         {"killButton", "pauseButton", "stepButton", "escalateButton", "eventTable", "storyPanel",
          "laneStrip", "forceOpen", "disable", "escalateReason"}) {
        auto *found = view.findChild<QWidget *>(QString::fromLatin1(name));
        QVERIFY2(found && reached.contains(found), name);
        QVERIFY2(!found->accessibleName().isEmpty(), name);
    }
    const auto buttons = view.findChildren<QAbstractButton *>();
    for (QAbstractButton *b : buttons) {
        if (b->isVisible())
            QVERIFY2(!b->accessibleName().isEmpty() || !b->text().isEmpty(),
                     qPrintable(b->objectName()));
    }
}

void RunViewTest::twentyThousandEventsASecondDoNotStall()
{
    test::FakeEngine engine;
    engine.floodPerSecond = 20'000;
    engine.floodMs = 2000;
    RunView view(engine);
    view.resize(1280, 800);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    std::vector<double> gaps;
    QElapsedTimer since;
    QTimer ticker;
    ticker.setTimerType(Qt::PreciseTimer);
    connect(&ticker, &QTimer::timeout, this, [&] {
        gaps.push_back(double(since.nsecsElapsed()) / 1e6);
        since.restart();
    });
    view.startRun(test::weatherTask());
    since.start();
    ticker.start(4);
    QTRY_COMPARE_WITH_TIMEOUT(view.state(), RunState::Satisfied, 20'000);
    ticker.stop();
    std::sort(gaps.begin(), gaps.end());
    const auto part = [&](double p) { return gaps[std::size_t(p * double(gaps.size() - 1))]; };
    qInfo("%lld events; gap of a 4 ms tick: p50 %.1f, p99 %.1f, longest %.1f ms",
          static_cast<long long>(view.facts().events), part(0.5), part(0.99), gaps.back());
    QVERIFY(view.facts().events > 30'000);
}

QTEST_MAIN(RunViewTest)
#include "tst_runview.moc"
