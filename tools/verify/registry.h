// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/run/verify.h"
#include "tools/sandbox/sandbox.h"

// The verifiers of the program. To add one: its .cpp in this folder and one line in the list in
// registry.cpp. Any thread.
namespace emend::tools {

// What a verifier may need besides the task. Borrowed for its life.
struct VerifierEnvironment {
    const core::Clock *clock = nullptr;
    const Sandbox *sandbox = nullptr;
};

struct VerifierSpec {
    std::string name;
    std::string description;
    std::string language;     // of the code block, where the task names none
    std::string solutionName; // file names, where the task names none; empty: from the language
    std::string testsName;
    nlohmann::json options; // a JSON Schema
    // How it calls two solutions on generated inputs: a "function", a "command"; empty: it cannot.
    std::string compares = {};
};

// All of them, in the order of the list, for menus and forms.
std::vector<VerifierSpec> verifierSpecs();

// The verifier that the settings name. An unknown name, options that do not fit and file names that
// leave the folder are errors whose pointer is below /code.
core::Result<std::unique_ptr<core::Verifier>> makeVerifier(const core::CodeSettings &settings,
                                                           const VerifierEnvironment &environment);

} // namespace emend::tools
