// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/ports.h"

namespace emend::tools {

// The real clock: std::chrono::steady_clock for time that passes, the system clock for the date.
// Stateless; any thread, any number of waiters.
class SteadyClock : public core::Clock {
public:
    std::int64_t nowUs() const override;
    std::string utcNow() const override;
    bool waitUntil(std::int64_t untilUs, std::stop_token stop) override;
};

// How long a call may still take: never negative, and never so long that adding it to a time point
// overflows (a call without a deadline gets about a century).
std::chrono::microseconds timeLeft(const core::Clock &clock, const core::CallContext &context);

} // namespace emend::tools
