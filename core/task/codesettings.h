// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace emend::core {

// What may be run, and how. Of a task's "code" member.
struct CodeSettings {
    std::string spec;      // what is wanted, in words
    std::string tests;     // the text of the test file
    std::string testsFile; // where it came from, as the task names it; empty: the task itself
    std::string edgeTests; // held out: never in a prompt, a feedback, or an event sent back
    std::string edgeTestsFile;
    std::string verifier = "pytest";    // a name in tools/verify/registry: pytest, command, …
    std::string language = "python";    // the tag of the code block, and the prompt's word
    std::string solutionName;           // file name in the folder; empty: the verifier's default
    std::string testsName;              // likewise
    std::vector<std::string> command;   // argv; empty: the verifier's default. No shell.
    std::vector<std::string> generator; // argv that prints one input a line; empty: no comparison
    std::string generatorSource;        // laid down beside it as "generator"; empty: nothing
    std::string generatorFile;          // where that came from, as the task names it
    // What the two solutions are called by on each input: the name of a function (pytest), or the
    // argv of a command that gets the input on stdin (command). One of them, with a generator.
    std::string compareFunction;
    std::vector<std::string> compareCommand;
    std::string report;          // JUnit XML, relative to the folder; empty: the default
    nlohmann::json options = {}; // what only that verifier knows, checked by its schema
    int timeoutSeconds = 15;     // wall time of one run of the command
    int memoryMb = 512;
    int maxProcesses = 64;
    bool sandboxRequired = false; // "sandbox":"required": else it may run with less, and says so
    bool gate = true;
    bool showTests = false; // the model sees the main tests; the edge tests never
};

} // namespace emend::core
