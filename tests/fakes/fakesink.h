// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"

namespace emend::tests {

// Keeps what a run writes. The thread of the run; look at it when the run is over.
class FakeSink : public core::EventSink {
public:
    core::Result<void> begin(const nlohmann::json &newHeader) override
    {
        ++begins;
        header = newHeader;
        return failBegin ? failure() : core::Result<void>();
    }

    core::Result<void> write(core::Event &event) override
    {
        if (events.size() >= failAfter)
            return failure();
        events.push_back(event);
        if (onEvent)
            onEvent(event);
        return {};
    }

    void partialText(int, int, std::string_view text) override { partial += text; }

    void partialOutput(int, int, std::string_view output) override { partialOutputs += output; }

    // "run.started", "model.requested" … in order.
    std::vector<std::string> kinds() const
    {
        std::vector<std::string> names;
        for (const core::Event &event : events)
            names.emplace_back(core::eventKindName(event.kind));
        return names;
    }

    std::vector<nlohmann::json> bodiesOf(core::EventKind kind) const
    {
        std::vector<nlohmann::json> bodies;
        for (const core::Event &event : events) {
            if (event.kind == kind)
                bodies.push_back(core::eventBody(event));
        }
        return bodies;
    }

    int begins = 0;
    nlohmann::json header;
    std::vector<core::Event> events;
    std::string partial, partialOutputs;
    std::function<void(const core::Event &)> onEvent; // after it is kept
    bool failBegin = false;
    std::size_t failAfter = SIZE_MAX; // this many events are written, then the disk is full

private:
    static core::Result<void> failure()
    {
        return core::fail(core::ErrorCode::Unwritable, "the disk is full");
    }
};

} // namespace emend::tests
