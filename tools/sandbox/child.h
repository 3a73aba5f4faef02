// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/types.h>

#include "tools/sandbox/sandbox.h"

// Starting a process from a program with many threads: all memory is ready before fork(), and the
// child makes system calls only.
namespace emend::tools {

// Who the command runs as. Root is dropped first: its processes know no limit on their number, and
// inside bubblewrap it could still write to /proc/sys of the host.
struct Identity {
    bool drop = false;
    uid_t user = 0;
    gid_t group = 0;

    static Identity forCommands();
};

struct ResourceLimit {
    __rlimit_resource_t resource;
    rlim_t value;
};
// Of one process; the number of processes is left to the caller.
std::vector<ResourceLimit> resourceLimits(const SandboxLimits &limits);

struct ChildPlan {
    ChildPlan(const std::string &program, const std::vector<std::string> &argv,
              const std::vector<std::string> &environment);
    ChildPlan(const ChildPlan &) = delete;
    ChildPlan &operator=(const ChildPlan &) = delete;

    std::string program;
    std::vector<std::string> words, variables; // what the pointers below point to
    std::vector<char *> argv, envp;
    std::vector<ResourceLimit> limits;
    Identity identity;
    int nullInput = -1;
    int output = -1;       // becomes stdout and stderr
    std::vector<int> kept; // stay open under their numbers; all others are closed by exec
    int folder = -1;       // becomes the working folder; -1: "/"
    pid_t parent = 0;      // dies with it
};

// In the child: becomes the command. Returns an errno if it cannot.
int becomeCommand(const ChildPlan &plan);

} // namespace emend::tools
