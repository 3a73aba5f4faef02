// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/base/result.h"

namespace emend::core {
struct RunReport;
}

namespace emend::app {

class Workbench;

// Each command reads its arguments, writes to stdout and stderr, and returns the exit code.
int runCommand(Workbench &workbench, const Arguments &arguments);
int replayCommand(Workbench &workbench, const Arguments &arguments);
int forkCommand(Workbench &workbench, const Arguments &arguments);
int demoCommand(Workbench &workbench);
int decideCommand(const Workbench &workbench, const Arguments &arguments);
int boundCommand(const Workbench &workbench, const Arguments &arguments);
int showCommand(const Workbench &workbench, const Arguments &arguments);
int escalationsCommand(Workbench &workbench, const Arguments &arguments);
int doctorCommand(Workbench &workbench, const Arguments &arguments);
int keyCommand(Workbench &workbench, const Arguments &arguments);

// On stderr: the escalation that the run ended in, or why the inbox does not have it.
void reportEscalation(Workbench &workbench, const core::RunReport &report, bool quiet);

// The whole program after its Qt application object; `words` without the program's name.
int dispatch(const std::vector<std::string> &words);

// "emend-cli: file:3:7: message" on stderr; returns 65.
int reportBadFile(core::Error error, const std::string &file = {});

} // namespace emend::app
