// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sandbox/sandbox.h"

namespace emend::tools {

// Runs the command in namespaces of its own. Refused: bubblewrap does not do here what it has to.
SandboxOutcome runInBubblewrap(const std::string &bubblewrap, const SandboxCommand &command,
                               std::stop_token stop,
                               const std::function<void(std::string_view)> &onOutput);

} // namespace emend::tools
