// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include <algorithm>

#include "core/base/closest.h"
#include "core/json/schema.h"

namespace emend::app {

const std::vector<CommandSpec> &commandSpecs()
{
    static const std::vector<CommandSpec> specs = {
        {"run",
         "TASK",
         "Run a task. The timeline goes to stderr as it happens, the answer to stdout.",
         {{"--goal", "TEXT", "run with this goal instead of the task's"},
          {"--scenario", "FILE", "play this scenario"},
          {"--provider", "NAME", "use this model provider"},
          {"--trace", "OUT", "write the trace here (default: the data folder)"},
          {"--json", "", "print one JSON summary on stdout"},
          {"--quiet", "", "no timeline"}}},
        {"decide",
         "",
         "Read one raw model reply on stdin and say what the decision contract makes of it, as "
         "JSON.",
         {{"--tools", "A,B", "the built-in tools that count as registered (default: all)"},
          {"--tools-file", "FILE", "the tools declared in this file, instead"},
          {"--no-wrappers", "", "as with \"accept_wrappers\": false"}}},
        {"bound", "TASK", "Print the worst case of a task as JSON.", {}},
        {"show",
         "TRACE",
         "Say what is in a trace: header, counts, corrections, outcome, integrity.",
         {{"--json", "", "as JSON"}}},
        {"replay",
         "TRACE",
         "Run a recorded run again with no network, and stop at the first difference.",
         {{"--trace", "OUT", "write the new trace here (default: the data folder)"},
          {"--json", "", "print one JSON summary on stdout"},
          {"--quiet", "", "no timeline"}}},
        {"fork",
         "TRACE",
         "Keep the recorded steps before one, change something, and go on from there.",
         {{"--step", "N", "the first step that is not taken from the recording (default: 1)"},
          {"--goal", "TEXT", "go on with this goal"},
          {"--prompt-file", "FILE", "go on with this system prompt"},
          {"--provider", "NAME", "go on with this model provider"},
          {"--model", "NAME", "go on with this model"},
          {"--base-url", "URL", "the model is served here"},
          {"--recording", "TRACE", "go on with the replies of another recording"},
          {"--scenario", "FILE", "play this scenario"},
          {"--times", "K", "go on K times and show how the results spread (default: 1)"},
          {"--trace", "OUT", "write the trace here (K > 1: OUT-1, OUT-2 …)"},
          {"--json", "", "print the runs and their spread as JSON on stdout"},
          {"--quiet", "", "no timeline"}}},
        {"escalations",
         "ACTION",
         "The runs that wait for a person. \"list\" and \"export\" (JSON lines) take all of them, "
         "\"show ID\", \"claim ID\",\n\"release ID\" and \"answer ID\" one; the beginning of an ID "
         "is enough. An answer goes on as a new run, with the\nrecorded steps before it; "
         "--dismiss closes the escalation without one.",
         {{"--state", "STATE", "list, export: only open, claimed, answered or dismissed ones"},
          {"-o", "OUT", "export: into this file (default: stdout)"},
          {"--decision", "FILE", "answer: this decision instead of the model's (- for stdin)"},
          {"--tool-result", "TEXT", "answer: what the action that hung or failed has given"},
          {"--failed", "", "with --tool-result: it failed, and TEXT says why"},
          {"--hint", "TEXT", "answer: a message for the model"},
          {"--code", "FILE", "answer: corrected code (- for stdin)"},
          {"--dismiss", "REASON", "answer: nothing is to be done"},
          {"--trace", "OUT", "answer: write the new trace here (default: the data folder)"},
          {"--json", "", "as JSON on stdout"},
          {"--quiet", "", "answer: no timeline"}},
         true},
        {"key",
         "ACTION",
         "\"set PROVIDER\" reads a key from stdin into the system's keychain, \"remove PROVIDER\" "
         "takes it out, \"list\" says where keys come from.",
         {},
         true},
        {"doctor",
         "",
         "Say what of this machine Emend would use, what is missing, and how to get it.",
         {{"--json", "", "as JSON"}}},
        {"demo", "", "Play the built-in demo in the terminal.", {}},
    };
    return specs;
}

namespace {

const Option *findOption(const CommandSpec &command, const std::string &name)
{
    const auto it = std::find_if(command.options.begin(), command.options.end(),
                                 [&](const Option &option) { return option.name == name; });
    return it == command.options.end() ? nullptr : &*it;
}

std::string didYouMean(const std::string &name, const std::vector<std::string> &known)
{
    const std::string near = core::closestName(name, known);
    return near.empty() ? "" : "; did you mean " + near + "?";
}

bool takeOption(Arguments &out, const std::vector<std::string> &words, std::size_t &i,
                std::string &problem)
{
    std::string name = words[i], value;
    const std::size_t equals = name.find('=');
    const bool inlineValue = equals != std::string::npos;
    if (inlineValue) {
        value = name.substr(equals + 1);
        name.resize(equals);
    }
    const Option *option = findOption(*out.command, name);
    if (option == nullptr) {
        std::vector<std::string> known;
        for (const Option &each : out.command->options)
            known.push_back(each.name);
        problem = "unknown option " + name + didYouMean(name, known);
        return false;
    }
    if (option->value.empty() && inlineValue) {
        problem = name + " takes no value";
        return false;
    }
    if (!option->value.empty() && !inlineValue) {
        if (++i == words.size()) {
            problem = name + " needs " + option->value;
            return false;
        }
        value = words[i];
    }
    out.values[name] = value;
    return true;
}

} // namespace

std::optional<Arguments> parseArguments(const std::vector<std::string> &words, std::string &problem)
{
    Arguments out;
    if (words.empty()) {
        problem = "no command given";
        return std::nullopt;
    }
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        out.help = true;
        return out;
    }
    const auto &specs = commandSpecs();
    const auto it = std::find_if(specs.begin(), specs.end(),
                                 [&](const CommandSpec &spec) { return spec.name == words[0]; });
    if (it == specs.end()) {
        std::vector<std::string> known;
        for (const CommandSpec &spec : specs)
            known.push_back(spec.name);
        problem = "unknown command " + words[0] + didYouMean(words[0], known);
        return std::nullopt;
    }
    out.command = &*it;
    bool operandsOnly = false, given = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (!operandsOnly && word == "--") {
            operandsOnly = true;
        } else if (!operandsOnly && (word == "--help" || word == "-h")) {
            out.help = true;
        } else if (!operandsOnly && word.starts_with("-") && word != "-") {
            if (!takeOption(out, words, i, problem))
                return std::nullopt;
        } else if (given && out.command->takesSecond && out.second.empty()) {
            out.second = word;
        } else if (given || out.command->operand.empty()) {
            problem = "unexpected argument " + word;
            return std::nullopt;
        } else {
            out.operand = word;
            given = true;
        }
    }
    if (!given && !out.command->operand.empty() && !out.help) {
        problem = out.command->name + " needs " + out.command->operand;
        return std::nullopt;
    }
    return out;
}

std::string helpText(const CommandSpec *command)
{
    const auto padded = [](std::string text, std::size_t width) {
        text.resize(std::max(text.size() + 2, width), ' ');
        return text;
    };
    std::string out;
    if (command == nullptr) {
        out = "Usage: emend-cli COMMAND …\n\n";
        for (const CommandSpec &spec : commandSpecs())
            out += "  " + padded(spec.name + " " + spec.operand, 14) + spec.help + "\n";
        return out +
               "\nemend-cli COMMAND --help says more. Exit codes: 0 satisfied, 10 unsatisfied, "
               "11 escalated,\n12 killed, 13 failed, 64 usage, 65 bad input file, 70 internal "
               "error.\n";
    }
    out = "Usage: emend-cli " + command->name +
          (command->operand.empty() ? "" : " " + command->operand) +
          (command->options.empty() ? "" : " [options]") + "\n\n" + command->help + "\n";
    if (!command->options.empty())
        out += "\n";
    for (const Option &option : command->options)
        out += "  " + padded(option.name + (option.value.empty() ? "" : " " + option.value), 22) +
               option.help + "\n";
    return out;
}

} // namespace emend::app
