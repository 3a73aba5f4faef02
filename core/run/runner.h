// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/loop/bound.h"
#include "core/loop/breaker.h"
#include "core/run/control.h"
#include "core/run/ports.h"
#include "core/task/task.h"

namespace emend::core {

enum class Outcome : std::uint8_t { Satisfied, Unsatisfied, Escalated, Killed, Failed };
std::string_view outcomeName(Outcome outcome);

class Verifier; // core/run/verify.h

// The prompt a run uses, with what identifies it.
struct Prompt {
    std::string id; // "react" or "task"
    int version = 1;
    std::string system; // tools not yet filled in: see core/context/prompt.h
};

using Breakers = std::map<std::string, CircuitBreaker>;

// A person's message that the model gets from a point of the run on (design section 9).
struct Instruction {
    int step = 1;
    int attempt = 0;
    std::string text;
};

// Everything a run needs, wired by app. Pointers are borrowed for the length of run().
struct RunSetup {
    Task task;
    Prompt prompt;
    std::vector<ToolSpec> tools; // in the task's order
    std::map<std::string, Tool *> toolsByName;
    ModelProvider *provider = nullptr;
    Verifier *verifier = nullptr; // of mode code
    std::optional<Price> price;
    Clock *clock = nullptr;
    EventSink *sink = nullptr;
    RunControl *control = nullptr;
    Breakers breakers; // what the session brings along; empty for a fresh run
    std::string runId;
    std::string program;   // "emend 0.1.0", for the header
    std::string seed = {}; // of the jitter; empty: the run's id. A replay waits as its original did
    nlohmann::json origin = {}; // of a fork, replay or answer: {"kind","run_id"…}, for the header
    std::vector<Instruction> instructions = {};
    std::vector<EventDraft> afterStart = {}; // what is written right behind run.started
};

struct RunResult {
    Outcome outcome = Outcome::Failed;
    std::string reason;
    std::optional<Error> traceError; // the trace could not be written: the run was stopped for it
    Breakers breakers;               // those it used, as it leaves them, for a session
};

// Performs the effects that the loop names, through the ports, on the calling thread, until the run
// has its outcome. Writes each event before it goes on (design section 2: trace first). An error
// means that the trace could not even be begun: nothing was run.
Result<RunResult> run(RunSetup &setup);

} // namespace emend::core
