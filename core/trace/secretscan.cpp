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

} // namespace

SecretScan::SecretScan(std::vector<std::string> needles)
    : m_needles(std::move(needles))
{
    for (const std::string &needle : m_needles)
        mark(needle);
    for (const std::string_view three : inNames)
        mark(three);
    for (const std::string_view prefix : prefixes)
        mark(prefix);
    for (const std::string_view three : {"eyj", "---", "://"})
        mark(three);
    constexpr std::string_view hex = "0123456789abcdef";
    for (const char a : hex) {
        mark(std::string{'\\', 'u', a});
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
    return marked(folded(text.data() + last)) && verify(text, last);
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
        if (rest[1] == 'u' || rest[1] == '\\' || rest[1] == '/')
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
        std::any_of(m_needles.begin(), m_needles.end(),
                    [&](const std::string &needle) { return rest.starts_with(needle); }))
        return true;
    return isWord(rest[0]) && inSecretName(text, at);
}

} // namespace emend::core
