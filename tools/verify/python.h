// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "tools/sandbox/sandbox.h"

namespace emend::tools {

struct Python {
    std::string program;
    std::vector<std::string> visible; // what has to be readable in the sandbox besides the system
};

// A Python that can import `module` in the sandbox: the system's, else the first on PATH. Asked
// once in a process; what was not found is looked for again. The error says what to install.
core::Result<Python> findPython(const Sandbox &sandbox, const std::string &module,
                                std::stop_token stop);

// A script that is part of the program: its text.
std::string scriptText(const char *name);

} // namespace emend::tools
