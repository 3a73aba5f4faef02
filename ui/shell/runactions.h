// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/menus.h"

#include <QList>
#include <QObject>

class QTabWidget;

namespace emend::ui {

class ForkPage;
class RunView;

// Connects the Run menu with the run that is shown. Kill works from every page: where no run is
// shown, it kills every run that is going on. GUI thread.
class RunActions : public QObject {
    Q_OBJECT
public:
    RunActions(const Actions &actions, QTabWidget *pages, QObject *parent);

    int liveCount() const; // runs that are going on, in whatever page

public Q_SLOTS:
    void update(); // the state of a run or the page that is shown has changed

private:
    QList<RunView *> liveRuns() const;
    QList<ForkPage *> liveForks() const;
    RunView *shown() const;
    void kill();

    Actions m_actions;
    QTabWidget *m_pages;
};

} // namespace emend::ui
