// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emend::core {

// A reply without the wrappers that design section 4 lists. `body` is a part of the reply, so a
// place in it is a place in the reply as received.
struct Unwrapped {
    std::string_view body;
    std::size_t offset = 0; // of body in the reply
    std::vector<std::string> normalisations;
    bool unclosedThink = false; // a <think> block without an end: there is no answer
};

// Takes off, in this order: byte order mark, white space, one think block, one fence that encloses
// all the rest. With `acceptWrappers` off only white space, which JSON allows anyway.
Unwrapped unwrapReply(std::string_view reply, bool acceptWrappers);

} // namespace emend::core
