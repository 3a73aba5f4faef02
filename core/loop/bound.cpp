// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/bound.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/context/context.h"

namespace emend::core {

namespace {

// The first solution and its corrections, and one attempt of the second.
std::int64_t codeCalls(const Task &task)
{
    return task.bounds.maxAttempts + (task.code.gate ? 1 : 0);
}

// The main tests once a reply, the edge tests once a solution, the generated inputs once.
std::int64_t codeRuns(const Task &task, std::int64_t modelCalls)
{
    const bool edge = !task.code.edgeTests.empty() || !task.code.edgeTestsFile.empty();
    const bool gate = task.code.gate && modelCalls >= 2;
    return modelCalls + (gate && edge ? 2 : 0) + (gate && !task.code.generator.empty() ? 1 : 0);
}

} // namespace

Bound bound(const Task &task, bool anyIdempotent, const std::optional<Price> &price)
{
    const Bounds &b = task.bounds;
    Bound out;
    const bool code = task.mode == Mode::Code;
    const std::int64_t slots = static_cast<std::int64_t>(b.maxActions) + 1; // and one for the final
    out.modelCalls = code ? codeCalls(task) : slots * (b.maxCorrections + 1);
    out.modelRequests = out.modelCalls * (task.model.transport.maxRetries + 1);
    if (b.maxModelCalls) {
        out.modelRequests = std::min(out.modelRequests, *b.maxModelCalls);
        out.modelCalls = std::min(out.modelCalls, *b.maxModelCalls);
    }
    if (code)
        out.verifierRuns = codeRuns(task, out.modelCalls);
    const int tries = anyIdempotent ? b.maxToolRetries + 1 : 1;
    const std::int64_t actions = code ? 0 : std::min<std::int64_t>(b.maxActions, out.modelCalls);
    out.toolExecutions = actions * tries; // no action without a call that asks for it
    out.tokensIn = out.modelRequests * ContextLimits{}.tokensIn;
    out.tokensOut = out.modelRequests * task.model.maxOutputTokens;
    out.tokens = out.tokensIn + out.tokensOut;
    if (b.maxTokens)
        out.tokens = std::min(out.tokens, *b.maxTokens);
    if (price) {
        double cost = (static_cast<double>(out.tokensIn) * price->in +
                       static_cast<double>(out.tokensOut) * price->out) /
                      1e6;
        if (b.maxTokens)
            cost = std::min(cost, static_cast<double>(out.tokens) *
                                      std::max(price->in, price->out) / 1e6);
        if (b.maxCostUsd)
            cost = std::min(cost, *b.maxCostUsd);
        out.costUsd = cost;
    }
    out.seconds = b.maxSeconds;
    return out;
}

nlohmann::json boundToJson(const Bound &bound)
{
    nlohmann::json out = {{"model_calls", bound.modelCalls},
                          {"model_requests", bound.modelRequests},
                          {"tool_executions", bound.toolExecutions},
                          {"verifier_runs", bound.verifierRuns},
                          {"tokens_in", bound.tokensIn},
                          {"tokens_out", bound.tokensOut},
                          {"tokens", bound.tokens},
                          {"cost_usd", nullptr},
                          {"seconds", nullptr}};
    if (bound.costUsd)
        out["cost_usd"] = *bound.costUsd;
    if (bound.seconds)
        out["seconds"] = *bound.seconds;
    return out;
}

} // namespace emend::core
