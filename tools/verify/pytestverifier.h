// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/verify/registry.h"

namespace emend::tools {

// Python tests. Every run is repeated beside itself with tests added that have to fail, so that an
// attempt which makes pytest blind, or writes its report itself, gives itself away.
VerifierSpec pytestSpec();
std::unique_ptr<core::Verifier> makePytestVerifier(const VerifierEnvironment &environment);

} // namespace emend::tools
