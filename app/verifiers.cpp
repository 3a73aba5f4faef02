// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/verifiers.h"

#include "tools/verify/registry.h"

namespace emend::app {

core::Result<std::unique_ptr<core::Verifier>> Verifiers::make(const core::Task &task) const
{
    return tools::makeVerifier(task.code, {&m_clock, &m_sandbox});
}

std::vector<core::NamedSpec> Verifiers::specs() const
{
    std::vector<core::NamedSpec> out;
    for (const tools::VerifierSpec &spec : tools::verifierSpecs())
        out.push_back({spec.name, spec.description});
    return out;
}

core::SandboxFacts Verifiers::sandbox() const
{
    const tools::SandboxProbe probe = m_sandbox.probe();
    return {probe.bubblewrap, probe.words};
}

} // namespace emend::app
