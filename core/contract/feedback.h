// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/contract/decision.h"

namespace emend::core {

// The text sent back after a rejected reply (design section 4): an XML block marked untrusted with
// the reply (cut at 2,000 characters) and the error (1,000), everything in it escaped, and after it
// what to do, in our words only. The rejected reply stands before the error.
std::string correctionFeedback(const Rejection &rejection, std::string_view reply, int correction,
                               int of);

} // namespace emend::core
