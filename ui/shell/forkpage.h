// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "core/trace/summary.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace emend::ui {

class Background;
class KillButton;
class RunSession;
class SpreadPanel;

// Several forks of one trace, one after the other: a row a run beside the recorded one, and how
// they spread. A double click opens a run's trace. GUI thread; the runs are on a worker.
class ForkPage : public QWidget {
    Q_OBJECT
public:
    ForkPage(core::Engine &engine, core::Fork fork, core::Task task, int times,
             QWidget *parent = nullptr);
    ~ForkPage() override;

    bool isLive() const { return m_live; }
    int finishedRuns() const { return static_cast<int>(m_runs.size()); }
    QString title() const;

public Q_SLOTS:
    void kill(); // the run that is going on; the others are not started

Q_SIGNALS:
    void stateChanged();
    void openRequested(const QString &trace);

private:
    void build();
    void buildChanges();
    void buildTable();
    void showChanges(const core::Result<core::Task> &before);
    void startNext();
    void runEnded();
    void readOriginal();
    void addRow(int row, const core::RunSummary &summary, const QString &error);
    void showProgress();
    void showSpread();

    core::Engine &m_engine;
    core::Fork m_fork;
    core::Task m_task;
    int m_times;
    bool m_live = true;
    bool m_killed = false;
    std::vector<core::RunSummary> m_runs;
    std::vector<QString> m_traces; // by run
    QLabel *m_headline;
    KillButton *m_kill;
    QTableWidget *m_table;
    QLabel *m_changes;
    QPlainTextEdit *m_details;
    QPushButton *m_more;
    SpreadPanel *m_spread;
    RunSession *m_session;
    Background *m_original;
};

} // namespace emend::ui
