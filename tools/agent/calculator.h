// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/run/ports.h"
#include "tools/agent/toolenvironment.h"

namespace emend::tools {

// Evaluates one arithmetic expression. Pure, any thread. Our own evaluator and not muParser,
// because muParser computes in doubles and so rounds integers above 2^53.
//
// Operators, loosest first: + -, then * / // % (also × ÷), then unary - + (also −), then **.
// - Integers (a literal without point and exponent, and what follows from them) are exact in
//   -2^63 … 2^63-1; a result outside is an error and never becomes a double.
// - `/` gives an integer if it divides exactly, otherwise the nearest double.
// - `//` and `%` floor as in Python: -7 // 2 is -4, -7 % 2 is 1, the remainder has the divisor's
//   sign. So `%` is never "percent".
// - `**` groups to the right and binds tighter than a minus before it: -2 ** 2 is -4. An exponent
//   is at most 1,000,000 either way.
// - An integer that a double cannot hold is not mixed with one; that too is an error.
// - Doubles are printed with the fewest digits that read back the same.
// There are no names, functions, separators or implied multiplication. At most 1,000 characters
// and 100 levels of nesting. An error has its column (from 1, in code points) in `column`.
core::Result<std::string> evaluate(std::string_view expression);

// The agent tool `calculator`.
std::unique_ptr<core::Tool> makeCalculatorTool(const ToolEnvironment &environment);

} // namespace emend::tools
