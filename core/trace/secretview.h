// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend::core {

// A text as somebody would read it after decoding it, and where each of its bytes came from. So a
// secret that is written with escapes is found in the decoded text and cut out of the original.
struct SecretView {
    std::string text;
    std::vector<std::uint32_t> from; // one a byte of `text`; empty: text is the original
    std::vector<std::uint32_t> to;   // one behind the last byte of the original

    std::size_t beginOf(std::size_t i) const { return from.empty() ? i : from[i]; }
    std::size_t endOf(std::size_t i) const { return to.empty() ? i + 1 : to[i]; }
};

// JSON's escapes and \x41 decoded; what is no escape stays as it is. Nothing if there is no
// backslash.
std::optional<SecretView> withoutEscapes(const SecretView &view);
// %41 decoded. Nothing if there is no such thing.
std::optional<SecretView> withoutPercents(const SecretView &view);
// &#65; &#x41; and what XML writes for its own signs decoded. Nothing if there is no such thing.
std::optional<SecretView> withoutEntities(const SecretView &view);

} // namespace emend::core
