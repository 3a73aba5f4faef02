// SPDX-License-Identifier: GPL-3.0-or-later
// Replay, forks and their spread in the window.
#include <QAction>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include "tests/ui/fakeengine.h"
#include "ui/run/differencepanel.h"
#include "ui/run/runview.h"
#include "ui/shell/background.h"
#include "ui/shell/forkdialog.h"
#include "ui/shell/forkpage.h"

using namespace Qt::StringLiterals;
using namespace emend;
using namespace emend::ui;

namespace {

// Forks and replays end as they are told to.
class ForkEngine : public test::FakeEngine {
public:
    ~ForkEngine() override { Background::waitForAll(); } // they use it
    std::optional<core::Difference> difference;
    std::atomic<int> forks = 0;
    std::vector<int> steps;

    core::Result<core::RunReport> fork(const core::Fork &fork, const core::Task &task,
                                       const std::string &traceFile, core::RunControl &control,
                                       core::RunListener &listener) override
    {
        ++forks;
        steps.push_back(fork.step);
        auto report = run(task, traceFile, control, listener);
        if (report)
            report->difference = difference;
        return report;
    }
    core::Result<core::RunReport> replay(const std::string &, const std::string &traceFile,
                                         core::RunControl &control,
                                         core::RunListener &listener) override
    {
        auto report = run({}, traceFile, control, listener);
        if (report)
            report->difference = difference;
        return report;
    }
};

} // namespace

class TestForkPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalForksStandBesideTheRecordedRun();
    void aKillStopsThisRunAndStartsNoOther();
    void aReplayThatIsTheSameSaysSo();
    void aDifferenceIsShownWithItsDiff();
    void theDialogGivesStepTaskAndTimes();
};

void TestForkPage::severalForksStandBesideTheRecordedRun()
{
    ForkEngine engine;
    engine.script = {{}};
    ForkPage page(engine, {"a.trace.jsonl", 2}, {}, 3);
    page.show();
    QTRY_VERIFY(!page.isLive());
    QCOMPARE(page.finishedRuns(), 3);
    QCOMPARE(engine.forks.load(), 3);
    QCOMPARE(engine.steps, (std::vector<int>{2, 2, 2}));
    auto *table = page.findChild<QTableWidget *>(u"forkTable"_s);
    QCOMPARE(table->rowCount(), 4); // and the recorded one
    for (int row = 1; row <= 3; ++row)
        QCOMPARE(table->item(row, 1)->text(), u"Satisfied"_s);
    QCOMPARE(page.findChild<QLabel *>(u"forkOutcomes"_s)->text(), u"3 × Satisfied"_s);
    QVERIFY(!page.findChild<QPushButton *>(u"forkKill"_s)->isEnabled());
}

void TestForkPage::aKillStopsThisRunAndStartsNoOther()
{
    ForkEngine engine;
    test::FakeEffect slow;
    slow.workMs = 60'000;
    engine.script = {slow};
    ForkPage page(engine, {"a.trace.jsonl", 1}, {}, 3);
    page.show();
    QTRY_COMPARE(engine.forks.load(), 1);
    QTest::mouseClick(page.findChild<QPushButton *>(u"forkKill"_s), Qt::LeftButton);
    QTRY_VERIFY(!page.isLive());
    QCOMPARE(engine.forks.load(), 1);
    QCOMPARE(page.finishedRuns(), 1);
    auto *table = page.findChild<QTableWidget *>(u"forkTable"_s);
    QCOMPARE(table->item(1, 1)->text(), u"Killed"_s);
    QCOMPARE(table->item(3, 1)->text(), u"not started"_s);
}

void TestForkPage::aReplayThatIsTheSameSaysSo()
{
    ForkEngine engine;
    engine.script = {{}};
    RunView view(engine);
    view.show();
    view.startReplay(u"a.trace.jsonl"_s);
    auto *panel = view.findChild<DifferencePanel *>();
    QTRY_VERIFY(panel->isVisible());
    QVERIFY(panel->text().startsWith(u"The same as recorded"_s));
}

void TestForkPage::aDifferenceIsShownWithItsDiff()
{
    ForkEngine engine;
    engine.script = {{}};
    engine.difference = core::Difference{7, "step_2", "the prompt is <b>not</b> the recorded one",
                                         "@@ -1,1 +1,1 @@\n-old\n+new <i>\n"};
    RunView view(engine);
    view.show();
    view.startReplay(u"a.trace.jsonl"_s);
    auto *panel = view.findChild<DifferencePanel *>();
    QTRY_VERIFY(panel->isVisible());
    QVERIFY(panel->text().contains(u"event 7: the prompt is <b>not</b>"_s)); // foreign, and plain
    QVERIFY(panel->findChild<QPlainTextEdit *>(u"diff"_s)->toPlainText().contains(u"+new <i>"_s));
}

void TestForkPage::theDialogGivesStepTaskAndTimes()
{
    ForkEngine engine;
    core::Task task;
    task.goal = "before";
    ForkDialog dialog(engine, task, 2, 5);
    dialog.show();
    QSignalSpy asked(&dialog, &ForkDialog::forkRequested);
    int step = 0, times = 0;
    core::Task changed;
    connect(&dialog, &ForkDialog::forkRequested, this,
            [&](int s, const core::Task &t, int n) { step = s, changed = t, times = n; });
    QCOMPARE(dialog.findChild<QSpinBox *>(u"forkStep"_s)->value(), 2);
    QCOMPARE(dialog.findChild<QSpinBox *>(u"forkStep"_s)->maximum(), 5);
    dialog.findChild<QSpinBox *>(u"forkStep"_s)->setValue(4);
    dialog.findChild<QSpinBox *>(u"forkTimes"_s)->setValue(3);
    auto *goal = dialog.findChild<QPlainTextEdit *>(u"forkGoal"_s);
    goal->selectAll();
    QTest::keyClicks(goal, u"after"_s);
    QTest::mouseClick(dialog.findChild<QPushButton *>(u"forkButton"_s), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(step, 4);
    QCOMPARE(times, 3);
    QCOMPARE(changed.goal, std::string("after"));
}

QTEST_MAIN(TestForkPage)
#include "tst_forkpage.moc"
