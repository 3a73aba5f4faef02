// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/secretneedle.h"

namespace emend::core {

// Says fast whether a text could hold a secret at all: one pass that looks each three bytes up in
// a table of 8 KiB, and one over its skeleton. Nearly every line
// of a trace ends here. It errs on the side of "yes".
class SecretScan {
public:
    // `needles`: what to look for, whole and cut.
    explicit SecretScan(const std::vector<Needle> &needles);

    bool suspicious(std::string_view text) const;

private:
    void mark(std::string_view three);
    bool marked(std::uint32_t three) const;
    bool verify(std::string_view text, std::size_t at) const;
    bool holdsPart(std::string_view text, std::size_t at) const;
    void markLoose(std::string_view eight);
    bool looselySuspicious(std::string_view text) const;
    bool holdsEight(std::string_view skeleton) const;

    // The first and the last bytes of the needles: one of them is left, however one is cut.
    std::vector<std::string> m_heads, m_tails;
    bool m_entities = false; // a needle looks different in XML
    std::array<std::uint64_t, 1024> m_bits{};
    // The same for the needles that are skeletons.
    std::vector<std::uint64_t> m_eights;
    std::array<std::uint64_t, 1024> m_looseBits{};
};

} // namespace emend::core
