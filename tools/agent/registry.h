// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/run/ports.h"
#include "tools/agent/toolenvironment.h"

namespace emend::tools {

// The built-in agent tools, in the order shown to people and models. To add one, write its .cpp and
// .h beside the others and add one line to the list in registry.cpp.
std::vector<std::unique_ptr<core::Tool>> makeBuiltInTools(const ToolEnvironment &environment);

} // namespace emend::tools
