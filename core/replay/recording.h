// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/loop/bound.h"
#include "core/loop/breaker.h"
#include "core/run/control.h"
#include "core/run/ports.h"
#include "core/run/verify.h"
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

// A run of the tests on a solution.
struct RecordedVerification {
    std::uint64_t seq = 0; // of verify.started
    int step = 0;
    std::string stage;
    std::string suite;
    std::string solutionHash;             // shortHash() of the solution; of "prepare" empty
    std::string comparedWith;             // of "generated": that of the other one
    std::optional<VerifyOutcome> outcome; // as above
    std::int64_t durationUs = 0;
};

// A person stopped the run here.
struct RecordedStop {
    std::uint64_t seq = 0;
    bool killed = true; // else escalated
    std::string reason;
};

using RecordedItem = std::variant<RecordedCall, RecordedExecution, RecordedVerification,
                                  BreakerCommand, RecordedStop>;

// An event of the recorded run that a replay makes again.
struct RecordedEvent {
    std::uint64_t seq = 0;
    EventKind kind = EventKind::Unknown;
    int step = 0;
    int attempt = -1;
    std::string line; // empty where no member is compared (core/replay/comparison.h)
};

// Where text was redacted before it was written: what is there is not what was there.
struct RedactedPlace {
    std::uint64_t seq = 0; // of the event; 0: the header
    std::string pointer;
};

// A breaker that the session brought along; its openUntilUs is on the run's clock.
struct RecordedBreaker {
    std::string name;
    CircuitBreaker::Snapshot snapshot;
};

struct Recording {
    nlohmann::json header;
    std::string runId;
    Task task; // its folder is that of then; empty in old traces
    std::string promptId;
    int promptVersion = 1;
    std::optional<Price> price;
    std::vector<RecordedItem> items;
    std::vector<RecordedEvent> events; // without those of pausing
    std::string outcome;               // of run.finished; empty: the trace has no end
    std::vector<RecordedBreaker> breakers;
    std::vector<RedactedPlace> redacted; // in the order of the file
    // What is wrong with its lines, as `show` says it. A torn last line is not among it: such a run
    // was cut, and nobody has changed anything.
    std::vector<std::string> problems;
    bool cut = false; // the last line is torn
};

// Reads a recording line by line, so that a long one is in memory once.
class RecordingReader {
public:
    // An error: the task in the header cannot be used.
    Result<void> begin(const std::string &headerLine);
    // In the order of the file. What can be read of a damaged recording is kept.
    void add(Event event);
    // An error: a request's messages are not in the trace.
    Result<Recording> finish();

private:
    void play(const Event &event, const nlohmann::json &body);
    void addResult(const Event &event, const nlohmann::json &body);
    void addStart(const nlohmann::json &body);
    void addBreaker(const nlohmann::json &body);
    void addRedactions(std::uint64_t seq, const nlohmann::json &body);
    std::vector<Message> messagesOf(const Event &event, const nlohmann::json &body);
    template<typename T>
    T *lastItem();

    Recording m_out;
    std::map<std::int64_t, Message> m_messages;
    std::optional<Error> m_error;
};

// The breakers it began with, on a clock that shows `startUs` when the run begins.
std::map<std::string, CircuitBreaker> breakersOf(const Recording &recording, std::int64_t startUs);

// Whether replaying makes such an event again: not for pauses, steps and answers.
bool isComparable(EventKind kind);

// A prompt as text, for people and for diffs: a line that names the role before each message.
std::string promptText(const std::vector<Message> &messages);

} // namespace emend::core
