// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emend::core {

// Says fast whether a text could hold a secret at all: one pass that looks each three bytes up in
// a table of 8 KiB. Nearly every line of a trace ends here. It errs on the side of "yes".
class SecretScan {
public:
    // `needles`: texts to look for, at least three bytes each.
    explicit SecretScan(std::vector<std::string> needles);

    bool suspicious(std::string_view text) const;

private:
    void mark(std::string_view three);
    bool marked(std::uint32_t three) const;
    bool verify(std::string_view text, std::size_t at) const;

    std::vector<std::string> m_needles;
    std::array<std::uint64_t, 1024> m_bits{};
};

} // namespace emend::core
