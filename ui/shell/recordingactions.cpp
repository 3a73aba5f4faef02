// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recordingactions.h"

#include "ui/run/runview.h"
#include "ui/shell/background.h"
#include "ui/shell/forkdialog.h"
#include "ui/shell/forkpage.h"

#include <QAction>
#include <QTabWidget>

namespace emend::ui {

RecordingActions::RecordingActions(core::Engine &engine, const Actions &actions, QTabWidget *pages,
                                   QWidget *window)
    : QObject(window)
    , m_engine(engine)
    , m_pages(pages)
    , m_window(window)
    , m_reading(new Background(this))
{
    connect(actions.replay, &QAction::triggered, this, &RecordingActions::replay);
    connect(actions.fork, &QAction::triggered, this, &RecordingActions::fork);
}

const RunView *RecordingActions::recorded() const
{
    const auto *shown = qobject_cast<RunView *>(m_pages->currentWidget());
    return shown && !isLive(shown->state()) && !shown->traceFile().isEmpty() ? shown : nullptr;
}

void RecordingActions::replay()
{
    const RunView *shown = recorded();
    if (!shown)
        return;
    const QString trace = shown->traceFile();
    auto *view = new RunView(m_engine);
    Q_EMIT pageMade(view, tr("Replay"));
    view->startReplay(trace);
}

// A trace can be long: its task is read on another thread.
void RecordingActions::fork()
{
    const RunView *shown = recorded();
    if (!shown)
        return;
    const QString trace = shown->traceFile();
    const int last = shown->lastStep(), step = shown->chosenStep();
    m_reading->start([this, &engine = m_engine, trace, step, last](std::stop_token) {
        const auto task =
            std::make_shared<core::Result<core::Task>>(engine.taskOfTrace(trace.toStdString()));
        return Background::Done([this, task, trace, step, last] {
            if (*task)
                askWhere(**task, trace, step, last);
            else
                Q_EMIT failed(tr("This trace cannot be forked"), task->error(), trace);
        });
    });
}

void RecordingActions::askWhere(const core::Task &task, const QString &trace, int step,
                                int lastStep)
{
    auto *dialog = new ForkDialog(m_engine, task, step, lastStep, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ForkDialog::forkRequested, this,
            [this, trace](int from, const core::Task &changed, int times) {
                start({trace.toStdString(), from}, changed, times);
            });
    dialog->open();
}

void RecordingActions::start(const core::Fork &fork, const core::Task &task, int times)
{
    if (times > 1) {
        auto *page = new ForkPage(m_engine, fork, task, times);
        Q_EMIT pageMade(page, page->title());
        return;
    }
    auto *view = new RunView(m_engine);
    Q_EMIT pageMade(view, tr("Fork at step %1").arg(fork.step));
    view->startFork(fork, task);
}

} // namespace emend::ui
