// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/run/runfacts.h"
#include "ui/run/runstate.h"

class QLabel;
class QPushButton;

namespace emend::ui {

class ElidedLabel;
class KillButton;
class ShapeLabel;

// The bar above a run: its state in word and shape, what it is for, what it has used so far, and
// the buttons that control it.
class RunHeader : public QWidget {
    Q_OBJECT
public:
    explicit RunHeader(QWidget *parent = nullptr);

    // `detail` explains the state in one sentence.
    void setState(RunState state, const QString &detail);
    void setFacts(const RunFacts &facts);
    void setElapsed(qint64 us);
    // Stands in place of the counters while it is not empty: what the run waits for.
    void setWaiting(const QString &text);
    // While a run is live; a trace cannot be controlled.
    void setControls(bool visible, bool running, bool paused, bool killed);
    // What can be done with a run that has ended.
    void setRecorded(bool replay, bool fork);
    QString stateWord() const;

Q_SIGNALS:
    void pauseClicked(); // or resume
    void stepClicked();
    void escalateClicked();
    void killClicked();
    void replayClicked();
    void forkClicked();

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    static QPushButton *addButton(QWidget *row, const QString &objectName);
    void buildButtons();
    void buildRecorded();
    void updateColors();
    void updateCounters();
    QString tokensPart() const;
    QString costPart() const;

    ShapeLabel *m_shape;
    QLabel *m_state;
    ElidedLabel *m_goal;
    ElidedLabel *m_counters;
    QWidget *m_buttons;
    QWidget *m_recorded;
    QPushButton *m_pause;
    QPushButton *m_step;
    QPushButton *m_escalate;
    QPushButton *m_replay;
    QPushButton *m_fork;
    KillButton *m_kill;
    RunFacts m_facts;
    RunState m_shown = RunState::Idle;
    qint64 m_elapsedUs = 0;
    QString m_waiting;
    bool m_pauseResumes = false;
};

} // namespace emend::ui
