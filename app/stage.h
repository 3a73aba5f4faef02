// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/replay/replayplayer.h"

namespace emend::app {

// Who plays the model, the tools and the time of one run: the real ones, a recording, or a
// recording and then the real ones. Each layer covers what is below it, for the steps that it
// plays. Lives as long as the run, on its thread.
class Stage {
public:
    // The clock is borrowed.
    explicit Stage(core::Clock &clock)
        : m_realClock(clock)
    {}

    void setModel(std::unique_ptr<core::ModelProvider> model);
    void addTool(std::unique_ptr<core::Tool> tool);
    void setVerifier(std::unique_ptr<core::Verifier> verifier);
    // Covers the model and all of `specs` with a recording.
    tools::ReplayPlayer &play(core::Recording recording, tools::ReplayPlayer::Options options,
                              const std::vector<core::ToolSpec> &specs, core::RunControl &control);

    core::Clock &clock();
    // The first place where a recording did not fit.
    std::optional<core::Difference> difference() const;
    core::ModelProvider *model() { return m_models.empty() ? nullptr : m_models.back().get(); }
    core::Verifier *verifier() { return m_verifiers.empty() ? nullptr : m_verifiers.back().get(); }
    const std::map<std::string, core::Tool *> &tools() const { return m_top; }

private:
    core::Clock &m_realClock;
    std::unique_ptr<tools::ReplayClock> m_clock; // once something is played
    std::vector<std::unique_ptr<tools::ReplayPlayer>> m_players;
    std::vector<std::unique_ptr<core::ModelProvider>> m_models; // the last is on top
    std::vector<std::unique_ptr<core::Tool>> m_tools;
    std::vector<std::unique_ptr<core::Verifier>> m_verifiers; // the last is on top
    std::map<std::string, core::Tool *> m_top;
};

// Passes everything on and lets the player compare it with its recording.
class ComparingListener : public core::RunListener {
public:
    ComparingListener(core::RunListener &listener, tools::ReplayPlayer &player)
        : m_listener(listener)
        , m_player(player)
    {}
    void recordingProblem(const std::string &problem) override
    {
        m_listener.recordingProblem(problem);
    }
    void began(const std::string &headerLine) override { m_listener.began(headerLine); }
    void arrived(const core::Event &event) override
    {
        m_player.compare(event);
        m_listener.arrived(event);
    }
    void partialText(int step, int attempt, std::string_view text) override
    {
        m_listener.partialText(step, attempt, text);
    }
    void partialOutput(int step, int attempt, std::string_view output) override
    {
        m_listener.partialOutput(step, attempt, output);
    }

private:
    core::RunListener &m_listener;
    tools::ReplayPlayer &m_player;
};

} // namespace emend::app
