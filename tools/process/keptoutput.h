// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace emend::tools {

// The head and the tail of an output of any length, in bounded memory.
class KeptOutput {
public:
    explicit KeptOutput(std::size_t kept)
        : m_half(kept / 2)
    {}

    void add(std::string_view text);
    std::int64_t bytes() const { return m_bytes; }
    // What was left out is said in a line of its own between the two.
    std::string take();

private:
    std::size_t m_half;
    std::int64_t m_bytes = 0;
    std::string m_head, m_tail; // the tail grows to twice its size before it is cut
};

} // namespace emend::tools
