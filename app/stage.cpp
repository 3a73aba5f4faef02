// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/stage.h"

namespace emend::app {

using namespace emend::core;

void Stage::setModel(std::unique_ptr<ModelProvider> model)
{
    m_models.push_back(std::move(model));
}

void Stage::addTool(std::unique_ptr<Tool> tool)
{
    m_top[tool->spec().name] = tool.get();
    m_tools.push_back(std::move(tool));
}

void Stage::setVerifier(std::unique_ptr<Verifier> verifier)
{
    m_verifiers.push_back(std::move(verifier));
}

Clock &Stage::clock()
{
    return m_clock ? static_cast<Clock &>(*m_clock) : m_realClock;
}

tools::ReplayPlayer &Stage::play(Recording recording, tools::ReplayPlayer::Options options,
                                 const std::vector<ToolSpec> &specs, RunControl &control)
{
    if (!m_clock)
        m_clock = std::make_unique<tools::ReplayClock>(m_realClock);
    m_players.push_back(
        std::make_unique<tools::ReplayPlayer>(std::move(recording), options, *m_clock, control));
    tools::ReplayPlayer &player = *m_players.back();
    setModel(std::make_unique<tools::ReplayProvider>(player, *m_clock, model()));
    setVerifier(std::make_unique<tools::ReplayVerifier>(player, *m_clock, verifier()));
    for (const ToolSpec &spec : specs) {
        const auto below = m_top.find(spec.name);
        addTool(std::make_unique<tools::ReplayTool>(
            spec, player, *m_clock, below == m_top.end() ? nullptr : below->second));
    }
    return player;
}

std::optional<Difference> Stage::difference() const
{
    for (const auto &player : m_players)
        if (player->difference())
            return player->difference();
    return std::nullopt;
}

} // namespace emend::app
