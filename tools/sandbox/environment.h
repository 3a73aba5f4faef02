// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tools/sandbox/sandbox.h"

namespace emend::tools {

// NAME=value of all that the command gets; nothing of Emend's own environment is in it.
std::vector<std::string> sandboxEnvironment(const SandboxCommand &command,
                                            const std::string &temporary);

} // namespace emend::tools
