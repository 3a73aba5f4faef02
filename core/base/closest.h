// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace emend::core {

// The candidate closest to `name` (edit distance, name-space prefixes and case ignored), or "" if
// none is close. Used for "did you mean …?", never acted on.
std::string closestName(const std::string &name, const std::vector<std::string> &candidates);

} // namespace emend::core
