// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/child.h"
#include "ui/code/ansitext.h"
#include "ui/code/codeeditor.h"
#include "ui/code/codepanel.h"
#include "ui/code/codewords.h"
#include "ui/code/gatetable.h"
#include "ui/code/outputpane.h"
#include "ui/code/sidebyside.h"
#include "ui/code/testmodel.h"
#include "ui/text/elidedlabel.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <memory>

#include <nlohmann/json.hpp>

using namespace emend;
using namespace emend::ui;
using emend::tests::child;
using namespace Qt::StringLiterals;
using nlohmann::json;

namespace {

core::Event event(core::EventKind kind, int step, int attempt, const json &members)
{
    std::string text = members.dump();
    return core::stamp(
        {kind, step, static_cast<std::int16_t>(attempt), text.substr(1, text.size() - 2)}, 1, 0);
}

json test(const char *name, const char *status, const char *message = "")
{
    return {{"name", name}, {"status", status}, {"message", message}, {"duration_us", 1200}};
}

const std::string firstTry = "def is_palindrome(text):\n    return text == text[::-1]\n";
const std::string secondTry = "def is_palindrome(text):\n    text = text.lower()\n"
                              "    kept = [c for c in text if c.isalnum()]\n"
                              "    return kept == kept[::-1]\n";

void start(CodeFacts &facts, int step, int attempt, const char *candidate,
           const std::string &solution, const char *suite = "tests")
{
    json members = {{"suite", suite}, {"candidate", candidate}, {"sandbox", "preferred"}};
    if (!solution.empty())
        members["solution"] = solution;
    facts.add(event(core::EventKind::VerifyStarted, step, attempt, members));
}

void finish(CodeFacts &facts, int step, int attempt, const char *candidate, const json &tests,
            const char *suite = "tests", const std::string &output = "")
{
    bool passed = true;
    for (const json &one : tests)
        passed = passed && one["status"] == "passed";
    facts.add(event(core::EventKind::VerifyFinished, step, attempt,
                    {{"suite", suite},
                     {"candidate", candidate},
                     {"passed", passed},
                     {"cause", passed ? "" : "tests_failed"},
                     {"message", passed ? "" : "2 of 3 tests failed"},
                     {"tests", tests},
                     {"collected", tests.size()},
                     {"exit_code", passed ? 0 : 1},
                     {"output", output},
                     {"output_bytes", output.size()},
                     {"runs", 2},
                     {"duration_us", 412'000},
                     {"sandbox", "bubblewrap"}}));
}

// Two attempts, the second solution, the gate.
CodeFacts wholeRun(bool agreed)
{
    CodeFacts facts;
    facts.language = u"python"_s;
    start(facts, 1, 0, "first", firstTry);
    finish(facts, 1, 0, "first",
           json::array({test("test_plain", "passed"),
                        test("test_case", "failed", "assert False is True"),
                        test("test_blanks", "failed", "assert False is True\n + where …")}),
           "tests", "F\x1B[31mF\x1B[0m. [100%]\n\x1B[1m\x1B[31mE   assert False\x1B[0m\n");
    facts.add(event(core::EventKind::CorrectionRequested, 1, 0,
                    {{"category", "tests_failed"}, {"feedback", "<correction>no</correction>"}}));
    start(facts, 1, 1, "first", secondTry);
    const json good = json::array(
        {test("test_plain", "passed"), test("test_case", "passed"), test("test_blanks", "passed")});
    finish(facts, 1, 1, "first", good);
    start(facts, 2, 0, "second", secondTry + "\n");
    finish(facts, 2, 0, "second", good);
    start(facts, 1, 1, "first", "", "edge_tests");
    finish(facts, 1, 1, "first", json::array({test("test_empty", "passed")}), "edge_tests");
    start(facts, 2, 0, "second", "", "edge_tests");
    finish(facts, 2, 0, "second",
           json::array({test("test_empty", agreed ? "passed" : "failed", "boom")}), "edge_tests");
    const auto cell = [](const char *solution, const char *suite, int passed, int total) {
        return json{{"solution", solution}, {"suite", suite},   {"accepted", passed == total},
                    {"cause", ""},          {"passed", passed}, {"total", total}};
    };
    facts.add(event(
        core::EventKind::GateFinished, 0, -1,
        {{"verdict", agreed ? "confirmed" : "disagreement"},
         {"why", agreed ? json() : json("second_failed_edge_tests")},
         {"held_out", true},
         {"table", json::array({cell("first", "tests", 3, 3), cell("first", "edge_tests", 1, 1),
                                cell("second", "tests", 3, 3),
                                cell("second", "edge_tests", agreed ? 1 : 0, 1)})}}));
    return facts;
}

} // namespace

class TestCodePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void terminalOutputIsRead_data();
    void terminalOutputIsRead();
    void coloursCanBeRead_data();
    void coloursCanBeRead();
    void anEmptyRunSaysWhatComes();
    void theLastAttemptIsShownUntilAPersonChooses();
    void eachAttemptIsBesideTheOneBefore();
    void failedTestsComeFirst();
    void theRunThatFailedIsShownFirst_data();
    void theRunThatFailedIsShownFirst();
    void foreignTextIsNoMarkup();
    void theGateShowsEachSolutionAgainstEachSuite();
    void testsBeyondTheListedAreCounted();
    void generatedInputsThatDifferAreShown();
    void outputComesWhileItRuns();
    void whatNoSandboxHeldIsSaid();
    void differencesAreWalked();
    void aReadOnlyEditorLetsTheTabOut();
    void itLooksRight_data();
    void itLooksRight();
};

void TestCodePanel::terminalOutputIsRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("spans");
    QTest::newRow("plain") << QByteArray("a\nb") << u"a\nb"_s << 1;
    QTest::newRow("red, and back") << QByteArray("\x1B[31mno\x1B[0m yes") << u"no yes"_s << 2;
    QTest::newRow("256 colours") << QByteArray("\x1B[38;5;196mx\x1B[m") << u"x"_s << 1;
    QTest::newRow("24 bits") << QByteArray("\x1B[38;2;1;2;3mx") << u"x"_s << 1;
    QTest::newRow("progress") << QByteArray("10 %\r50 %\rdone\n") << u"done\n"_s << 1;
    QTest::newRow("CR LF") << QByteArray("a\r\nb") << u"a\nb"_s << 1;
    QTest::newRow("a CR at the end") << QByteArray("a\r") << u"a"_s << 1;
    QTest::newRow("backspace") << QByteArray("ab\bc") << u"ac"_s << 1;
    QTest::newRow("cursor moves") << QByteArray("a\x1B[2J\x1B[1;1Hb\x1B[Kc") << u"abc"_s << 1;
    QTest::newRow("a title") << QByteArray("\x1B]0;evil\x07ok") << u"ok"_s << 1;
    QTest::newRow("a link") << QByteArray("\x1B]8;;http://x\x1B\\ok\x1B]8;;\x1B\\") << u"ok"_s << 1;
    QTest::newRow("cut in a sequence") << QByteArray("a\x1B[3") << u"a"_s << 1;
    QTest::newRow("cut in a title") << QByteArray("a\x1B]0;x") << u"a"_s << 1;
    QTest::newRow("other controls") << QByteArray("a\x01z") << u"a\u2401z"_s << 1;
    QTest::newRow("no UTF-8") << QByteArray("a\xFFz") << u"a\uFFFDz"_s << 1;
}

void TestCodePanel::terminalOutputIsRead()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, text);
    QFETCH(int, spans);
    const auto read = readAnsi({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    QString all;
    for (const AnsiSpan &span : read)
        all += span.text;
    QCOMPARE(all, text);
    QCOMPARE(static_cast<int>(read.size()), spans);
}

void TestCodePanel::coloursCanBeRead_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestCodePanel::coloursCanBeRead()
{
    QFETCH(bool, dark);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    for (int color = -1; color < 256; ++color) {
        for (const int ground : {-1, 0, 1, 3, 7, 15, 226}) {
            for (const bool inverse : {false, true}) {
                AnsiStyle style;
                style.foreground = color;
                style.background = ground;
                style.inverse = inverse;
                const QColor ink =
                    ansiForeground(style, palette).value_or(palette.color(QPalette::Text));
                const QColor paper =
                    ansiBackground(style, palette).value_or(palette.color(QPalette::Base));
                QVERIFY2(contrastRatio(ink, paper) >= 4.5,
                         qPrintable(u"%1 on %2"_s.arg(color).arg(ground)));
            }
        }
    }
}

void TestCodePanel::anEmptyRunSaysWhatComes()
{
    CodePanel panel;
    panel.resize(900, 600);
    panel.setFacts({});
    panel.show();
    bool said = false;
    for (const QLabel *label : panel.findChildren<QLabel *>())
        said = said || (label->isVisible() && label->text().contains(u"being written"_s));
    QVERIFY(said);
    QVERIFY(!child<QListWidget>(panel, "attemptList")->isVisible());
}

void TestCodePanel::theLastAttemptIsShownUntilAPersonChooses()
{
    CodePanel panel;
    CodeFacts facts;
    start(facts, 1, 0, "first", firstTry);
    panel.setFacts(facts);
    auto *list = child<QListWidget>(panel, "attemptList");
    QCOMPARE(list->currentRow(), 0);
    finish(facts, 1, 0, "first", json::array({test("a", "failed", "no")}));
    start(facts, 1, 1, "first", secondTry);
    panel.setFacts(facts);
    QCOMPARE(list->currentRow(), 1);
    list->setCurrentRow(0);
    start(facts, 2, 0, "second", secondTry);
    panel.setFacts(facts);
    QCOMPARE(list->count(), 3);
    QCOMPARE(list->currentRow(), 0);
    QCOMPARE(child<QTableView>(panel, "testTable")->model()->rowCount(), 1);
}

void TestCodePanel::eachAttemptIsBesideTheOneBefore()
{
    CodePanel panel;
    panel.setFacts(wholeRun(true));
    auto *list = child<QListWidget>(panel, "attemptList");
    QCOMPARE(list->count(), 3);
    QVERIFY(list->item(0)->text().contains(u"2 of 3 tests failed"_s));
    QVERIFY(list->item(2)->text().startsWith(u"Second solution"_s));
    auto *before = child<CodeEditor>(panel, "codeBefore");
    auto *after = child<CodeEditor>(panel, "codeAfter");
    list->setCurrentRow(1);
    QVERIFY(!before->isHidden());
    QCOMPARE(before->lines(), after->lines()); // line against line
    QVERIFY(after->text().contains(u"text.lower()"_s));
    QVERIFY(!before->text().contains(u"text.lower()"_s));
    list->setCurrentRow(0);
    QVERIFY(before->isHidden());
    QCOMPARE(after->text(), QString::fromStdString(firstTry));
    QVERIFY(
        child<QPlainTextEdit>(panel, "feedbackSent")->toPlainText().contains(u"<correction>"_s));
    list->setCurrentRow(2);
    auto *suite = child<QComboBox>(panel, "suiteChoice");
    QCOMPARE(suite->count(), 2);
    suite->setCurrentIndex(1);
    QCOMPARE(
        child<QTableView>(panel, "testTable")->model()->index(0, TestModel::Name).data().toString(),
        u"test_empty"_s);
}

void TestCodePanel::failedTestsComeFirst()
{
    TestModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setTests({{u"a"_s, u"passed"_s, {}, 10},
                    {u"b"_s, u"failed"_s, u"two\nlines"_s, 2'000'000},
                    {u"c"_s, u"skipped"_s, {}, 0},
                    {u"d"_s, u"error"_s, u"x"_s, 0}},
                   lightPalette());
    QString names;
    for (int row = 0; row < model.rowCount(); ++row)
        names += model.index(row, TestModel::Name).data().toString();
    QCOMPARE(names, u"bdac"_s);
    QVERIFY(!model.index(0, TestModel::Message).data().toString().contains(u'\n'));
    QCOMPARE(model.index(1, TestModel::Time).data().toString(), u"< 1 ms"_s); // d
}

void TestCodePanel::theRunThatFailedIsShownFirst_data()
{
    QTest::addColumn<bool>("failed");
    QTest::newRow("all passed") << false;
    QTest::newRow("edge tests failed") << true;
}

void TestCodePanel::theRunThatFailedIsShownFirst()
{
    QFETCH(bool, failed);
    CodePanel panel;
    panel.setFacts(wholeRun(!failed));
    child<QListWidget>(panel, "attemptList")->setCurrentRow(2);
    auto *suite = child<QComboBox>(panel, "suiteChoice");
    QCOMPARE(suite->currentIndex(), failed ? 1 : 0);
    suite->setCurrentIndex(0); // what a person chooses stays
    panel.setFacts(wholeRun(!failed));
    QCOMPARE(suite->currentIndex(), 0);
}

void TestCodePanel::foreignTextIsNoMarkup()
{
    CodePanel panel;
    CodeFacts facts;
    start(facts, 1, 0, "first", "<b>x</b>");
    finish(facts, 1, 0, "first", json::array({test("<i>n</i>", "failed", "<script>")}), "tests",
           "<h1>big</h1>");
    panel.setFacts(facts);
    QCOMPARE(child<QPlainTextEdit>(panel, "testOutput")->toPlainText(), u"<h1>big</h1>"_s);
    const auto *model = child<QTableView>(panel, "testTable")->model();
    QCOMPARE(model->index(0, TestModel::Name).data().toString(), u"<i>n</i>"_s);
    QVERIFY(model->index(0, TestModel::Message)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(u"&lt;script&gt;"_s)); // shown, not obeyed
    for (const QLabel *label : panel.findChildren<QLabel *>())
        if (label->text().contains(u'<'))
            QCOMPARE(label->textFormat(), Qt::PlainText);
}

void TestCodePanel::theGateShowsEachSolutionAgainstEachSuite()
{
    CodePanel panel;
    panel.setFacts(wholeRun(false));
    QVERIFY(!child<GateTable>(panel, "gateTable")->isHidden());
    QVERIFY(child<QLabel>(panel, "gateVerdict")->text().startsWith(u"Disagreement"_s));
    QCOMPARE(child<QLabel>(panel, "gate_first_edge_tests")->text(), u"1 of 1 passed"_s);
    QCOMPARE(child<QLabel>(panel, "gate_second_edge_tests")->text(), u"0 of 1 passed"_s);
    panel.setFacts(wholeRun(true));
    QVERIFY(child<QLabel>(panel, "gateVerdict")->text().startsWith(u"Confirmed"_s));
    panel.setFacts({});
    QVERIFY(child<GateTable>(panel, "gateTable")->isHidden());
}

void TestCodePanel::testsBeyondTheListedAreCounted()
{
    CodeFacts facts;
    start(facts, 1, 0, "first", firstTry);
    const json counts = {
        {"passed", 2000}, {"failed", 3}, {"errors", 1}, {"skipped", 0}, {"total", 2004}};
    facts.add(::event(core::EventKind::VerifyFinished, 1, 0,
                      {{"suite", "tests"},
                       {"candidate", "first"},
                       {"passed", false},
                       {"cause", "tests_failed"},
                       {"counts", counts},
                       {"tests", json::array({test("test_1", "passed")})},
                       {"tests_left_out", 2003},
                       {"collected", 2004}}));
    QCOMPARE(codewords::attemptResult(facts.attempts[0]), u"4 of 2004 tests failed"_s);
    const QString words = codewords::circumstances(facts.attempts[0].verifications[0]);
    QVERIFY2(words.contains(u"2003 more tests are not listed"_s), qPrintable(words));
    QVERIFY2(!words.contains(u"the file holds"_s), qPrintable(words));
}

void TestCodePanel::generatedInputsThatDifferAreShown()
{
    CodeFacts facts = wholeRun(true);
    start(facts, 2, 0, "second", "", "generated");
    QCOMPARE(codewords::attemptResult(facts.attempts.back()).section(u"; "_s, -1),
             u"comparing both solutions on generated inputs …"_s);
    finish(facts, 2, 0, "second",
           json::array({test("1: \"aba\"", "passed"),
                        test("2: \"<b>\"", "failed", "first: True\nsecond: False")}),
           "generated");
    facts.add(::event(core::EventKind::VerifyFinished, 0, -1, {{"suite", "prepare"}}));
    const json row = {{"suite", "generated"}, {"accepted", false}, {"passed", 1}, {"total", 2}};
    json table = json::array({row, row});
    table[0]["solution"] = "first";
    table[1]["solution"] = "second";
    const json differences =
        json::array({{{"input", "\"<b>\""}, {"first", "True"}, {"second", "False"}}});
    facts.add(::event(core::EventKind::GateFinished, 2, -1,
                      {{"verdict", "disagreement"},
                       {"why", "generated_inputs_differ"},
                       {"held_out", true},
                       {"table", table},
                       {"differences", differences}}));
    QCOMPARE(facts.attempts.size(), 3U);
    QVERIFY(codewords::attemptResult(facts.attempts.back())
                .endsWith(u"; 1 of 2 generated inputs differ"_s));
    CodePanel panel;
    panel.setFacts(facts);
    QCOMPARE(child<QLabel>(panel, "gateVerdict")->text(),
             u"Disagreement: the two solutions differ on generated inputs"_s);
    QCOMPARE(child<QLabel>(panel, "gate_first_generated")->text(), u"1 of 2 agree"_s);
    const auto *told = child<ElidedLabel>(panel, "gateDifference0");
    QCOMPARE(told->text(), u"Input \"<b>\": first → True, second → False"_s);
}

void TestCodePanel::outputComesWhileItRuns()
{
    CodePanel panel;
    CodeFacts facts;
    start(facts, 1, 0, "first", firstTry);
    panel.setFacts(facts);
    panel.addOutput("one ");
    panel.addOutput("two");
    auto *output = child<QPlainTextEdit>(panel, "testOutput");
    QCOMPARE(output->toPlainText(), u"one two"_s);
    for (int i = 0; i < 100; ++i) // a flood: the end of it is what can be seen
        panel.addOutput(std::string(9000, 'x') + "\nline " + std::to_string(i) + "\n");
    QVERIFY(output->toPlainText().size() <= 16'384);
    QVERIFY(output->toPlainText().endsWith(u"line 99\n"_s));
    finish(facts, 1, 0, "first", json::array({test("a", "failed")}), "tests", "all of it");
    panel.setFacts(facts);
    QCOMPARE(output->toPlainText(), u"all of it"_s);
    auto *tabs = child<QTabWidget>(panel, "resultTabs");
    QCOMPARE(tabs->currentIndex(), 0); // back to the tests, which are there now
    start(facts, 1, 1, "first", secondTry);
    panel.setFacts(facts);
    QCOMPARE(output->toPlainText(), QString()); // of another run
}

void TestCodePanel::whatNoSandboxHeldIsSaid()
{
    CodePanel panel;
    CodeFacts facts = wholeRun(true);
    panel.setFacts(facts);
    QVERIFY(child<QWidget>(panel, "unheldStrip")->isHidden());
    facts.attempts[0].verifications[0].sandbox = u"limits"_s;
    panel.setFacts(facts);
    QVERIFY(!child<QWidget>(panel, "unheldStrip")->isHidden());
}

void TestCodePanel::differencesAreWalked()
{
    SideBySide both;
    both.showBoth({u"1"_s, "a\nb\nc\nd\ne\n"}, {u"2"_s, "a\nB\nc\nd\nE\nf\n"});
    QCOMPARE(both.differences(), 2);
    auto *after = both.findChild<CodeEditor *>(u"codeAfter"_s);
    int line = 0, column = 0;
    after->getCursorPosition(&line, &column);
    QCOMPARE(line, 1);
    both.next();
    after->getCursorPosition(&line, &column);
    QCOMPARE(line, 4);
    both.next();
    after->getCursorPosition(&line, &column);
    QCOMPARE(line, 1);
    both.showBoth({u"1"_s, "a\n"}, {u"2"_s, "a\n"});
    QCOMPARE(both.differences(), 0);
    both.resize(800, 300);
    both.show();
    QVERIFY(QTest::qWaitForWindowExposed(&both));
    both.showOne({u"1"_s, "a\n"});
    QTRY_VERIFY(after->width() > 700); // it has all the room
}

void TestCodePanel::aReadOnlyEditorLetsTheTabOut()
{
    QWidget window;
    CodeEditor editor(&window);
    QPlainTextEdit next(&window);
    window.show();
    editor.setReadOnly(true);
    editor.setFocus();
    QTest::keyClick(&editor, Qt::Key_Tab);
    QVERIFY(!editor.hasFocus());
    editor.setReadOnly(false);
    editor.setFocus();
    QSignalSpy edited(&editor, &CodeEditor::edited);
    QTest::keyClick(&editor, Qt::Key_Tab);
    QVERIFY(edited.count() > 0);
    QVERIFY(editor.text().startsWith(u' '));
}

void TestCodePanel::itLooksRight_data()
{
    coloursCanBeRead_data();
}

// With EMEND_SHOTS set to a folder the panel is left there as a picture, to be looked at.
void TestCodePanel::itLooksRight()
{
    QFETCH(bool, dark);
    const QPalette before = QApplication::palette();
    QApplication::setPalette(dark ? darkPalette() : lightPalette());
    CodePanel panel;
    panel.resize(1200, 700);
    panel.setFacts(wholeRun(false));
    panel.show();
    child<QListWidget>(panel, "attemptList")->setCurrentRow(1);
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QPixmap picture = panel.grab();
    QCOMPARE(picture.size(), panel.size() * picture.devicePixelRatio());
    if (const QString folder = qEnvironmentVariable("EMEND_SHOTS"); !folder.isEmpty())
        QVERIFY(picture.save(folder + (dark ? "/code-dark.png"_L1 : "/code-light.png"_L1)));
    QApplication::setPalette(before);
}

QTEST_MAIN(TestCodePanel)
#include "tst_codepanel.moc"
