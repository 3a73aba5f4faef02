// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/task/codesettings.h"

// A task: what to run (design section 11). Read from and written to `*.task.json`.
namespace emend::core {

enum class Mode : std::uint8_t { React, Code, Reflect, Pipeline };
std::string_view modeName(Mode mode);

enum class RepeatGuard : std::uint8_t { Run, UntilChange };
enum class BreakerScope : std::uint8_t { Run, Session };

// Mistakes the practice provider makes on purpose.
struct PracticeMistakes {
    double rate = 0.0;                   // 0–1: how often an attempt is spoilt
    std::vector<std::string> categories; // which (categoryName); empty: all
    std::uint64_t seed = 1;
};

// A wish to the provider, never relied on: the decision contract judges what comes.
enum class StructuredOutput : std::uint8_t {
    Off,
    Json,   // some JSON object
    Schema, // the schema of a decision
    Tools,  // the decision as the arguments of one function
};
std::string_view structuredOutputName(StructuredOutput wish);

// How a provider over the network is reached.
struct TransportSettings {
    int maxRetries = 2;      // of one call
    int timeoutSeconds = 60; // of one call, all in all
    int connectSeconds = 10;
    int firstByteSeconds = 60;
    int idleSeconds = 30; // between two pieces of a reply
    std::string proxy;    // "http://host:port" or "socks5://…"; empty: the system's; "none"
    std::string caFile;   // PEM; trusted besides the system's, relative to the task's folder
    bool tlsVerify = true;
};

struct ModelSettings {
    std::string provider = "practice";
    std::string model;
    std::string baseUrl;
    double temperature = 0.1;
    int maxOutputTokens = 1000;
    bool stream = true;
    StructuredOutput structuredOutput = StructuredOutput::Off;
    std::vector<std::pair<std::string, std::string>>
        headers;           // sent along; no keys (they are refused)
    std::string recording; // the trace that the replay provider plays, relative to the folder
    TransportSettings transport;
    PracticeMistakes mistakes;
};

struct Bounds {
    int maxActions = 8;
    int maxCorrections = 2;                    // per slot
    int maxToolRetries = 1;                    // only tools that declare idempotent
    int maxAttempts = 3;                       // code: of the first solution
    std::optional<std::int64_t> maxModelCalls; // requests sent, transport retries included
    std::optional<std::int64_t> maxTokens;     // in + out
    std::optional<double> maxCostUsd;
    std::optional<std::int64_t> maxSeconds = 600; // waiting for a person does not count
};

struct BreakerSettings {
    int failureThreshold = 2;
    int cooldownSeconds = 30;
    BreakerScope scope = BreakerScope::Run;
};

// A tool the task names: built in (`name` alone), or declared by the task and played by its
// scenario.
struct ToolReference {
    std::string name;
    bool declared = false;
    std::string description;
    bool idempotent = false;
    nlohmann::json inputSchema;
    std::string fromFile =
        {}; // the tools file that declares it, as the task names it; empty: the task
};

struct Task {
    Mode mode = Mode::React;
    std::string name;
    std::string goal;
    ModelSettings model;
    std::string scenarioFile; // as written, relative to the task's folder; empty: none
    std::string systemPrompt; // the text, of a file too once it is read; empty: the built-in prompt
    std::string systemPromptFile;
    std::vector<ToolReference> tools;
    std::vector<std::string> toolFiles; // "my.tools.json", as written; read by loadTaskFile
    RepeatGuard repeatGuard = RepeatGuard::Run;
    bool acceptWrappers = true;
    Bounds bounds;
    BreakerSettings breaker;
    CodeSettings code; // of mode code

    std::string folder; // where relative paths start; not part of the file
};

// Reads the text of a task file. Errors carry line, column and pointer, never a file name: the
// caller knows it. Unknown keys are refused with the nearest known name, except those that begin
// with "x-". Files named inside are not opened here.
Result<Task> parseTask(std::string_view text);

// Makes `folder` the place where the task's relative file names start, and changes those names so
// that they still mean the same files. For saving a task elsewhere.
void moveTo(Task &task, const std::string &folder);

// Reads `{"tools":[…]}` of a tools file.
Result<std::vector<ToolReference>> parseToolsFile(std::string_view text);

// The task as JSON, all defaults spelled out and files resolved: for the header of a trace.
nlohmann::json taskToJson(const Task &task);
// The same as a file: keys in the order of design section 11, defaults left out, files by
// reference.
std::string taskToFileText(const Task &task);

} // namespace emend::core
