// SPDX-License-Identifier: GPL-3.0-or-later
// The inbox through its widgets: table, detail, answers, and what the window says about it.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>

#include "tests/ui/fakeshellengine.h"
#include "ui/inbox/answerform.h"
#include "ui/inbox/inboxactions.h"
#include "ui/inbox/inboxmodel.h"
#include "ui/inbox/inboxpage.h"
#include "ui/inbox/inboxwatch.h"
#include "ui/run/runview.h"
#include "ui/shell/mainwindow.h"
#include "ui/text/escalationwords.h"
#include "ui/text/textpane.h"
#include "ui/text/vocabulary.h"

using namespace Qt::StringLiterals;
using namespace emend;
using namespace emend::ui;
using core::EscalationState;

Q_DECLARE_METATYPE(core::Escalation)
Q_DECLARE_METATYPE(core::Answer)

namespace {

core::Escalation one(const std::string &id, const std::string &reason = "it needs a person")
{
    core::Escalation out;
    out.id = id;
    out.runId = id + "-0000-4000-8000-000000000001";
    out.traceFile = "/tmp/" + id + ".trace.jsonl";
    out.taskName = "Weather in Fahrenheit";
    out.mode = "react";
    out.reason = reason;
    out.by = "person";
    out.openedAt = "2026-01-31T12:00:00.000Z";
    out.finalAttempt = R"({"state":"final"})";
    out.lastFeedback = "<correction>";
    out.attempts = 3;
    return out;
}

core::Situation situation(bool tool = true)
{
    core::Situation out;
    out.step = 2;
    out.toolStep = tool ? 2 : 0;
    out.tool = tool ? "weather" : "";
    out.toolState = tool ? "aborted" : "";
    out.lastReply = R"({"state":"final","satisfied":true,"final_summary":"31"})";
    return out;
}

class Inbox {
public:
    Inbox()
    {
        fake.setFolder(folder.path().toStdString());
        fake.setSituation(situation());
    }
    ~Inbox() { Background::waitForAll(); }
    // Something changes on the disk: the real one makes and removes a file.
    void touch()
    {
        QFile file(folder.filePath(u"change"_s));
        if (file.open(QIODevice::WriteOnly))
            file.remove();
    }

    QTemporaryDir folder;
    FakeEscalations fake;
};

template<typename Widget>
Widget *in(QWidget &page, const QString &name)
{
    return page.findChild<Widget *>(name);
}

} // namespace

class TestInbox : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        qRegisterMetaType<core::Escalation>();
        qRegisterMetaType<core::Answer>();
    }

    void theModelKeepsItsRows();
    void foreignTextIsOneSafeLine();
    void anEmptyInboxSaysSo();
    void theFilterHidesWhatIsDone();
    void theChosenOneIsShown();
    void noFactIsClipped_data();
    void noFactIsClipped();
    void aDecisionIsCheckedAsItIsTyped_data();
    void aDecisionIsCheckedAsItIsTyped();
    void onlyWhatFitsCanBeChosen();
    void ofACodeRunTheCodeCanBeCorrected();
    void anAnswerIsGivenOn();
    void whatWasTypedStaysWithItsEscalation();
    void claimingAndDismissingChangeTheInbox();
    void whatGoesWrongIsSaid();
    void theWindowCountsAndSaysWhatArrives();
    void answeringOpensTheRunThatGoesOn();
};

void TestInbox::theModelKeepsItsRows()
{
    InboxModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    InboxFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester second(&filter,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setList({one("bbbb"), one("aaaa")});
    const QPersistentModelIndex kept = model.index(0, 0);
    model.setList({one("cccc"), one("bbbb"), one("aaaa")});
    QCOMPARE(kept.row(), 1);
    auto claimed = one("bbbb");
    claimed.state = EscalationState::Claimed;
    model.setList({one("cccc"), claimed});
    QCOMPARE(kept.row(), 1);
    QCOMPARE(model.index(1, InboxModel::State).data().toString(), u"Claimed"_s);
    QCOMPARE(model.waiting(), 2);
    QVERIFY(resets.isEmpty());
    model.setList({claimed, one("cccc")}); // the order is another: all anew
    QCOMPARE(model.index(0, InboxModel::Run).data().toString(), u"bbbb"_s);
    model.setList({});
    QCOMPARE(model.rowCount(), 0);
}

void TestInbox::foreignTextIsOneSafeLine()
{
    InboxModel model;
    model.setList({one("aaaa", "<b>first</b>\nsecond \u202Ereversed")});
    const QString text = model.index(0, InboxModel::Reason).data().toString();
    QVERIFY(!text.contains(u'\n') && !text.contains(QChar(0x202E)));
    const QString tip = model.index(0, InboxModel::Reason).data(Qt::ToolTipRole).toString();
    QVERIFY2(!Qt::mightBeRichText(tip) || tip.contains("&lt;b&gt;"_L1), qPrintable(tip));
    model.setNow(QDateTime::fromString(u"2026-01-31T15:30:00Z"_s, Qt::ISODate));
    QCOMPARE(model.index(0, InboxModel::Age).data().toString(), u"3 h"_s);
}

void TestInbox::anEmptyInboxSaysSo()
{
    Inbox inbox;
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    auto *empty = in<QLabel>(page, u"inboxEmpty"_s);
    QTRY_VERIFY(empty->text().startsWith("No run waits for you."_L1));
    QVERIFY(empty->isVisible());
    QCOMPARE(page.title(), u"Inbox"_s);
}

void TestInbox::theFilterHidesWhatIsDone()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    auto lost = one("bbbb");
    lost.state = EscalationState::Answered;
    lost.outcome = "killed";
    inbox.fake.put(lost);
    auto done = one("cccc");
    done.state = EscalationState::Dismissed;
    inbox.fake.put(done);
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    auto *table = in<QTableView>(page, u"inboxTable"_s);
    auto *filter = in<QComboBox>(page, u"inboxFilter"_s);
    QTRY_COMPARE(table->model()->rowCount(), 2); // open, and the one whose answer came to nothing
    QCOMPARE(page.title(), u"Inbox (1)"_s);
    const std::pair<QString, int> rows[] = {
        {u"Open"_s, 1}, {u"Claimed"_s, 0}, {u"Answered"_s, 1}, {u"Dismissed"_s, 1}, {u"All"_s, 3}};
    for (const auto &[words, count] : rows) {
        filter->setCurrentIndex(filter->findText(words));
        QCOMPARE(table->model()->rowCount(), count);
        QCOMPARE(in<QLabel>(page, u"inboxEmpty"_s)->isVisible(), count == 0);
    }
}

void TestInbox::theChosenOneIsShown()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    inbox.fake.put(one("bbbb", "another reason"));
    core::Escalation byLoop = one("cccc", "disagreement");
    byLoop.by = "loop";
    QCOMPARE(EscalationWords::reason(byLoop), Vocabulary::reason(u"disagreement"_s)); // no code
    QVERIFY(!EscalationWords::reason(byLoop).contains(u"disagreement"_s));
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    QTRY_COMPARE(in<QLabel>(page, u"escalationReason"_s)->text(), u"another reason"_s);
    QCOMPARE(in<QLabel>(page, u"escalationWhere"_s)->text(),
             u"It stopped in step 2. weather was running and gave no result."_s);
    QCOMPARE(in<QPlainTextEdit>(page, u"finalAttempt"_s)->toPlainText(),
             QString::fromLatin1(R"({"state":"final"})"));
    page.choose(u"aaaa"_s);
    QTRY_COMPARE(in<QLabel>(page, u"escalationReason"_s)->text(), u"it needs a person"_s);
    QSignalSpy opened(&page, &InboxPage::openRequested);
    auto *openRun = in<QPushButton>(page, u"openRun"_s);
    QVERIFY(!openRun->isEnabled()); // its trace has gone
    QVERIFY(in<QPushButton>(page, u"openAnswerRun"_s)->isHidden());
}

void TestInbox::noFactIsClipped_data()
{
    QTest::addColumn<double>("size"); // of the font, in points
    QTest::addColumn<bool>("narrow");
    for (const double size : {7.0, 9.0, 9.5, 10.7, 17.0})
        for (const bool narrow : {false, true})
            QTest::addRow("%.1f%s", size, narrow ? " narrow" : "") << size << narrow;
}

// Each line of each fact is whole in its pane, however wide that is.
void TestInbox::noFactIsClipped()
{
    QFETCH(double, size);
    QFETCH(bool, narrow);
    QFont font = QApplication::font();
    const QFont before = font;
    const auto restore = qScopeGuard([&] { QApplication::setFont(before); });
    font.setPointSizeF(size);
    QApplication::setFont(font);
    Inbox inbox;
    core::Escalation long1 = one("aaaa");
    long1.traceFile =
        "/home/somebody/.local/share/文書/emend/traces/2026-01-31T12-00-00.000Z-weather-"
        "in-fahrenheit-and-what-else-there-is-0000-4000-8000.trace.jsonl";
    inbox.fake.put(long1);
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    QTRY_COMPARE(in<QLabel>(page, u"escalationReason"_s)->text(), u"it needs a person"_s);
    for (int width = narrow ? 500 : 900; width < (narrow ? 900 : 1500); width += 50) {
        page.resize(width, 800);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents(); // a scroll bar may come with the first
        for (const TextPane *pane : page.findChildren<TextPane *>()) {
            if (!pane->isVisible())
                continue;
            const QByteArray where =
                QByteArray::number(width) + ' ' + pane->toPlainText().left(20).toUtf8();
            double bottom = 0;
            const QTextLayout *text = pane->document()->firstBlock().layout();
            for (int i = 0; i < text->lineCount(); ++i) {
                bottom += text->lineAt(i).height();
                QVERIFY2(text->lineAt(i).naturalTextWidth() <= pane->viewport()->width(), where);
            }
            QVERIFY2(pane->verticalScrollBar()->maximum() == 0, where);
            QVERIFY2(bottom <= pane->viewport()->height(), where);
        }
    }
}

void TestInbox::aDecisionIsCheckedAsItIsTyped_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("problem");
    QTest::newRow("as it was") << QString::fromLatin1(
                                      R"({"state":"final","satisfied":true,"final_summary":"x"})")
                               << QString();
    QTest::newRow("broken") << u"{\n  'state': 1}"_s << u"line 2 column 3"_s;
    QTest::newRow("a wrong type")
        << QString::fromLatin1(R"({"state":"final","satisfied":"yes","final_summary":"x"})")
        << u"/satisfied"_s;
    QTest::newRow("an unknown tool")
        << QString::fromLatin1(R"({"state":"action","reason":"r","tool":"wether","tool_input":{}})")
        << u"wether"_s;
    QTest::newRow("nothing") << QString() << u"empty"_s;
}

void TestInbox::aDecisionIsCheckedAsItIsTyped()
{
    QFETCH(QString, text);
    QFETCH(QString, problem);
    AnswerForm form;
    form.setSituation(u"aaaa"_s, situation(), {});
    form.show();
    in<QRadioButton>(form, u"answerDecision"_s)->setChecked(true);
    auto *edit = in<QPlainTextEdit>(form, u"decisionText"_s);
    QVERIFY(edit->isVisible() && edit->toPlainText().contains("final_summary"_L1));
    QVERIFY(in<QPushButton>(form, u"sendAnswer"_s)->isEnabled());
    edit->setPlainText(text);
    auto *shown = in<QLabel>(form, u"answerProblem"_s);
    QVERIFY2(shown->text().contains(problem), qPrintable(shown->text()));
    QCOMPARE(shown->isVisible(), !problem.isEmpty());
    QCOMPARE(in<QPushButton>(form, u"sendAnswer"_s)->isEnabled(), problem.isEmpty());
}

void TestInbox::onlyWhatFitsCanBeChosen()
{
    AnswerForm form;
    form.setSituation(u"aaaa"_s, situation(false), {});
    form.show();
    QVERIFY(in<QRadioButton>(form, u"answerHint"_s)->isEnabled());
    QVERIFY(!in<QRadioButton>(form, u"answerResult"_s)->isEnabled());
    QVERIFY(!in<QLabel>(form, u"answerProblem"_s)->isVisible()); // nothing was typed yet
    form.setSituation(u"bbbb"_s, std::nullopt, u"no such file"_s);
    QVERIFY(in<QRadioButton>(form, u"answerDismiss"_s)->isChecked());
    QVERIFY(!in<QRadioButton>(form, u"answerHint"_s)->isEnabled());
    QVERIFY(!in<QPushButton>(form, u"sendAnswer"_s)->isEnabled());
}

void TestInbox::ofACodeRunTheCodeCanBeCorrected()
{
    core::Situation code;
    code.mode = core::Mode::Code;
    code.language = "python";
    code.lastReply = "def f(): pass\n";
    AnswerForm form;
    form.setSituation(u"aaaa"_s, code, {});
    QVERIFY(in<QRadioButton>(form, u"answerDecision"_s)->isHidden());
    QVERIFY(in<QRadioButton>(form, u"answerResult"_s)->isHidden());
    in<QRadioButton>(form, u"answerCode"_s)->click();
    auto *text = in<QPlainTextEdit>(form, u"codeText"_s);
    QCOMPARE(text->toPlainText(), u"def f(): pass\n"_s); // the last attempt, to be edited
    QSignalSpy answered(&form, &AnswerForm::answered);
    text->setPlainText(u" "_s);
    QVERIFY(!in<QPushButton>(form, u"sendAnswer"_s)->isEnabled());
    text->setPlainText(u"def f(): return 1"_s);
    in<QPushButton>(form, u"sendAnswer"_s)->click();
    QCOMPARE(answered.count(), 1);
    const auto answer = answered.first().first().value<core::Answer>();
    QCOMPARE(answer.kind, core::AnswerKind::Code);
    QCOMPARE(answer.text, std::string("def f(): return 1"));
    form.setSituation(u"bbbb"_s, situation(), {});
    QVERIFY(in<QRadioButton>(form, u"answerCode"_s)->isHidden());
}

void TestInbox::anAnswerIsGivenOn()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    QSignalSpy answers(&page, &InboxPage::answerRequested);
    QTRY_VERIFY(in<QRadioButton>(page, u"answerResult"_s)->isVisible());
    in<QRadioButton>(page, u"answerResult"_s)->click();
    in<QPlainTextEdit>(page, u"resultText"_s)->setPlainText(u"no such city"_s);
    in<QCheckBox>(page, u"resultFailed"_s)->setChecked(true);
    in<QPushButton>(page, u"sendAnswer"_s)->click();
    QCOMPARE(answers.size(), 1);
    const auto answer = answers.first().at(1).value<core::Answer>();
    QVERIFY(answer.kind == core::AnswerKind::ToolResult && answer.failed);
    QCOMPARE(answer.text, std::string("no such city"));
    QCOMPARE(answers.first().at(0).value<core::Escalation>().id, std::string("aaaa"));
}

void TestInbox::whatWasTypedStaysWithItsEscalation()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    inbox.fake.put(one("bbbb"));
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    auto *hint = in<QPlainTextEdit>(page, u"hintText"_s);
    auto *reason = in<QLabel>(page, u"escalationReason"_s);
    QTRY_VERIFY(!reason->text().isEmpty() && hint->isVisible());
    hint->setPlainText(u"for b"_s);
    page.choose(u"aaaa"_s);
    QTRY_VERIFY(hint->toPlainText().isEmpty());
    // Another program changes something: what is being typed is left alone.
    hint->setPlainText(u"for a"_s);
    QVERIFY(inbox.fake.claim("aaaa"));
    inbox.touch();
    QTRY_COMPARE(in<QLabel>(page, u"escalationState"_s)->text(), u"Claimed"_s);
    QCOMPARE(hint->toPlainText(), u"for a"_s);
    page.choose(u"bbbb"_s);
    QTRY_COMPARE(hint->toPlainText(), u"for b"_s);
}

void TestInbox::claimingAndDismissingChangeTheInbox()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    auto *claim = in<QPushButton>(page, u"claim"_s);
    QTRY_VERIFY(claim->isVisible());
    claim->click();
    QTRY_COMPARE(in<QLabel>(page, u"escalationState"_s)->text(), u"Claimed"_s);
    QVERIFY(inbox.fake.at("aaaa").state == EscalationState::Claimed);
    QTRY_VERIFY(claim->isEnabled());
    claim->click(); // put back
    QTRY_COMPARE(in<QLabel>(page, u"escalationState"_s)->text(), u"Open"_s);
    in<QRadioButton>(page, u"answerDismiss"_s)->click();
    auto *send = in<QPushButton>(page, u"sendAnswer"_s);
    QVERIFY(!send->isEnabled());
    in<QPlainTextEdit>(page, u"dismissText"_s)->setPlainText(u"no longer needed"_s);
    QTRY_VERIFY(send->isEnabled());
    send->click();
    QTRY_VERIFY(inbox.fake.at("aaaa").state == EscalationState::Dismissed);
    QTRY_COMPARE(in<QTableView>(page, u"inboxTable"_s)->model()->rowCount(), 0);
}

void TestInbox::whatGoesWrongIsSaid()
{
    Inbox inbox;
    inbox.fake.put(one("aaaa"));
    InboxWatch watch(inbox.fake);
    InboxPage page(watch);
    page.show();
    auto *claim = in<QPushButton>(page, u"claim"_s);
    QTRY_VERIFY(claim->isVisible());
    inbox.fake.setProblem("it is locked by another program");
    claim->click();
    auto *problem = in<QLabel>(page, u"escalationProblem"_s);
    QTRY_VERIFY(problem->isVisible());
    QCOMPARE(problem->text(), u"it is locked by another program"_s);

    InboxWatch second(inbox.fake); // it cannot look at the traces
    InboxPage other(second);
    other.show();
    auto *strip = in<QWidget>(other, u"inboxProblem"_s);
    QTRY_VERIFY(strip->isVisible());
}

void TestInbox::theWindowCountsAndSaysWhatArrives()
{
    QTemporaryDir folder;
    FakeShellEngine engine;
    engine.fakeInbox.setFolder(folder.path().toStdString());
    engine.fakeInbox.put(one("aaaa"));
    MainWindow window(engine); // not shown, so not the active one
    auto *button = window.findChild<QToolButton *>(u"inboxButton"_s);
    auto *actions = window.findChild<InboxActions *>();
    QVERIFY(button && actions);
    QSignalSpy notices(actions, &InboxActions::notified);
    QTRY_COMPARE(button->text(), u"Inbox (1)"_s);
    QVERIFY(notices.isEmpty()); // what was there at the start is no news
    engine.fakeInbox.put(one("bbbb", "the tool hangs"));
    QFile(folder.filePath(u"change"_s)).open(QIODevice::WriteOnly);
    QTRY_COMPARE(button->text(), u"Inbox (2)"_s);
    QCOMPARE(notices.size(), 1);
    QCOMPARE(notices.first().first().toString(), u"Weather in Fahrenheit: the tool hangs"_s);
    button->click();
    auto *tabs = window.findChild<QTabWidget *>(u"tabs"_s);
    auto *page = qobject_cast<InboxPage *>(tabs->currentWidget());
    QVERIFY(page);
    QCOMPARE(tabs->tabText(tabs->currentIndex()), u"Inbox (2)"_s);
    tabs->setCurrentIndex(0);
    window.findChild<QAction *>(u"actionInbox"_s)->trigger(); // the same page again
    QCOMPARE(tabs->currentWidget(), page);
    QCOMPARE(tabs->count(), 2);
}

void TestInbox::answeringOpensTheRunThatGoesOn()
{
    QTemporaryDir folder;
    FakeShellEngine engine;
    engine.fakeInbox.setFolder(folder.path().toStdString());
    engine.fakeInbox.setSituation(situation());
    engine.fakeInbox.put(one("aaaa"));
    MainWindow window(engine);
    window.show();
    window.findChild<QAction *>(u"actionInbox"_s)->trigger();
    auto *hint = window.findChild<QPlainTextEdit *>(u"hintText"_s);
    QTRY_VERIFY(hint && hint->isVisible());
    hint->setPlainText(u"use Celsius"_s);
    window.findChild<QPushButton *>(u"sendAnswer"_s)->click();
    auto *tabs = window.findChild<QTabWidget *>(u"tabs"_s);
    auto *view = qobject_cast<RunView *>(tabs->currentWidget());
    QVERIFY(view);
    QTRY_VERIFY(engine.fakeInbox.at("aaaa").state == EscalationState::Answered);
    view->kill();
    QTRY_VERIFY(!isLive(view->state()));
}

QTEST_MAIN(TestInbox)
#include "tst_inbox.moc"
