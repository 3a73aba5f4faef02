# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_tools PRIVATE
    process/folder.cpp
    process/keptoutput.cpp
    process/processtree.cpp
    sandbox/attend.cpp
    sandbox/bubblewrap.cpp
    sandbox/child.cpp
    sandbox/limits.cpp
    sandbox/sandbox.cpp
    sandbox/supervisor.cpp)
