// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"

// What the practice provider understands of a goal. Pure, any thread.
namespace emend::tools {

struct PlannedCall {
    std::string tool;     // the name among the task's tools, empty if there is none for it
    std::string subject;  // "the weather in Oslo", for reasons and summaries
    nlohmann::json input; // text in it may hold referenceTo(i)
    std::vector<std::size_t> needs; // the earlier calls whose results it refers to
};

struct GoalPlan {
    std::vector<PlannedCall> calls;  // in the order of the goal
    std::vector<std::string> beyond; // what is asked for and no tool of ours can do
};

// Stands in an input for the last number in the result of call `index`; the provider writes the
// number of the step there ("[2]") once it is known.
std::string referenceTo(std::size_t index);

// The same goal and tools give the same plan.
GoalPlan planGoal(std::string_view goal, const std::vector<core::ToolSpec> &tools);

} // namespace emend::tools
