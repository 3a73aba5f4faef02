// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <sstream>

#include "app/cli/members.h"
#include "app/cli/signals.h"
#include "app/workbench.h"
#include "core/contract/decision.h"
#include "core/loop/bound.h"
#include "core/trace/summary.h"
#include "tools/scenario/playedtool.h"
#include "tools/scenario/scenariofile.h"

namespace emend::app {

using namespace emend::core;
using nlohmann::json;

namespace {

void print(const json &value, int indent = 2)
{
    std::cout << value.dump(indent, ' ', false, json::error_handler_t::replace) << std::endl;
}

Result<std::vector<ToolSpec>> toolsFromFile(const std::string &path)
{
    const auto text = tools::readTextFile(path);
    if (!text)
        return tl::unexpected<Error>(text.error());
    const auto references = parseToolsFile(*text);
    if (!references) {
        Error error = references.error();
        error.file = path;
        return tl::unexpected<Error>(std::move(error));
    }
    std::vector<ToolSpec> specs;
    for (const ToolReference &reference : *references) {
        if (!reference.declared)
            return fail(ErrorCode::BadValue,
                        "a tools file declares each tool with its input_schema");
        auto spec = tools::declaredToolSpec(reference);
        if (!spec)
            return tl::unexpected<Error>(spec.error());
        specs.push_back(std::move(*spec));
    }
    return specs;
}

// Nothing: a tool that there is not; `problem` names it.
std::optional<std::vector<ToolSpec>> namedTools(const Workbench &workbench,
                                                const std::string &names, std::string &problem)
{
    std::vector<ToolSpec> all = workbench.tools(), chosen;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
        bool found = false;
        for (const ToolSpec &spec : all)
            if (spec.name == name) {
                chosen.push_back(spec);
                found = true;
            }
        if (!found) {
            problem = "there is no built-in tool " + inQuotes(name);
            return std::nullopt;
        }
    }
    return chosen;
}

json readingToJson(const ReadReply &read)
{
    if (read.decision) {
        json out = {{"ok", true},
                    {"decision", decisionToJson(*read.decision)},
                    {"normalisations", read.normalisations},
                    {"extra_keys", read.extraKeys}};
        if (!read.warnings.empty())
            out["warnings"] = read.warnings;
        return out;
    }
    const Rejection &rejection = *read.rejection;
    json out = {{"ok", false},
                {"category", categoryName(rejection.category)},
                {"error", rejection.error},
                {"offset", nullptr},
                {"line", nullptr},
                {"column", nullptr},
                {"pointer", nullptr},
                {"suggest", nullptr},
                {"normalisations", read.normalisations}};
    if (rejection.place) {
        out["offset"] = rejection.place->offset;
        out["line"] = rejection.place->line;
        out["column"] = rejection.place->column;
    }
    if (rejection.pointer)
        out["pointer"] = *rejection.pointer;
    if (!rejection.suggest.empty())
        out["suggest"] = rejection.suggest;
    return out;
}

struct Shown {
    json header;
    RunSummary summary;
    std::uint64_t events = 0;
};

void printShown(const Shown &shown, const json &summary)
{
    const auto line = [](const std::string &label, const std::string &value) {
        std::string padded = label;
        padded.resize(14, ' ');
        std::cout << padded << visibleLine(value, 300) << '\n';
    };
    const json task = objectOf(shown.header, "task");
    line("run", textOf(shown.header, "run_id"));
    line("started", textOf(shown.header, "started_at"));
    line("task", textOf(task, "name"));
    line("goal", textOf(task, "goal"));
    line("events", std::to_string(shown.events));
    for (const auto &[kind, count] : shown.summary.kinds())
        line("  " + std::to_string(count), kind);
    if (!shown.summary.categories().empty())
        line("corrections", std::to_string(summary["corrections"].size()));
    for (const auto &[category, count] : shown.summary.categories())
        line("  " + std::to_string(count), category);
    line("outcome", shown.summary.finished()
                        ? shown.summary.outcome() + " (" + shown.summary.reason() + ")"
                        : "none: the trace has no end");
    if (const std::string answer = textOf(summary, "final_summary"); !answer.empty())
        line("answer", answer);
    const std::string cost = textOf(summary, "cost");
    line("cost", cost.empty() ? "unknown" : cost);
    if (shown.summary.problems().empty())
        line("integrity",
             shown.summary.finished() ? "whole, the SHA-256 matches" : "whole as far as it goes");
    for (const std::string &problem : shown.summary.problems())
        line("integrity", problem);
    std::cout.flush();
}

} // namespace

int reportBadFile(Error error, const std::string &file)
{
    if (error.file.empty())
        error.file = file;
    const std::string text = error.text(); // names from files are in it
    std::cerr << "emend-cli: " << visibleLine(text, text.size()) << std::endl;
    return ExitBadFile;
}

int decideCommand(const Workbench &workbench, const Arguments &arguments)
{
    std::vector<ToolSpec> specs = workbench.tools();
    if (arguments.has("--tools-file")) {
        auto read = toolsFromFile(arguments.value("--tools-file"));
        if (!read)
            return reportBadFile(read.error(), arguments.value("--tools-file"));
        specs = std::move(*read);
    } else if (arguments.has("--tools")) {
        std::string problem;
        auto chosen = namedTools(workbench, arguments.value("--tools"), problem);
        if (!chosen) {
            std::cerr << "emend-cli: " << problem << std::endl;
            return ExitUsage;
        }
        specs = std::move(*chosen);
    }
    const std::string reply{std::istreambuf_iterator<char>(std::cin), {}};
    ContractOptions options;
    options.acceptWrappers = !arguments.has("--no-wrappers");
    print(readingToJson(readReply(reply, specs, options)), -1);
    return ExitSatisfied;
}

int boundCommand(const Workbench &workbench, const Arguments &arguments)
{
    const auto task = workbench.loadTask(arguments.operand);
    if (!task)
        return reportBadFile(task.error(), arguments.operand);
    const auto worst = workbench.boundOf(*task);
    if (!worst)
        return reportBadFile(worst.error(), arguments.operand);
    print(boundToJson(*worst));
    return ExitSatisfied;
}

int showCommand(const Workbench &workbench, const Arguments &arguments)
{
    Shown shown;
    const auto read = workbench.readTrace(
        arguments.operand, {},
        [&](const std::string &header) { shown.header = json::parse(header, nullptr, false); },
        [&](const std::vector<Event> &events) {
            for (const Event &event : events)
                shown.summary.add(event);
            shown.events += events.size();
        });
    if (!read)
        return reportBadFile(read.error(), arguments.operand);
    json summary = shown.summary.toJson();
    if (!arguments.has("--json")) {
        printShown(shown, summary);
        return ExitSatisfied;
    }
    json out = {{"header", shown.header},
                {"events", shown.events},
                {"kinds", shown.summary.kinds()},
                {"corrections_by_category", shown.summary.categories()},
                {"integrity",
                 {{"ok", shown.summary.problems().empty()},
                  {"finished", shown.summary.finished()},
                  {"problems", shown.summary.problems()}}}};
    out["summary"] = std::move(summary);
    print(out);
    return ExitSatisfied;
}

namespace {

int runWords(const std::vector<std::string> &words)
{
    if (!words.empty() && words[0] == "--version") {
        std::cout << "emend-cli " EMEND_VERSION << std::endl;
        return ExitSatisfied;
    }
    std::string problem;
    const auto arguments = parseArguments(words, problem);
    if (!arguments) {
        std::cerr << "emend-cli: " << problem << "\n\n" << helpText(nullptr);
        return ExitUsage;
    }
    if (arguments->help) {
        std::cout << helpText(arguments->command);
        return ExitSatisfied;
    }
    const std::string &name = arguments->command->name;
    const bool runs = name == "run" || name == "replay" || name == "fork" || name == "demo";
    if (!runs) // nothing to end cleanly
        releaseSignals();
    Workbench workbench;
    if (name == "run")
        return runCommand(workbench, *arguments);
    if (name == "decide")
        return decideCommand(workbench, *arguments);
    if (name == "bound")
        return boundCommand(workbench, *arguments);
    if (name == "show")
        return showCommand(workbench, *arguments);
    if (name == "replay")
        return replayCommand(workbench, *arguments);
    if (name == "fork")
        return forkCommand(workbench, *arguments);
    if (name == "escalations")
        return escalationsCommand(workbench, *arguments);
    if (name == "doctor")
        return doctorCommand(workbench, *arguments);
    if (name == "key")
        return keyCommand(workbench, *arguments);
    return demoCommand(workbench);
}

} // namespace

int dispatch(const std::vector<std::string> &words)
{
    const int code = runWords(words);
    std::cout.flush();
    if (std::cout)
        return code;
    std::cerr << "emend-cli: standard output cannot be written" << std::endl;
    return ExitInternal;
}

} // namespace emend::app
