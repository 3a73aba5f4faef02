// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/task/scenario.h"
#include "core/task/task.h"

// Task and scenario files (design section 11) and the files they name. Paths may be Qt resources
// (":/emend/scenarios/demo.task.json"). Errors name the file and the place. Any thread.
namespace emend::tools {

constexpr std::size_t maxTextFile = std::size_t(64) << 20;

// The whole of a text file without a byte order mark. Errors: no such file, a folder or device,
// unreadable, longer than `limit` bytes, not UTF-8 (with line and column).
core::Result<std::string> readTextFile(const std::string &path, std::size_t limit = maxTextFile);

// Reads a task file and puts in what it names: the task comes back with the text of its system
// prompt and with all tools in `tools` (those of tool files last). It still knows the files, so
// that saving it keeps the references. The scenario is checked and stays a file. `folder` is set,
// absolute. A file that names itself is a cycle; tool and scenario files cannot name others.
core::Result<core::Task> loadTaskFile(const std::string &path);

core::Result<core::Scenario> loadScenarioFile(const std::string &path);

// The scenario that the task names, relative to its folder; an empty one if it names none.
core::Result<core::Scenario> loadScenarioFor(const core::Task &task);

} // namespace emend::tools
