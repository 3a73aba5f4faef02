// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/run/ports.h"
#include "tools/agent/toolenvironment.h"

namespace emend::tools {

// The agent tool `weather`: "Oslo, Norway: overcast, 3.4 °C".
//
// With a weatherBaseUrl it asks a server that speaks the Open-Meteo API: `{base}/v1/search` for the
// place, then `{base}/v1/forecast`. Without one it answers from a built-in sample that depends on
// the city's name only and says that it is a sample. The temperature is the last number of the
// output, so that `[n]` in a later tool input means it.
std::unique_ptr<core::Tool> makeWeatherTool(const ToolEnvironment &environment);

} // namespace emend::tools
