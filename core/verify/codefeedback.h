// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/run/verify.h"

namespace emend::core {

inline constexpr std::size_t feedbackCharacters = 800; // of the output, design section 7

// What is wrong with an attempt of mode code.
struct CodeFault {
    std::string category; // a cause of VerifyOutcome, or a category of CodeReply
    std::string error;    // one sentence
    std::string previous; // the attempt: its code, or the reply where that holds none
    bool isCode = true;
    std::string output; // failureExcerpt(), at most feedbackCharacters
};

// Of an attempt that the verifier has refused.
CodeFault faultOf(const VerifyOutcome &outcome, const std::string &code);

// The text sent back: an XML block marked untrusted, everything in it escaped and cut as in
// core/contract/feedback, and after it what to do, in our words only.
std::string codeFeedback(const CodeFault &fault, int correction, int of);

} // namespace emend::core
