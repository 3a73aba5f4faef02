// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/child.h"
#include "tests/ui/fakeshellengine.h"
#include "ui/run/runview.h"
#include "ui/shell/filekind.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/recentfiles.h"
#include "ui/shell/settings.h"
#include "ui/shell/shortcutspage.h"
#include "ui/shell/taskpage.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace emend;
using namespace emend::ui;
using emend::tests::child;
using namespace Qt::StringLiterals;

namespace {

bool isInteractive(const QWidget *widget)
{
    if (widget->inherits("QScrollBar") || widget->inherits("QLabel"))
        return false;
    return qobject_cast<const QAbstractButton *>(widget) ||
           qobject_cast<const QLineEdit *>(widget) ||
           qobject_cast<const QPlainTextEdit *>(widget) ||
           qobject_cast<const QComboBox *>(widget) ||
           qobject_cast<const QAbstractSpinBox *>(widget) ||
           qobject_cast<const QAbstractSlider *>(widget) ||
           qobject_cast<const QAbstractItemView *>(widget);
}

// The parts that Qt itself puts into a field, and what a page of another library answers for.
bool isInside(const QWidget *widget)
{
    for (const QWidget *up = widget->parentWidget(); up; up = up->parentWidget())
        if (qobject_cast<const QComboBox *>(up) || qobject_cast<const QAbstractSpinBox *>(up) ||
            qobject_cast<const RunView *>(up) || qobject_cast<const QMenuBar *>(up))
            return true;
    return widget->objectName().startsWith("qt_"_L1) || widget->inherits("QTabBarPrivate") ||
           widget->objectName().startsWith("Scroll"_L1);
}

QString nameOf(const QWidget *widget)
{
    if (!widget->accessibleName().isEmpty())
        return widget->accessibleName();
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    return button ? button->text() : QString();
}

} // namespace

class TestShell : public QObject {
    Q_OBJECT

private:
    FakeShellEngine m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    QTabWidget *tabs() const { return child<QTabWidget>(m_window.get(), u"tabs"_s); }
    QWidget *page() const { return tabs()->currentWidget(); }
    QAction *action(const QString &name) const { return m_window->findChild<QAction *>(name); }
    QString file(const QString &name, const QByteArray &content) const
    {
        const QString path = m_folder->filePath(name);
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    QString taskFile() const
    {
        return file(u"weather.task.json"_s,
                    R"({"emend":"task","version":1,"name":"Weather","goal":"How warm is it?"})");
    }
    void openWindow()
    {
        m_window = std::make_unique<MainWindow>(m_engine);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
    }
    // Kills what runs, answers nothing: the window goes away as a test ends.
    void closeWindow() { m_window.reset(); }

private Q_SLOTS:
    void init()
    {
        settings().clear();
        m_engine.takeGoals();
        m_folder = std::make_unique<QTemporaryDir>();
        openWindow();
    }
    void cleanup() { closeWindow(); }

    void theDemoIsTheFirstThingTheKeyboardReaches()
    {
        QTRY_COMPARE(QApplication::focusWidget(), child<QWidget>(m_window.get(), u"playDemo"_s));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(qobject_cast<RunView *>(page()));
        QVERIFY(tabs()->tabText(tabs()->currentIndex()).contains("Demo"_L1));
    }

    void aQuestionRunsAtOnceWithThePracticeModel()
    {
        auto *question = child<QLineEdit>(m_window.get(), u"question"_s);
        auto *ask = child<QPushButton>(m_window.get(), u"ask"_s);
        QVERIFY(!ask->isEnabled());
        QTest::keyClick(question, Qt::Key_Return); // nothing to run yet
        QCOMPARE(tabs()->count(), 1);
        QTest::keyClicks(question, u"What is 17% of 2,340?"_s);
        QVERIFY(ask->isEnabled());
        QTest::keyClick(question, Qt::Key_Return);
        QVERIFY(qobject_cast<RunView *>(page()));
        QTRY_COMPARE(m_engine.goalCount(), std::size_t(1));
        QCOMPARE(m_engine.takeGoals().front(), std::string("What is 17% of 2,340?"));
    }

    void aNewTaskIsWrittenAndRunWithKeys()
    {
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        auto *goal = child<QPlainTextEdit>(page(), u"goal"_s);
        QTRY_VERIFY(goal->hasFocus());
        QTest::keyClicks(goal, u"How late is it?"_s);
        QTest::keyClick(goal, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(qobject_cast<RunView *>(page()));
        QTRY_COMPARE(m_engine.goalCount(), std::size_t(1));
        QCOMPARE(m_engine.takeGoals().front(), std::string("How late is it?"));
        QVERIFY(action(u"actionKill"_s)->isEnabled());
        QTest::keyClick(page(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!action(u"actionKill"_s)->isEnabled());
        action(u"actionEditTask"_s)->trigger();
        QVERIFY(qobject_cast<TaskPage *>(page()));
        QCOMPARE(child<QPlainTextEdit>(page(), u"goal"_s)->toPlainText(), u"How late is it?"_s);
    }

    void killWorksFromAnotherPage()
    {
        m_window->playDemo();
        m_window->showStartPage();
        QTRY_VERIFY(action(u"actionKill"_s)->isEnabled());
        action(u"actionKill"_s)->trigger();
        QTRY_VERIFY(!action(u"actionKill"_s)->isEnabled());
    }

    void aBadFileIsSaidInTheWindowWithItsPlace()
    {
        const QString path =
            file(u"broken.task.json"_s, "{\"emend\":\"task\",\"version\":1,\n\"goal\":\"x\",\n"
                                        "\"bounds\":{\"max_actions\":\"many\"}}");
        m_window->openFile(path);
        auto *bar = child<QWidget>(m_window.get(), u"messageBar"_s);
        QVERIFY(bar->isVisible());
        QVERIFY(child<QLabel>(bar, u"messageText"_s)->text().contains("broken.task.json"_L1));
        const QString place = child<QLabel>(bar, u"messagePlace"_s)->text();
        QVERIFY2(place.contains(path) && place.contains("line 3"_L1) &&
                     place.contains("/bounds/max_actions"_L1),
                 qPrintable(place));
        QVERIFY(!QApplication::activeModalWidget());
        QCOMPARE(tabs()->count(), 1);
        child<QAbstractButton>(bar, u"messageClose"_s)->click();
        QVERIFY(!bar->isVisible());
    }

    void whatCannotBeOpenedIsExplained_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("words");
        QTest::newRow("no json") << u"a.task.json"_s << QByteArray("{\"emend\":\"task\",")
                                 << u"line"_s;
        QTest::newRow("scenario") << u"s.json"_s
                                  << QByteArray(R"({"emend":"scenario","version":1,"replies":[]})")
                                  << u"scenario"_s;
        QTest::newRow("something else") << u"notes.txt"_s << QByteArray("hello") << u"neither"_s;
        QTest::newRow("markup") << u"<b>x<b>.txt"_s << QByteArray("hello") << u"<b>x<b>.txt"_s;
        QTest::newRow("empty") << u"empty.txt"_s << QByteArray() << u"neither"_s;
    }

    void whatCannotBeOpenedIsExplained()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, words);
        m_window->openFile(file(name, content));
        auto *bar = child<QWidget>(m_window.get(), u"messageBar"_s);
        QVERIFY(bar->isVisible());
        const QString all = child<QLabel>(bar, u"messageText"_s)->text() +
                            child<QLabel>(bar, u"messagePlace"_s)->text();
        QVERIFY2(all.contains(words), qPrintable(all));
        m_window->openFile(m_folder->filePath(u"missing.json"_s));
        QVERIFY(child<QLabel>(bar, u"messageText"_s)->text().contains("no such file"_L1));
        m_window->openFile(m_folder->path());
        QVERIFY(child<QLabel>(bar, u"messageText"_s)->text().contains("folder"_L1));
    }

    void theContentDecidesWhatAFileIs()
    {
        QCOMPARE(*fileKind(file(u"a.txt"_s, "{\n \"emend\" : \"task\"\n}")), FileKind::Task);
        QCOMPARE(
            *fileKind(file(u"b.json"_s, "{\"emend\":\"trace\",\"task\":{\"emend\":\"task\"}}\n{}")),
            FileKind::Trace);
        QCOMPARE(*fileKind(file(u"c.json"_s,
                                "{\"goal\":\"\\\"emend\\\":\\\"trace\\\"\",\"emend\":\"task\"}")),
                 FileKind::Task);
        QCOMPARE(*fileKind(file(u"d.json"_s, "{\"emend\":\"trace\"")), FileKind::Trace); // torn
    }

    void aTraceOpensInARunPage()
    {
        m_window->openFile(file(u"x.trace.jsonl"_s, "{\"emend\":\"trace\",\"version\":1}\n"));
        QVERIFY(qobject_cast<RunView *>(page()));
        QVERIFY(!action(u"actionEditTask"_s)->isEnabled());
    }

    void filesThatAreDroppedAreOpened()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(taskFile())});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(qobject_cast<TaskPage *>(page()));
    }

    void recentFilesAreListedAndKept()
    {
        auto *list = child<QListWidget>(m_window.get(), u"recentList"_s);
        QVERIFY(!list->isVisible());
        QVERIFY(child<QLabel>(m_window.get(), u"recentEmpty"_s)->isVisible());
        const QString path = taskFile();
        m_window->openFile(path);
        m_window->openFile(path); // the same page again
        QCOMPARE(tabs()->count(), 2);
        m_window->showStartPage();
        QVERIFY(list->isVisible());
        QCOMPARE(list->count(), 1);
        QCOMPARE(list->item(0)->text(), u"Weather"_s);
        QVERIFY(m_window->close());
        openWindow();
        list = child<QListWidget>(m_window.get(), u"recentList"_s);
        QCOMPARE(list->count(), 1);
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_VERIFY(qobject_cast<TaskPage *>(page()));
        m_window->showStartPage();
        QTRY_COMPARE(list->count(), 1);
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(list->count(), 0);
    }

    void theListOfRecentFilesHasAnEnd()
    {
        RecentFiles recent;
        for (int i = 0; i < 20; ++i)
            recent.add({u"/f%1"_s.arg(i), {}, false, QDateTime::currentDateTime()});
        QCOMPARE(recent.files().size(), qsizetype(RecentFiles::most));
        QCOMPARE(recent.files().first().path, u"/f19"_s);
        RecentFiles next;
        QCOMPARE(next.files().size(), qsizetype(RecentFiles::most));
    }

    void theThemeCanBeChosen()
    {
        action(u"actionThemeDark"_s)->trigger();
        QVERIFY(isDark(QApplication::palette()));
        QTRY_VERIFY(isDark(m_window->palette()));
        action(u"actionThemeLight"_s)->trigger();
        QTRY_VERIFY(!isDark(m_window->palette()));
        closeWindow();
        openWindow();
        QVERIFY(action(u"actionThemeLight"_s)->isChecked());
    }

    void unsavedChangesAreAskedAbout()
    {
        const QString path = taskFile();
        m_window->openFile(path);
        QTest::keyClicks(child<QPlainTextEdit>(page(), u"goal"_s), u"Now: "_s);
        QVERIFY(m_window->isWindowModified());
        QVERIFY(!m_window->close());
        auto *prompt = child<QMessageBox>(m_window.get(), u"unsavedPrompt"_s);
        QVERIFY(prompt->isVisible());
        prompt->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!m_window->findChild<QMessageBox *>());
        QVERIFY(m_window->isVisible());
        QVERIFY(!m_window->close());
        child<QMessageBox>(m_window.get(), u"unsavedPrompt"_s)->button(QMessageBox::Save)->click();
        QTRY_VERIFY(!m_window->isVisible());
        const auto saved = m_engine.loadTask(path.toStdString());
        QVERIFY(saved && saved->goal == "Now: How warm is it?");
    }

    void aTabWithUnsavedChangesAsksAndCanBeDiscarded()
    {
        m_window->newTask();
        QTest::keyClicks(child<QPlainTextEdit>(page(), u"goal"_s), u"x"_s);
        action(u"actionCloseTab"_s)->trigger();
        QCOMPARE(tabs()->count(), 2);
        child<QMessageBox>(m_window.get(), u"unsavedPrompt"_s)
            ->button(QMessageBox::Discard)
            ->click();
        QTRY_COMPARE(tabs()->count(), 1);
        action(u"actionCloseTab"_s)->trigger(); // the start page stays
        QCOMPARE(tabs()->count(), 1);
    }

    void aNewTaskAsksForAFileName()
    {
        m_window->newTask();
        QTest::keyClicks(child<QPlainTextEdit>(page(), u"goal"_s), u"x"_s);
        action(u"actionSave"_s)->trigger();
        auto *dialog = child<QFileDialog>(m_window.get(), u"saveDialog"_s);
        const QString path = m_folder->filePath(u"mine.task.json"_s);
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(QFile::exists(path));
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(qobject_cast<TaskPage *>(page())->path(), path);
    }

    void closingDuringARunAsksAndKills()
    {
        m_window->playDemo();
        auto *view = qobject_cast<RunView *>(page());
        QTRY_VERIFY(isLive(view->state()));
        QVERIFY(!m_window->close());
        auto *prompt = child<QMessageBox>(m_window.get(), u"liveRunPrompt"_s);
        QVERIFY(prompt->isVisible());
        child<QAbstractButton>(prompt, u"killAndClose"_s)->click();
        QTRY_VERIFY(!m_window->isVisible());
    }

    void everyInteractiveWidgetHasAName()
    {
        m_window->openFile(taskFile());
        m_window->newTask();
        m_window->openFile(m_folder->filePath(u"missing.json"_s));
        action(u"actionShortcuts"_s)->trigger();
        int seen = 0;
        for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
            if (!isInteractive(widget) || isInside(widget) || widget->isHidden())
                continue;
            ++seen;
            QVERIFY2(
                !nameOf(widget).isEmpty(),
                qPrintable(u"%1 \"%2\""_s.arg(
                    QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
        }
        QVERIFY(seen > 60);
    }

    void tabReachesEverythingOnAPage_data()
    {
        QTest::addColumn<bool>("task");
        QTest::newRow("start page") << false;
        QTest::newRow("task page") << true;
    }

    void tabReachesEverythingOnAPage()
    {
        QFETCH(bool, task);
        if (task)
            m_window->newTask();
        QSet<const QWidget *> missing;
        for (const QWidget *widget : page()->findChildren<QWidget *>())
            if (isInteractive(widget) && !isInside(widget) && widget->isVisible() &&
                widget->isEnabled())
                missing << widget;
        QTRY_VERIFY(QApplication::focusWidget());
        for (int i = 0; i < 150 && !missing.isEmpty(); ++i) {
            QWidget *now = QApplication::focusWidget();
            for (const QWidget *up = now; up; up = up->parentWidget())
                missing.remove(up);
            QTest::keyClick(now, Qt::Key_Tab);
        }
        const QString left = missing.isEmpty() ? QString() : (*missing.cbegin())->objectName();
        QVERIFY2(missing.isEmpty(), qPrintable(left));
    }

    void theShortcutsPageListsKill()
    {
        action(u"actionShortcuts"_s)->trigger();
        const auto *shortcuts = qobject_cast<ShortcutsPage *>(page());
        QVERIFY(shortcuts);
        QStringList words;
        for (const QLabel *label : shortcuts->findChildren<QLabel *>())
            words << label->text();
        QVERIFY(words.contains(u"Ctrl+Shift+K"_s));
        action(u"actionShortcuts"_s)->trigger();
        QCOMPARE(tabs()->count(), 2); // one is enough
    }

    void aboutSaysVersionAndLicence()
    {
        action(u"actionAbout"_s)->trigger();
        auto *about = child<QDialog>(m_window.get(), u"aboutDialog"_s);
        QVERIFY(about->isVisible());
        QVERIFY(!child<QLabel>(about, u"version"_s)->text().isEmpty());
        QVERIFY(child<QLabel>(about, u"licence"_s)->text().contains("version 3 or later"_L1));
        about->close();
    }

    void aFoundServerBecomesANewTask()
    {
        m_engine.fakeSettings.servers = {{"openai", "http://127.0.0.1:8080/v1", {"small"}}};
        action(u"actionSettings"_s)->trigger();
        auto *dialog = child<QDialog>(m_window.get(), u"settingsDialog"_s);
        child<QPushButton>(dialog, u"lookForServers"_s)->click();
        QTRY_VERIFY(dialog->findChild<QPushButton *>(u"newTaskWithServer"_s));
        child<QPushButton>(dialog, u"newTaskWithServer"_s)->click();
        QVERIFY(!dialog->isVisible());
        QVERIFY(qobject_cast<TaskPage *>(page()));
        QCOMPARE(child<QComboBox>(page(), u"provider"_s)->currentText(), u"openai"_s);
        QCOMPARE(child<QLineEdit>(page(), u"baseUrl"_s)->text(), u"http://127.0.0.1:8080/v1"_s);
        QCOMPARE(child<QLineEdit>(page(), u"model"_s)->text(), u"small"_s);
    }

    void theSizeOfTheWindowIsKept()
    {
        m_window->resize(900, 620);
        QVERIFY(m_window->close());
        openWindow();
        QCOMPARE(m_window->size(), QSize(900, 620));
    }
};

QTEST_MAIN(TestShell)
#include "tst_shell.moc"
