// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/menus.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::Menus)
};

QAction *add(QMenu *menu, const QString &objectName, const QString &text,
             const QList<QKeySequence> &keys = {}, const char *picture = nullptr)
{
    QAction *action = menu->addAction(text);
    action->setObjectName(objectName);
    action->setShortcuts(keys);
    if (picture)
        action->setIcon(icon(QLatin1String(picture), QPalette::WindowText));
    return action;
}

void buildFile(QMainWindow &window, Actions &a)
{
    QMenu *menu = a.fileMenu = window.menuBar()->addMenu(Words::tr("&File"));
    menu->setObjectName(u"fileMenu"_s);
    a.newTask = add(menu, u"actionNewTask"_s, Words::tr("&New task"), {QKeySequence::New}, "new");
    a.open = add(menu, u"actionOpen"_s, Words::tr("&Open…"), {QKeySequence::Open}, "open");
    a.open->setStatusTip(Words::tr("Open a task or a trace"));
    a.exampleMenu = menu->addMenu(Words::tr("Open e&xample"));
    a.exampleMenu->setObjectName(u"exampleMenu"_s);
    a.recentMenu = menu->addMenu(Words::tr("Open &recent"));
    a.recentMenu->setObjectName(u"recentMenu"_s);
    menu->addSeparator();
    a.save = add(menu, u"actionSave"_s, Words::tr("&Save task"), {QKeySequence::Save}, "save");
    a.saveAs = add(menu, u"actionSaveAs"_s, Words::tr("Save task &as…"),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)});
    menu->addSeparator();
    a.settings = add(menu, u"actionSettings"_s, Words::tr("Se&ttings…"),
                     {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    a.settings->setMenuRole(QAction::PreferencesRole);
    menu->addSeparator();
    a.closeTab = add(menu, u"actionCloseTab"_s, Words::tr("&Close tab"),
                     {QKeySequence(Qt::CTRL | Qt::Key_W)}, "close");
    a.quit = add(menu, u"actionQuit"_s, Words::tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    a.quit->setMenuRole(QAction::QuitRole);
}

void buildRun(QMainWindow &window, Actions &a)
{
    QMenu *menu = a.runMenu = window.menuBar()->addMenu(Words::tr("&Run"));
    menu->setObjectName(u"runMenu"_s);
    a.run = add(menu, u"actionRun"_s, Words::tr("&Run"),
                {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter),
                 QKeySequence(Qt::Key_F5)},
                "play");
    a.editTask = add(menu, u"actionEditTask"_s, Words::tr("E&dit this task"), {}, "edit");
    menu->addSeparator();
    a.replay = add(menu, u"actionReplay"_s, Words::tr("Rep&lay this trace"),
                   {QKeySequence(Qt::CTRL | Qt::Key_L)});
    a.fork = add(menu, u"actionFork"_s, Words::tr("&Fork from a step…"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)});
    menu->addSeparator();
    a.pause = add(menu, u"actionPause"_s, Words::tr("&Pause"), {QKeySequence(Qt::Key_F6)}, "pause");
    a.step = add(menu, u"actionStep"_s, Words::tr("&Step"), {QKeySequence(Qt::Key_F10)}, "step");
    menu->addSeparator();
    a.escalate = add(menu, u"actionEscalate"_s, Words::tr("&Escalate…"),
                     {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, "escalate");
    a.kill = add(menu, u"actionKill"_s, Words::tr("&Kill"),
                 {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K)}, "kill");
}

void buildView(QMainWindow &window, Actions &a)
{
    QMenu *menu = window.menuBar()->addMenu(Words::tr("&View"));
    menu->setObjectName(u"viewMenu"_s);
    a.startPage = add(menu, u"actionStartPage"_s, Words::tr("&Start page"),
                      {QKeySequence(Qt::ALT | Qt::Key_Home)}, "home");
    a.inbox = add(menu, u"actionInbox"_s, Words::tr("&Inbox"),
                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I)}, "inbox");
    a.nextTab = add(menu, u"actionNextTab"_s, Words::tr("&Next tab"),
                    {QKeySequence(Qt::CTRL | Qt::Key_PageDown)});
    a.previousTab = add(menu, u"actionPreviousTab"_s, Words::tr("&Previous tab"),
                        {QKeySequence(Qt::CTRL | Qt::Key_PageUp)});
    menu->addSeparator();
    QMenu *theme = menu->addMenu(Words::tr("&Theme"));
    a.theme = new QActionGroup(&window);
    const struct {
        ThemeChoice choice;
        QString name;
        QString words;
    } choices[] = {
        {ThemeChoice::System, u"actionThemeSystem"_s, Words::tr("As the &system")},
        {ThemeChoice::Light, u"actionThemeLight"_s, Words::tr("&Light")},
        {ThemeChoice::Dark, u"actionThemeDark"_s, Words::tr("&Dark")},
    };
    for (const auto &choice : choices) {
        QAction *action = add(theme, choice.name, choice.words);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice.choice));
        a.theme->addAction(action);
    }
}

void buildHelp(QMainWindow &window, Actions &a)
{
    QMenu *menu = window.menuBar()->addMenu(Words::tr("&Help"));
    menu->setObjectName(u"helpMenu"_s);
    a.shortcuts = add(menu, u"actionShortcuts"_s, Words::tr("&Keyboard shortcuts"),
                      {QKeySequence(Qt::Key_F1)});
    menu->addSeparator();
    a.about = add(menu, u"actionAbout"_s, Words::tr("&About Emend"));
    a.about->setMenuRole(QAction::AboutRole);
}

} // namespace

Actions buildMenus(QMainWindow &window)
{
    Actions actions;
    buildFile(window, actions);
    buildRun(window, actions);
    buildView(window, actions);
    buildHelp(window, actions);
    return actions;
}

} // namespace emend::ui
