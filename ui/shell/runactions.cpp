// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/runactions.h"

#include "ui/run/runview.h"
#include "ui/shell/forkpage.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace emend::ui {

RunActions::RunActions(const Actions &actions, QTabWidget *pages, QObject *parent)
    : QObject(parent)
    , m_actions(actions)
    , m_pages(pages)
{
    const auto forward = [this](QAction *action, void (RunView::*command)()) {
        connect(action, &QAction::triggered, this, [this, command] {
            if (RunView *view = shown())
                (view->*command)();
        });
    };
    forward(m_actions.pause, &RunView::pauseOrResume);
    forward(m_actions.step, &RunView::step);
    forward(m_actions.escalate, &RunView::askEscalate);
    connect(m_actions.kill, &QAction::triggered, this, &RunActions::kill);
}

RunView *RunActions::shown() const
{
    return qobject_cast<RunView *>(m_pages->currentWidget());
}

QList<RunView *> RunActions::liveRuns() const
{
    QList<RunView *> live;
    for (int i = 0; i < m_pages->count(); ++i) {
        auto *view = qobject_cast<RunView *>(m_pages->widget(i));
        if (view && isLive(view->state()))
            live << view;
    }
    return live;
}

QList<ForkPage *> RunActions::liveForks() const
{
    QList<ForkPage *> live;
    for (int i = 0; i < m_pages->count(); ++i) {
        auto *page = qobject_cast<ForkPage *>(m_pages->widget(i));
        if (page && page->isLive())
            live << page;
    }
    return live;
}

int RunActions::liveCount() const
{
    return int(liveRuns().size() + liveForks().size());
}

void RunActions::kill()
{
    auto *forks = qobject_cast<ForkPage *>(m_pages->currentWidget());
    if (forks && forks->isLive()) {
        forks->kill();
        return;
    }
    RunView *view = shown();
    if (view && isLive(view->state())) {
        view->kill();
        return;
    }
    for (RunView *other : liveRuns())
        other->kill();
    for (ForkPage *other : liveForks())
        other->kill();
}

void RunActions::update()
{
    const RunView *view = shown();
    const RunState state = view ? view->state() : RunState::Idle;
    const bool resumable = state == RunState::Paused || state == RunState::Pausing;
    const bool controllable = isLive(state) && state != RunState::Stopping;
    m_actions.pause->setText(resumable ? tr("Res&ume") : tr("&Pause"));
    m_actions.pause->setIcon(icon(resumable ? "play"_L1 : "pause"_L1, QPalette::WindowText));
    m_actions.pause->setEnabled(controllable);
    m_actions.step->setEnabled(controllable);
    m_actions.escalate->setEnabled(controllable);
    m_actions.kill->setEnabled(liveCount() > 0);
    const bool recorded = view && !isLive(state) && !view->traceFile().isEmpty();
    m_actions.replay->setEnabled(recorded);
    m_actions.fork->setEnabled(recorded && view->lastStep() > 0);
}

} // namespace emend::ui
