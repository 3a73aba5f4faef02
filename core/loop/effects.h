// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"
#include "core/run/runner.h"
#include "core/run/verify.h"
#include "core/trace/event.h"

// The words between a loop and its runner: what is due, and what came of it (design section 2).
namespace emend::core {

// What the runner is to do next.
struct CallModel {
    ModelRequest request; // its pointers stay valid until the next advance()
    std::int64_t deadlineUs = 0;
};
struct ExecuteTool {
    std::string tool;
    nlohmann::json input;
    std::int64_t deadlineUs = 0;
};
struct Verify {
    VerifyRequest request; // its settings stay valid as long as the loop
    int step = 0, attempt = 0;
    std::int64_t deadlineUs = 0;
};
struct WaitUntil {
    std::int64_t untilUs = 0;
};
struct Finish {
    Outcome outcome = Outcome::Failed;
    std::string reason;
};
using Effect = std::variant<CallModel, ExecuteTool, Verify, WaitUntil, Finish>;

// What came of it. Times are those of the run's clock.
struct Started {};
struct ModelDone {
    ModelOutcome outcome;
    std::int64_t durationUs = 0;
};
struct ToolDone {
    ToolOutcome outcome;
    std::int64_t durationUs = 0;
};
struct VerifyDone {
    VerifyOutcome outcome;
    std::int64_t durationUs = 0;
};
struct WaitDone {};
// A person stopped the run (design section 9).
struct Stopped {
    bool killed = true; // else escalated
    std::string reason; // of an escalation
    std::int64_t requestedUs = 0;
    bool effectStarted = false; // something was in flight
    bool resultDropped = false; // the call finished although it was aborted
    std::int64_t effectUs = 0;  // how long the effect ran
};
using Input = std::variant<Started, ModelDone, ToolDone, VerifyDone, WaitDone, Stopped>;

struct Transition {
    std::vector<EventDraft> events;       // what has happened
    Effect effect;                        // what is due
    std::vector<EventDraft> announcement; // written just before the effect is performed
};

} // namespace emend::core
