// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/escalation/escalations.h"
#include "core/run/engine.h"
#include "tools/store/escalationfeed.h"
#include "tools/store/escalationstore.h"

namespace emend::app {

// The inbox of the data folder, for both programs. Thread-safe.
class Inbox : public core::Escalations {
public:
    // The tools of a recorded task, for the decision contract.
    using ToolsOf = std::function<core::Result<std::vector<core::ToolSpec>>(const core::Task &)>;

    // `clock` is borrowed. `dataFolder` need not exist.
    Inbox(const std::string &dataFolder, const core::Clock &clock, ToolsOf toolsOf);

    core::Result<std::vector<core::Escalation>> list() const override;
    core::Result<core::EscalationDetail> detail(const std::string &id) const override;
    core::Result<core::Escalation> claim(const std::string &id) override;
    core::Result<core::Escalation> release(const std::string &id) override;
    core::Result<core::Escalation> dismiss(const std::string &id,
                                           const std::string &reason) override;
    core::Result<void> rescan(std::stop_token stop) override;
    std::string folder() const override;
    std::string stamp() const override;

    // The run of an escalation, checked for an answer, and the escalation marked as answered.
    struct Answered {
        core::Escalation before; // for takeBack()
        core::Continuation continuation;
        std::vector<core::EventDraft> events; // for the trace of the run that goes on
    };
    core::Result<Answered> answer(const std::string &id, const core::Answer &answer);
    void takeBack(const core::Escalation &before);

    // Around every run: before it begins, and with what came of it.
    tools::EscalationFeed::Note runBegins(const core::RunSetup &setup, const std::string &trace);
    void runEnded(const core::RunSetup &setup, tools::EscalationFeed::Note &note,
                  core::RunReport &report);

private:
    core::Result<core::Recording> recordingOf(const core::Escalation &escalation) const;

    mutable tools::EscalationStore m_store;
    tools::EscalationFeed m_feed;
    const core::Clock &m_clock;
    ToolsOf m_toolsOf;
};

} // namespace emend::app
