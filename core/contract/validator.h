// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/contract/decision.h"
#include "core/json/strictreader.h"

namespace emend::core {

// The second half of the contract: from well-formed JSON to a decision. Fills `out.decision` or
// `out.rejection` (category, error, pointer, suggest; no place) and adds normalisations, extra keys
// and warnings.
void validateDecision(StrictJson json, const std::vector<ToolSpec> &tools, bool acceptWrappers,
                      ReadReply &out);

} // namespace emend::core
