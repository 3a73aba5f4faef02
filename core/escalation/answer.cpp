// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/escalation/answer.h"

#include <algorithm>
#include <array>
#include <climits>

#include "core/base/text.h"
#include "core/contract/decision.h"
#include "core/escalation/codeanswer.h"

namespace emend::core {

using nlohmann::json;

namespace {

constexpr std::array kindNames{"decision", "tool_result", "hint", "code"};
constexpr std::size_t longestHint = 4000;    // code points: it stays in the context to the end
constexpr std::size_t largestText = 1 << 20; // bytes of any answer

std::string cut(const std::string &text)
{
    return std::string(prefixCodePoints(text, longestHint));
}

const RecordedCall *lastCall(const Recording &recording, int step)
{
    const RecordedCall *last = nullptr;
    for (const RecordedItem &item : recording.items)
        if (const auto *call = std::get_if<RecordedCall>(&item); call && call->step == step)
            last = call;
    return last;
}

const RecordedExecution *lastExecution(const Recording &recording, int step)
{
    const RecordedExecution *last = nullptr;
    for (const RecordedItem &item : recording.items)
        if (const auto *execution = std::get_if<RecordedExecution>(&item);
            execution && execution->step == step)
            last = execution;
    return last;
}

// The last call of a step that the model answered.
const RecordedCall *lastReplied(const Recording &recording, int step)
{
    const RecordedCall *last = nullptr;
    for (const RecordedItem &item : recording.items)
        if (const auto *call = std::get_if<RecordedCall>(&item);
            call && call->step == step && call->outcome &&
            call->outcome->kind == ModelOutcome::Kind::Replied)
            last = call;
    return last;
}

bool isDone(const RecordedExecution &execution)
{
    return execution.outcome && execution.outcome->kind != ToolOutcome::Kind::Cancelled;
}

// A call that nothing came of: it was aborted, or the trace ends while it waits.
bool isOpen(const RecordedCall &call)
{
    return !call.outcome || call.outcome->kind == ModelOutcome::Kind::Cancelled;
}

// What the events say about the last step that was begun.
struct LastStep {
    int step = 0;
    int rejected = 0;      // attempts of it
    bool accepted = false; // an action: it is the tool's turn, or was
    bool skipped = false;  // the breaker refused the action
};

LastStep lastStepOf(const Recording &recording)
{
    LastStep out;
    for (const RecordedEvent &event : recording.events) {
        if (event.step > out.step)
            out = {event.step, 0, false, false};
        if (event.step != out.step || out.step == 0)
            continue;
        if (event.kind == EventKind::DecisionRejected)
            ++out.rejected;
        else if (event.kind == EventKind::DecisionAccepted)
            out.accepted = event.line.find("\"state\":\"action\"") != std::string::npos;
        else if (event.kind == EventKind::ToolSkipped)
            out.skipped = true;
    }
    return out;
}

Error situated(std::string message)
{
    return Error{ErrorCode::NotSupported, std::move(message), {}, {}, 0, 0};
}

Result<void> checkDecision(const Situation &situation, const std::string &text)
{
    const ReadReply read = readReply(text, situation.tools, {situation.acceptWrappers, 128});
    if (!read.rejection)
        return {};
    const Rejection &rejection = *read.rejection;
    Error error{ErrorCode::BadValue, rejection.error, {}, rejection.pointer.value_or(""), 0, 0};
    if (!rejection.suggest.empty() && error.message.find(rejection.suggest) == std::string::npos)
        error.message += "; did you mean " + inQuotes(rejection.suggest) + "?";
    if (rejection.place) {
        error.line = rejection.place->line;
        error.column = rejection.place->column;
    }
    return tl::unexpected<Error>(std::move(error));
}

RecordedItem personsReply(const Situation &situation, std::string text)
{
    ModelReply reply;
    reply.text = std::move(text);
    reply.usage.in = reply.usage.out = 0;
    reply.finishReason = "stop";
    reply.by = "person";
    RecordedCall call;
    call.step = situation.step; // no stage: it answers whatever is asked next
    call.outcome = ModelOutcome::replied(std::move(reply));
    return call;
}

RecordedItem personsResult(const Recording &recording, const Situation &situation,
                           const Answer &answer)
{
    RecordedExecution execution; // of the action that began; else of whatever is executed next
    if (const auto *begun = lastExecution(recording, situation.toolStep))
        execution = *begun;
    execution.step = situation.toolStep;
    execution.durationUs = 0;
    execution.outcome =
        answer.failed ? ToolOutcome::failed(answer.text) : ToolOutcome::succeeded(answer.text);
    execution.outcome->by = "person";
    return execution;
}

// The number of items that come before what the answer takes the place of.
std::size_t keptFor(const Recording &recording, const Situation &situation, bool result)
{
    const auto &items = recording.items;
    const RecordedExecution *lastTry = lastExecution(recording, situation.toolStep);
    const RecordedCall *decided = lastCall(recording, situation.step);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (std::holds_alternative<RecordedStop>(items[i]))
            return i;
        const auto *call = std::get_if<RecordedCall>(&items[i]);
        const auto *execution = std::get_if<RecordedExecution>(&items[i]);
        if (result) { // up to the execution that had no result, or whose failure was the last
            const bool last = execution != nullptr && execution == lastTry;
            if ((call != nullptr && call->step > situation.toolStep) ||
                (last && (!isDone(*execution) || situation.toolState == "failed")))
                return i;
            continue;
        }
        if (call != nullptr && call->step >= situation.step &&
            (call->step > situation.step || isOpen(*call) ||
             (call == decided && situation.toolStep == situation.step)))
            return i;
    }
    return items.size();
}

} // namespace

std::string_view answerKindName(AnswerKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

json answerToJson(const Answer &answer)
{
    json out = {{"kind", answerKindName(answer.kind)}, {"text", toValidUtf8(answer.text)}};
    if (answer.kind == AnswerKind::ToolResult)
        out["failed"] = answer.failed;
    return out;
}

json dismissalToJson(const std::string &reason)
{
    return {{"kind", "dismiss"}, {"text", toValidUtf8(reason)}};
}

bool Situation::fits(AnswerKind kind) const
{
    if (mode == Mode::Code)
        return kind == AnswerKind::Code || kind == AnswerKind::Hint;
    if (mode != Mode::React)
        return false;
    return kind == AnswerKind::Decision || kind == AnswerKind::Hint ||
           (kind == AnswerKind::ToolResult && toolStep > 0);
}

Situation situationOf(const Recording &recording, std::vector<ToolSpec> tools)
{
    Situation out;
    out.mode = recording.task.mode;
    out.acceptWrappers = recording.task.acceptWrappers;
    out.tools = std::move(tools);
    if (out.mode == Mode::Code) {
        const CodePlace place = codePlaceOf(recording);
        out.attempt = place.attempt;
        out.lastReply = place.lastCode;
        out.language = recording.task.code.language;
        return out;
    }
    const LastStep last = lastStepOf(recording);
    const RecordedExecution *execution = lastExecution(recording, last.step);
    const bool done = last.skipped || (execution != nullptr && isDone(*execution));
    out.step = std::max(1, last.step);
    out.attempt = last.rejected;
    if (last.accepted && !done) { // stopped before or in the action
        out.toolStep = last.step;
        out.toolState = execution == nullptr ? "not_begun" : "aborted";
    } else {
        if (done) { // stopped before the next step began
            ++out.step;
            out.attempt = 0;
        }
        execution = lastExecution(recording, out.step - 1);
        if (execution != nullptr && execution->outcome &&
            execution->outcome->kind == ToolOutcome::Kind::Failed) {
            out.toolStep = out.step - 1;
            out.toolState = "failed";
        }
    }
    if (execution != nullptr && out.toolStep > 0)
        out.tool = execution->tool;
    // The decision that waits for its tool, or the last one in this step, or the one before.
    for (int step = out.step; step >= std::max(1, out.step - 1) && out.lastReply.empty(); --step)
        if (const RecordedCall *call = lastReplied(recording, step))
            out.lastReply = toValidUtf8(call->outcome->reply.text);
    return out;
}

Result<void> checkAnswer(const Situation &situation, const Answer &answer)
{
    const std::string kind(answerKindName(answer.kind));
    if (answer.kind == AnswerKind::Code && situation.mode != Mode::Code)
        return tl::unexpected<Error>(
            situated("corrected code answers a run of the mode code; this one has the mode " +
                     std::string(modeName(situation.mode))));
    if (answer.kind == AnswerKind::ToolResult && situation.mode == Mode::React &&
        situation.toolStep == 0)
        return tl::unexpected<Error>(
            situated("no action waits for a result: the last one succeeded, or none was decided"));
    if (!situation.fits(answer.kind))
        return tl::unexpected<Error>(situated("an answer of the kind " + kind +
                                              " does not fit a run of the mode " +
                                              std::string(modeName(situation.mode))));
    if (answer.text.size() > largestText)
        return fail(ErrorCode::TooLarge, "an answer has at most 1 MB");
    if (answer.kind == AnswerKind::Decision)
        return checkDecision(situation, answer.text);
    if (answer.kind == AnswerKind::ToolResult)
        return {}; // an empty output is one as well
    if (trimBlank(answer.text).empty())
        return fail(ErrorCode::BadValue, answer.kind == AnswerKind::Code
                                             ? "the corrected code is empty"
                                             : "the message for the model is empty");
    if (answer.kind == AnswerKind::Code)
        return {}; // the tests judge it
    if (countCodePoints(toValidUtf8(answer.text)) > longestHint)
        return fail(ErrorCode::TooLarge, "a message for the model has at most 4,000 characters");
    return {};
}

json instructionsToJson(const std::vector<Instruction> &instructions)
{
    json out = json::array();
    for (const Instruction &one : instructions)
        out.push_back({{"step", one.step}, {"attempt", one.attempt}, {"text", one.text}});
    return out;
}

std::vector<Instruction> instructionsOf(const Recording &recording, int untilStep)
{
    std::vector<Instruction> out;
    const auto member = [](const json &object, const char *key) {
        const auto it = object.is_object() ? object.find(key) : object.end();
        return it == object.end() ? json() : *it;
    };
    for (const json &one : member(member(recording.header, "origin"), "instructions")) {
        const json step = member(one, "step"), attempt = member(one, "attempt"),
                   text = member(one, "text");
        if (step.is_number_integer() && attempt.is_number_integer() && text.is_string() &&
            step.get<int>() <= untilStep)
            out.push_back({step.get<int>(), attempt.get<int>(), cut(text.get<std::string>())});
    }
    return out;
}

// A person's code is one attempt, which the tests judge; after a hint the model gets as many as the
// task gave it at first.
static Continuation continueCode(Recording recording, const Situation &situation,
                                 const Answer &answer)
{
    Continuation out;
    const CodePlace place = codePlaceOf(recording);
    const bool code = answer.kind == AnswerKind::Code;
    const int most = recording.task.bounds.maxAttempts;
    out.instructions = instructionsOf(recording, INT_MAX);
    std::erase_if(out.instructions, [&](const Instruction &one) {
        return one.step > 1 || one.attempt > place.attempt;
    });
    out.usedReplies = static_cast<int>(
        std::count_if(recording.items.begin(), recording.items.end(), [](const RecordedItem &item) {
            return std::holds_alternative<RecordedCall>(item);
        }));
    out.maxAttempts = std::max(most, place.attempt + (code ? 1 : most));
    out.recording = std::move(recording);
    out.recording.items.erase(out.recording.items.begin() + static_cast<std::ptrdiff_t>(place.kept),
                              out.recording.items.end());
    if (code)
        out.recording.items.push_back(
            personsReply(situation, asCodeReply(answer.text, situation.language)));
    else
        out.instructions.push_back({1, place.attempt, toValidUtf8(answer.text)});
    return out;
}

Continuation continueWith(Recording recording, const Situation &situation, const Answer &answer)
{
    if (situation.mode == Mode::Code)
        return continueCode(std::move(recording), situation, answer);
    Continuation out;
    const bool result = answer.kind == AnswerKind::ToolResult;
    out.step = result ? situation.toolStep : situation.step;
    out.instructions = instructionsOf(recording, out.step);
    const auto kept = static_cast<std::ptrdiff_t>(keptFor(recording, situation, result));
    std::vector<RecordedItem> items(recording.items.begin(), recording.items.begin() + kept);
    if (answer.kind == AnswerKind::Decision)
        items.push_back(personsReply(situation, answer.text));
    else if (result)
        items.push_back(personsResult(recording, situation, answer));
    else
        out.instructions.push_back({situation.step, situation.attempt, toValidUtf8(answer.text)});
    out.liveStep = situation.step + (answer.kind == AnswerKind::Decision ? 1 : 0);
    if (result)
        out.liveStep = situation.toolStep + 1;
    out.recording = std::move(recording);
    out.recording.items = std::move(items);
    return out;
}

} // namespace emend::core
