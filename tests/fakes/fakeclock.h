// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "core/run/ports.h"

namespace emend::tests {

// A clock that jumps: a wait takes no time and moves the clock to its end. With setJumping(false) a
// wait lasts until a test advances the clock. Any thread.
class FakeClock : public core::Clock {
public:
    explicit FakeClock(std::int64_t nowUs = 0)
        : m_nowUs(nowUs)
    {}

    std::int64_t nowUs() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_nowUs;
    }

    std::string utcNow() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_utc;
    }

    // A wait for ever (INT64_MAX) ends by the token alone, even when jumping.
    bool waitUntil(std::int64_t untilUs, std::stop_token stop) override
    {
        std::unique_lock lock(m_mutex);
        ++m_waits;
        const auto onWait = m_onWait;
        const int wait = m_waits;
        lock.unlock();
        if (onWait)
            onWait(wait, untilUs);
        lock.lock();
        if (stop.stop_requested())
            return false;
        if (m_jumping && untilUs != INT64_MAX) {
            m_nowUs = std::max(m_nowUs, untilUs);
            m_changed.notify_all();
            return true;
        }
        return m_changed.wait(lock, stop, [&] { return m_nowUs >= untilUs; });
    }

    void advance(std::int64_t us)
    {
        const std::lock_guard lock(m_mutex);
        m_nowUs += us;
        m_changed.notify_all();
    }

    void setJumping(bool jumping)
    {
        const std::lock_guard lock(m_mutex);
        m_jumping = jumping;
    }

    void setUtc(std::string utc)
    {
        const std::lock_guard lock(m_mutex);
        m_utc = std::move(utc);
    }

    // Called at the beginning of each wait, with its number from 1 and its end: the place to
    // advance the clock or to stop a run at an exact moment.
    void setOnWait(std::function<void(int, std::int64_t)> onWait)
    {
        const std::lock_guard lock(m_mutex);
        m_onWait = std::move(onWait);
    }

    int waits() const
    {
        const std::lock_guard lock(m_mutex);
        return m_waits;
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::int64_t m_nowUs;
    std::string m_utc = "2026-01-31T12:00:00.000Z";
    bool m_jumping = true;
    int m_waits = 0;
    std::function<void(int, std::int64_t)> m_onWait;
};

} // namespace emend::tests
