// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/registry.h"

#include "tools/agent/calculator.h"
#include "tools/agent/gettime.h"
#include "tools/agent/weather.h"

namespace emend::tools {

std::vector<std::unique_ptr<core::Tool>> makeBuiltInTools(const ToolEnvironment &environment)
{
    std::vector<std::unique_ptr<core::Tool>> tools;
    tools.push_back(makeCalculatorTool(environment));
    tools.push_back(makeGetTimeTool(environment));
    tools.push_back(makeWeatherTool(environment));
    return tools;
}

} // namespace emend::tools
