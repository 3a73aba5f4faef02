// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"

#include <QString>
#include <QStringList>

namespace emend::ui {

// What a person changed between a recorded task and the one that its forks run. Plain text.
struct ForkChanges {
    QStringList parts; // in a few words each: "goal", "prompt (+3 −1 lines)"
    QString details;   // old and new of each, texts as unified diffs; empty if nothing changed

    QString sentence() const; // all parts, or that there are none
};

// `builtIn` is the prompt of a task that has none of its own.
ForkChanges forkChanges(const core::Task &before, const core::Task &after,
                        const std::string &builtIn);

} // namespace emend::ui
