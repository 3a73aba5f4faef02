// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/number.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

namespace emend::tools {

namespace {

constexpr Int128 limit = Int128(1) << 63;
constexpr int maxExponent = 1'000'000;

tl::unexpected<std::string> error(const char *reason)
{
    return tl::unexpected<std::string>(reason);
}

tl::unexpected<std::string> integerOverflow()
{
    return error("integer overflow: the result does not fit in 64 bits (-2^63 to 2^63-1); "
                 "write an operand with a decimal point to compute approximately");
}

const Int128 *integer(const Number &value)
{
    return std::get_if<Int128>(&value);
}

NumberResult wholeNumber(Int128 value)
{
    return fitsInt64(value);
}

NumberResult realNumber(double value)
{
    if (std::isnan(value))
        return error("the result is not a real number");
    if (std::isinf(value))
        return error("the result is too large for a double (above about 1.8e308)");
    return Number(value == 0 ? 0.0 : value); // no -0
}

// The value as a double, if that loses nothing.
tl::expected<double, std::string> exactDouble(const Number &value)
{
    const Int128 *whole = integer(value);
    if (!whole)
        return std::get<double>(value);
    const double real = static_cast<double>(*whole);
    if (static_cast<Int128>(real) != *whole)
        return tl::unexpected<std::string>(
            "the integer " + toText(value) +
            " would be rounded when computed together with a decimal number");
    return real;
}

struct Reals {
    double a, b;
};

tl::expected<Reals, std::string> exactDoubles(const Number &a, const Number &b)
{
    const auto left = exactDouble(a);
    if (!left)
        return tl::unexpected<std::string>(left.error());
    const auto right = exactDouble(b);
    if (!right)
        return tl::unexpected<std::string>(right.error());
    return Reals{*left, *right};
}

// Integers through `whole`, everything else through `real`.
template<typename Whole, typename Real>
NumberResult apply(const Number &a, const Number &b, Whole whole, Real real)
{
    if (integer(a) && integer(b))
        return whole(*integer(a), *integer(b));
    const auto reals = exactDoubles(a, b);
    if (!reals)
        return tl::unexpected<std::string>(reals.error());
    return real(reals->a, reals->b);
}

UInt128 magnitude(Int128 value)
{
    return static_cast<UInt128>(value < 0 ? -value : value);
}

// The double nearest to a / b, correctly rounded: a quotient of at least 64 bits, with "there is
// more" in its last bit, rounds as the exact one would. Both magnitudes are at most 2^63.
double nearestQuotient(Int128 a, Int128 b)
{
    const std::uint64_t dividend = static_cast<std::uint64_t>(magnitude(a));
    const UInt128 divisor = magnitude(b);
    const int shift = 64 + std::countl_zero(dividend);
    const UInt128 scaled = static_cast<UInt128>(dividend) << shift;
    UInt128 quotient = scaled / divisor;
    if (scaled % divisor != 0)
        quotient |= 1;
    const double result = std::ldexp(static_cast<double>(quotient), -shift);
    return (a < 0) == (b < 0) ? result : -result;
}

struct Floored {
    double quotient, remainder;
};

// As CPython's float_divmod: the remainder is exact and has the divisor's sign.
Floored floorDivideReals(double a, double b)
{
    double remainder = std::fmod(a, b);
    double quotient = (a - remainder) / b;
    if (remainder != 0 && (remainder < 0) != (b < 0)) {
        remainder += b;
        quotient -= 1;
    }
    return {std::round(quotient), remainder};
}

// Squares and multiplies, and stops at the first factor beyond 2^63: at most 20 rounds.
std::optional<Int128> wholePower(Int128 base, std::uint32_t exponent)
{
    Int128 result = 1;
    for (;;) {
        if (exponent & 1)
            result *= base;
        if (magnitude(result) > magnitude(limit))
            return std::nullopt;
        exponent >>= 1;
        if (exponent == 0)
            return result;
        base *= base;
        if (magnitude(base) > magnitude(limit))
            return std::nullopt;
    }
}

NumberResult powerOfIntegers(Int128 base, Int128 exponent)
{
    if (base == 0 && exponent < 0)
        return error("division by zero: 0 to a negative power");
    const auto raised = wholePower(base, static_cast<std::uint32_t>(magnitude(exponent)));
    if (exponent >= 0) {
        if (!raised)
            return integerOverflow();
        return Number(*raised);
    }
    if (raised)
        return divide(Int128(1), *raised);
    return realNumber(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}

} // namespace

NumberResult parseInteger(std::string_view digits)
{
    Int128 value = 0;
    for (const char digit : digits) {
        value = value * 10 + (digit - '0');
        if (value > limit)
            return error("integer overflow: the number does not fit in 64 bits");
    }
    return Number(value);
}

NumberResult parseDecimal(std::string_view text)
{
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range)
        return error("the number does not fit in a double (about 4.9e-324 to 1.8e308)");
    if (code != std::errc() || end != text.data() + text.size())
        return error("this is not a number");
    return Number(value);
}

NumberResult fitsInt64(Number value)
{
    const Int128 *whole = integer(value);
    if (whole && (*whole < -limit || *whole >= limit))
        return integerOverflow();
    return value;
}

NumberResult negate(Number value)
{
    if (const Int128 *whole = integer(value))
        return wholeNumber(-*whole);
    return realNumber(-std::get<double>(value));
}

NumberResult add(Number a, Number b)
{
    return apply(
        a, b, [](Int128 x, Int128 y) { return wholeNumber(x + y); },
        [](double x, double y) { return realNumber(x + y); });
}

NumberResult subtract(Number a, Number b)
{
    return apply(
        a, b, [](Int128 x, Int128 y) { return wholeNumber(x - y); },
        [](double x, double y) { return realNumber(x - y); });
}

NumberResult multiply(Number a, Number b)
{
    return apply(
        a, b, [](Int128 x, Int128 y) { return wholeNumber(x * y); },
        [](double x, double y) { return realNumber(x * y); });
}

NumberResult divide(Number a, Number b)
{
    const auto whole = [](Int128 x, Int128 y) -> NumberResult {
        if (y == 0)
            return error("division by zero");
        if (x % y == 0)
            return wholeNumber(x / y);
        return realNumber(nearestQuotient(x, y));
    };
    const auto real = [](double x, double y) -> NumberResult {
        if (y == 0)
            return error("division by zero");
        return realNumber(x / y);
    };
    return apply(a, b, whole, real);
}

NumberResult floorDivide(Number a, Number b)
{
    const auto whole = [](Int128 x, Int128 y) -> NumberResult {
        if (y == 0)
            return error("division by zero");
        const bool roundedUp = x % y != 0 && (x < 0) != (y < 0);
        return wholeNumber(x / y - (roundedUp ? 1 : 0));
    };
    const auto real = [](double x, double y) -> NumberResult {
        if (y == 0)
            return error("division by zero");
        return realNumber(floorDivideReals(x, y).quotient);
    };
    return apply(a, b, whole, real);
}

NumberResult modulo(Number a, Number b)
{
    const auto whole = [](Int128 x, Int128 y) -> NumberResult {
        if (y == 0)
            return error("division by zero: the remainder by 0 does not exist");
        const Int128 remainder = x % y;
        return wholeNumber(remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y
                                                                        : remainder);
    };
    const auto real = [](double x, double y) -> NumberResult {
        if (y == 0)
            return error("division by zero: the remainder by 0 does not exist");
        return realNumber(floorDivideReals(x, y).remainder);
    };
    return apply(a, b, whole, real);
}

NumberResult power(Number base, Number exponent)
{
    const auto tooLarge = [](auto value) { return value > maxExponent || value < -maxExponent; };
    if (std::visit(tooLarge, exponent))
        return error("the exponent is above 1,000,000 or below -1,000,000");
    const auto real = [](double x, double y) -> NumberResult {
        if (x == 0 && y < 0)
            return error("division by zero: 0 to a negative power");
        return realNumber(std::pow(x, y));
    };
    return apply(base, exponent, powerOfIntegers, real);
}

std::string toText(Number value)
{
    std::array<char, 40> buffer{}; // the longest text has 24 characters
    const auto print = [&buffer](auto... number) {
        const char *begin = buffer.data();
        const char *end =
            std::to_chars(buffer.data(), buffer.data() + buffer.size(), number...).ptr;
        return std::string(begin, end);
    };
    if (const Int128 *whole = integer(value)) {
        // 2^63 is the one value that needs more than an int64.
        return *whole < 0 ? print(static_cast<std::int64_t>(*whole))
                          : print(static_cast<std::uint64_t>(*whole));
    }
    const double real = std::get<double>(value);
    const double size = std::abs(real);
    const bool plain = size == 0 || (size >= 1e-5 && size < 1e16); // 100000, not 1e+05
    return print(real, plain ? std::chars_format::fixed : std::chars_format::scientific);
}

} // namespace emend::tools
