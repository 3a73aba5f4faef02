// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace emend::core {

// The last number in a text, as it is spelled there ("31" of "Delhi: clear, 31 °C"); U+2212 counts
// as a minus sign, commas that group thousands are left out. Nothing if there is none; version
// numbers and digits inside words are none.
std::optional<std::string> lastNumber(std::string_view text);

struct Reference {
    std::string pointer; // in tool_input
    int step = 0;
    std::string value;
};

// Puts the last number of step n's output where the strings of `input` say `[n]` (design section
// 4).
// `[n]` of a step without output stays as it is: it may be ordinary text. A negative number inside
// a longer string gets parentheses, so that it stays one operand.
std::vector<Reference> resolveReferences(nlohmann::json &input,
                                         const std::map<int, std::string> &lastNumbers);

} // namespace emend::core
