// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/run/ports.h"

namespace emend::tools {

// The run's clock while a recording plays: recorded durations and waits pass at once, so that
// cooldowns and time limits fall where they fell. After goLive() it runs on with the real one.
class ReplayClock : public core::Clock {
public:
    // `real` is borrowed.
    explicit ReplayClock(core::Clock &real)
        : m_real(real)
    {}

    std::int64_t nowUs() const override { return m_real.nowUs() + m_skewUs; }
    std::string utcNow() const override { return m_real.utcNow(); }
    bool waitUntil(std::int64_t untilUs, std::stop_token stop) override
    {
        if (m_live)
            return m_real.waitUntil(untilUs - m_skewUs, std::move(stop));
        advance(untilUs - nowUs());
        return !stop.stop_requested();
    }

    void advance(std::int64_t us) { m_skewUs += us > 0 ? us : 0; }
    void goLive() { m_live = true; }
    // The same context for callees that know the real clock only.
    core::CallContext toReal(core::CallContext context) const
    {
        if (context.deadlineUs != INT64_MAX)
            context.deadlineUs -= m_skewUs;
        return context;
    }

private:
    core::Clock &m_real;
    std::atomic<std::int64_t> m_skewUs = 0;
    std::atomic<bool> m_live = false;
};

} // namespace emend::tools
