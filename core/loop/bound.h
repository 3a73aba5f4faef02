// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/task/task.h"

namespace emend::core {

// US dollars per million tokens; absent: unknown.
struct Price {
    double in = 0.0;
    double out = 0.0;
    std::optional<double> cachedIn = {}; // of tokens read from the provider's cache; else as `in`
};

// The worst case of a task, known before it runs (design section 5).
struct Bound {
    std::int64_t modelCalls = 0;    // attempts
    std::int64_t modelRequests = 0; // with transport retries
    std::int64_t toolExecutions = 0;
    std::int64_t verifierRuns = 0;
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;
    std::int64_t tokens = 0; // in + out, or max_tokens where that is less
    std::optional<double> costUsd;
    std::optional<std::int64_t> seconds;
};

// `anyIdempotent`: some tool of the task may be retried by the product.
Bound bound(const Task &task, bool anyIdempotent, const std::optional<Price> &price);
nlohmann::json boundToJson(const Bound &bound);

} // namespace emend::core
