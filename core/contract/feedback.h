// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/contract/decision.h"

namespace emend::core {

inline constexpr std::size_t feedbackReplyCharacters = 2000; // design section 4
inline constexpr std::size_t feedbackErrorCharacters = 1000;

// `text` for an element of a feedback: escaped, its first `characters` characters and then an
// ellipsis.
std::string xmlExcerpt(std::string_view text, std::size_t characters);

// The text sent back after a rejected reply (design section 4): an XML block marked untrusted with
// the reply (cut at 2,000 characters) and the error (1,000), everything in it escaped, and after it
// what to do, in our words only. The rejected reply stands before the error.
std::string correctionFeedback(const Rejection &rejection, std::string_view reply, int correction,
                               int of);

} // namespace emend::core
