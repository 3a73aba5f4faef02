// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/loop/bound.h"
#include "core/run/control.h"
#include "core/run/ports.h"
#include "core/task/task.h"
#include "core/trace/event.h"

// A trace as a cassette: what came from outside during the run, in order (design sections 6, 9).
namespace emend::core {

// A model call: what was sent and what came back. No outcome: the trace ends while it waits.
struct RecordedCall {
    std::uint64_t seq = 0; // of model.requested
    int step = 0;
    std::string stage; // empty: a person's reply, to whatever is asked next
    std::vector<Message> messages;
    std::optional<ModelOutcome> outcome; // Cancelled: a person stopped it
    std::int64_t durationUs = 0;
};

struct RecordedExecution {
    std::uint64_t seq = 0; // of tool.started
    int step = 0;
    std::string tool; // empty: a person's result, of whatever is executed next
    nlohmann::json input;
    std::optional<ToolOutcome> outcome; // as above
    std::int64_t durationUs = 0;
};

// A person stopped the run here.
struct RecordedStop {
    std::uint64_t seq = 0;
    bool killed = true; // else escalated
    std::string reason;
};

using RecordedItem = std::variant<RecordedCall, RecordedExecution, BreakerCommand, RecordedStop>;

// What an event says apart from times, for comparing two runs.
struct RecordedEvent {
    std::uint64_t seq = 0;
    EventKind kind = EventKind::Unknown;
    int step = 0;
    int attempt = -1;
    std::string what; // "rejected invalid_json", "accepted action weather", "open" …
};

struct Recording {
    nlohmann::json header;
    std::string runId;
    Task task;
    std::string promptId;
    int promptVersion = 1;
    std::optional<Price> price;
    std::vector<RecordedItem> items;
    std::vector<RecordedEvent> events; // without those of pausing
    // of run.finished; empty: the trace has no end
    std::string outcome, reason, finalSummary;
};

// `events` in the order of the file. An error: the header or the task in it cannot be used, or a
// request's messages are damaged. Lines with a LineProblem are passed over where they hold nothing
// that is played.
Result<Recording> readRecording(const std::string &headerLine, const std::vector<Event> &events);

// What of an event is compared.
RecordedEvent comparable(const Event &event);
// Whether replaying makes such an event again: not for pauses, steps and answers.
bool isComparable(EventKind kind);

// A prompt as text, for people and for diffs: a line that names the role before each message.
std::string promptText(const std::vector<Message> &messages);

} // namespace emend::core
