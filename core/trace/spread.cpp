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

std::int64_t wholeOf(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

// Of the replies in the steps that `counts` says yes to. The cost is none if one is unknown.
template<typename Counts>
RunFigures figures(const json &summary, const Counts &counts)
{
    RunFigures out;
    out.costUsd = 0;
    const auto here = [&](const json &part) { return counts(wholeOf(part, "step")); };
    for (const json &stage : summary["stages"]) {
        if (!here(stage))
            continue;
        ++out.modelCalls;
        out.tokensIn += wholeOf(stage, "tokens_in");
        out.tokensOut += wholeOf(stage, "tokens_out");
        const auto cost = stage.find("cost_usd");
        if (cost != stage.end() && cost->is_number() && out.costUsd)
            *out.costUsd += cost->get<double>();
        else if (cost != stage.end())
            out.costUsd.reset();
    }
    out.actions = std::count_if(summary["actions"].begin(), summary["actions"].end(), here);
    out.corrections =
        std::count_if(summary["corrections"].begin(), summary["corrections"].end(), here);
    return out;
}

json figuresToJson(const RunFigures &figures)
{
    return {{"actions", figures.actions},
            {"corrections", figures.corrections},
            {"model_calls", figures.modelCalls},
            {"tokens_in", figures.tokensIn},
            {"tokens_out", figures.tokensOut},
            {"cost_usd", figures.costUsd ? json(*figures.costUsd) : json(nullptr)},
            {"duration_ms", figures.durationMs ? json(*figures.durationMs) : json(nullptr)}};
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

RunFigures figuresBefore(const RunSummary &run, int step)
{
    RunFigures out = figures(run.toJson(), [&](std::int64_t of) { return of < step; });
    if (const auto beganUs = step > 1 ? run.stepBeganUs(step) : std::optional<std::int64_t>(0))
        out.durationMs = static_cast<double>(*beganUs) / 1000.0;
    return out;
}

RunFigures figuresFrom(const RunSummary &run, int step)
{
    const json summary = run.toJson();
    const RunFigures before = figuresBefore(run, step);
    RunFigures out = figures(summary, [&](std::int64_t of) { return of >= step; });
    const json &tokens = summary["tokens"];
    out.reservedTokens =
        std::max<std::int64_t>(0, wholeOf(tokens, "in") + wholeOf(tokens, "out") - out.tokensIn -
                                      out.tokensOut - before.tokensIn - before.tokensOut);
    // A call that failed may have cost something: the run's own sum knows. One that was aborted by
    // a kill is only reserved.
    if (run.outcome() != "killed" && summary["cost_usd"].is_number() && before.costUsd)
        out.costUsd = std::max(0.0, summary["cost_usd"].get<double>() - *before.costUsd);
    else if (run.outcome() != "killed")
        out.costUsd.reset();
    if (summary["duration_ms"].is_number() && before.durationMs)
        out.durationMs = summary["duration_ms"].get<double>() - *before.durationMs;
    return out;
}

Spread spreadOf(const std::vector<RunSummary> &runs, int step)
{
    Spread out;
    out.runs = static_cast<int>(runs.size());
    std::vector<double> actions, corrections, calls, in, tokensOut, cost, duration;
    for (const RunSummary &run : runs) {
        const json summary = run.toJson();
        const bool killed = run.outcome() == "killed";
        ++out.outcomes[run.finished() ? run.outcome() : "unfinished"];
        out.killed += killed ? 1 : 0;
        if (const std::string decision = decisionAt(summary, step); !killed || !decision.empty())
            ++out.firstSteps[decision];
        if (killed) // stopped somewhere by a person: its numbers say nothing about the change
            continue;
        const std::string answer = summary["final_summary"].is_string()
                                       ? summary["final_summary"].get<std::string>()
                                       : std::string();
        ++out.answers[std::string(trimBlank(toValidUtf8(answer)))];
        const RunFigures used = figuresFrom(run, step);
        out.kept = figuresBefore(run, step);
        actions.push_back(static_cast<double>(used.actions));
        corrections.push_back(static_cast<double>(used.corrections));
        calls.push_back(static_cast<double>(used.modelCalls));
        in.push_back(static_cast<double>(used.tokensIn));
        tokensOut.push_back(static_cast<double>(used.tokensOut));
        if (used.costUsd)
            cost.push_back(*used.costUsd);
        if (used.durationMs)
            duration.push_back(*used.durationMs);
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
            {"killed", spread.killed},
            {"kept", figuresToJson(spread.kept)},
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
