// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace emend::core {

// The source file in a reply of mode code, or what is wrong with the reply.
struct CodeReply {
    std::string code;                        // as bytes
    std::vector<std::string> normalisations; // bom, think, prose, fence, unclosed_fence, indent
    // empty_response, no_code_block, several_code_blocks, empty_code, prose_around_code; empty:
    // `code` is there
    std::string category;
    std::string error;
    std::optional<Place> place; // in the reply as received
};

// Exactly one fenced code block (CommonMark 0.31, section 4.5: back-ticks or tildes, any tag) is a
// source file; what stands around it is left out, and recorded. None, or several, is not guessed
// at. With `acceptWrappers` off the block must be all there is but white space.
CodeReply readCodeReply(std::string_view reply, bool acceptWrappers);

} // namespace emend::core
