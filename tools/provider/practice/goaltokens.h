// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The words and signs of a goal, for the practice planner. Pure, any thread.
namespace emend::tools {

struct GoalToken {
    enum class Kind : std::uint8_t {
        Word,
        Number,   // "1,000" is 1000
        Operator, // as the calculator writes it: + - * / // % **
        Open,
        Close,
        Comma,
        Stop, // the end of a sentence or clause: . ? ! ; : and a line break
        End,
    };
    Kind kind = Kind::End;
    std::string text;
    std::string lower; // `text` with ASCII letters in lower case

    bool is(std::string_view word) const { return kind == Kind::Word && lower == word; }
    bool isCapitalised() const; // a word that does not begin with a small ASCII letter
};

// A goal is foreign text, and the planner reads it again at each step: what is behind this many
// tokens is not read.
constexpr std::size_t maxGoalTokens = 2000;

// Ends with an End token. Dates (2026-01-31) and names (Port-au-Prince, Europe/Oslo) are words.
std::vector<GoalToken> goalTokens(std::string_view goal);

// Whether `token` is one of `words`, which are lower-case and separated by single spaces.
bool isOneOf(const GoalToken &token, std::string_view words);

} // namespace emend::tools
