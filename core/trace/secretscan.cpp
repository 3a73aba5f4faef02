// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretscan.h"

#include <algorithm>
#include <cstring>

#include "core/trace/redactor.h"

namespace emend::core {

namespace {

// Three letters of each name of isSecretName(): seldom ones, as every hit costs a closer look.
constexpr std::array<std::string_view, 9> inNames = {"oke", "cre", "ssw", "ssp", "hor",
                                                     "oki", "key", "pwd", "rer"};
constexpr std::array<std::string_view, 18> prefixes = {
    "sk-",   "AIza",  "ghp_",  "gho_",  "ghu_", "ghs_", "ghr_", "github_pat_", "xoxa-",
    "xoxb-", "xoxp-", "xoxs-", "xoxr-", "AKIA", "ASIA", "hf_",  "glpat-",      "npm_"};

// Of a needle: what finds it.
constexpr std::size_t partBytes = 8, stride = partBytes - 3;
static_assert(partBytes == sizeof(std::uint64_t) && partBytes <= shortestNeedle);

bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool isHex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The word around `at`, as far as it matters.
bool inSecretName(std::string_view text, std::size_t at)
{
    constexpr std::size_t longest = 64;
    std::size_t begin = at, end = at;
    while (end < text.size() && isWord(text[end]) && end - at < longest)
        ++end;
    while (begin > 0 && isWord(text[begin - 1]) && at - begin < longest)
        --begin;
    if (begin > 0 && text[begin - 1] == '\\') // the letter of an escape: \npassword
        ++begin;
    const std::string_view word = text.substr(begin, end - begin);
    if (isSecretName(word) || (word.size() > 4 && isSecretName(word.substr(0, word.size() - 4)) &&
                               word.ends_with("_b64")))
        return true;
    if (word == "key" || word == "KEY" || word == "Key")
        return begin > 0 &&
               (text[begin - 1] == '?' || text[begin - 1] == '&' || text[begin - 1] == ' ');
    // a name of two words: "access key"
    std::size_t two = begin;
    while (two > 0 && (isWord(text[two - 1]) || text[two - 1] == ' ') && begin - two < longest)
        --two;
    return two != begin && isSecretName(text.substr(two, end - two));
}

bool hasUserInfo(std::string_view afterSlashes)
{
    const std::size_t end = afterSlashes.find_first_of("/?# \"'<>\\@");
    return end != std::string_view::npos && afterSlashes[end] == '@';
}

std::uint32_t folded(const char *three)
{
    std::uint32_t value = 0;
    std::memcpy(&value, three, 3);
    return (value | 0x202020U) & 0xFFFFFFU;
}

std::uint32_t slotOf(std::uint32_t three)
{
    return (three * 0x9E3779B1U) >> 16U;
}

template<typename Value>
Value bytesAt(const char *bytes)
{
    Value value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

constexpr std::array<char, 256> makeSkeletonBytes()
{
    std::array<char, 256> bytes{};
    for (std::size_t c = 0; c < bytes.size(); ++c)
        bytes[c] = skeletonByte(static_cast<char>(c));
    return bytes;
}

constexpr std::array<char, 256> skeletonBytes = makeSkeletonBytes();

bool isEscapeLetter(char c)
{
    return c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f';
}

} // namespace

SecretScan::SecretScan(const std::vector<Needle> &needles)
{
    for (const Needle &needle : needles) {
        const std::string_view text = needle.text;
        const std::string_view head = text.substr(0, partBytes);
        const std::string_view tail = text.substr(text.size() - partBytes);
        if (needle.loose) {
            markLoose(head);
            markLoose(tail);
            continue;
        }
        m_heads.emplace_back(head);
        m_tails.emplace_back(tail);
        mark(head);
        mark(tail.substr(partBytes - 3));
        m_entities = m_entities || text.find_first_of("&<>") != text.npos;
    }
    for (const std::string_view three : inNames)
        mark(three);
    for (const std::string_view prefix : prefixes)
        mark(prefix);
    for (const std::string_view three : {"eyj", "---", "://"})
        mark(three);
    if (m_entities)
        for (const std::string_view three : {"&am", "&lt", "&gt"})
            mark(three);
    mark("&#x");
    constexpr std::string_view hex = "0123456789abcdef";
    for (const char a : hex) {
        mark(std::string{'\\', 'u', a});
        mark(std::string{'\\', 'x', a});
        mark(std::string{'&', '#', a});
        for (const char b : hex)
            mark(std::string{'%', a, b});
    }
    for (int c = 1; c < 256; ++c) { // escapes inside escapes, and escapes that nobody needs
        mark(std::string{'\\', '\\', static_cast<char>(c)});
        mark(std::string{'\\', '/', static_cast<char>(c)});
    }
}

void SecretScan::mark(std::string_view three)
{
    const std::uint32_t slot = slotOf(folded(three.data()));
    m_bits[slot >> 6U] |= std::uint64_t{1} << (slot & 63U);
}

// Four bytes in a row are looked up at every fifth place only: eight in a row hold one of those.
void SecretScan::markLoose(std::string_view eight)
{
    m_eights.push_back(bytesAt<std::uint64_t>(eight.data()));
    for (std::size_t i = 0; i < stride; ++i) {
        const std::uint32_t slot = slotOf(bytesAt<std::uint32_t>(eight.data() + i));
        m_looseBits[slot >> 6U] |= std::uint64_t{1} << (slot & 63U);
    }
}

inline bool SecretScan::marked(std::uint32_t three) const
{
    const std::uint32_t slot = slotOf(three);
    return (m_bits[slot >> 6U] >> (slot & 63U)) & 1U;
}

bool SecretScan::suspicious(std::string_view text) const
{
    if (text.size() < 3)
        return false;
    const std::size_t last = text.size() - 3;
    for (std::size_t i = 0; i < last; ++i) {
        std::uint32_t four = 0;
        std::memcpy(&four, text.data() + i, 4);
        if (marked((four | 0x202020U) & 0xFFFFFFU) && verify(text, i))
            return true;
    }
    return (marked(folded(text.data() + last)) && verify(text, last)) || looselySuspicious(text);
}

bool SecretScan::looselySuspicious(std::string_view text) const
{
    if (m_eights.empty())
        return false;
    constexpr std::size_t block = 2048;
    std::array<char, block + partBytes> skeleton; // behind the end of the block before
    std::size_t size = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(at + block, text.size());
        while (at < end) {
            const auto *slash =
                static_cast<const char *>(std::memchr(text.data() + at, '\\', end - at));
            const std::size_t until =
                slash == nullptr ? end : static_cast<std::size_t>(slash - text.data());
            for (; at < until; ++at) {
                skeleton[size] = skeletonBytes[static_cast<unsigned char>(text[at])];
                size += skeleton[size] != 0 ? 1 : 0;
            }
            // the letter of \n is none: a key with a line end in between
            if (slash != nullptr)
                at += at + 1 < text.size() && isEscapeLetter(text[at + 1]) ? 2 : 1;
        }
        if (holdsEight({skeleton.data(), size}))
            return true;
        const std::size_t kept = std::min(size, partBytes - 1);
        std::memmove(skeleton.data(), skeleton.data() + size - kept, kept);
        size = kept;
    }
    return false;
}

bool SecretScan::holdsEight(std::string_view skeleton) const
{
    for (std::size_t i = 0; i + 4 <= skeleton.size(); i += stride) {
        const std::uint32_t slot = slotOf(bytesAt<std::uint32_t>(skeleton.data() + i));
        if (((m_looseBits[slot >> 6U] >> (slot & 63U)) & 1U) == 0)
            continue;
        for (std::size_t k = i - std::min(i, stride - 1);
             k <= i && k + partBytes <= skeleton.size(); ++k)
            if (std::find(m_eights.begin(), m_eights.end(),
                          bytesAt<std::uint64_t>(skeleton.data() + k)) != m_eights.end())
                return true;
    }
    return false;
}

bool SecretScan::holdsPart(std::string_view text, std::size_t at) const
{
    const std::string_view rest = text.substr(at), upTo = text.substr(0, at + 3);
    return std::any_of(m_heads.begin(), m_heads.end(),
                       [&](const std::string &head) { return rest.starts_with(head); }) ||
           std::any_of(m_tails.begin(), m_tails.end(),
                       [&](const std::string &tail) { return upTo.ends_with(tail); });
}

bool SecretScan::verify(std::string_view text, std::size_t at) const
{
    const std::string_view rest = text.substr(at);
    switch (rest[0]) {
    case '%':
        if (isHex(rest[1]) && isHex(rest[2]))
            return true;
        break;
    case '\\':
        if (rest[1] == 'u' || rest[1] == 'x' || rest[1] == '\\' || rest[1] == '/')
            return true;
        break;
    case '&':
        if (rest[1] == '#' || m_entities)
            return true;
        break;
    case ':':
        if (rest.starts_with("://") && hasUserInfo(rest.substr(3)))
            return true;
        break;
    case '-':
        if (rest.starts_with("-----BEGIN"))
            return true;
        break;
    default:
        break;
    }
    if (rest.starts_with("eyJ") ||
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&](std::string_view prefix) { return rest.starts_with(prefix); }) ||
        holdsPart(text, at))
        return true;
    return isWord(rest[0]) && inSecretName(text, at);
}

} // namespace emend::core
