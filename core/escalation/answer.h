// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/replay/recording.h"
#include "core/run/runner.h"

// What a person may answer an escalation with, and how the run goes on from its recording (design
// section 9). Pure functions over values, any thread.
namespace emend::core {

enum class AnswerKind : std::uint8_t { Decision, ToolResult, Hint, Code };
std::string_view answerKindName(AnswerKind kind); // "decision", "tool_result", "hint", "code"

struct Answer {
    AnswerKind kind = AnswerKind::Hint;
    std::string text;    // the decision as JSON, the tool's output or error, the message, the code
    bool failed = false; // of a tool result: the text is its error
};

// {"kind":"tool_result","text":"…","failed":false}
nlohmann::json answerToJson(const Answer &answer);
nlohmann::json dismissalToJson(const std::string &reason); // {"kind":"dismiss","text":"…"}

// Where the escalated run stood, and what can be answered there.
struct Situation {
    Mode mode = Mode::React;
    int step = 1;          // the one that a decision or a hint is for
    int attempt = 0;       // of that step
    int toolStep = 0;      // the step whose action can be given a result; 0: none
    std::string tool;      // of that action; empty where it is not known by name
    std::string toolState; // "aborted", "not_begun", "failed": what became of it
    // The model's latest words in that step, or its latest code, for editing; may be empty.
    std::string lastReply;
    std::string language;        // of the code
    std::vector<ToolSpec> tools; // for the decision contract
    bool acceptWrappers = true;

    bool fits(AnswerKind kind) const;
};

// `tools` are those of the recorded task.
Situation situationOf(const Recording &recording, std::vector<ToolSpec> tools);

// Whether the answer can be used there. The error says why not; for a decision with the line and
// column in its text and a pointer.
Result<void> checkAnswer(const Situation &situation, const Answer &answer);

nlohmann::json instructionsToJson(const std::vector<Instruction> &instructions);
// Those in the header of a recorded run; those that begin after `untilStep` are left out.
std::vector<Instruction> instructionsOf(const Recording &recording, int untilStep);

// What is played before the run goes on by itself: the recording up to the place of the answer, and
// the answer.
struct Continuation {
    Recording recording;
    int step = 1;        // the one that was answered
    int maxAttempts = 0; // of mode code: what the run may need from now on; 0: as the task says
    int liveStep = 1;    // the first whose model call is not played
    // Of mode code: how many replies of a scenario the recorded run has used up, for it goes on
    // where that left off; -1: as many calls as are played.
    int usedReplies = -1;
    std::vector<Instruction> instructions;
};
// The answer must have passed checkAnswer().
Continuation continueWith(Recording recording, const Situation &situation, const Answer &answer);

} // namespace emend::core
