// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/verifiers.h"

#include "tools/verify/registry.h"

namespace emend::app {

struct Verifiers::Shared {
    const core::Clock *clock;
    tools::Sandbox sandbox;
};

Verifiers::Verifiers(const core::Clock &clock)
    : m_shared(std::make_unique<Shared>(Shared{&clock, tools::Sandbox()}))
{}

Verifiers::~Verifiers() = default;

core::Result<std::unique_ptr<core::Verifier>> Verifiers::make(const core::Task &task) const
{
    return tools::makeVerifier(task.code, {m_shared->clock, &m_shared->sandbox});
}

} // namespace emend::app
