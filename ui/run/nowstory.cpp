// SPDX-License-Identifier: GPL-3.0-or-later
// The story of the present moment: shown while a run goes on and no event is chosen.
#include <QCoreApplication>

#include "ui/run/runfacts.h"
#include "ui/run/story.h"
#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

namespace {

struct Now {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::NowStory)
public:
    static QString title(const CurrentFacts &current);
};

QString Now::title(const CurrentFacts &current)
{
    switch (current.kind) {
    case EventKind::ModelRequested:
        return tr("The model is replying");
    case EventKind::ModelWaiting:
        return tr("Waiting to ask the model again");
    case EventKind::ToolStarted:
        return tr("%1 is running").arg(oneLine(current.tool, 80));
    case EventKind::VerifyStarted:
        return current.suite == "generated"_L1    ? tr("Both solutions run on generated inputs")
               : current.suite == "edge_tests"_L1 ? tr("The edge tests are running")
                                                  : tr("The tests are running");
    default:
        return tr("Between two effects");
    }
}

} // namespace

Story buildNowStory(const RunFacts &facts, RunState state)
{
    Story story;
    story.badge = Vocabulary::state(state);
    const CurrentFacts &current = facts.current;
    const bool still = state == RunState::Paused || state == RunState::Stopping;
    story.title = still ? story.badge.word : Now::title(current);
    if (current.step > 0 && !still) {
        story.subtitle = Now::tr("Step %1").arg(current.step);
        if (current.attempt >= 0)
            story.subtitle +=
                QStringLiteral(" · ") + Vocabulary::attempt(current.attempt).toLower();
    }
    StorySection hint;
    hint.note = Vocabulary::stateHint(state) + QStringLiteral(". ") +
                Now::tr("Choose an event to see its whole story.");
    story.sections.push_back(hint);
    if (current.kind == EventKind::ModelRequested && !still) {
        StorySection reply;
        reply.heading = Now::tr("Reply, arriving");
        reply.live = true;
        story.sections.push_back(reply);
        story.liveStep = current.step;
        story.liveAttempt = current.attempt;
    }
    return story;
}

} // namespace emend::ui
