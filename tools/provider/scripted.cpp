// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/scripted.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/task/scenario.h"
#include "tools/provider/replytext.h"
#include "tools/scenario/scenarioplayer.h"

namespace emend::tools {

namespace {

enum class Delivered { All, Stopped, TimedOut };

// Waits `delayUs` from `beganUs` on, no longer than the call may last.
Delivered waitFor(std::int64_t beganUs, std::int64_t delayUs, const core::CallContext &context,
                  core::Clock &clock)
{
    const bool late = delayUs > context.deadlineUs - beganUs;
    if (!clock.waitUntil(late ? context.deadlineUs : beganUs + delayUs, context.stop))
        return Delivered::Stopped;
    return late ? Delivered::TimedOut : Delivered::All;
}

// Hands out `text` piece by piece; `sent` is what has been handed out.
Delivered deliver(std::string_view text, const core::ScriptedReply &reply,
                  const core::CallContext &context, core::Clock &clock,
                  const std::function<void(std::string_view)> &onText, std::string &sent)
{
    const std::int64_t began = clock.nowUs();
    const std::int64_t delayUs = reply.delayMs * 1000;
    auto pieces = cutIntoPieces(text, reply.chunks);
    if (pieces.empty())
        pieces.emplace_back(); // nothing to say, but the delay passes all the same
    const auto count = static_cast<std::int64_t>(pieces.size());
    for (std::int64_t i = 0; i < count; ++i) {
        if (delayUs > 0) {
            const Delivered waited = waitFor(began, delayUs * (i + 1) / count, context, clock);
            if (waited != Delivered::All)
                return waited;
        }
        if (context.stop.stop_requested())
            return Delivered::Stopped;
        const std::string_view piece = pieces[static_cast<std::size_t>(i)];
        sent += piece;
        if (onText && !piece.empty())
            onText(piece);
    }
    if (!reply.hang)
        return Delivered::All;
    return clock.waitUntil(context.deadlineUs, context.stop) ? Delivered::TimedOut
                                                             : Delivered::Stopped;
}

core::TransportError timedOut(std::string partial)
{
    return {core::TransportClass::Timeout, "no complete reply within the time limit of the call",
            true, std::nullopt, std::move(partial)};
}

core::TransportError usedUp(int call)
{
    return {core::TransportClass::NoChoices,
            "the scenario has no reply left for call " + std::to_string(call), false, std::nullopt,
            std::string()};
}

} // namespace

ScriptedProvider::ScriptedProvider(std::shared_ptr<ScenarioPlayer> player, core::Clock *clock)
    : m_player(std::move(player))
    , m_clock(clock)
{}

ScriptedProvider::~ScriptedProvider() = default;

core::ModelOutcome ScriptedProvider::generate(const core::ModelRequest &request,
                                              const core::CallContext &context,
                                              const std::function<void(std::string_view)> &onText)
{
    const core::ScriptedReply *reply = m_player->nextReply();
    if (!reply)
        return core::ModelOutcome::failed(usedUp(m_player->replyCalls()));

    std::string_view text = reply->error ? reply->error->partial : reply->text;
    const std::size_t length = lengthWithinTokens(text, request.maxOutputTokens);
    const bool truncated = length < text.size();
    text = text.substr(0, length);

    std::string sent;
    switch (deliver(text, *reply, context, *m_clock, onText, sent)) {
    case Delivered::Stopped:
        return core::ModelOutcome::cancelled();
    case Delivered::TimedOut:
        return core::ModelOutcome::failed(timedOut(std::move(sent)));
    case Delivered::All:
        break;
    }
    if (reply->error) {
        core::TransportError error = *reply->error;
        error.partial = std::move(sent);
        return core::ModelOutcome::failed(std::move(error));
    }
    return core::ModelOutcome::replied(
        {std::move(sent), core::Usage(), truncated ? "length" : "stop", truncated});
}

} // namespace emend::tools
