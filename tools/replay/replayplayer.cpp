// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/replay/replayplayer.h"

#include <algorithm>

#include "core/base/linediff.h"
#include "core/base/text.h"
#include "core/json/canonical.h"
#include "core/replay/comparison.h"
#include "tools/trace/tracereader.h"

namespace emend::tools {

using namespace emend::core;

namespace {

std::string suiteWords(const std::string &suite)
{
    return suite == "generated" ? "generated inputs" : suite;
}

std::string shown(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return "asked the model for " + call->stage;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return "executed " + execution->tool + " " +
               inQuotes(
                   execution->input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                   200);
    if (const auto *verification = std::get_if<RecordedVerification>(&item))
        return verification->suite == "prepare"
                   ? "could not be judged"
                   : "ran the " + suiteWords(verification->suite) + " of " + verification->stage;
    return "was stopped by a person";
}

std::uint64_t seqOf(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return call->seq;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return execution->seq;
    if (const auto *verification = std::get_if<RecordedVerification>(&item))
        return verification->seq;
    if (const auto *stop = std::get_if<RecordedStop>(&item))
        return stop->seq;
    return 0;
}

int stepOf(const RecordedItem &item)
{
    if (const auto *call = std::get_if<RecordedCall>(&item))
        return call->step;
    if (const auto *execution = std::get_if<RecordedExecution>(&item))
        return execution->step;
    if (const auto *verification = std::get_if<RecordedVerification>(&item))
        return verification->step;
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

RecordedItem *ReplayPlayer::next()
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
    ++m_item;
    stop->killed ? m_control.kill() : m_control.escalate(stop->reason);
    return true;
}

void ReplayPlayer::differ(std::uint64_t seq, const std::string &stage, std::string what,
                          std::string diff)
{
    if (m_difference)
        return;
    what += whereRedacted(seq);
    if (m_options.redactor) { // a recording may be older than what the person keeps secret now
        what = m_options.redactor->redactText(what);
        diff = m_options.redactor->redactText(diff);
    }
    m_difference = Difference{seq, stage, std::move(what), std::move(diff)};
}

// The end of a difference at the recorded event `seq` (0: the end of the recording) that comes, or
// may come, of text that was redacted when it was recorded.
std::string ReplayPlayer::whereRedacted(std::uint64_t seq) const
{
    const RedactedPlace *place = nullptr; // the first of what was played last, or else the latest
    for (const RedactedPlace &one : m_recording.redacted)
        if ((seq == 0 || one.seq <= seq) &&
            (place == nullptr || place->seq == 0 || place->seq < m_playedSeq))
            place = &one;
    if (place == nullptr)
        return {};
    const std::string where =
        "the recording holds redacted text at " +
        (place->seq > 0 ? "its event " + std::to_string(place->seq) : std::string("its header")) +
        " (" + place->pointer + ")";
    const bool here = place->seq > 0 && place->seq >= m_playedSeq;
    return here ? "; " + where + ", so it cannot be replayed beyond there"
                : " (" + where + ", which may be the reason)";
}

void ReplayPlayer::endedBefore(std::uint64_t seq, const std::string &stage, const std::string &what)
{
    differ(seq, stage,
           what + (m_recording.cut
                       ? ": the recorded run was cut, its last line is torn; up to there "
                         "it is the same"
                       : "; up to there it is the same"));
}

std::optional<Difference> ReplayPlayer::verdict() const
{
    if (m_recording.problems.empty())
        return m_difference;
    const std::size_t more = m_recording.problems.size() - 1;
    const std::string damage =
        "the recording is damaged: " + m_recording.problems.front() +
        (more > 0 ? " (and " + std::to_string(more) + " more)" : std::string());
    if (!m_difference)
        return Difference{0, {}, damage, {}};
    Difference both = *m_difference;
    both.what = damage + "; " + both.what;
    return both;
}

ModelOutcome ReplayPlayer::failedReply() const
{
    TransportError error;
    error.cls = TransportClass::NoChoices;
    error.message = "the run left its recording: " + m_difference->what;
    error.detail = "recording";
    return ModelOutcome::failed(std::move(error));
}

// A pattern that the person has added since the recording is no difference.
bool ReplayPlayer::sameText(const std::string &then, const std::string &now) const
{
    return then == now || (m_options.redactor && m_options.redactor->redactText(then) ==
                                                     m_options.redactor->redactText(now));
}

bool ReplayPlayer::sameInput(const nlohmann::json &then, const nlohmann::json &now) const
{
    if (canonicalText(then) == canonicalText(now))
        return true;
    if (!m_options.redactor)
        return false;
    const auto redacted = [&](const nlohmann::json &input) {
        std::string line = input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        m_options.redactor->redactLine(line);
        auto out = nlohmann::json::parse(line, nullptr, false);
        if (out.is_object()) // says what was taken out, and where
            out.erase("redactions");
        return canonicalText(out);
    };
    return redacted(then) == redacted(now);
}

bool ReplayPlayer::samePrompt(const RecordedCall &call, const ModelRequest &request)
{
    const auto &now = *request.messages;
    const bool same =
        std::equal(call.messages.begin(), call.messages.end(), now.begin(), now.end(),
                   [this](const Message &a, const Message &b) {
                       return a.role == b.role && sameText(a.text, toValidUtf8(b.text));
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

bool ReplayPlayer::playsVerifications() const
{
    return m_step < m_options.untilStep && (!m_options.thenLive || isLeft<RecordedVerification>());
}

ModelOutcome ReplayPlayer::reply(const ModelRequest &request)
{
    m_step = request.step;
    if (m_difference)
        return failedReply();
    if (stopHere())
        return ModelOutcome::cancelled();
    RecordedItem *item = next();
    if (item == nullptr) {
        endedBefore(0, request.stage, "the recording ends before " + request.stage);
        return failedReply();
    }
    auto *call = std::get_if<RecordedCall>(item);
    if (call == nullptr || (!call->stage.empty() && call->stage != request.stage)) {
        differ(seqOf(*item), request.stage,
               "the recorded run " + shown(*item) + " here, this one asks the model for " +
                   request.stage);
        return failedReply();
    }
    if (m_options.comparePrompts && !samePrompt(*call, request))
        return failedReply();
    ++m_item;
    m_playedSeq = call->seq;
    if (!call->outcome) {
        endedBefore(call->seq, call->stage, "the recording ends while the model is asked");
        return failedReply();
    }
    m_clock.advance(call->durationUs);
    ModelOutcome outcome = std::move(*call->outcome); // it may be long, and is played once
    outcome.reply.charged &= m_options.charged;       // a recorded fork has its own free beginning
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
    const std::string stage = "step_" + std::to_string(m_step);
    if (item == nullptr) {
        endedBefore(0, stage, "the recording ends before " + tool + " is executed");
        return ToolOutcome::failed(m_difference->what);
    }
    if (execution == nullptr ||
        (!execution->tool.empty() &&
         (execution->tool != tool || !sameInput(execution->input, input)))) {
        differ(seqOf(*item), stage,
               "the recorded run " + shown(*item) + " here, this one executes " + tool,
               execution != nullptr ? unifiedDiff(execution->tool + "\n" + execution->input.dump(2),
                                                  tool + "\n" + input.dump(2))
                                    : std::string());
        return ToolOutcome::failed(m_difference->what);
    }
    ++m_item;
    m_playedSeq = execution->seq;
    if (!execution->outcome) {
        endedBefore(execution->seq, stage, "the recording ends while " + tool + " is executed");
        return ToolOutcome::failed(m_difference->what);
    }
    m_clock.advance(execution->durationUs);
    const ToolOutcome outcome = *execution->outcome;
    giveCommands();
    if (outcome.kind == ToolOutcome::Kind::Cancelled)
        stopHere();
    return outcome;
}

// What went well is not in the recording.
VerifyOutcome ReplayPlayer::prepare()
{
    VerifyOutcome ready;
    if (stopHere())
        return ready;
    const RecordedItem *item = next();
    const auto *preparation = item != nullptr ? std::get_if<RecordedVerification>(item) : nullptr;
    if (preparation == nullptr || preparation->suite != "prepare") {
        ready.kind = VerifyOutcome::Kind::Passed;
        return ready;
    }
    ++m_item;
    m_playedSeq = preparation->seq;
    m_clock.advance(preparation->durationUs);
    return preparation->outcome.value_or(ready);
}

VerifyOutcome ReplayPlayer::verify(const VerifyRequest &request)
{
    const std::string suite = suiteWords(request.suite);
    VerifyOutcome left; // the recording: nothing can be judged any more
    left.kind = VerifyOutcome::Kind::CannotVerify;
    left.cause = "recording";
    const auto leave = [&] {
        left.message = "the run left its recording: " + m_difference->what;
        return left;
    };
    if (m_difference)
        return leave();
    if (stopHere())
        return {};
    RecordedItem *item = next();
    auto *verification = item != nullptr ? std::get_if<RecordedVerification>(item) : nullptr;
    const std::string stage = "step_" + std::to_string(m_step);
    if (item == nullptr) {
        endedBefore(0, stage, "the recording ends before the " + suite + " are run");
        return leave();
    }
    if (verification == nullptr || verification->suite != request.suite ||
        verification->solutionHash != shortHash(request.solution) ||
        (!request.other.empty() && verification->comparedWith != shortHash(request.other))) {
        differ(seqOf(*item), stage,
               "the recorded run " + shown(*item) + " here, this one runs the " + suite +
                   (verification != nullptr ? " of another solution" : ""));
        return leave();
    }
    ++m_item;
    m_playedSeq = verification->seq;
    if (!verification->outcome) {
        endedBefore(verification->seq, stage, "the recording ends while the " + suite + " are run");
        return leave();
    }
    m_clock.advance(verification->durationUs);
    VerifyOutcome outcome = std::move(*verification->outcome);
    giveCommands();
    if (outcome.kind == VerifyOutcome::Kind::Cancelled)
        stopHere();
    return outcome;
}

void ReplayPlayer::compare(const Event &event)
{
    if (m_difference || !isComparable(event.kind))
        return;
    if (m_event == m_recording.events.size()) {
        endedBefore(0, {},
                    "the recording ends before " + shownEvent(event.kind, event.step, event.line));
        return;
    }
    const RecordedEvent &then = m_recording.events[m_event++];
    const bool shifted = std::any_of(
        m_recording.redacted.begin(), m_recording.redacted.end(),
        [&](const RedactedPlace &place) { return place.seq > 0 && place.seq <= then.seq; });
    if (auto difference = differenceOf(then, event, m_options.redactor.get(), shifted)) {
        differ(then.seq, {}, std::move(difference->what), std::move(difference->diff));
        return;
    }
    // A person stopped it between two effects: so is this one, before the next begins.
    if (m_event < m_recording.events.size() &&
        (m_recording.events[m_event].kind == EventKind::ControlKilled ||
         m_recording.events[m_event].kind == EventKind::ControlEscalated))
        stopHere();
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

VerifyOutcome ReplayVerifier::verify(const VerifyRequest &request, const CallContext &context,
                                     const std::function<void(std::string_view)> &onOutput)
{
    if (!m_player.playsVerifications() && m_live != nullptr && !m_player.difference()) {
        m_clock.goLive();
        return m_live->verify(request, m_clock.toReal(context), onOutput);
    }
    VerifyOutcome outcome = m_player.verify(request);
    onOutput(outcome.output);
    return outcome;
}

VerifyOutcome ReplayVerifier::compare(const VerifyRequest &request, const CallContext &context)
{
    if (!m_player.playsVerifications() && m_live != nullptr && !m_player.difference()) {
        m_clock.goLive();
        return m_live->compare(request, m_clock.toReal(context));
    }
    return m_player.verify(request);
}

// What goes on live later is better known to be impossible now. Nothing has been played yet, so
// the clock is still the real one.
VerifyOutcome ReplayVerifier::prepare(const CodeSettings &settings, const CallContext &context)
{
    return m_live != nullptr ? m_live->prepare(settings, m_clock.toReal(context))
                             : m_player.prepare();
}

Result<Recording> loadRecording(const std::string &path)
{
    RecordingReader reader;
    const auto in = [&](Error error) {
        error.file = path;
        return tl::unexpected<Error>(std::move(error));
    };
    Result<void> begun;
    std::stop_source unusable;
    const auto read = readTrace(
        path, unusable.get_token(),
        [&](const std::string &header) {
            begun = reader.begin(header);
            if (!begun)
                unusable.request_stop();
        },
        [&](std::vector<Event> batch) {
            for (Event &event : batch)
                reader.add(std::move(event));
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    if (!begun)
        return in(begun.error());
    auto recording = reader.finish();
    return recording ? std::move(recording) : in(recording.error());
}

} // namespace emend::tools
