// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/practicetext.h"

namespace emend::tools {

nlohmann::ordered_json actionJson(const std::string &reason, const std::string &tool,
                                  const nlohmann::json &input)
{
    nlohmann::ordered_json decision;
    decision["state"] = "action";
    decision["reason"] = reason;
    decision["tool"] = tool;
    decision["tool_input"] = input;
    return decision;
}

nlohmann::ordered_json finalJson(bool satisfied, const std::string &summary)
{
    nlohmann::ordered_json decision;
    decision["state"] = "final";
    decision["satisfied"] = satisfied;
    decision["final_summary"] = summary;
    return decision;
}

std::string jsonText(const nlohmann::ordered_json &value)
{
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

bool isRefusal(const core::Observation &observation)
{
    return !observation.succeeded &&
           observation.output.find("circuit breaker") != std::string::npos;
}

} // namespace emend::tools
