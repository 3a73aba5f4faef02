// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/run/engine.h"
#include "ui/shell/menus.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <map>

namespace emend::ui {

class ClosePrompt;
class MessageBar;
class PageTabs;
class RecentFiles;
class RunActions;
class RunView;
class SettingsDialog;
class StartPage;
class TaskFiles;
class TaskPage;
class Theme;

// The window: makes the pages, puts them into tabs, and wires menus and pages together. What a page
// does is the page's business. GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // `engine` must outlive the window.
    explicit MainWindow(core::Engine &engine, QWidget *parent = nullptr);
    ~MainWindow() override;

public Q_SLOTS:
    // A task or a trace, by its content. What cannot be opened is said in the message bar.
    void openFile(const QString &path);
    void playDemo();
    void newTask();
    void ask(const QString &question); // runs it with the practice model
    void showStartPage();

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void connectActions();
    void connectStartPage();
    void openTaskPage(core::Task task, const QString &path);
    void openTask(const QString &path);
    void openTrace(const QString &path);
    void startRun(const core::Task &task);
    void connectRun(RunView *view);

    void chooseFile();
    void save(bool as);

    void closeTab(int index);
    void removePage(QWidget *page);
    void askToClose(const QList<QPointer<TaskPage>> &unsaved, int live,
                    std::function<void()> agreed);

    void runCurrent();
    void editTaskOfRun();
    void addRecorded(QWidget *page, const QString &title); // a replay, a fork
    void showShortcuts();
    void showSettings(const QString &provider);
    void showAbout();
    void updateCurrent(); // title, actions
    void showProblem(const QString &what, const core::Error &error, const QString &path);

    core::Engine &m_engine;
    Theme *m_theme;
    RecentFiles *m_recent;
    TaskFiles *m_files;
    Actions m_actions;
    MessageBar *m_bar;
    PageTabs *m_tabs;
    RunActions *m_runActions;
    StartPage *m_start;
    std::map<const QObject *, core::Task> m_runTasks; // what a run page runs
    QPointer<ClosePrompt> m_prompt;
    QPointer<SettingsDialog> m_settingsDialog;
    bool m_mayClose = false;
};

} // namespace emend::ui
