// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace emend::core {

// A decimal number by its exact value: sign, digits without leading or trailing zeros, power of ten
// of the last digit. Zero has no digits.
struct Decimal {
    bool negative = false;
    std::string digits;
    std::int64_t exponent = 0;

    bool operator==(const Decimal &) const = default;

    // From JSON number text (RFC 8259 section 6), which must be well formed.
    static Decimal fromText(std::string_view number);
    // From the shortest text that reads back as `value`, which must be finite.
    static Decimal fromDouble(double value);
    // True if the value is a whole number.
    bool integral() const { return exponent >= 0; }
    // The value where it is whole and fits.
    std::optional<std::int64_t> toInt64() const;
    std::optional<std::uint64_t> toUint64() const;
    // "0", "-12", "125e-2": one spelling for each value.
    std::string text() const;
};

// Canonical text of a value: keys sorted at every level by UTF-16 code units (RFC 8785 section
// 3.2.3), numbers by exact decimal value (1 = 1.0 = 1e0, 2^53 ≠ 2^53 + 1), strings by code points.
// Never fails: bytes that are no UTF-8 stay distinguishable.
std::string canonicalText(const nlohmann::json &value);

// 64-bit FNV-1a.
std::uint64_t hash64(std::string_view text);
// The same as 16 hex digits: a short name for a long text, not a proof of equality.
std::string shortHash(std::string_view text);

} // namespace emend::core
