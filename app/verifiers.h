// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/run/verify.h"
#include "core/task/task.h"

namespace emend::core {
class Clock;
}

namespace emend::app {

// Makes the verifiers of tasks of mode code, and owns what they share. Thread-safe.
class Verifiers {
public:
    explicit Verifiers(const core::Clock &clock); // borrowed
    ~Verifiers();

    // Lives no longer than this. An error: the task's settings do not fit.
    core::Result<std::unique_ptr<core::Verifier>> make(const core::Task &task) const;

private:
    struct Shared;
    std::unique_ptr<Shared> m_shared;
};

} // namespace emend::app
