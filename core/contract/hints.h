// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emend::core {

// What was probably meant, for a reply that is not JSON: a sentence for the error message, or "".
// It is offered, never acted on (design section 4). `bodyOffset` is where the unwrapped body begins
// in `reply`, `errorOffset` where the strict parse failed, both in bytes of `reply`.
// `inString`: inside a string.
std::string jsonHint(std::string_view reply, std::size_t bodyOffset, std::size_t errorOffset,
                     bool inString);

// Says that `key` differs from `wanted` ("tool") only in characters that look alike, named by
// code point; "" if that is not so.
std::string lookAlikeHint(const std::string &wanted, std::string_view key);

} // namespace emend::core
