// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/run/engine.h"
#include "core/run/verify.h"
#include "core/task/task.h"
#include "tools/sandbox/sandbox.h"

namespace emend::app {

// Makes the verifiers of tasks of mode code, and owns what they share. Thread-safe.
class Verifiers {
public:
    explicit Verifiers(const core::Clock &clock) // borrowed
        : m_clock(clock)
    {}

    // Lives no longer than this. An error: the task's settings do not fit.
    core::Result<std::unique_ptr<core::Verifier>> make(const core::Task &task) const;
    std::vector<core::NamedSpec> specs() const; // for menus
    core::SandboxFacts sandbox() const;

private:
    const core::Clock &m_clock;
    tools::Sandbox m_sandbox;
};

} // namespace emend::app
