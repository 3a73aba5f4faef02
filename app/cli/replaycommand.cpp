// SPDX-License-Identifier: GPL-3.0-or-later
// replay and fork: what a trace is good for as a recording.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/members.h"
#include "app/cli/recorder.h"
#include "app/cli/signals.h"
#include "app/recordings.h"
#include "app/workbench.h"
#include "core/base/text.h"
#include "core/trace/spread.h"
#include "tools/scenario/scenariofile.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

namespace {

json differenceToJson(const std::optional<Difference> &difference)
{
    if (!difference)
        return nullptr;
    return {{"seq", difference->seq},
            {"stage", difference->stage},
            {"what", difference->what},
            {"diff", difference->diff}};
}

// What a recording holds is foreign: no line of it may steer the terminal.
void printDifference(const Difference &difference)
{
    std::cerr << "  differs: " << visibleLine(difference.what, 1000) << '\n';
    std::string_view rest = difference.diff;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        std::cerr << "    " << visibleLine(rest.substr(0, end), 2000) << '\n';
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    std::cerr.flush();
}

void printJson(const json &value)
{
    std::cout << value.dump(2, ' ', false, json::error_handler_t::replace) << std::endl;
}

std::optional<int> countOf(const Arguments &arguments, const std::string &option, int most)
{
    if (!arguments.has(option))
        return 1;
    const std::string text = arguments.value(option);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) {
        std::cerr << "emend-cli: " << option << " takes a number from 1 to " << most << std::endl;
        return std::nullopt;
    }
    return value;
}

std::string absoluteFile(const std::string &path)
{
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path : absolute.string();
}

// The task of the trace with what the options change. Nothing: `code` says how it ended.
std::optional<Task> changedTask(Workbench &workbench, const Arguments &arguments, int &code)
{
    auto task = workbench.taskOfTrace(arguments.operand);
    if (!task) {
        code = reportBadFile(task.error(), arguments.operand);
        return std::nullopt;
    }
    const auto change = [&](const char *option, std::string &value) {
        if (arguments.has(option))
            value = arguments.value(option);
    };
    const auto file = [&](const char *option, std::string &value) {
        if (arguments.has(option)) // relative to here, not to the trace
            value = absoluteFile(arguments.value(option));
    };
    change("--goal", task->goal);
    change("--provider", task->model.provider);
    change("--model", task->model.model);
    change("--base-url", task->model.baseUrl);
    file("--scenario", task->scenarioFile);
    file("--recording", task->model.recording);
    if (arguments.has("--recording"))
        task->model.provider = "replay";
    if (arguments.has("--prompt-file")) {
        const auto text = tools::readTextFile(arguments.value("--prompt-file"));
        if (!text) {
            code = reportBadFile(text.error(), arguments.value("--prompt-file"));
            return std::nullopt;
        }
        task->systemPrompt = *text;
    }
    return *task;
}

std::string numbered(const std::string &path, int number, int of)
{
    if (path.empty() || of == 1)
        return path;
    constexpr std::string_view end = ".trace.jsonl";
    const std::string suffix = "-" + std::to_string(number);
    if (path.ends_with(end))
        return path.substr(0, path.size() - end.size()) + suffix + std::string(end);
    return path + suffix;
}

std::string spanText(const Span &span)
{
    if (span.known == 0)
        return "unknown";
    const auto shortly = [](double value) {
        std::string text = std::to_string(value);
        text.erase(text.find_last_not_of('0') + 1);
        return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
    };
    return shortly(span.least) + " … " + shortly(span.median) + " … " + shortly(span.most);
}

void printSpread(const Spread &spread, const json &original, int step)
{
    const auto line = [](const std::string &label, const std::string &value) {
        static const std::string blanks(24, ' ');
        const std::size_t width = countCodePoints(label);
        std::cout << label
                  << std::string_view(blanks).substr(
                         0, width < blanks.size() ? blanks.size() - width : 1)
                  << visibleLine(value, 200) << '\n';
    };
    line("runs", std::to_string(spread.runs));
    for (const auto &[outcome, count] : spread.outcomes)
        line("  " + outcome, std::to_string(count));
    line("decision in step " + std::to_string(step), "recorded: " + decisionAt(original, step));
    for (const auto &[decision, count] : spread.firstSteps)
        line("  " + std::to_string(count) + " ×", decision.empty() ? "(none)" : decision);
    line("answers", "recorded: " + textOf(original, "final_summary"));
    for (const auto &[answer, count] : spread.answers)
        line("  " + std::to_string(count) + " ×", answer.empty() ? "(none)" : answer);
    if (step > 1)
        line("counted", "from step " + std::to_string(step) + " on, without what was kept");
    if (spread.killed > 0)
        line("not counted", std::to_string(spread.killed) + " killed");
    line("", "least … median … most");
    line("actions", spanText(spread.actions));
    line("corrections", spanText(spread.corrections));
    line("model calls", spanText(spread.modelCalls));
    line("tokens in", spanText(spread.tokensIn));
    line("tokens out", spanText(spread.tokensOut));
    line("cost in US dollars", spanText(spread.costUsd));
    line("milliseconds", spanText(spread.durationMs));
    std::cout.flush();
}

// The recorded run's own summary, to stand beside the new ones.
json originalSummary(const Workbench &workbench, const std::string &trace)
{
    RunSummary summary;
    const auto read = workbench.readTrace(
        trace, {}, [](const std::string &) {},
        [&](const std::vector<Event> &events) {
            for (const Event &event : events)
                summary.add(event);
        });
    return read ? summary.toJson() : RunSummary().toJson();
}

} // namespace

int replayCommand(Workbench &workbench, const Arguments &arguments)
{
    Timeline timeline(stderr);
    Recorder recorder(arguments.has("--quiet") ? nullptr : &timeline);
    RunControl control(workbench.clock());
    const KillOnSignal signals(control);
    const auto report =
        workbench.replay(arguments.operand, arguments.value("--trace"), control, recorder);
    if (!report)
        return reportBadFile(report.error(), arguments.operand);
    if (report->result.traceError)
        reportBadFile(*report->result.traceError);
    const bool same = !report->difference && !report->result.traceError;
    if (report->difference)
        printDifference(*report->difference);
    else if (same && !arguments.has("--quiet"))
        std::cerr << "  the same as recorded" << std::endl;
    if (arguments.has("--json")) {
        json summary = recorder.summary.toJson();
        summary["trace"] = report->traceFile;
        summary["same"] = same;
        summary["difference"] = differenceToJson(report->difference);
        summary["recording_problems"] = recorder.recordingProblems;
        printJson(summary);
    }
    return same ? ExitSatisfied : ExitFailed;
}

int forkCommand(Workbench &workbench, const Arguments &arguments)
{
    const auto step = countOf(arguments, "--step", 1'000'000);
    const auto times = countOf(arguments, "--times", 1000);
    if (!step || !times)
        return ExitUsage;
    int code = ExitSatisfied;
    const auto task = changedTask(workbench, arguments, code);
    if (!task)
        return code;
    for (int i = 1; i <= *times; ++i) { // before the first has been paid for
        const auto safe = refuseOverwriting(numbered(arguments.value("--trace"), i, *times),
                                            {arguments.operand, recordingFileOf(*task)});
        if (!safe)
            return reportBadFile(safe.error());
    }
    RunControl control(workbench.clock());
    const KillOnSignal signals(control);
    std::vector<RunSummary> runs;
    json list = json::array();
    for (int i = 1; i <= *times && control.verdict() == RunControl::Verdict::Proceed; ++i) {
        Timeline timeline(stderr);
        Recorder recorder(arguments.has("--quiet") ? nullptr : &timeline);
        const auto report =
            workbench.fork({arguments.operand, *step}, *task,
                           numbered(arguments.value("--trace"), i, *times), control, recorder);
        if (!report)
            return reportBadFile(report.error(), arguments.operand);
        if (report->result.traceError)
            reportBadFile(*report->result.traceError);
        reportEscalation(workbench, *report, arguments.has("--quiet"));
        if (report->difference)
            printDifference(*report->difference);
        code = std::max<int>(code, exitCodeOf(report->result.outcome));
        runs.push_back(recorder.summary);
        json one = recorder.summary.toJson();
        one["trace"] = report->traceFile;
        one["difference"] = differenceToJson(report->difference);
        one["recording_problems"] = recorder.recordingProblems;
        list.push_back(std::move(one));
    }
    const Spread spread = spreadOf(runs, *step);
    const json original = originalSummary(workbench, arguments.operand);
    if (arguments.has("--json"))
        printJson({{"step", *step},
                   {"runs", list},
                   {"spread", spreadToJson(spread)},
                   {"original", original}});
    else
        printSpread(spread, original, *step);
    return code;
}

} // namespace emend::app
