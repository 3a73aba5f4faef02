// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "core/run/engine.h"
#include "ui/code/codefacts.h"
#include "ui/run/runsession.h"
#include "ui/run/runstate.h"

class QSplitter;
class QTabWidget;

namespace emend::ui {

class BreakerPanel;
class CodePanel;
class DifferencePanel;
class EscalateBar;
class EventTable;
class LaneStrip;
class NoticeStrip;
class OutcomeBanner;
class RunHeader;
class StoryPanel;

// A run as it happens, or a trace: header with state and controls, lanes, table of events, story of
// the chosen event, breakers, and in the end the outcome. Keys while the focus is inside: F6 pause
// and resume, F10 step, Ctrl+Shift+E escalate, Ctrl+Shift+K kill. Deleting it during a run kills
// the run.
class RunView : public QWidget {
    Q_OBJECT
public:
    explicit RunView(core::Engine &engine, QWidget *parent = nullptr);
    ~RunView() override;

    void startRun(core::Task task);
    void openTrace(const QString &path);
    void startReplay(const QString &recording);
    void startFork(core::Fork fork, core::Task task);
    void startAnswer(const QString &escalation, const core::Answer &answer);

    RunState state() const { return m_session->state(); }
    QString title() const { return m_title; }
    QString runName() const; // of the task that runs or was recorded; empty until it is known
    QString traceFile() const { return m_session->traceFile(); }
    const RunFacts &facts() const { return m_session->facts(); }
    int chosenRow() const;
    int chosenStep() const; // of the chosen event; 0: it belongs to none
    int lastStep() const;   // 0: none was begun
    void chooseRow(int row);

public Q_SLOTS:
    void pauseOrResume();
    void step();
    void askEscalate(); // opens the bar that asks for the reason
    void kill();

Q_SIGNALS:
    void stateChanged(emend::ui::RunState state);
    void titleChanged(const QString &title);
    void finished();
    void replayRequested(); // of the run that is shown, which has ended
    void forkRequested();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void build();
    void connectSession();
    void connectViews();
    void prepare();
    void updateState();
    void updateFacts();
    void runEnded();
    void rowChosen(int row);
    void refreshStory();
    void refreshStorySoon(int milliseconds);
    void escalate(const QString &reason);
    void closeEscalateBar();
    void tick();
    void showWaiting();
    void showPartial();
    void showCode();
    QString stateDetail() const;

    RunSession *m_session;
    RunHeader *m_header;
    EscalateBar *m_escalateBar;
    NoticeStrip *m_tlsStrip;
    NoticeStrip *m_damageStrip;
    DifferencePanel *m_difference;
    OutcomeBanner *m_banner;
    LaneStrip *m_lanes;
    EventTable *m_table;
    BreakerPanel *m_breakers;
    StoryPanel *m_story;
    QSplitter *m_columns;
    QTabWidget *m_pages; // the events; of mode code the attempts before them
    CodePanel *m_code;
    CodeFacts m_codeFacts;
    int m_codeRows = 0; // events that are in them
    QTimer m_ticker;    // what moves while nothing arrives: the clock, bars that grow
    QTimer m_storyTimer;
    QString m_title;
    int m_shownRow = -2; // of the story; -1: the present moment
    bool m_fromTrace = false;
    bool m_replay = false;
};

} // namespace emend::ui
