// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/runsession.h"

#include <algorithm>
#include <utility>

#include "ui/text/vocabulary.h"

namespace emend::ui {

namespace {

constexpr int drainMs = 16;
// A batch of this size is taken in within a few milliseconds.
constexpr std::size_t maxBatch = 8192;

// Carries what a run writes into the queue; on the worker thread.
class QueueListener final : public core::RunListener {
public:
    explicit QueueListener(EventQueue &queue)
        : m_queue(queue)
    {}
    void began(const std::string &headerLine) override { m_queue.begin(headerLine); }
    void arrived(const core::Event &event) override { m_queue.push(event); }
    void partialText(int step, int attempt, std::string_view text) override
    {
        m_queue.appendPartial(step, attempt, text);
    }
    void partialOutput(int, int, std::string_view output) override { m_queue.appendOutput(output); }

private:
    EventQueue &m_queue;
};

} // namespace

RunSession::RunSession(core::Engine &engine, QObject *parent)
    : QObject(parent)
    , m_engine(engine)
    , m_model(new EventModel(this))
{
    m_timer.setInterval(drainMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RunSession::drain);
}

RunSession::~RunSession()
{
    discard();
}

void RunSession::discard()
{
    m_timer.stop();
    if (m_control)
        m_control->kill();
    if (m_queue)
        m_queue->close();
    m_worker.request_stop();
    if (m_worker.joinable())
        m_worker.join();
    m_active = false;
}

void RunSession::launch(RunState state)
{
    discard();
    m_queue = std::make_shared<EventQueue>();
    m_control.reset();
    m_facts = {};
    m_partial = {};
    m_pauseAsked = m_stopAsked = m_killed = false;
    m_clockZeroUs = -1;
    m_traceFile.clear();
    m_error.clear();
    m_difference.reset();
    m_active = true;
    m_model->clear();
    Q_EMIT factsChanged();
    setState(state);
    m_timer.start();
}

void RunSession::run(core::Task task, const QString &traceFile)
{
    start([work = std::move(task), file = traceFile.toStdString()](
              core::Engine &engine, core::RunControl &control, core::RunListener &listener) {
        return engine.run(work, file, control, listener);
    });
}

void RunSession::replay(const QString &recording)
{
    start([file = recording.toStdString()](core::Engine &engine, core::RunControl &control,
                                           core::RunListener &listener) {
        return engine.replay(file, {}, control, listener);
    });
}

void RunSession::fork(core::Fork fork, core::Task task)
{
    start([from = std::move(fork), work = std::move(task)](
              core::Engine &engine, core::RunControl &control, core::RunListener &listener) {
        return engine.fork(from, work, {}, control, listener);
    });
}

void RunSession::answer(const QString &escalation, core::Answer answer)
{
    start([id = escalation.toStdString(), given = std::move(answer)](
              core::Engine &engine, core::RunControl &control, core::RunListener &listener) {
        return engine.answer(id, given, {}, control, listener);
    });
}

void RunSession::start(Work work)
{
    m_reading = false;
    launch(RunState::Running);
    m_control = std::make_shared<core::RunControl>(m_engine.clock());
    m_clockZeroUs = m_engine.clock().nowUs();
    m_worker = std::jthread(
        [&engine = m_engine, queue = m_queue, control = m_control, job = std::move(work)] {
            QueueListener listener(*queue);
            const core::Result<core::RunReport> report = job(engine, *control, listener);
            Ending ending;
            if (report) {
                const std::string_view outcome = core::outcomeName(report->result.outcome);
                ending.outcome = QString::fromUtf8(outcome.data(), qsizetype(outcome.size()));
                ending.traceFile = QString::fromStdString(report->traceFile);
                ending.difference = report->difference;
                if (report->result.traceError)
                    ending.error = QString::fromStdString(report->result.traceError->text());
                else if (!report->escalationProblem.empty())
                    ending.error = tr("The escalation is in the trace, but not in the inbox, which "
                                      "tries again when Emend starts: %1")
                                       .arg(QString::fromStdString(report->escalationProblem));
            } else {
                ending.error = QString::fromStdString(report.error().text());
            }
            queue->end(std::move(ending));
        });
}

void RunSession::open(const QString &tracePath)
{
    m_reading = true;
    launch(RunState::Loading);
    m_traceFile = tracePath;
    m_worker = std::jthread([&engine = m_engine, queue = m_queue,
                             file = tracePath.toStdString()](const std::stop_token &stop) {
        const core::Result<void> result = engine.readTrace(
            file, stop, [&](std::string header) { queue->begin(std::move(header)); },
            [&](std::vector<core::Event> events) {
                for (core::Event &event : events)
                    queue->push(std::move(event));
            });
        Ending ending;
        if (!result)
            ending.error = QString::fromStdString(result.error().text());
        queue->end(std::move(ending));
    });
}

void RunSession::pause()
{
    if (!isLiveRun() || m_stopAsked)
        return;
    m_control->pause();
    m_pauseAsked = true;
    updateState();
}

void RunSession::resume()
{
    if (!isLiveRun() || m_stopAsked)
        return;
    m_control->resume();
    m_pauseAsked = false;
    updateState();
}

void RunSession::step()
{
    if (!isLiveRun() || m_stopAsked)
        return;
    m_control->step();
    m_pauseAsked = true;
    updateState();
}

void RunSession::kill()
{
    if (!isLiveRun() || m_killed)
        return;
    m_control->kill();
    m_stopAsked = m_killed = true;
    updateState();
}

void RunSession::escalate(const QString &reason)
{
    if (!isLiveRun() || m_stopAsked)
        return;
    m_control->escalate(reason.toStdString());
    m_stopAsked = true;
    updateState();
}

void RunSession::breaker(const QString &name, core::BreakerCommandKind kind)
{
    if (isLiveRun() && !m_stopAsked)
        m_control->breaker({name.toStdString(), kind});
}

void RunSession::stopAndWait()
{
    if (!m_active)
        return;
    if (m_control)
        m_control->kill();
    m_worker.request_stop();
    // The worker may be waiting for room in the queue: keep taking until it has said goodbye.
    while (m_active) {
        drain();
        if (m_active)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void RunSession::drain()
{
    if (!m_active)
        return;
    EventQueue::Batch batch = m_queue->take(maxBatch);
    if (!batch.events.empty()) {
        const int first = m_model->rowCount();
        m_model->append(std::move(batch.events), batch.messages);
        Q_EMIT eventsArrived(first, m_model->rowCount() - 1);
    }
    if (batch.facts) {
        m_facts = std::move(*batch.facts);
        Q_EMIT factsChanged();
    }
    if (batch.partial && m_partial != *batch.partial) {
        m_partial = std::move(*batch.partial);
        Q_EMIT partialChanged();
    }
    if (!batch.output.empty())
        Q_EMIT outputArrived(QByteArray::fromStdString(batch.output));
    if (batch.ending)
        finish(*batch.ending);
    else
        updateState();
}

void RunSession::finish(const Ending &ending)
{
    m_timer.stop();
    m_worker.join();
    m_active = false;
    m_partial = {};
    m_error = ending.error;
    m_difference = ending.difference;
    if (!ending.traceFile.isEmpty())
        m_traceFile = ending.traceFile;
    const QString outcome = m_facts.outcome ? m_facts.outcome->outcome : ending.outcome;
    if (!outcome.isEmpty())
        setState(Vocabulary::outcomeState(outcome));
    else if (!m_error.isEmpty() || !m_reading)
        setState(RunState::Failed);
    else
        setState(RunState::NoOutcome);
    Q_EMIT finished();
}

void RunSession::updateState()
{
    if (m_reading || !m_active)
        return;
    if (m_stopAsked)
        setState(RunState::Stopping);
    else if (m_facts.paused)
        setState(RunState::Paused);
    else
        setState(m_pauseAsked ? RunState::Pausing : RunState::Running);
}

void RunSession::setState(RunState state)
{
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

qint64 RunSession::elapsedUs() const
{
    if (!m_active || m_reading || m_clockZeroUs < 0)
        return m_facts.lastUs;
    return std::max<qint64>(m_facts.lastUs, m_engine.clock().nowUs() - m_clockZeroUs);
}

} // namespace emend::ui
