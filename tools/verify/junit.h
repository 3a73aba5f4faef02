// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/verify.h"

namespace emend::tools {

// The test cases of a JUnit XML report, as pytest, GoogleTest, Catch2, Qt Test and others write it.
// `classname` of a case comes before its name ("Class::case"), without `module` and the dot that
// follows it. Nothing: it is no such report. Pure.
std::optional<std::vector<core::TestResult>> readJunit(std::string_view xml,
                                                       const std::string &module = {});

// The test lines of the Test Anything Protocol, and whether there are as many as its plan says.
std::optional<std::vector<core::TestResult>> readTap(std::string_view text);

} // namespace emend::tools
