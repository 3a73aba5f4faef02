// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace emend::core {

// Whether a field or header of this name holds a secret as a rule: authorization, x-api-key,
// access_token, password … In any case; `-` and `_` are alike. Counts of tokens are no tokens.
bool isSecretName(std::string_view name);

} // namespace emend::core
