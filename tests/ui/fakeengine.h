// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/json/linewriter.h"
#include "tests/ui/stubengine.h"

namespace emend::test {

class SteadyClock final : public core::Clock {
public:
    std::int64_t nowUs() const override
    {
        using namespace std::chrono;
        return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
    }
    std::string utcNow() const override { return "2026-01-31T12:00:00.000Z"; }
    bool waitUntil(std::int64_t untilUs, std::stop_token stop) override
    {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait_for(lock, stop,
                         std::chrono::microseconds(std::max<std::int64_t>(untilUs - nowUs(), 0)),
                         [] { return false; });
        return !stop.stop_requested();
    }
};

// One effect of a made-up run: what is written before, how long it takes, what is written after.
struct FakeEffect {
    std::vector<core::EventDraft> before;
    int workMs = 0;
    std::vector<core::EventDraft> after;
    std::string what = "model"; // for the receipt
    std::string name = "fake";
    std::string partial; // arrives in pieces while it works
};

inline core::EventDraft draft(core::EventKind kind, int step, int attempt, std::string members)
{
    return {kind, step, static_cast<std::int16_t>(attempt), std::move(members)};
}

// Plays a script of effects on the calling thread the way the runner does: a gate before each
// effect, abort on kill and escalate, a receipt, run.finished.
class FakeEngine : public StubEngine {
public:
    FakeEngine();

    std::vector<FakeEffect> script;
    std::string endMembers; // of run.finished when nobody interferes
    core::Outcome endOutcome = core::Outcome::Satisfied;
    int floodPerSecond = 0; // instead of the script
    int floodMs = 0;
    std::atomic<int> runsGoingOn = 0;
    std::atomic<std::int64_t> lastQuietUs = 0;
    std::vector<core::Event> traceEvents; // for readTrace
    std::string startError;

    std::vector<core::NamedSpec> providers() const override { return {}; }
    std::vector<core::ToolSpec> tools() const override { return {}; }
    core::Prompt builtInPrompt(core::Mode) const override { return {}; }
    core::Result<core::Task> loadTask(const std::string &) const override { return core::Task{}; }
    core::Result<void> saveTask(const core::Task &, const std::string &) const override
    {
        return {};
    }
    core::Result<core::Task> demoTask() const override { return core::Task{}; }
    core::Result<core::Bound> boundOf(const core::Task &) const override { return core::Bound{}; }
    const core::Clock &clock() const override { return m_clock; }
    core::Result<core::RunReport> run(const core::Task &task, const std::string &traceFile,
                                      core::RunControl &control,
                                      core::RunListener &listener) override;
    core::Result<void>
    readTrace(const std::string &path, std::stop_token stop,
              const std::function<void(std::string)> &onHeader,
              const std::function<void(std::vector<core::Event>)> &onEvents) const override;

private:
    SteadyClock m_clock;
};

} // namespace emend::test
