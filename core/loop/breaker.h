// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emend::core {

enum class BreakerState : std::uint8_t { Closed, Open, HalfOpen, ForcedOpen, Disabled };
std::string_view breakerStateName(BreakerState state); // "closed", "open", "half_open", …
std::optional<BreakerState> breakerStateFromName(std::string_view name);

// A circuit breaker (design section 5): closed → open after `failureThreshold` consecutive failures
// → after the cooldown exactly one trial (half-open) → closed or open again. A person may hold it
// open, disable or reset it. Time is passed in. A value; the owner calls it from one thread.
class CircuitBreaker {
public:
    CircuitBreaker(int failureThreshold, std::int64_t cooldownUs);

    // A permit to execute once; it must end by exactly one of succeed, fail, release.
    struct Permit {
        bool trial = false;
        std::uint32_t generation = 0; // permits of before a manual change no longer move the state
    };
    struct Change {
        BreakerState from, to;
    };

    // The state a person would be shown at `nowUs`: open turns half-open when its cooldown is over.
    BreakerState state(std::int64_t nowUs) const;
    // No value: refused without executing. May turn open into half-open (`takeChange`).
    std::optional<Permit> acquire(std::int64_t nowUs);
    void succeed(const Permit &permit);
    void fail(const Permit &permit, std::int64_t nowUs);
    void release(const Permit &permit); // refused input, kill: neither success nor failure

    void forceOpen();
    void disable();
    void reset();

    // The last change of state since the previous call, for the event; each change once.
    std::optional<Change> takeChange();

    // All that a breaker without open permits is, for a trace and back.
    struct Snapshot {
        BreakerState state = BreakerState::Closed; // Open: also after its cooldown
        int failures = 0;
        int threshold = 1;
        std::int64_t cooldownUs = 0;
        std::int64_t openUntilUs = 0; // meaningful while open
        friend bool operator==(const Snapshot &, const Snapshot &) = default;
    };
    Snapshot snapshot() const;
    static CircuitBreaker restored(const Snapshot &snapshot);

    int threshold() const { return m_threshold; }
    int consecutiveFailures() const { return m_failures; }
    int openPermits() const { return m_permits; }
    std::int64_t openUntilUs() const { return m_openUntilUs; } // meaningful while open

private:
    void moveTo(BreakerState to);

    int m_threshold;
    std::int64_t m_cooldownUs;
    BreakerState m_state = BreakerState::Closed;
    int m_failures = 0;
    int m_permits = 0;
    bool m_trialRunning = false;
    std::uint32_t m_generation = 0;
    std::int64_t m_openUntilUs = 0;
    std::optional<Change> m_change;
};

} // namespace emend::core
