// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/child.h"
#include "tests/ui/fakeshellengine.h"
#include "ui/code/codeeditor.h"
#include "ui/shell/background.h"
#include "ui/shell/taskpage.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>

using namespace emend;
using namespace emend::ui;
using emend::tests::child;
using namespace Qt::StringLiterals;

namespace {

// Everything that no field shows, too.
core::Task codeTask()
{
    core::Task task;
    task.mode = core::Mode::Code;
    task.name = "Double";
    task.goal = task.code.spec = "double(n)";
    task.code.tests = "def test_two():\n    assert double(2) == 4\n";
    task.code.edgeTests = "def test_none():\n    assert double(0) == 0\n";
    task.code.verifier = "command";
    task.code.language = "python";
    task.code.command = {"/usr/bin/python3", "-m", "a b"};
    task.code.solutionName = "double.py";
    task.code.report = "r.xml";
    task.code.options = nlohmann::json{{"report", "junit"}};
    task.code.timeoutSeconds = 7;
    task.code.memoryMb = 256;
    task.code.maxProcesses = 9;
    task.code.sandboxRequired = true;
    task.code.gate = false;
    task.bounds.maxAttempts = 5;
    return task;
}

} // namespace

class TestCodeForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { Background::waitForAll(); }
    void whatNobodyTouchesStays();
    void whatIsTypedIsInTheTask();
    void testsOfAFileAreReadOnly();
    void aRunNeedsASpecificationAndATest();
    void theSandboxIsTriedOut_data();
    void theSandboxIsTriedOut();
    void aComparisonThatOnlyTheFileChangesIsSaid();

private:
    FakeShellEngine m_engine;
};

void TestCodeForm::whatNobodyTouchesStays()
{
    const core::Task task = codeTask();
    TaskPage page(m_engine, task, {});
    QVERIFY(!page.isModified());
    QVERIFY(child<QWidget>(page, u"goal"_s)->parentWidget()->isHidden() ||
            !child<QWidget>(page, u"goal"_s)->isVisibleTo(&page));
    child<QCheckBox>(page, u"codeShowTests"_s)->click();
    QVERIFY(page.isModified());
    core::Task changed = task;
    changed.code.showTests = true;
    QCOMPARE(core::taskToJson(page.task()).dump(), core::taskToJson(changed).dump());
    child<QCheckBox>(page, u"codeShowTests"_s)->click();
    QVERIFY(!page.isModified());
    QCOMPARE(core::taskToJson(page.task()).dump(), core::taskToJson(task).dump());
}

void TestCodeForm::whatIsTypedIsInTheTask()
{
    TaskPage page(m_engine, codeTask(), {});
    page.show();
    auto *spec = child<QPlainTextEdit>(page, u"codeSpec"_s);
    spec->setFocus();
    QTest::keyClick(spec, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(spec, u"triple(n)"_s);
    auto *tests = child<CodeEditor>(page, u"codeTests"_s);
    tests->setFocus();
    QTest::keyClick(tests, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(tests, u"x = 1"_s);
    child<QPlainTextEdit>(page, u"codeCommand"_s)->setPlainText(u"make\n\ncheck it"_s);
    QCOMPARE(page.task().code.spec, std::string("triple(n)"));
    QCOMPARE(page.task().goal, std::string("triple(n)")); // it had no goal of its own
    QCOMPARE(page.task().code.tests, std::string("x = 1"));
    QCOMPARE(page.task().code.command, (std::vector<std::string>{"make", "check it"}));
}

void TestCodeForm::testsOfAFileAreReadOnly()
{
    core::Task task = codeTask();
    task.code.testsFile = "mine.py";
    TaskPage page(m_engine, task, {});
    auto *tests = child<CodeEditor>(page, u"codeTests"_s);
    QVERIFY(tests->isReadOnly());
    QVERIFY(tests->text().contains(u"test_two"_s));
    QVERIFY(!child<CodeEditor>(page, u"codeEdgeTests"_s)->isReadOnly());
    child<QCheckBox>(page, u"codeGate"_s)->click();
    QCOMPARE(page.task().code.testsFile, std::string("mine.py"));
}

void TestCodeForm::aRunNeedsASpecificationAndATest()
{
    core::Task task = codeTask();
    task.code.tests.clear();
    TaskPage page(m_engine, task, {});
    page.show();
    QSignalSpy asked(&page, &TaskPage::runRequested);
    page.run();
    QCOMPARE(asked.count(), 0);
    QVERIFY(child<QLabel>(page, u"goalHint"_s)->isVisibleTo(&page));
    child<CodeEditor>(page, u"codeTests"_s)->setText(u"def test_a(): pass"_s);
    page.run();
    QCOMPARE(asked.count(), 1);
}

void TestCodeForm::theSandboxIsTriedOut_data()
{
    QTest::addColumn<bool>("works");
    QTest::newRow("works") << true;
    QTest::newRow("does not") << false;
}

void TestCodeForm::theSandboxIsTriedOut()
{
    QFETCH(bool, works);
    m_engine.sandboxFacts = {works, works ? "all is held" : "install <b>bubblewrap</b>"};
    TaskPage page(m_engine, codeTask(), {});
    auto *state = child<QLabel>(page, u"sandboxState"_s);
    QTRY_VERIFY(state->text().contains(works ? u"all is held"_s : u"<b>bubblewrap"_s));
    QCOMPARE(state->text().startsWith(u"No sandbox"_s), !works);
    QCOMPARE(state->textFormat(), Qt::PlainText);
}

void TestCodeForm::aComparisonThatOnlyTheFileChangesIsSaid()
{
    core::Task task = codeTask();
    TaskPage without(m_engine, task, {});
    QVERIFY(child<QLabel>(without, u"codeComparison"_s)->isHidden());
    task.code.generator = {"python3", "generator"};
    TaskPage command(m_engine, task, {});
    auto *said = child<QLabel>(command, u"codeComparison"_s);
    QVERIFY(!said->isHidden());
    QVERIFY2(said->text().contains(u"python3 generator"_s), qPrintable(said->text()));
    task.code.generatorFile = "inputs<b>.py";
    TaskPage file(m_engine, task, {});
    said = child<QLabel>(file, u"codeComparison"_s);
    QVERIFY2(said->text().contains(u"inputs<b>.py"_s), qPrintable(said->text()));
    QCOMPARE(said->textFormat(), Qt::PlainText);
}

QTEST_MAIN(TestCodeForm)
#include "tst_codeform.moc"
