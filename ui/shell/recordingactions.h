// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "ui/shell/menus.h"

#include <QObject>

class QTabWidget;

namespace emend::ui {

class Background;
class RunView;

// What is done with the trace of the run that is shown: replay it, or fork it. Makes the pages and
// starts what they show. GUI thread.
class RecordingActions : public QObject {
    Q_OBJECT
public:
    // `engine` must outlive this; `pages` are the tabs of the window.
    RecordingActions(core::Engine &engine, const Actions &actions, QTabWidget *pages,
                     QWidget *window);

Q_SIGNALS:
    void pageMade(QWidget *page, const QString &title);
    void failed(const QString &what, const core::Error &error, const QString &path);

private:
    const RunView *recorded() const; // null: no finished run is shown
    void replay();
    void fork();
    void askWhere(const core::Task &task, const QString &trace, int step, int lastStep);
    void start(const core::Fork &fork, const core::Task &task, int times);

    core::Engine &m_engine;
    QTabWidget *m_pages;
    QWidget *m_window;
    Background *m_reading; // the task of a trace
};

} // namespace emend::ui
