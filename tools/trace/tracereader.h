// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/trace/event.h"

namespace emend::tools {

// Reads a trace (core/trace/FORMAT.md) from its beginning to its present end: `onHeader` once, then
// the events in order, in batches of at most some thousands. Blocks; any thread, and the callbacks
// are called on it. Stops without an error soon after the token is triggered.
//
// An error means that this is no trace we can read; it names the file and the line. What is wrong
// with a single line is a LineProblem of its event, and the rest is read all the same:
// - Gap: seq does not follow. A line that is no JSON may stand for one number.
// - NotJson, Torn: kind Unknown, no seq; the text, made valid UTF-8, is in `line`.
// - WrongHash: run.finished states another SHA-256 than its earlier bytes have, or none: whoever
//   edits a trace can also take the hash out.
// - AfterEnd: an event after run.finished; it outranks a gap.
core::Result<void> readTrace(const std::string &path, std::stop_token stop,
                             const std::function<void(std::string)> &onHeader,
                             const std::function<void(std::vector<core::Event>)> &onEvents);

} // namespace emend::tools
