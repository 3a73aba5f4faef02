// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/run/verify.h"
#include "tools/sandbox/sandbox.h"
#include "tools/verify/python.h"

namespace emend::tools {

// What a test file holds, found without the attempt.
struct PytestCollection {
    std::string cause, message; // not empty: it cannot be used, and why
    bool cancelled = false;
    bool exact = false; // `count` is all there are; else there are `least` or more
    int count = 0, least = 0;
    bool maySkip = false;            // the tests skip themselves while they run
    std::set<std::string> skippable; // those that are marked so

    int collected() const { return exact ? count : -1; }
};

struct PytestSetup {
    Python python;
    std::vector<std::string> command;   // argv up to and with pytest
    std::vector<std::string> arguments; // to pytest
    std::string solutionName, testsName;
    SandboxLimits limits;
    bool required = false;

    // The folder's files without the solution, and the command's other settings.
    SandboxCommand base(const std::string &tests) const;
    // The task's own where its command names one, else the one that has pytest.
    std::string interpreter() const;
    std::string module() const { return solutionName.substr(0, solutionName.rfind('.')); }
    std::string testsModule() const { return testsName.substr(0, testsName.rfind('.')); }
};

// Kept for a test file and its setup, for as long as the process lives.
PytestCollection collectPytest(const Sandbox &sandbox, const PytestSetup &setup,
                               const std::string &tests, std::stop_token stop);

} // namespace emend::tools
