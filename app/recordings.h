// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/replay/recording.h"

// The files that a replay or a fork plays.
namespace emend::app {

// The trace that the provider `replay` plays; empty: none is named.
std::string recordingFileOf(const core::Task &task);
core::Result<core::Recording> loadRecordingOf(const core::Task &task);

// A run that wrote over what it plays would destroy it: an error where `traceFile` (may be empty)
// is the same file as one of `played`, by whatever path, symbolic or hard link.
core::Result<void> refuseOverwriting(const std::string &traceFile,
                                     const std::vector<std::string> &played);

// 0: nothing was begun.
int lastStep(const core::Recording &recording);

} // namespace emend::app
