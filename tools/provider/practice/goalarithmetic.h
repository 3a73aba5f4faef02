// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/provider/practice/goaltokens.h"

namespace emend::tools {

// One calculation found in a goal, written for the calculator tool.
struct GoalCalculation {
    std::string expression;
    std::size_t end = 0; // the first token behind it
};

// The calculation that begins at `tokens[begin]`, if one does: infix ("17 * (3 + 4)", "6 times 7"),
// in words ("15 percent of 80", "the square root of 144", "add 3 to 4", "the sum of 1, 2 and 3"),
// or a temperature ("20 °C in Fahrenheit"). "it", "that", "the result", or an operand left out
// ("then divide by 4") mean `previous`, the text that stands for the result before; empty: none.
// Pure, any thread.
std::optional<GoalCalculation> calculationAt(const std::vector<GoalToken> &tokens,
                                             std::size_t begin, const std::string &previous);

} // namespace emend::tools
