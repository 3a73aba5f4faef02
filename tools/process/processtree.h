// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <sys/types.h>

namespace emend::tools {

struct TreeUse {
    int processes = 0;
    std::int64_t bytes = 0; // resident; shared pages count once where the kernel tells
};

// What the process `root` and all that descend from it use. Reading costs some 30 µs a process;
// what shared pages weigh is only looked up where the plain sum is beyond `limitBytes`.
TreeUse useOfTree(pid_t root, std::int64_t limitBytes);

} // namespace emend::tools
