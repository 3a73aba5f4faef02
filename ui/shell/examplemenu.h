// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "core/task/task.h"

#include <functional>

class QMenu;

namespace emend::ui {

// Fills a menu with the bundled tasks when it is opened. What is chosen comes as a new task of its
// own: nothing in it refers to a file that a person could not edit, but its recorded replies.
void fillExamples(QMenu *menu, core::Engine &engine, std::function<void(core::Task)> open);

} // namespace emend::ui
