// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace emend::core {

class Clock;

enum class BreakerCommandKind : std::uint8_t { ForceOpen, Disable, Reset };
struct BreakerCommand {
    std::string name; // as in breaker.changed
    BreakerCommandKind kind = BreakerCommandKind::Reset;
};

// What a person wants of a running run (design section 9). The person's thread calls the commands,
// the runner's thread asks at each gate. Kill latches: once set, nothing undoes it.
class RunControl {
public:
    explicit RunControl(const Clock &clock);

    // -- the person's side, any thread, never blocks --
    void pause();
    void resume();
    void step(); // lets exactly one effect through, then pauses again
    void kill();
    void escalate(std::string reason);
    void breaker(BreakerCommand command);

    // -- the runner's side --
    enum class Verdict : std::uint8_t { Proceed, Kill, Escalate };
    struct Gate {
        Verdict verdict = Verdict::Proceed;
        bool stepped = false;      // this effect was let through by step()
        std::int64_t waitedUs = 0; // a person's waiting time does not count against max_seconds
    };
    // Called before each effect. Blocks while paused; `onPaused` is called once when it does,
    // before blocking, `onBreaker` for commands given meanwhile (they take effect while paused
    // too), `onResumed` when it goes on by resume().
    Gate gate(const std::function<void()> &onPaused, const std::function<void()> &onResumed,
              const std::function<void(const BreakerCommand &)> &onBreaker);
    // Kill or escalate, whichever came first; Proceed if neither. Does not block.
    Verdict verdict() const;
    // Triggered by kill and by escalate: what is in flight is aborted.
    std::stop_token stopToken() const { return m_stop.get_token(); }
    std::int64_t stopRequestedUs() const; // on its clock; when the person clicked
    const Clock &clock() const { return m_clock; }
    std::string escalationReason() const;

private:
    const Clock &m_clock;
    std::stop_source m_stop;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_paused = false;
    int m_steps = 0;
    Verdict m_verdict = Verdict::Proceed;
    std::int64_t m_stopUs = 0;
    std::string m_reason;
    std::vector<BreakerCommand> m_breakerCommands;
};

} // namespace emend::core
