// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/breaker.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emend::core {

std::string_view breakerStateName(BreakerState state)
{
    static constexpr std::array<std::string_view, 5> names = {"closed", "open", "half_open",
                                                              "forced_open", "disabled"};
    return names[static_cast<std::size_t>(state)];
}

std::optional<BreakerState> breakerStateFromName(std::string_view name)
{
    for (const BreakerState state :
         {BreakerState::Closed, BreakerState::Open, BreakerState::HalfOpen,
          BreakerState::ForcedOpen, BreakerState::Disabled})
        if (breakerStateName(state) == name)
            return state;
    return std::nullopt;
}

CircuitBreaker::CircuitBreaker(int failureThreshold, std::int64_t cooldownUs)
    : m_threshold(std::max(1, failureThreshold))
    , m_cooldownUs(std::max<std::int64_t>(0, cooldownUs))
{}

BreakerState CircuitBreaker::state(std::int64_t nowUs) const
{
    return m_state == BreakerState::Open && nowUs >= m_openUntilUs ? BreakerState::HalfOpen
                                                                   : m_state;
}

void CircuitBreaker::moveTo(BreakerState to)
{
    if (to == m_state)
        return;
    m_change = Change{m_state, to};
    m_state = to;
}

std::optional<CircuitBreaker::Permit> CircuitBreaker::acquire(std::int64_t nowUs)
{
    if (state(nowUs) == BreakerState::HalfOpen)
        moveTo(BreakerState::HalfOpen);
    const bool trial = m_state == BreakerState::HalfOpen;
    if (m_state == BreakerState::Open || m_state == BreakerState::ForcedOpen ||
        (trial && m_trialRunning))
        return std::nullopt;
    m_trialRunning = trial;
    ++m_permits;
    return Permit{trial, m_generation};
}

void CircuitBreaker::succeed(const Permit &permit)
{
    --m_permits;
    if (permit.generation != m_generation)
        return;
    m_failures = 0;
    if (permit.trial) {
        m_trialRunning = false;
        moveTo(BreakerState::Closed);
    }
}

void CircuitBreaker::fail(const Permit &permit, std::int64_t nowUs)
{
    --m_permits;
    if (permit.generation != m_generation)
        return;
    if (m_state == BreakerState::Disabled) // counts nothing
        return;
    ++m_failures;
    m_trialRunning = m_trialRunning && !permit.trial;
    if (permit.trial || m_failures >= m_threshold) {
        m_openUntilUs = nowUs + m_cooldownUs;
        moveTo(BreakerState::Open);
    }
}

void CircuitBreaker::release(const Permit &permit)
{
    --m_permits;
    if (permit.generation == m_generation && permit.trial)
        m_trialRunning = false;
}

void CircuitBreaker::forceOpen()
{
    ++m_generation;
    m_trialRunning = false;
    moveTo(BreakerState::ForcedOpen);
}

void CircuitBreaker::disable()
{
    ++m_generation;
    m_trialRunning = false;
    moveTo(BreakerState::Disabled);
}

void CircuitBreaker::reset()
{
    ++m_generation;
    m_trialRunning = false;
    m_failures = 0;
    moveTo(BreakerState::Closed);
}

std::optional<CircuitBreaker::Change> CircuitBreaker::takeChange()
{
    return std::exchange(m_change, std::nullopt);
}

CircuitBreaker::Snapshot CircuitBreaker::snapshot() const
{
    return {m_state, m_failures, m_threshold, m_cooldownUs, m_openUntilUs};
}

CircuitBreaker CircuitBreaker::restored(const Snapshot &snapshot)
{
    CircuitBreaker breaker(snapshot.threshold, snapshot.cooldownUs);
    breaker.m_state = snapshot.state;
    breaker.m_failures = snapshot.failures;
    breaker.m_openUntilUs = snapshot.openUntilUs;
    return breaker;
}

} // namespace emend::core
