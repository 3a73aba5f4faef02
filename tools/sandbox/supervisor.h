// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/sandbox/child.h"

// The process between Emend and a command that only limits hold. It adopts all that the command
// leaves behind, and ends it when the command ends, when Emend asks, and when Emend is gone.
namespace emend::tools {

struct SupervisorReport {
    enum class Kind : int { Failed, Started, Ended } kind = Kind::Failed;
    int value = 0; // an errno, a process id, a status of waitpid()
};

struct SupervisorPlan {
    ChildPlan *command = nullptr;
    int control = -1; // read end: at its end all is to end
    int reports = -1; // write end
};

// In a process forked for it, system calls only. Does not return.
[[noreturn]] void supervise(const SupervisorPlan &plan);

} // namespace emend::tools
