// SPDX-License-Identifier: GPL-3.0-or-later
// Two things that can be seen at the same time must not want the same Alt key: Qt then only moves
// the focus between them.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QListWidget>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/ui/fakeshellengine.h"
#include "ui/run/runview.h"
#include "ui/shell/aboutdialog.h"
#include "ui/shell/background.h"
#include "ui/shell/forkdialog.h"
#include "ui/shell/forkpage.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/recentfiles.h"
#include "ui/shell/settings.h"
#include "ui/shell/settingsdialog.h"

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;

namespace {

// By key, the words that want it.
using Wanted = QMap<QString, QStringList>;

void want(Wanted &wanted, const QString &words)
{
    const QKeySequence key = QKeySequence::mnemonic(words);
    if (!key.isEmpty())
        wanted[key.toString()] << words;
}

void wantActions(Wanted &wanted, const QList<QAction *> &actions)
{
    for (const QAction *action : actions)
        if (action->isVisible() && !action->isSeparator())
            want(wanted, action->text());
}

QString clashes(const Wanted &wanted)
{
    QStringList found;
    for (auto it = wanted.begin(); it != wanted.end(); ++it)
        if (it.value().size() > 1)
            found << it.key() + u": "_s + it.value().join(u", "_s);
    return found.join(u"; "_s);
}

// What is visible in the window now.
QString clashesIn(const QWidget &window)
{
    Wanted wanted;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->window() != &window)
            continue;
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
            want(wanted, button->text());
        else if (const auto *label = qobject_cast<const QLabel *>(widget); label && label->buddy())
            want(wanted, label->text());
        else if (const auto *box = qobject_cast<const QGroupBox *>(widget))
            want(wanted, box->title());
        else if (const auto *tabs = qobject_cast<const QTabBar *>(widget))
            for (int n = 0; n < tabs->count(); ++n)
                want(wanted, tabs->tabText(n));
        else if (const auto *bar = qobject_cast<const QMenuBar *>(widget))
            wantActions(wanted, bar->actions());
    }
    return clashes(wanted);
}

QString clashesInMenus(const QWidget &window)
{
    QStringList found;
    for (const QMenu *menu : window.findChildren<QMenu *>()) {
        Wanted wanted;
        wantActions(wanted, menu->actions());
        if (const QString bad = clashes(wanted); !bad.isEmpty())
            found << menu->title() + u" menu – "_s + bad;
    }
    return found.join(u'\n');
}

} // namespace

class TestMnemonics : public QObject {
    Q_OBJECT

    FakeShellEngine m_engine;
    std::unique_ptr<MainWindow> m_window;

    QWidget *page() const { return m_window->findChild<QTabWidget *>(u"tabs"_s)->currentWidget(); }
    void trigger(const QString &action) { m_window->findChild<QAction *>(action)->trigger(); }
    static void setUp(core::ProviderFacts &facts, const char *name)
    {
        facts.name = name;
        facts.overNetwork = facts.keyRequired = true;
        facts.keyVariable = "A_KEY";
    }

private Q_SLOTS:
    void initTestCase()
    {
        settings().clear();
        m_engine.fakeSettings.facts.resize(1);
        setUp(m_engine.fakeSettings.facts[0], "openai");
        m_engine.fakeSettings.servers = {{"ollama", "http://127.0.0.1:1", {"m"}},
                                         {"openai", "http://127.0.0.1:2", {"m"}}};
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_engine);
        m_window->show();
    }
    void cleanup()
    {
        m_window.reset();
        Background::waitForAll();
    }

    void theWalkerSeesAClash()
    {
        QWidget window;
        new QPushButton(u"&One"_s, &window);
        auto *other = new QPushButton(u"An&other"_s, &window);
        window.show();
        QCOMPARE(clashesIn(window), u"Alt+O: &One, An&other"_s);
        other->hide();
        QCOMPARE(clashesIn(window), QString());
    }

    void menusOfEveryState()
    {
        QCOMPARE(clashesInMenus(*m_window), QString());
        m_window->playDemo();
        auto *view = qobject_cast<RunView *>(page());
        QTRY_VERIFY(isLive(view->state()));
        QCOMPARE(clashesInMenus(*m_window), QString());
        trigger(u"actionPause"_s);
        QCOMPARE(clashesInMenus(*m_window), QString()); // Resume stands in place of Pause
        QVERIFY(m_window->findChild<QAction *>(u"actionPause"_s)->text().startsWith(u"Res"_s));
        trigger(u"actionKill"_s);
        QTRY_VERIFY(!isLive(view->state()));
        QCOMPARE(clashesInMenus(*m_window), QString());
    }

    void pagesOfTheWindow()
    {
        QCOMPARE(clashesIn(*m_window), QString());
        m_window->openFile(u"/nowhere/x.json"_s); // the message bar
        QCOMPARE(clashesIn(*m_window), QString());
        trigger(u"actionShortcuts"_s);
        QCOMPARE(clashesIn(*m_window), QString());
        m_window->playDemo();
        auto *view = qobject_cast<RunView *>(page());
        QTRY_VERIFY(isLive(view->state()));
        view->askEscalate();
        QCOMPARE(clashesIn(*m_window), QString());
        view->kill();
        QTRY_VERIFY(!isLive(view->state()));
        QCOMPARE(clashesIn(*m_window), QString());
    }

    void theTaskPageWithEveryProvider()
    {
        m_window->newTask();
        auto *provider = page()->findChild<QComboBox *>(u"provider"_s);
        for (int n = 0; n < provider->count(); ++n) {
            provider->setCurrentIndex(n);
            for (auto *toggle : page()->findChildren<QToolButton *>())
                if (toggle->isVisible() && toggle->arrowType() == Qt::RightArrow)
                    toggle->click();
            QCOMPARE(clashesIn(*m_window), QString());
        }
    }

    void theForkDialogWithEveryProvider()
    {
        core::Task task;
        task.systemPrompt = "mine";
        task.model.recording = "a.trace.jsonl";
        ForkDialog dialog(m_engine, task, 1, 2);
        dialog.show();
        auto *provider = dialog.findChild<QComboBox *>(u"provider"_s);
        for (int n = 0; n < provider->count(); ++n) {
            provider->setCurrentIndex(n);
            QCOMPARE(clashesIn(dialog), QString());
        }
    }

    void everyPageOfTheSettings_data()
    {
        QTest::addColumn<bool>("taskOpen");
        QTest::newRow("alone") << false;
        QTest::newRow("for a task") << true;
    }
    void everyPageOfTheSettings()
    {
        QFETCH(bool, taskOpen);
        SettingsDialog dialog(m_engine.fakeSettings, taskOpen);
        dialog.show();
        QTRY_VERIFY(dialog.findChild<QListWidget *>(u"providerList"_s)->count() > 0);
        dialog.findChild<QAbstractButton *>(u"lookForServers"_s)->click();
        QTRY_COMPARE(dialog.findChildren<QWidget *>(u"localServer"_s).size(), 2);
        auto *tabs = dialog.findChild<QTabWidget *>(u"settingsTabs"_s);
        for (int n = 0; n < tabs->count(); ++n) {
            tabs->setCurrentIndex(n);
            QCOMPARE(clashesIn(dialog), QString());
        }
        dialog.findChild<QPlainTextEdit *>(u"patterns"_s)->setPlainText(u"x"_s);
        dialog.close(); // asks
        QVERIFY(dialog.isVisible());
        QCOMPARE(clashesIn(dialog), QString());
    }

    void theOtherDialogs()
    {
        AboutDialog about;
        about.show();
        QCOMPARE(clashesIn(about), QString());
        ForkPage forks(m_engine, {"a.trace.jsonl", 1}, {}, 2);
        forks.show();
        QCOMPARE(clashesIn(forks), QString());
        m_window->newTask();
        QTest::keyClicks(page()->findChild<QPlainTextEdit *>(u"goal"_s), u"x"_s);
        QVERIFY(!m_window->close());
        auto *unsaved = m_window->findChild<QMessageBox *>(u"unsavedPrompt"_s);
        QCOMPARE(clashesIn(*unsaved), QString());
        init(); // another window
        m_window->playDemo();
        QVERIFY(!m_window->close());
        auto *live = m_window->findChild<QMessageBox *>(u"liveRunPrompt"_s);
        QVERIFY(live);
        QCOMPARE(clashesIn(*live), QString());
    }
};

QTEST_MAIN(TestMnemonics)
#include "tst_mnemonics.moc"
