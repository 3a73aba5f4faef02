// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "core/run/ports.h"
#include "core/task/task.h"

namespace emend::tools {

// What the practice provider decides when it makes no mistake, in the form of the contract. Pure:
// it depends on goal, tools, observations and finalOnly alone. Any thread.
nlohmann::ordered_json practiceDecision(const core::ModelRequest &request);

// A model for people who have none at hand (design section 6): it answers goals about arithmetic,
// the time and the weather offline, by real calls of the task's tools, and it makes the mistakes
// it is told to. It is honest: what has failed or is beyond it makes the final unsatisfied.
// The same task and results give the same replies. Lives on the run's thread.
class PracticeProvider : public core::ModelProvider {
public:
    explicit PracticeProvider(core::PracticeMistakes mistakes);

    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override;

private:
    core::PracticeMistakes m_mistakes;
};

} // namespace emend::tools
