// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMetaType>

namespace emend::ui {

// Where a run is, as a person sees it. Exactly one at a time; the words are in
// ui/text/vocabulary.h.
enum class RunState : quint8 {
    Idle,    // nothing started or opened
    Loading, // a trace is being read
    Running,
    Pausing, // asked for; what is in flight is finishing
    Paused,
    Stopping, // killed or escalated; what is in flight is being aborted
    Satisfied,
    Unsatisfied,
    Escalated,
    Killed,
    Failed,
    NoOutcome, // a trace that stops without run.finished
};
inline constexpr int runStateCount = int(RunState::NoOutcome) + 1;

// A run is going on in the worker thread and can be controlled.
constexpr bool isLive(RunState state)
{
    return state >= RunState::Running && state <= RunState::Stopping;
}

} // namespace emend::ui

Q_DECLARE_METATYPE(emend::ui::RunState)
