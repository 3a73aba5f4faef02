// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What a command wrote, made fit for a prompt. Pure, any thread.
namespace emend::core {

// The text that would stand on a terminal in the end: escape sequences (ECMA-48) and other control
// characters gone, of a line that was overwritten after a carriage return its last text, UTF-8.
std::string plainOutput(std::string_view raw);

// The last `limit` characters of a plainOutput(). Where the failing assertion stands before them,
// it comes first and the tail is shorter: the whole never has more than `limit` characters.
std::string failureExcerpt(std::string_view plain, std::size_t limit);

// The last `bytes` bytes, a character or so less where a character would be cut in two.
std::string_view tailBytes(std::string_view text, std::size_t bytes);

} // namespace emend::core
