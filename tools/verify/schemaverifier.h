// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/verify/registry.h"

namespace emend::tools {

// The attempt is JSON, the tests are a JSON Schema that it has to fit.
VerifierSpec schemaSpec();
std::unique_ptr<core::Verifier> makeSchemaVerifier(const VerifierEnvironment &environment);

} // namespace emend::tools
