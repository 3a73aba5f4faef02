// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/escalation/escalations.h"
#include "core/loop/bound.h"
#include "core/run/providersettings.h"
#include "core/run/runner.h"
#include "core/trace/event.h"

namespace emend::core {

struct NamedSpec {
    std::string name;
    std::string description;
};

// A run that starts as a recorded one did (design section 9: fork).
struct Fork {
    std::string traceFile; // what is recorded
    int step = 1;          // the first step that is not taken from the recording
};

// Where a replay left its recording.
struct Difference {
    std::uint64_t seq = 0; // of the recorded event
    std::string stage;     // "step_3", or empty
    std::string what;      // one sentence
    std::string diff;      // unified, recorded against now; may be empty
};

// Gets what a run writes, after it is on disk; called on the run's thread.
class RunListener {
public:
    virtual ~RunListener() = default;
    // Before a replay or fork begins: what is wrong with the recording that it plays, one by one.
    virtual void recordingProblem(const std::string & /*problem*/) {}
    virtual void began(const std::string &headerLine) = 0;
    virtual void arrived(const Event &event) = 0;
    virtual void partialText(int step, int attempt, std::string_view text) = 0;
    // Output of the tests of mode code, as it comes.
    virtual void partialOutput(int step, int attempt, std::string_view output)
    {
        (void)step, (void)attempt, (void)output;
    }
};

struct RunReport {
    RunResult result;
    std::string traceFile;                     // absolute
    std::optional<Difference> difference = {}; // of a replay; absent: the same as recorded
    std::string escalation = {};               // its id in the inbox
    // Why it is not in the inbox, in words for a person; the next scan of the traces tries again.
    std::string escalationProblem = {};
};

// Whether code that nobody trusts can be held here.
struct SandboxFacts {
    bool works = false;
    std::string words; // one sentence, with what to do where it does not work
};

// What the front ends ask of the rest of the program. ui knows only this interface; app implements
// it with tools (design section 2). Thread-safe; run() blocks and is called on a worker thread,
// the others are quick and may touch the disk.
class Engine {
public:
    virtual ~Engine() = default;

    virtual std::vector<NamedSpec> providers() const = 0;
    virtual std::vector<ToolSpec> tools() const = 0;
    virtual std::vector<NamedSpec> verifiers() const = 0;
    // Tries it out the first time, which takes some milliseconds and a process.
    virtual SandboxFacts sandbox() const = 0;
    virtual Prompt builtInPrompt(Mode mode) const = 0;
    // The bundled tasks: files for loadTask(), and what each shows.
    virtual std::vector<NamedSpec> examples() const = 0;

    // Reads a task file and what it names. Errors name the file and the place.
    virtual Result<Task> loadTask(const std::string &path) const = 0;
    virtual Result<void> saveTask(const Task &task, const std::string &path) const = 0;
    // The bundled demo.
    virtual Result<Task> demoTask() const = 0;
    // The worst case of the task; an error if the task cannot run.
    virtual Result<Bound> boundOf(const Task &task) const = 0;

    // `traceFile` empty: a new file in the person's data folder. Errors are about the start (bad
    // task, unwritable folder); once a run has begun it always ends with a RunReport.
    virtual Result<RunReport> run(const Task &task, const std::string &traceFile,
                                  RunControl &control, RunListener &listener) = 0;
    // The task of a trace, as far as it can be run again.
    virtual Result<Task> taskOfTrace(const std::string &traceFile) const = 0;
    // As run(), but what was recorded before `fork.step` is taken from the trace: replies and tool
    // results, at full speed. `task` is that of the trace with what the person changed.
    virtual Result<RunReport> fork(const Fork &fork, const Task &task, const std::string &traceFile,
                                   RunControl &control, RunListener &listener) = 0;
    // The whole trace again, with no network, up to the first difference. Neither writes over what
    // it plays.
    virtual Result<RunReport> replay(const std::string &recording, const std::string &traceFile,
                                     RunControl &control, RunListener &listener) = 0;
    // Goes on from an escalated run with a person's answer in it. The escalation is answered from
    // then on, unless nothing could be started.
    virtual Result<RunReport> answer(const std::string &escalation, const Answer &answer,
                                     const std::string &traceFile, RunControl &control,
                                     RunListener &listener) = 0;
    virtual Escalations &escalations() = 0;
    virtual const Clock &clock() const = 0;
    virtual ProviderSettings &settings() = 0;

    // Reads a trace; `onHeader` once, then batches in order. Blocks; stops early when the token is
    // triggered. An error means that nothing could be read; problems of single lines are events
    // with a LineProblem.
    virtual Result<void>
    readTrace(const std::string &path, std::stop_token stop,
              const std::function<void(std::string)> &onHeader,
              const std::function<void(std::vector<Event>)> &onEvents) const = 0;
};

} // namespace emend::core
