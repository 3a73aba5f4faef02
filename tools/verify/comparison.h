// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/run/verify.h"
#include "tools/sandbox/sandbox.h"

// Two solutions on the same generated inputs (design section 7). The task's generator prints one
// JSON value a line; each solution is run on all of them in a sandbox of its own, one after the
// other, so that none can see the other or what came of it. Any thread.
namespace emend::tools {

constexpr std::size_t mostInputs = 1000;           // those after it are not used
constexpr std::size_t mostInputBytes = 4u << 20;   // a generator that prints more has failed
constexpr const char *inputsName = "inputs.jsonl"; // in the folder of a solution

// What the generator prints, line by line without those that are empty; or why there is nothing to
// compare on (never the fault of a solution).
tl::expected<std::vector<std::string>, core::VerifyOutcome>
generateInputs(const Sandbox &sandbox, const core::CodeSettings &settings,
               const SandboxLimits &limits, std::stop_token stop);

// How one solution is run on the inputs, which lie in the folder: its report are the results, each
// `CODE BYTES\n`, that many bytes and `\n`. CODE 127: it could not even be called.
using SolutionCommand = std::function<SandboxCommand(const std::string &solution)>;

// `deadline`: the call may not last as long as a run may. What does not come to the end of its
// inputs differs from whatever it is compared with, also from another that does not.
core::VerifyOutcome compareSolutions(const Sandbox &sandbox, const core::VerifyRequest &request,
                                     const std::vector<std::string> &inputs, bool deadline,
                                     const SolutionCommand &commandFor, std::stop_token stop);

} // namespace emend::tools
