// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace emend::ui {

// The actions of the main window. Owned by the window.
struct Actions {
    QMenu *fileMenu = nullptr;
    QMenu *recentMenu = nullptr;
    QMenu *exampleMenu = nullptr;
    QMenu *runMenu = nullptr;
    QAction *newTask = nullptr;
    QAction *open = nullptr;
    QAction *save = nullptr;
    QAction *saveAs = nullptr;
    QAction *closeTab = nullptr;
    QAction *settings = nullptr;
    QAction *quit = nullptr;
    QAction *run = nullptr;
    QAction *editTask = nullptr; // the task of the run that is shown
    QAction *replay = nullptr;   // the trace that is shown
    QAction *fork = nullptr;
    QAction *pause = nullptr; // and resume
    QAction *step = nullptr;
    QAction *escalate = nullptr;
    QAction *kill = nullptr;
    QAction *startPage = nullptr;
    QAction *inbox = nullptr;
    QAction *nextTab = nullptr;
    QAction *previousTab = nullptr;
    QActionGroup *theme = nullptr; // data: ThemeChoice
    QAction *shortcuts = nullptr;
    QAction *about = nullptr;
};

// Fills the menu bar of `window`. Connects nothing.
Actions buildMenus(QMainWindow &window);

} // namespace emend::ui
