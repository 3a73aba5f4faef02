// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/verify/registry.h"

namespace emend::tools {

// The attempt is one query of SQLite that reads only; the tests say what it has to return. It runs
// in the sandbox, in Python's sqlite3, because a query can take any amount of time, memory and
// disk.
VerifierSpec sqlSpec();
std::unique_ptr<core::Verifier> makeSqlVerifier(const VerifierEnvironment &environment);

} // namespace emend::tools
