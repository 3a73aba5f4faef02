// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

// The command line of emend-cli (design section 12).
namespace emend::app {

enum ExitCode : int {
    ExitSatisfied = 0,
    ExitUnsatisfied = 10,
    ExitEscalated = 11,
    ExitKilled = 12,
    ExitFailed = 13,
    ExitUsage = 64,
    ExitBadFile = 65,
    ExitInternal = 70,
};

struct Option {
    std::string name;  // "--trace"
    std::string value; // what stands for the value in the help: "OUT"; empty: a flag
    std::string help;
};

struct CommandSpec {
    std::string name;
    std::string operand; // "TASK"; empty: none is taken
    std::string help;
    std::vector<Option> options;
    bool takesSecond = false; // a second operand, which depends on the first
};

struct Arguments {
    const CommandSpec *command = nullptr;
    std::string operand;
    std::string second;                        // what follows it: a provider, an ID
    std::map<std::string, std::string> values; // by option name
    bool help = false;                         // of the command, or of all if there is none

    bool has(const std::string &option) const { return values.contains(option); }
    std::string value(const std::string &option) const
    {
        const auto it = values.find(option);
        return it == values.end() ? std::string() : it->second;
    }
};

const std::vector<CommandSpec> &commandSpecs();

// Reads what follows the program's name. On a mistake: nothing, and `problem` says what is wrong.
std::optional<Arguments> parseArguments(const std::vector<std::string> &words,
                                        std::string &problem);

std::string helpText(const CommandSpec *command);

} // namespace emend::app
