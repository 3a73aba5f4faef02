// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/trace/summary.h"

// How several runs of one thing differ: what a prompt does is told from what the model does anyway
// only by running more than once. Pure, any thread.
namespace emend::core {

struct Span {
    double least = 0, median = 0, most = 0;
    int known = 0; // in how many runs the number is known; 0: in none
};

// What a run used from a step on, or before it. Tokens are those of replies: what was reserved for
// a call that never replied stands apart.
struct RunFigures {
    std::int64_t actions = 0, corrections = 0, modelCalls = 0, tokensIn = 0, tokensOut = 0;
    std::int64_t reservedTokens = 0;
    std::optional<double> costUsd, durationMs; // where they are known
};

RunFigures figuresFrom(const RunSummary &run, int step);
RunFigures figuresBefore(const RunSummary &run, int step);

struct Spread {
    int runs = 0;
    int killed = 0;                        // of them; they are in no span and gave no answer
    std::map<std::string, int> outcomes;   // "satisfied" → 3
    std::map<std::string, int> answers;    // by final summary, white space at the ends off
    std::map<std::string, int> firstSteps; // by the decision at the fork step
    Span actions, corrections, modelCalls, tokensIn, tokensOut, costUsd, durationMs;
    RunFigures kept; // the same in every run, and in no span
};

// The runs as their summaries. `step`: where they part (a fork), 1 for whole runs; what came
// before it is not counted.
Spread spreadOf(const std::vector<RunSummary> &runs, int step);
nlohmann::json spreadToJson(const Spread &spread);

// The decision a run took in `step` as one line: "weather {"city":"Oslo"}", "final", "no valid
// decision", or "" if it never got there.
std::string decisionAt(const nlohmann::json &summary, int step);

} // namespace emend::core
