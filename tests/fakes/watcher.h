// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/engine.h"
#include "core/trace/summary.h"

namespace emend::tests {

// Keeps what a run tells its listener, and lets a test act on an event. The run's thread.
class Watcher : public core::RunListener {
public:
    std::function<void(const core::Event &)> onEvent;
    std::string headerLine;
    nlohmann::json header;
    std::vector<core::Event> events;
    std::vector<std::string> problems;
    std::size_t problemsAtBegin = 0;
    core::RunSummary summary;

    void recordingProblem(const std::string &problem) override { problems.push_back(problem); }
    void began(const std::string &line) override
    {
        headerLine = line;
        header = nlohmann::json::parse(line, nullptr, false);
        problemsAtBegin = problems.size();
    }
    void arrived(const core::Event &event) override
    {
        events.push_back(event);
        summary.add(event);
        if (onEvent)
            onEvent(event);
    }
    void partialText(int, int, std::string_view) override {}

    // Null: there is none. `step` 0: of any.
    nlohmann::json first(core::EventKind kind, int step = 0) const
    {
        for (const core::Event &event : events)
            if (event.kind == kind && (step == 0 || event.step == step))
                return core::eventBody(event);
        return {};
    }
    int count(core::EventKind kind) const
    {
        return static_cast<int>(
            std::count_if(events.begin(), events.end(),
                          [kind](const core::Event &event) { return event.kind == kind; }));
    }
};

} // namespace emend::tests
