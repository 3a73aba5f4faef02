// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "core/run/control.h"
#include "core/run/engine.h"
#include "ui/run/eventmodel.h"
#include "ui/run/eventqueue.h"
#include "ui/run/runfacts.h"
#include "ui/run/runstate.h"

namespace emend::ui {

// One run, or one opened trace. Lives in the window's thread and owns the worker thread in which
// the engine runs; between the two there is the queue, drained every 16 ms in one batch. Only one
// thing runs at a time: starting again first kills and joins what is still going on.
class RunSession : public QObject {
    Q_OBJECT
public:
    explicit RunSession(core::Engine &engine, QObject *parent = nullptr);
    // Kills what is running and waits for it; the engine's calls return well under 100 ms after
    // that.
    ~RunSession() override;

    void run(core::Task task, const QString &traceFile = {});
    void replay(const QString &recording);
    void fork(core::Fork fork, core::Task task);
    void answer(const QString &escalation, core::Answer answer);
    void open(const QString &tracePath);

    // Commands to a live run; without one they do nothing. They never block.
    void pause();
    void resume();
    void step();
    void kill();
    void escalate(const QString &reason);
    void breaker(const QString &name, core::BreakerCommandKind kind);

    // Kills, joins and takes in what was written until then.
    void stopAndWait();

    RunState state() const { return m_state; }
    bool isLiveRun() const { return emend::ui::isLive(m_state); }
    bool isKillRequested() const { return m_killed; }
    EventModel *model() { return m_model; }
    const EventModel *model() const { return m_model; }
    const RunFacts &facts() const { return m_facts; }
    const PartialText &partial() const { return m_partial; }
    QString traceFile() const { return m_traceFile; }
    // Where a replay or a fork left its recording; known when it has ended.
    const std::optional<core::Difference> &difference() const { return m_difference; }
    QString error() const { return m_error; } // why nothing could be started or read
    qint64 elapsedUs() const; // since the start of the run; stands still after its end

Q_SIGNALS:
    void eventsArrived(int first, int last);
    void factsChanged();
    void partialChanged();
    void outputArrived(const QByteArray &bytes); // of a command that is running
    void stateChanged(emend::ui::RunState state);
    void finished();

private:
    using Work = std::function<core::Result<core::RunReport>(core::Engine &, core::RunControl &,
                                                             core::RunListener &)>;
    void start(Work work);
    void launch(RunState state);
    void drain();
    void finish(const Ending &ending);
    void updateState();
    void setState(RunState state);
    void discard();

    core::Engine &m_engine;
    EventModel *m_model;
    QTimer m_timer;
    std::shared_ptr<EventQueue> m_queue;
    std::shared_ptr<core::RunControl> m_control;
    std::jthread m_worker;
    RunFacts m_facts;
    PartialText m_partial;
    RunState m_state = RunState::Idle;
    bool m_active = false;  // the worker has not been taken leave of
    bool m_reading = false; // a trace, not a run
    bool m_pauseAsked = false;
    bool m_stopAsked = false;
    bool m_killed = false;
    qint64 m_clockZeroUs = -1; // the run's start on the engine's clock
    QString m_traceFile;
    QString m_error;
    std::optional<core::Difference> m_difference;
};

} // namespace emend::ui
