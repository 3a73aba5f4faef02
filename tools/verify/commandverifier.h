// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/verify/registry.h"

namespace emend::tools {

// Any command: it reads the solution and the tests from its folder and leaves a JUnit report. Runs
// twice; what differs is not trusted.
VerifierSpec commandSpec();
std::unique_ptr<core::Verifier> makeCommandVerifier(const VerifierEnvironment &environment);

} // namespace emend::tools
