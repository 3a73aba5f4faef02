// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/run/ports.h"
#include "core/task/task.h"

namespace emend::tools {

class ScenarioPlayer;

// A tool whose executions a scenario replaces (design section 11). When the scenario has nothing
// (left) for an execution, the real tool runs; a tool that the task only declares then fails and
// says so. Wrap every tool of a run, because `actions` counts the executions of all of them.
// Lives on the run's thread.
class PlayedTool : public core::Tool {
public:
    // `real` may be null (a declared tool); it and the clock are borrowed.
    PlayedTool(core::ToolSpec spec, core::Tool *real, std::shared_ptr<ScenarioPlayer> player,
               core::Clock *clock);
    ~PlayedTool() override;

    const core::ToolSpec &spec() const override { return m_spec; }
    core::ToolOutcome execute(const nlohmann::json &input,
                              const core::CallContext &context) override;

private:
    core::ToolSpec m_spec;
    core::Tool *m_real;
    std::shared_ptr<ScenarioPlayer> m_player;
    core::Clock *m_clock;
};

// The specification of a tool that a task declares, its schema compiled; an error if it is none.
core::Result<core::ToolSpec> declaredToolSpec(const core::ToolReference &tool);

} // namespace emend::tools
