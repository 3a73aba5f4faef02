// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/control.h"

#include <utility>

#include "core/run/ports.h"

namespace emend::core {

RunControl::RunControl(const Clock &clock)
    : m_clock(clock)
{}

void RunControl::pause()
{
    const std::lock_guard lock(m_mutex);
    m_paused = true;
    m_steps = 0;
    m_changed.notify_all();
}

void RunControl::resume()
{
    const std::lock_guard lock(m_mutex);
    m_paused = false;
    m_steps = 0;
    m_changed.notify_all();
}

void RunControl::step()
{
    const std::lock_guard lock(m_mutex);
    m_paused = true;
    ++m_steps;
    m_changed.notify_all();
}

void RunControl::kill()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_verdict == Verdict::Kill)
            return;
        m_stopUs = m_clock.nowUs();
        m_verdict = Verdict::Kill; // a kill outranks an escalation that is under way
        m_changed.notify_all();
    }
    m_stop.request_stop();
}

void RunControl::escalate(std::string reason)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_verdict != Verdict::Proceed)
            return;
        m_stopUs = m_clock.nowUs();
        m_verdict = Verdict::Escalate;
        m_reason = std::move(reason);
        m_changed.notify_all();
    }
    m_stop.request_stop();
}

void RunControl::breaker(BreakerCommand command)
{
    const std::lock_guard lock(m_mutex);
    m_breakerCommands.push_back(std::move(command));
    m_changed.notify_all();
}

RunControl::Gate RunControl::gate(const std::function<void()> &onPaused,
                                  const std::function<void()> &onResumed,
                                  const std::function<void(const BreakerCommand &)> &onBreaker)
{
    Gate gate;
    bool announced = false;
    const std::int64_t began = m_clock.nowUs();
    std::unique_lock lock(m_mutex);
    for (;;) {
        if (!m_breakerCommands.empty()) {
            const auto commands = std::exchange(m_breakerCommands, {});
            lock.unlock(); // the callbacks write to disk
            for (const BreakerCommand &command : commands)
                onBreaker(command);
            lock.lock();
            continue;
        }
        if (m_verdict != Verdict::Proceed)
            break;
        if (!m_paused)
            break;
        if (m_steps > 0) {
            --m_steps;
            gate.stepped = true;
            break;
        }
        if (!announced) {
            announced = true;
            lock.unlock();
            onPaused();
            lock.lock();
            continue;
        }
        m_changed.wait(lock);
    }
    gate.verdict = m_verdict;
    lock.unlock();
    if (announced) {
        gate.waitedUs = m_clock.nowUs() - began;
        if (gate.verdict == Verdict::Proceed && !gate.stepped)
            onResumed();
    }
    return gate;
}

RunControl::Verdict RunControl::verdict() const
{
    const std::lock_guard lock(m_mutex);
    return m_verdict;
}

std::int64_t RunControl::stopRequestedUs() const
{
    const std::lock_guard lock(m_mutex);
    return m_stopUs;
}

std::string RunControl::escalationReason() const
{
    const std::lock_guard lock(m_mutex);
    return m_reason;
}

} // namespace emend::core
