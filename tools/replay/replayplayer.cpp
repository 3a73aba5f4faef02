// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/replay/replayplayer.h"

#include <algorithm>

#include "core/base/linediff.h"
#include "core/base/text.h"
#include "core/json/canonical.h"
#include "tools/trace/tracereader.h"

namespace emend::tools {

using namespace emend::core;

namespace {

std::string shown(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return "asked the model for " + call->stage;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return "executed " + execution->tool + " " +
               inQuotes(
                   execution->input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                   200);
    return "was stopped by a person";
}

std::uint64_t seqOf(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return call->seq;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return execution->seq;
    if (const auto *stop = std::get_if<RecordedStop>(&item))
        return stop->seq;
    return 0;
}

std::string shown(const RecordedEvent &event)
{
    return std::string(eventKindName(event.kind)) +
           (event.step > 0 ? " in step " + std::to_string(event.step) : "") +
           (event.what.empty() ? "" : " (" + event.what + ")");
}

int stepOf(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return call->step;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return execution->step;
    return 0;
}

} // namespace

ReplayPlayer::ReplayPlayer(Recording recording, Options options, ReplayClock &clock,
                           RunControl &control)
    : m_recording(std::move(recording))
    , m_options(options)
    , m_clock(clock)
    , m_control(control)
{
    const auto first =
        std::find_if(m_recording.items.begin(), m_recording.items.end(),
                     [&](const RecordedItem &item) { return stepOf(item) >= m_options.fromStep; });
    if (m_options.fromStep > 1)
        m_item = static_cast<std::size_t>(first - m_recording.items.begin());
    giveCommands();
}

void ReplayPlayer::giveCommands()
{
    while (m_item < m_recording.items.size()) {
        const auto *command = std::get_if<BreakerCommand>(&m_recording.items[m_item]);
        if (command == nullptr)
            return;
        m_control.breaker(*command);
        ++m_item;
    }
}

const RecordedItem *ReplayPlayer::next()
{
    giveCommands();
    return m_item < m_recording.items.size() ? &m_recording.items[m_item] : nullptr;
}

bool ReplayPlayer::stopHere()
{
    const RecordedItem *item = next();
    const auto *stop = item != nullptr ? std::get_if<RecordedStop>(item) : nullptr;
    if (stop == nullptr)
        return false;
    m_stopped = true;
    ++m_item;
    stop->killed ? m_control.kill() : m_control.escalate(stop->reason);
    return true;
}

void ReplayPlayer::differ(std::uint64_t seq, const std::string &stage, std::string what,
                          std::string diff)
{
    if (!m_difference)
        m_difference = Difference{seq, stage, std::move(what), std::move(diff)};
}

ModelOutcome ReplayPlayer::failedReply() const
{
    TransportError error;
    error.cls = TransportClass::NoChoices;
    error.message = "the run left its recording: " + m_difference->what;
    error.detail = "recording";
    return ModelOutcome::failed(std::move(error));
}

bool ReplayPlayer::samePrompt(const RecordedCall &call, const ModelRequest &request)
{
    const auto &now = *request.messages;
    const bool same = std::equal(call.messages.begin(), call.messages.end(), now.begin(), now.end(),
                                 [](const Message &a, const Message &b) {
                                     return a.role == b.role && a.text == toValidUtf8(b.text);
                                 });
    if (!same)
        differ(call.seq, call.stage, "the prompt of " + call.stage + " is not the recorded one",
               unifiedDiff(promptText(call.messages), toValidUtf8(promptText(now))));
    return same;
}

template<typename Item>
bool ReplayPlayer::isLeft() const
{
    return std::any_of(m_recording.items.begin() + static_cast<std::ptrdiff_t>(m_item),
                       m_recording.items.end(),
                       [](const RecordedItem &item) { return std::holds_alternative<Item>(item); });
}

bool ReplayPlayer::plays(const ModelRequest &request)
{
    m_step = request.step;
    return request.step < m_options.untilStep && (!m_options.thenLive || isLeft<RecordedCall>());
}

bool ReplayPlayer::playsTools() const
{
    return m_step < m_options.untilStep && (!m_options.thenLive || isLeft<RecordedExecution>());
}

ModelOutcome ReplayPlayer::reply(const ModelRequest &request)
{
    m_step = request.step;
    if (m_difference)
        return failedReply();
    if (stopHere())
        return ModelOutcome::cancelled();
    const RecordedItem *item = next();
    if (item == nullptr) {
        differ(0, request.stage, "the recording ends before " + request.stage);
        return failedReply();
    }
    const auto *call = std::get_if<RecordedCall>(item);
    if (call == nullptr || (!call->stage.empty() && call->stage != request.stage)) {
        differ(seqOf(*item), request.stage,
               "the recorded run " + shown(*item) + " here, this one asks the model for " +
                   request.stage);
        return failedReply();
    }
    if (m_options.comparePrompts && !samePrompt(*call, request))
        return failedReply();
    ++m_item;
    if (!call->outcome) {
        differ(call->seq, call->stage, "the recording ends while the model is asked");
        return failedReply();
    }
    m_clock.advance(call->durationUs);
    ModelOutcome outcome = *call->outcome;
    outcome.reply.charged = m_options.charged;
    giveCommands();
    if (outcome.kind == ModelOutcome::Kind::Cancelled && !stopHere())
        differ(call->seq, call->stage, "the recorded call was cancelled, and nobody stopped it");
    return outcome;
}

ToolOutcome ReplayPlayer::execute(const std::string &tool, const nlohmann::json &input)
{
    if (m_difference)
        return ToolOutcome::failed(m_difference->what);
    if (stopHere())
        return ToolOutcome::cancelled();
    const RecordedItem *item = next();
    const auto *execution = item != nullptr ? std::get_if<RecordedExecution>(item) : nullptr;
    const std::string now = tool + " " + canonicalText(input);
    if (execution == nullptr || (!execution->tool.empty() &&
                                 execution->tool + " " + canonicalText(execution->input) != now)) {
        differ(item != nullptr ? seqOf(*item) : 0, "step_" + std::to_string(m_step),
               (item != nullptr ? "the recorded run " + shown(*item) + " here"
                                : std::string("the recording ends here")) +
                   ", this one executes " + tool,
               execution != nullptr ? unifiedDiff(execution->tool + "\n" + execution->input.dump(2),
                                                  tool + "\n" + input.dump(2))
                                    : std::string());
        return ToolOutcome::failed(m_difference->what);
    }
    ++m_item;
    if (!execution->outcome) {
        differ(execution->seq, {}, "the recording ends while " + tool + " is executed");
        return ToolOutcome::failed(m_difference->what);
    }
    m_clock.advance(execution->durationUs);
    const ToolOutcome outcome = *execution->outcome;
    giveCommands();
    if (outcome.kind == ToolOutcome::Kind::Cancelled)
        stopHere();
    return outcome;
}

void ReplayPlayer::compare(const Event &event)
{
    if (m_difference || m_stopped || !isComparable(event.kind))
        return;
    const RecordedEvent now = comparable(event);
    if (m_event == m_recording.events.size()) {
        differ(0, {}, "the recording ends where this run goes on with " + shown(now));
        return;
    }
    const RecordedEvent &then = m_recording.events[m_event++];
    if (then.kind == EventKind::ControlKilled || then.kind == EventKind::ControlEscalated) {
        --m_event; // a stop between two effects is played with the next one
        return;
    }
    if (then.kind != now.kind || then.step != now.step || then.attempt != now.attempt ||
        then.what != now.what)
        differ(then.seq, {}, "recorded: " + shown(then) + "; now: " + shown(now));
}

void ReplayPlayer::compareEnd(const std::string &reason, const std::string &finalSummary)
{
    if (m_difference)
        return;
    if (m_recording.outcome.empty())
        return differ(0, {}, "the recording has no end; it is the same as far as it goes");
    if (reason != m_recording.reason)
        return differ(0, {},
                      "the recorded run ended with reason " + m_recording.reason +
                          ", this one with " + reason);
    if (finalSummary != m_recording.finalSummary)
        differ(0, {}, "the answer is not the recorded one",
               unifiedDiff(m_recording.finalSummary, finalSummary));
}

ModelOutcome ReplayProvider::generate(const ModelRequest &request, const CallContext &context,
                                      const std::function<void(std::string_view)> &onText)
{
    if (!m_player.plays(request) && m_live != nullptr && !m_player.difference()) {
        m_clock.goLive();
        return m_live->generate(request, m_clock.toReal(context), onText);
    }
    ModelOutcome outcome = m_player.reply(request);
    if (outcome.kind == ModelOutcome::Kind::Replied)
        onText(outcome.reply.text);
    return outcome;
}

ToolOutcome ReplayTool::execute(const nlohmann::json &input, const CallContext &context)
{
    if (!m_player.playsTools() && m_live != nullptr && !m_player.difference()) {
        m_clock.goLive();
        return m_live->execute(input, m_clock.toReal(context));
    }
    return m_player.execute(m_spec.name, input);
}

Result<Recording> loadRecording(const std::string &path)
{
    std::string header;
    std::vector<Event> events;
    const auto read = readTrace(
        path, {}, [&](const std::string &line) { header = line; },
        [&](std::vector<Event> batch) {
            events.insert(events.end(), std::make_move_iterator(batch.begin()),
                          std::make_move_iterator(batch.end()));
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    auto recording = readRecording(header, events);
    if (!recording) {
        Error error = recording.error();
        error.file = path;
        return tl::unexpected<Error>(std::move(error));
    }
    return recording;
}

} // namespace emend::tools
