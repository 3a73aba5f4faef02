// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/members.h"
#include "app/cli/recorder.h"
#include "app/cli/signals.h"
#include "app/cli/timeline.h"
#include "app/workbench.h"
#include "core/base/text.h"
#include "core/trace/summary.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

ExitCode exitCodeOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Satisfied:
        return ExitSatisfied;
    case Outcome::Unsatisfied:
        return ExitUnsatisfied;
    case Outcome::Escalated:
        return ExitEscalated;
    case Outcome::Killed:
        return ExitKilled;
    case Outcome::Failed:
        return ExitFailed;
    }
    return ExitInternal;
}

namespace {

int play(Workbench &workbench, const Task &task, const Arguments &arguments)
{
    Timeline timeline(stderr);
    Recorder recorder(arguments.has("--quiet") ? nullptr : &timeline);
    RunControl control(workbench.clock());
    const KillOnSignal signals(control);
    const auto report = workbench.run(task, arguments.value("--trace"), control, recorder);
    if (!report)
        return reportBadFile(report.error(), arguments.operand);
    if (report->result.traceError)
        reportBadFile(*report->result.traceError);
    reportEscalation(workbench, *report, arguments.has("--quiet"));
    json summary = recorder.summary.toJson();
    if (report->result.traceError) { // the trace has no end of its own
        summary["outcome"] = outcomeName(report->result.outcome);
        summary["reason"] = report->result.reason;
    }
    summary["trace"] = report->traceFile;
    if (const std::string why = textOf(objectOf(summary, "failure"), "message"); !why.empty())
        std::cerr << "emend-cli: " << visibleLine(why, 4000) << std::endl; // whole, however narrow
    if (arguments.has("--json"))
        std::cout << summary.dump(2, ' ', false, json::error_handler_t::replace) << std::endl;
    else if (const std::string answer = summary["final_summary"].is_string()
                                            ? summary["final_summary"].get<std::string>()
                                            : std::string();
             !answer.empty())
        std::cout << visibleLine(answer, answer.size()) << std::endl;
    if (!arguments.has("--quiet"))
        std::cerr << "  trace " << visibleLine(report->traceFile, 1000) << std::endl;
    return exitCodeOf(report->result.outcome);
}

} // namespace

int runCommand(Workbench &workbench, const Arguments &arguments)
{
    auto task = workbench.loadTask(arguments.operand);
    if (!task)
        return reportBadFile(task.error(), arguments.operand);
    if (arguments.has("--goal") && trimBlank(arguments.value("--goal")).empty()) {
        std::cerr << "emend-cli: --goal needs a text that is not empty" << std::endl;
        return ExitUsage;
    }
    if (arguments.has("--goal"))
        task->goal = arguments.value("--goal");
    if (arguments.has("--provider"))
        task->model.provider = arguments.value("--provider");
    if (arguments.has("--scenario")) {
        std::error_code error; // the option is relative to here, the task's own to the task
        const auto path = std::filesystem::absolute(arguments.value("--scenario"), error);
        task->scenarioFile = error ? arguments.value("--scenario") : path.string();
    }
    return play(workbench, *task, arguments);
}

int demoCommand(Workbench &workbench)
{
    const auto task = workbench.demoTask();
    if (!task)
        return reportBadFile(task.error());
    return play(workbench, *task, Arguments{});
}

} // namespace emend::app
