// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/clock/steadyclock.h"

#include <QDateTime>

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace emend::tools {

namespace {

using Microseconds = std::chrono::microseconds;

// steady_clock counts nanoseconds in 64 bits, so a time point in microseconds can overflow it.
constexpr std::int64_t latestUs = INT64_MAX / 1000;
constexpr std::int64_t centuryUs = 100LL * 365 * 24 * 3600 * 1'000'000;

} // namespace

std::int64_t SteadyClock::nowUs() const
{
    const auto sinceBoot = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<Microseconds>(sinceBoot).count();
}

std::string SteadyClock::utcNow() const
{
    return QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
}

bool SteadyClock::waitUntil(std::int64_t untilUs, std::stop_token stop)
{
    // Nobody notifies: only the time or the token ends the wait.
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    const std::chrono::steady_clock::time_point until{Microseconds(std::min(untilUs, latestUs))};
    never.wait_until(lock, stop, until, [] { return false; });
    return !stop.stop_requested();
}

std::chrono::microseconds timeLeft(const core::Clock &clock, const core::CallContext &context)
{
    const std::int64_t now = clock.nowUs();
    if (context.deadlineUs <= now)
        return Microseconds(0);
    // A deadline of INT64_MAX with a negative `now` would overflow the difference.
    const std::int64_t left = context.deadlineUs - std::max<std::int64_t>(now, 0);
    return Microseconds(std::min(left, centuryUs));
}

} // namespace emend::tools
