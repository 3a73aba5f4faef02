// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/contract/decision.h"
#include "core/run/runner.h"
#include "tests/fakes/fakeclock.h"
#include "tests/fakes/fakeprovider.h"
#include "tests/fakes/fakesink.h"
#include "tests/fakes/fakeverifier.h"

// Runs the real loop and runner against a script, and tells what happened in short words.
namespace emend::tests {

struct Reply {
    std::string text;
    std::optional<core::TransportError> error;
    bool truncated = false;
};
using Tries = std::vector<core::ToolOutcome>;

struct LoopScript {
    std::vector<Reply> replies;                // the last one is repeated
    std::vector<Tries> actions;                // by executed action; the last try is repeated
    std::vector<core::VerifyOutcome> verdicts; // of mode code; the last one is repeated
    std::optional<core::VerifyOutcome> preparation = {}; // absent: ready
    core::Task task;
    std::optional<core::Price> price;
    std::int64_t callUs = 0; // what each model call, execution, verification takes on the clock
};

struct LoopRun {
    core::RunResult result;
    std::vector<core::Event> events;
    std::vector<std::vector<core::Message>> requests; // one a model request
    std::vector<nlohmann::json> executed;             // {tool, input}, one an execution
    std::vector<core::VerifyRequest> verified;        // one a verification
    std::vector<std::string>
        words;             // "action:failed", "correction:invalid_json", "final:satisfied=true"
    nlohmann::json finish; // run.finished
    std::string partialOutput;
};

// What a run of a code task meets, for a test that stops it from inside.
struct CodeWorld {
    // Every reply of the model is `reply`.
    CodeWorld(const std::string &reply, FakeVerifier::Body verdict)
        : provider(std::vector<std::string>{reply})
        , verifier(std::move(verdict))
    {}
    core::Result<core::RunResult> run(const core::Task &task);

    FakeClock clock;
    FakeSink sink;
    core::RunControl control{clock};
    FakeProvider provider;
    FakeVerifier verifier;
};

LoopRun runLoop(const LoopScript &script, const std::vector<core::ToolSpec> &tools,
                FakeClock *clock = nullptr);

// The registry of tests/data/model-replies-tools.json.
std::vector<core::ToolSpec> caseTools();
core::ToolSpec makeTool(const std::string &name, bool idempotent, const nlohmann::json &schema);

// A reply that is an action or a final decision.
std::string action(const std::string &tool, const nlohmann::json &input);
std::string final(bool satisfied, const std::string &summary = "done");

std::string readFile(const std::string &name); // of tests/data

} // namespace emend::tests
