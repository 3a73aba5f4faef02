// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/trace/sha256.h"

#include <QByteArray>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace emend::tools {

namespace {

constexpr std::uint32_t initialState[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

#if defined(__x86_64__)

alignas(16) constexpr std::uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

bool hasShaInstructions()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) != 0;
    const bool sse41 = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_SSSE3);
    return sha && sse41;
}

__m128i load(const void *from)
{
    return _mm_loadu_si128(static_cast<const __m128i *>(from));
}

// The instructions keep the state as ABEF and CDGH; each step makes four of the 64 rounds, the
// message schedule runs four words behind (Intel SHA Extensions, 2013).
__attribute__((target("sha,sse4.1,ssse3"))) void
compress(std::uint32_t *state, const unsigned char *bytes, std::size_t count)
{
    const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(load(state), 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(load(state + 4), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
    for (; count > 0; --count, bytes += Sha256::blockSize) {
        const __m128i abefBefore = abef;
        const __m128i cdghBefore = cdgh;
        __m128i words[4];
        for (int i = 0; i < 4; ++i)
            words[i] = _mm_shuffle_epi8(load(bytes + 16 * i), bigEndian);
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) {
            const __m128i now = words[0];
            const __m128i sum = _mm_add_epi32(now, load(constants + 4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            const __m128i next =
                _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, words[1]),
                                                   _mm_alignr_epi8(words[3], words[2], 4)),
                                     words[3]);
            words[0] = words[1];
            words[1] = words[2];
            words[2] = words[3];
            words[3] = next;
        }
        abef = _mm_add_epi32(abef, abefBefore);
        cdgh = _mm_add_epi32(cdgh, cdghBefore);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(state), _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool hasShaInstructions()
{
    return false;
}

void compress(std::uint32_t *, const unsigned char *, std::size_t) {}

#endif

} // namespace

Sha256::Sha256()
    : m_fast(hasShaInstructions())
    , m_slow(QCryptographicHash::Sha256)
{
    std::copy(std::begin(initialState), std::end(initialState), m_state);
}

void Sha256::add(std::string_view bytes)
{
    if (!m_fast) {
        m_slow.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
        return;
    }
    if (bytes.empty())
        return;
    const std::size_t kept = m_size % blockSize;
    m_size += bytes.size();
    if (kept > 0) {
        const std::size_t missing = std::min(blockSize - kept, bytes.size());
        std::memcpy(m_rest + kept, bytes.data(), missing);
        bytes.remove_prefix(missing);
        if (kept + missing < blockSize)
            return;
        compress(m_state, m_rest, 1);
    }
    compress(m_state, reinterpret_cast<const unsigned char *>(bytes.data()),
             bytes.size() / blockSize);
    const std::size_t rest = bytes.size() % blockSize;
    if (rest > 0)
        std::memcpy(m_rest, bytes.data() + bytes.size() - rest, rest);
}

std::string Sha256::hex() const
{
    if (!m_fast)
        return m_slow.result().toHex().toStdString();
    unsigned char tail[2 * blockSize] = {};
    const std::size_t kept = m_size % blockSize;
    std::memcpy(tail, m_rest, kept);
    tail[kept] = 0x80;
    const std::size_t size = kept + 9 <= blockSize ? blockSize : 2 * blockSize;
    for (std::size_t i = 0; i < 8; ++i)
        tail[size - 1 - i] = static_cast<unsigned char>((m_size * 8) >> (8 * i));
    std::uint32_t state[8];
    std::copy(std::begin(m_state), std::end(m_state), state);
    compress(state, tail, size / blockSize);
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            text += digits[(word >> shift) & 0xFu];
    }
    return text;
}

} // namespace emend::tools
