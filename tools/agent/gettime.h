// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/run/ports.h"
#include "tools/agent/toolenvironment.h"

namespace emend::tools {

// The agent tool `get_time`: the environment's wall clock in an IANA time zone, as
// "2026-01-31 13:00:00 Europe/Oslo (UTC+01:00)". An unknown zone fails and names zones that were
// probably meant; it never answers for one of them.
std::unique_ptr<core::Tool> makeGetTimeTool(const ToolEnvironment &environment);

} // namespace emend::tools
