// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <QCryptographicHash>

namespace emend::tools {

// A running SHA-256 (FIPS 180-4) for traces. Uses the SHA instructions of the processor where it
// has them, because Qt 6.4 hashes at 0.16 GB/s: checking a 1 GB trace would take three times as
// long as opening it may. Elsewhere it is QCryptographicHash. One thread at a time.
class Sha256 {
public:
    Sha256();
    void add(std::string_view bytes);
    // Of all bytes so far, as 64 hexadecimal digits; more may be added afterwards.
    std::string hex() const;

    static constexpr std::size_t blockSize = 64;

private:
    bool m_fast;
    std::uint32_t m_state[8];
    unsigned char m_rest[blockSize]; // the last bytes, no whole block yet
    std::uint64_t m_size = 0;
    QCryptographicHash m_slow;
};

} // namespace emend::tools
