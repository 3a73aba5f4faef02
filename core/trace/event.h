// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

// The vocabulary of the trace (design section 10). Everything a view shows is derived from these.
namespace emend::core {

enum class EventKind : std::uint8_t {
    RunStarted,
    RunFinished,
    ModelRequested,
    ModelReplied,
    ModelFailed,
    ModelWaiting,
    DecisionAccepted,
    DecisionRejected,
    CorrectionRequested,
    CorrectionResolved,
    ToolStarted,
    ToolSucceeded,
    ToolFailed,
    ToolSkipped,
    BreakerChanged,
    VerifyStarted,
    VerifyFinished,
    GateFinished,
    CheckFinished,
    CheckpointSaved,
    CheckpointRestored,
    PolicyChanged,
    BudgetExhausted,
    ControlPaused,
    ControlResumed,
    ControlStepped,
    ControlKilled,
    ControlEscalated,
    ControlAnswered,
    ControlEdited,
    EscalationOpened,
    EscalationClosed,
    Unknown, // a kind of a later version, or a row that the reader itself adds
};

inline constexpr std::size_t eventKindCount = static_cast<std::size_t>(EventKind::Unknown) + 1;

// "model.requested" and so on; Unknown has no name of its own: "".
std::string_view eventKindName(EventKind kind);
// Unknown for a name that is not one of ours.
EventKind eventKindFromName(std::string_view name);

// What the reader found wrong with a line; None for a line as it should be.
enum class LineProblem : std::uint8_t {
    None,
    Gap,       // seq does not follow the line before
    NotJson,   // the line is not a JSON object
    Torn,      // the last line has no end: the program died while writing it
    WrongHash, // run.finished states another SHA-256 than the lines before it have
    AfterEnd,  // an event after run.finished
};

// One line of a trace. The head is parsed, the rest stays text until somebody looks at it.
// A value: crosses threads by copy or move.
struct Event {
    std::uint64_t seq = 0;
    std::int64_t tUs = 0; // microseconds since the start of the run, monotonic
    EventKind kind = EventKind::Unknown;
    LineProblem problem = LineProblem::None;
    std::int16_t attempt = -1; // -1: the event belongs to no attempt
    std::int32_t step = 0;     // 0: the event belongs to no step
    std::string line;          // the whole JSON line without the line feed
};

// What a state machine wants written: everything but seq and time, which the runner stamps.
struct EventDraft {
    EventKind kind = EventKind::Unknown;
    std::int32_t step = 0;
    std::int16_t attempt = -1;
    std::string members; // JSON members without braces, may be empty
};

// Stamps a draft: `{"seq":…,"t_us":…,"kind":…,"step":…,"attempt":…, <members>}`.
Event stamp(EventDraft draft, std::uint64_t seq, std::int64_t tUs);

// Reads one line (without its line feed) into an Event. Accepts unknown keys and kinds; a line
// that is no JSON object comes back as Unknown with LineProblem::NotJson.
Event parseEventLine(std::string line);

// The members of a line as JSON; a discarded value where the line does not parse.
nlohmann::json eventBody(const Event &event);

} // namespace emend::core
