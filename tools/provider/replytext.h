// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

// How the offline providers cut text the way a server does. Pure, any thread.
namespace emend::tools {

// `text` in at most `pieces` pieces of about equal length, none of them empty and none beginning in
// the middle of a UTF-8 sequence. They refer to `text`.
std::vector<std::string_view> cutIntoPieces(std::string_view text, int pieces);

// Bytes of the longest prefix that is at most `maxTokens` long, by the usual estimate: four ASCII
// bytes are one token, any other code point is one. A limit below 1 means none.
std::size_t lengthWithinTokens(std::string_view text, int maxTokens);

} // namespace emend::tools
