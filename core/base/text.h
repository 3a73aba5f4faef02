// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Small functions over UTF-8 text that the whole of core shares. Pure, any thread.
namespace emend::core {

// A place in a text: byte offset from 0, line and column from 1, column in code points.
// LF, CRLF and a lone CR end a line.
struct Place {
    std::size_t offset = 0;
    int line = 1;
    int column = 1;
};

// The place of byte `offset` in `text`; an offset past the end means the end. A byte that is not
// UTF-8 counts as one column.
Place placeAt(std::string_view text, std::size_t offset);

// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, no
// surrogates, nothing above U+10FFFF), or npos.
std::size_t firstInvalidUtf8(std::string_view text);

// `text` with each maximal ill-formed run of bytes replaced by U+FFFD (Unicode 15, section 3.9).
std::string toValidUtf8(std::string_view text);

// The longest prefix of at most `maxCodePoints` code points. `text` must be valid UTF-8.
std::string_view prefixCodePoints(std::string_view text, std::size_t maxCodePoints);
// The longest suffix of at most `maxCodePoints` code points. `text` must be valid UTF-8.
std::string_view suffixCodePoints(std::string_view text, std::size_t maxCodePoints);

std::size_t countCodePoints(std::string_view text);

// White space as JSON knows it (RFC 8259 section 2): space, tab, LF, CR.
std::string_view trimJsonSpace(std::string_view text);
// ASCII white space and the Unicode spaces a person would call blank (U+00A0, U+2000…, U+3000).
std::string_view trimBlank(std::string_view text);

// XML 1.0 escaping for element content: & < >; characters XML cannot hold become U+FFFD.
std::string escapeXmlText(std::string_view text);
// The same for attribute values: also quotes, tab, LF and CR.
std::string escapeXmlAttribute(std::string_view text);

// "U+00A0" for the code point that starts at `offset`; "byte 0x97" where that is not UTF-8.
std::string describeCodePoint(std::string_view text, std::size_t offset);

// `text` in double quotes with control characters and invisible spaces written as \u00a0, so that a
// person can see them; cut to `maxCodePoints` with an ellipsis.
std::string inQuotes(std::string_view text, std::size_t maxCodePoints = 80);

// `text` on one line for a person, at most `maxCodePoints` and then an ellipsis: line ends become
// ⏎, control characters their pictures (U+2400…), what steers writing direction or hides U+FFFD.
// Safe to write to a terminal.
std::string visibleLine(std::string_view text, std::size_t maxCodePoints);

std::string base64(std::string_view bytes);
// Decodes base64; anything that is not base64 gives false and leaves `out` untouched.
bool fromBase64(std::string_view text, std::string &out);

} // namespace emend::core
