// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sandbox/sandbox.h"

namespace emend::tools {

// Runs the command with limits only, below a supervisor that outlives Emend for as long as it takes
// to end all that descends from the command.
SandboxOutcome runWithLimits(const SandboxCommand &command, std::stop_token stop,
                             const std::function<void(std::string_view)> &onOutput);

} // namespace emend::tools
