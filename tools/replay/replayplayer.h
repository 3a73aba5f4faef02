// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <climits>
#include <memory>
#include <optional>

#include "core/replay/recording.h"
#include "core/run/engine.h"
#include "core/trace/redactor.h"
#include "tools/replay/replayclock.h"

namespace emend::tools {

// Plays a recording to one run: replies, tool results and what a person did, in their order. It
// opens no socket and starts no process. At the first difference it stops playing: every later
// call fails and says so. Lives on the run's thread.
class ReplayPlayer {
public:
    struct Options {
        bool comparePrompts = true; // off for a fork, whose prompt a person changed
        bool charged = true;        // off for a fork: what was played is not spent again
        int fromStep = 1;           // earlier items are passed over
        int untilStep = INT_MAX;    // the first step that is not played
        std::shared_ptr<const core::Redactor> redactor = {}; // of what is written and said now
        bool thenLive = false; // what there is no item for is not played, whatever its step
    };

    // `clock` and `control` are borrowed.
    ReplayPlayer(core::Recording recording, Options options, ReplayClock &clock,
                 core::RunControl &control);

    core::ModelOutcome reply(const core::ModelRequest &request);
    core::ToolOutcome execute(const std::string &tool, const nlohmann::json &input);
    core::VerifyOutcome prepare();
    core::VerifyOutcome verify(const core::VerifyRequest &request);
    // Whether this belongs to the part that is played; tools and verifications belong to the step
    // of the last call.
    bool plays(const core::ModelRequest &request);
    bool playsTools() const;
    bool playsVerifications() const;

    // For a replay of the whole: each event of the new run, in order, as it was written.
    void compare(const core::Event &event);

    // Where this run left the recording.
    const std::optional<core::Difference> &difference() const { return m_difference; }
    // For a replay of the whole: also that the recording is damaged, whatever of it could be
    // played.
    std::optional<core::Difference> verdict() const;

private:
    core::RecordedItem *next(); // past a person's breaker commands, which it gives
    void giveCommands();
    template<typename Item>
    bool isLeft() const;
    bool stopHere(); // the recorded run was stopped at this place: so is this one
    void differ(std::uint64_t seq, const std::string &stage, std::string what,
                std::string diff = {});
    std::string whereRedacted(std::uint64_t seq) const;
    void endedBefore(std::uint64_t seq, const std::string &stage, const std::string &what);
    core::ModelOutcome failedReply() const;
    bool sameText(const std::string &then, const std::string &now) const;
    bool sameInput(const nlohmann::json &then, const nlohmann::json &now) const;
    bool samePrompt(const core::RecordedCall &call, const core::ModelRequest &request);

    core::Recording m_recording;
    Options m_options;
    ReplayClock &m_clock;
    core::RunControl &m_control;
    std::size_t m_item = 0;  // the next to be played
    std::size_t m_event = 0; // the next to be compared with
    int m_step = 0;
    std::uint64_t m_playedSeq = 0; // where the last item that was played begins
    std::optional<core::Difference> m_difference;
};

// A model that answers from the recording, and from `live` (may be null) past the part it plays.
class ReplayProvider : public core::ModelProvider {
public:
    // All borrowed.
    ReplayProvider(ReplayPlayer &player, ReplayClock &clock, core::ModelProvider *live)
        : m_player(player)
        , m_clock(clock)
        , m_live(live)
    {}
    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override;

private:
    ReplayPlayer &m_player;
    ReplayClock &m_clock;
    core::ModelProvider *m_live;
};

// The same for a tool.
class ReplayTool : public core::Tool {
public:
    ReplayTool(core::ToolSpec spec, ReplayPlayer &player, ReplayClock &clock, core::Tool *live)
        : m_spec(std::move(spec))
        , m_player(player)
        , m_clock(clock)
        , m_live(live)
    {}
    const core::ToolSpec &spec() const override { return m_spec; }
    core::ToolOutcome execute(const nlohmann::json &input,
                              const core::CallContext &context) override;

private:
    core::ToolSpec m_spec;
    ReplayPlayer &m_player;
    ReplayClock &m_clock;
    core::Tool *m_live;
};

// The same for the verifier.
class ReplayVerifier : public core::Verifier {
public:
    ReplayVerifier(ReplayPlayer &player, ReplayClock &clock, core::Verifier *live)
        : m_player(player)
        , m_clock(clock)
        , m_live(live)
    {}
    core::VerifyOutcome verify(const core::VerifyRequest &request, const core::CallContext &context,
                               const std::function<void(std::string_view)> &onOutput) override;
    core::VerifyOutcome prepare(const core::CodeSettings &settings,
                                const core::CallContext &context) override;
    core::VerifyOutcome compare(const core::VerifyRequest &request,
                                const core::CallContext &context) override;

private:
    ReplayPlayer &m_player;
    ReplayClock &m_clock;
    core::Verifier *m_live;
};

// Reads a whole trace as a recording. Errors name the file.
core::Result<core::Recording> loadRecording(const std::string &path);

} // namespace emend::tools
