// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Differences between two texts, line by line. Pure, any thread.
namespace emend::core {

struct DiffLine {
    enum class Kind : std::uint8_t { Same, Removed, Added } kind = Kind::Same;
    std::string text; // without its line end
    int oldLine = 0;  // from 1; 0: not in that text
    int newLine = 0;
};

// A shortest edit script by longest common subsequence. Where the differing middle of two long
// texts would cost too much (over 4 million pairs of lines), it is removed and added as a whole.
std::vector<DiffLine> lineDiff(std::string_view before, std::string_view after);

// The usual unified form with `context` lines around each change; empty if the texts are equal.
std::string unifiedDiff(std::string_view before, std::string_view after, int context = 3);

} // namespace emend::core
