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
    void returnInTheDialogForksAndPressesNothingElse();
    void anEditedPromptComesBackAfterTheBuiltIn();
    void aKilledRunIsNamedApartAndInNoSpan();
    void whatWasKeptIsNotCounted();
    void thePageSaysWhatWasChanged();
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

void TestForkPage::returnInTheDialogForksAndPressesNothingElse()
{
    ForkEngine engine;
    core::Task task;
    task.systemPrompt = "mine";
    ForkDialog dialog(engine, task, 1, 2);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto *fork = dialog.findChild<QPushButton *>(u"forkButton"_s);
    for (const auto *button : dialog.findChildren<QPushButton *>()) {
        QVERIFY2(!button->autoDefault(), qPrintable(button->text()));
        QCOMPARE(button->isDefault(), button == fork);
    }
    QSignalSpy asked(&dialog, &ForkDialog::forkRequested);
    auto *reset = dialog.findChild<QPushButton *>(u"promptReset"_s);
    auto *prompt = dialog.findChild<QPlainTextEdit *>(u"prompt"_s);
    reset->setFocus(); // the button with the focus is pressed, and not the main one
    QTest::keyClick(reset, Qt::Key_Return);
    QCOMPARE(asked.count(), 0);
    QVERIFY(prompt->isReadOnly());
    auto *times = dialog.findChild<QSpinBox *>(u"forkTimes"_s);
    times->setFocus();
    QTest::keyClick(times, Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
}

void TestForkPage::anEditedPromptComesBackAfterTheBuiltIn()
{
    ForkEngine engine;
    ForkDialog dialog(engine, {}, 1, 2);
    dialog.show();
    core::Task changed;
    connect(&dialog, &ForkDialog::forkRequested, this,
            [&](int, const core::Task &t, int) { changed = t; });
    auto *prompt = dialog.findChild<QPlainTextEdit *>(u"prompt"_s);
    auto *undo = dialog.findChild<QPushButton *>(u"promptUndo"_s);
    dialog.findChild<QPushButton *>(u"promptEdit"_s)->click();
    QTest::keyClicks(prompt, u"an hour's work"_s);
    QVERIFY(!undo->isVisible());
    dialog.findChild<QPushButton *>(u"promptReset"_s)->click();
    QCOMPARE(prompt->toPlainText(), QString());
    QVERIFY(undo->isVisible());
    undo->click();
    QCOMPARE(prompt->toPlainText(), u"an hour's work"_s);
    QVERIFY(!undo->isVisible() && !prompt->isReadOnly());
    dialog.findChild<QPushButton *>(u"forkButton"_s)->click();
    QCOMPARE(changed.systemPrompt, std::string("an hour's work"));
}

namespace {

// A model call of `step` as it is written.
test::FakeEffect call(int step, int tokensIn)
{
    test::FakeEffect effect;
    effect.before = {test::draft(core::EventKind::ModelRequested, step, 0,
                                 R"("stage":"step_)" + std::to_string(step) + R"(","call":1)")};
    effect.after = {test::draft(core::EventKind::ModelReplied, step, 0,
                                R"("stage":"step","text":"","tokens_in":)" +
                                    std::to_string(tokensIn) +
                                    R"(,"tokens_out":5,"cost_usd":0,"duration_us":1)")};
    return effect;
}

QString cell(const QWidget &page, int column, int row)
{
    return page.findChild<QLabel *>(u"spread_%1_%2"_s.arg(column).arg(row))->text();
}

} // namespace

void TestForkPage::aKilledRunIsNamedApartAndInNoSpan()
{
    ForkEngine engine;
    test::FakeEffect slow;
    slow.workMs = 60'000;
    engine.script = {call(1, 100), slow};
    ForkPage page(engine, {"a.trace.jsonl", 1}, {}, 2);
    page.show();
    auto *kill = page.findChild<QPushButton *>(u"forkKill"_s);
    QCOMPARE(kill->text(), u"Kill"_s);
    QTRY_COMPARE(engine.forks.load(), 1);
    kill->click();
    QTRY_VERIFY(!page.isLive());
    QCOMPARE(page.findChild<QLabel *>(u"forkOutcomes"_s)->text(), u"1 × Killed"_s);
    QCOMPARE(page.findChild<QLabel *>(u"forkAnswers"_s)->text(), QString());
    for (int column = 0; column < 7; ++column)
        QCOMPARE(cell(page, column, 1), u"–"_s);
    QVERIFY(page.findChild<QLabel *>(u"forkCounted"_s)->text().contains("1 killed run"_L1));
}

void TestForkPage::whatWasKeptIsNotCounted()
{
    ForkEngine engine;
    engine.script = {call(1, 1000), call(2, 30)};
    engine.endMembers =
        R"("outcome":"satisfied","reason":"final","satisfied":true,"final_summary":"x","missing":[],"totals":{"model_calls":2,"tokens_in":1030,"tokens_out":10,"cost_usd":0,"duration_us":9000000},"failure":null)";
    ForkPage page(engine, {"a.trace.jsonl", 2}, {}, 2);
    page.show();
    QTRY_VERIFY(!page.isLive());
    const auto *table = page.findChild<QTableWidget *>(u"forkTable"_s);
    QCOMPARE(table->item(1, 5)->text(), u"30 + 5"_s);
    QCOMPARE(cell(page, 2, 1), u"1"_s); // model calls
    for (int row = 0; row < 3; ++row)
        QCOMPARE(cell(page, 3, row), u"30"_s);
    const QString counted = page.findChild<QLabel *>(u"forkCounted"_s)->text();
    QVERIFY2(counted.contains("from step 2 on"_L1) && counted.contains("1 model call"_L1) &&
                 counted.contains("1,000 tokens"_L1),
             qPrintable(counted));
}

void TestForkPage::thePageSaysWhatWasChanged()
{
    ForkEngine engine;
    engine.script = {{}};
    core::Task changed;
    changed.goal = "another <b>goal</b>";
    changed.systemPrompt = "one\ntwo";
    changed.model.provider = "openai";
    changed.model.model = "m-2";
    changed.model.recording = "/tmp/old.trace.jsonl";
    ForkPage page(engine, {"a.trace.jsonl", 3}, changed, 1);
    page.show();
    auto *words = page.findChild<QLabel *>(u"forkChanges"_s);
    QTRY_VERIFY(words->text().startsWith("Changed: "_L1));
    for (const char *part : {"goal (", "prompt (+2", "practice → openai/m-2",
                             "recording none → old.trace.jsonl", "Steps before 3 are kept"})
        QVERIFY2(words->text().contains(QString::fromUtf8(part)), qPrintable(words->text()));
    QVERIFY(words->textFormat() == Qt::PlainText);
    auto *details = page.findChild<QPlainTextEdit *>(u"forkChangeDetails"_s);
    QVERIFY(!details->isVisible());
    page.findChild<QPushButton *>(u"forkChangesMore"_s)->click();
    QVERIFY(details->isVisible() && details->toPlainText().contains("+another <b>goal</b>"_L1));
    ForkPage same(engine, {"a.trace.jsonl", 1}, {}, 1);
    auto *nothing = same.findChild<QLabel *>(u"forkChanges"_s);
    QTRY_VERIFY(nothing->text().startsWith("Nothing was changed"_L1));
}

QTEST_MAIN(TestForkPage)
#include "tst_forkpage.moc"
