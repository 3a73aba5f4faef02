// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"

// The decisions of the practice provider in the form of the contract. Pure, any thread.
namespace emend::tools {

nlohmann::ordered_json actionJson(const std::string &reason, const std::string &tool,
                                  const nlohmann::json &input);
nlohmann::ordered_json finalJson(bool satisfied, const std::string &summary);

// Never throws: text that is not UTF-8 is written with U+FFFD.
std::string jsonText(const nlohmann::ordered_json &value);

inline std::string actionText(const std::string &reason, const std::string &tool,
                              const nlohmann::json &input)
{
    return jsonText(actionJson(reason, tool, input));
}
inline std::string finalText(bool satisfied, const std::string &summary)
{
    return jsonText(finalJson(satisfied, summary));
}

// Whether the action was refused by an open circuit breaker and so never executed.
bool isRefusal(const core::Observation &observation);

} // namespace emend::tools
