// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/scenario/scenarioplayer.h"

#include <utility>

namespace emend::tools {

ScenarioPlayer::ScenarioPlayer(core::Scenario scenario)
    : m_scenario(std::move(scenario))
{}

const core::ScriptedReply *ScenarioPlayer::nextReply()
{
    modelCalled();
    const auto &replies = m_scenario.replies;
    const auto index = static_cast<std::size_t>(m_replyCalls++);
    if (index < replies.size())
        return &replies[index];
    return m_scenario.repeatLast && !replies.empty() ? &replies.back() : nullptr;
}

const core::ScriptedTry *ScenarioPlayer::nextTry(const std::string &tool,
                                                 const nlohmann::json &input)
{
    if (!m_inAction || tool != m_tool || input != m_input) {
        m_inAction = true;
        ++m_actions;
        m_tries = 0;
        m_tool = tool;
        m_input = input;
    }
    const std::size_t tryIndex = m_tries++;
    if (m_actions <= m_scenario.actions.size()) {
        const auto &tries = m_scenario.actions[m_actions - 1];
        if (tryIndex < tries.size())
            return &tries[tryIndex];
    }
    const auto played = m_scenario.tools.find(tool);
    if (played == m_scenario.tools.end())
        return nullptr;
    std::size_t &used = m_usedOfTool[tool];
    return used < played->second.size() ? &played->second[used++] : nullptr;
}

} // namespace emend::tools
