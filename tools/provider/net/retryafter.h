// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace emend::tools {

using WallTime = std::chrono::sys_seconds;

// Milliseconds that a Retry-After header asks for: seconds, or one of the three date forms of
// RFC 9110 section 5.6.7, read in UTC against `now`; a moment that is past is 0. Anything else,
// negative seconds too, counts as absent. At most a year.
std::optional<std::int64_t> retryAfterMs(std::string_view value, WallTime now);

// A count of milliseconds ("1500") as some servers send it beside Retry-After.
std::optional<std::int64_t> wholeMs(std::string_view value);

// A duration of protobuf JSON ("37.204118503s"), rounded up to the millisecond.
std::optional<std::int64_t> durationMs(std::string_view value);

} // namespace emend::tools
