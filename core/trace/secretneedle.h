// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emend::core {

// What a byte of a text is in the text's skeleton: the small ASCII letter or the digit; 0 for all
// that does not count.
constexpr char skeletonByte(char c)
{
    if (c >= 'A' && c <= 'Z')
        return static_cast<char>(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '\0';
}

// What of a text stays the same however somebody writes it: its ASCII letters and digits, in small
// letters. Blanks, line ends, invisible characters, quotes, stars and dashes are gone.
struct Skeleton {
    std::string text;
    std::vector<std::uint32_t> at; // where each of its bytes is in the original
};
Skeleton skeletonOf(std::string_view text);

// One form of a known secret.
struct Needle {
    std::string text;
    bool loose = false;     // a skeleton, and looked for in skeletons
    std::size_t enough = 0; // so much of its beginning or end gives it away where a text is cut
    std::size_t much = 0;   // so much of them does so anywhere

    bool operator==(const Needle &other) const = default;
    auto operator<=>(const Needle &other) const = default;
};

// No needle is shorter, nor is what has to be left of one that was cut.
constexpr std::size_t shortestNeedle = 8;

// The forms of a secret that are looked for: itself, in JSON, in base64 and in hexadecimal digits,
// each as it is and, if it cannot be mistaken for words, as a skeleton. None for a secret that is
// shorter than shortestNeedle.
std::vector<Needle> needlesOf(const std::string &secret);

// A part of a text: bytes [begin, end).
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// Where `needles` stand in `text`, whole or cut: the beginning of one at the end of the text or
// just before an ellipsis, the end of one at the beginning or just after an ellipsis.
std::vector<Span> findNeedles(const std::vector<Needle> &needles, std::string_view text);

// How many bytes at the end of `text` could be the beginning of a needle.
std::size_t begunNeedle(const std::vector<Needle> &needles, std::string_view text);

} // namespace emend::core
