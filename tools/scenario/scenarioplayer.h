// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "core/task/scenario.h"

namespace emend::tools {

// The place in a scenario that one run has reached (design section 11). The scripted provider and
// all played tools of a run share one player. Lives on the run's thread.
//
// Where an action ends: a decision lies between two actions, so a model call does, and a retry is
// made by the product without asking the model. So two executions are tries of one action if they
// have the same tool and input and no model call between them; anything else begins the next
// action. Whoever calls a model says so with modelCalled(): makeProvider() (registry.h) sees to
// that for every provider, so `actions` work with any of them.
class ScenarioPlayer {
public:
    explicit ScenarioPlayer(core::Scenario scenario);

    bool hasReplies() const { return !m_scenario.replies.empty(); }

    // A model is being called: what is executed next is a new action.
    void modelCalled() { m_inAction = false; }

    // What the next model call gets (and modelCalled()). Null when the replies are used up, unless
    // the scenario repeats its last one. Lives as long as the player.
    const core::ScriptedReply *nextReply();
    int replyCalls() const { return m_replyCalls; } // how often nextReply() was called

    // What the next execution of `tool` plays: the try of the current action in `actions`, else the
    // next entry of the tool in `tools`, else null (the real tool runs). An entry is used once.
    // `actions` counts all executed actions, those of real tools too.
    const core::ScriptedTry *nextTry(const std::string &tool, const nlohmann::json &input);

private:
    core::Scenario m_scenario;
    int m_replyCalls = 0;
    std::map<std::string, std::size_t> m_usedOfTool;
    // The action whose tries are being executed: the m_actions-th, counted from 1.
    bool m_inAction = false;
    std::size_t m_actions = 0;
    std::size_t m_tries = 0;
    std::string m_tool;
    nlohmann::json m_input;
};

} // namespace emend::tools
