// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <tl/expected.hpp>

// The arithmetic of the calculator, without its syntax. Pure, any thread. Each error is a reason
// in words; the caller knows the place.
namespace emend::tools {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// An integer is kept wide, so that 2^63 can exist until the minus before it is read; fitsInt64()
// decides where it may not.
using Number = std::variant<Int128, double>;
using NumberResult = tl::expected<Number, std::string>;

// Digits only. Up to 2^63.
NumberResult parseInteger(std::string_view digits);
// With a point or an exponent.
NumberResult parseDecimal(std::string_view text);

// The number if it is a double or within -2^63 … 2^63-1.
NumberResult fitsInt64(Number value);

NumberResult negate(Number value);
NumberResult add(Number a, Number b);
NumberResult subtract(Number a, Number b);
NumberResult multiply(Number a, Number b);
NumberResult divide(Number a, Number b);
NumberResult floorDivide(Number a, Number b);
NumberResult modulo(Number a, Number b);
// The one operation whose integer result may be 2^63, as parseInteger's.
NumberResult power(Number base, Number exponent);

std::string toText(Number value);

} // namespace emend::tools
