// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/json/strictreader.h"

namespace emend::core {

// Where and why a text is no JSON text (RFC 8259), with lone surrogate escapes counted as faults;
// nothing if it is one. nlohmann's parser says *that* a text is wrong; which byte is the first that
// no JSON text can have there it does not say reliably, and a correction needs exactly that.
std::optional<JsonSyntaxError> findJsonFault(std::string_view text);

} // namespace emend::core
