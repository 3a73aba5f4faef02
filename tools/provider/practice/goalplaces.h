// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tools/provider/practice/goaltokens.h"

// The places a goal names, for the practice planner. Pure, any thread.
namespace emend::tools {

// The places that the word at `keyword` ("weather", "time") is about: "weather in Oslo and Bergen",
// "time in New York", "Oslo's weather", "the weather here in Delhi, in Fahrenheit". Empty: none
// named.
std::vector<std::string> placesFor(const std::vector<GoalToken> &tokens, std::size_t keyword);

// The IANA time zone of a well-known city ("Europe/Oslo"), or `place` as it is.
std::string timeZoneOf(const std::string &place);

} // namespace emend::tools
