// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/run/ports.h"

namespace emend::tools {

class ScenarioPlayer;

// Plays the replies of a scenario in order, one a model call (design section 11). It knows no
// usage: tokens are reported as unknown. Lives on the run's thread.
//
// A reply's text arrives in its `chunks` pieces, evenly over its `delay_ms`. When the replies are
// used up, a call fails for good with class `no_choices`: there is nothing to answer with, and
// asking again cannot help. A reply longer than the request's limit of output tokens is cut.
class ScriptedProvider : public core::ModelProvider {
public:
    // The clock is borrowed.
    ScriptedProvider(std::shared_ptr<ScenarioPlayer> player, core::Clock *clock);
    ~ScriptedProvider() override;

    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override;

private:
    std::shared_ptr<ScenarioPlayer> m_player;
    core::Clock *m_clock;
};

} // namespace emend::tools
