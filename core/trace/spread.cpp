// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/spread.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace emend::core {

using nlohmann::json;

namespace {

Span spanOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    return {values.front(), median, values.back(), static_cast<int>(n)};
}

json spanToJson(const Span &span)
{
    if (span.known == 0)
        return nullptr;
    return {
        {"least", span.least}, {"median", span.median}, {"most", span.most}, {"known", span.known}};
}

void take(std::vector<double> &values, const json &value)
{
    if (value.is_number())
        values.push_back(value.get<double>());
}

} // namespace

std::string decisionAt(const json &summary, int step)
{
    for (const json &action : summary["actions"])
        if (action["step"] == step)
            return (action["tool"].is_string() ? action["tool"].get<std::string>() : "") + " " +
                   action["tool_input"].dump(-1, ' ', false, json::error_handler_t::replace);
    std::string result;
    for (const json &stage : summary["stages"])
        if (stage["step"] == step && stage["result"].is_string())
            result = stage["result"].get<std::string>();
    return result;
}

Spread spreadOf(const std::vector<RunSummary> &runs, int step)
{
    Spread out;
    out.runs = static_cast<int>(runs.size());
    std::vector<double> actions, corrections, calls, in, tokensOut, cost, duration;
    for (const RunSummary &run : runs) {
        const json summary = run.toJson();
        ++out.outcomes[run.finished() ? run.outcome() : "unfinished"];
        const std::string answer = summary["final_summary"].is_string()
                                       ? summary["final_summary"].get<std::string>()
                                       : std::string();
        ++out.answers[std::string(trimBlank(toValidUtf8(answer)))];
        ++out.firstSteps[decisionAt(summary, step)];
        actions.push_back(static_cast<double>(summary["actions"].size()));
        corrections.push_back(static_cast<double>(summary["corrections"].size()));
        take(calls, summary["model_calls"]);
        take(in, summary["tokens"]["in"]);
        take(tokensOut, summary["tokens"]["out"]);
        take(cost, summary["cost_usd"]);
        take(duration, summary["duration_ms"]);
    }
    out.actions = spanOf(std::move(actions));
    out.corrections = spanOf(std::move(corrections));
    out.modelCalls = spanOf(std::move(calls));
    out.tokensIn = spanOf(std::move(in));
    out.tokensOut = spanOf(std::move(tokensOut));
    out.costUsd = spanOf(std::move(cost));
    out.durationMs = spanOf(std::move(duration));
    return out;
}

json spreadToJson(const Spread &spread)
{
    return {{"runs", spread.runs},
            {"outcomes", spread.outcomes},
            {"answers", spread.answers},
            {"decisions_at_step", spread.firstSteps},
            {"actions", spanToJson(spread.actions)},
            {"corrections", spanToJson(spread.corrections)},
            {"model_calls", spanToJson(spread.modelCalls)},
            {"tokens_in", spanToJson(spread.tokensIn)},
            {"tokens_out", spanToJson(spread.tokensOut)},
            {"cost_usd", spanToJson(spread.costUsd)},
            {"duration_ms", spanToJson(spread.durationMs)}};
}

} // namespace emend::core
