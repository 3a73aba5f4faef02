// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakeengine.h"

namespace emend::test {

// Not JSON: a name in single quotes on line 4, behind a character beyond the BMP on line 3.
extern const std::string badReply;
extern const std::size_t badOffset;

// A run with everything in it: a correction that works, a tool that fails and opens its breaker, a
// refused call, a final decision. `pace` (milliseconds) scales how long it takes.
std::vector<FakeEffect> weatherScript(int pace);
core::Task weatherTask();

} // namespace emend::test
