// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/summary.h"

#include "core/task/prices.h"

namespace emend::core {

using nlohmann::json;

namespace {

json get(const json &object, const char *key, json fallback = nullptr)
{
    const auto it = object.find(key);
    return it == object.end() ? fallback : *it;
}

std::string textOf(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Null where the price or a count of tokens is missing.
json costText(const json &price, const json &tokens)
{
    if (!price.is_object() || !tokens.is_object())
        return nullptr;
    const json in = get(price, "in"), out = get(price, "out"), cached = get(price, "cached_in");
    const json tokensIn = get(tokens, "in"), tokensCached = get(tokens, "cached"),
               tokensOut = get(tokens, "out");
    for (const json *number : {&in, &out, &cached})
        if (!number->is_number())
            return nullptr;
    for (const json *number : {&tokensIn, &tokensCached, &tokensOut})
        if (!number->is_number_integer())
            return nullptr;
    return costArithmetic({in.get<double>(), out.get<double>(), cached.get<double>()},
                          tokensIn.get<std::int64_t>(), tokensCached.get<std::int64_t>(),
                          tokensOut.get<std::int64_t>());
}

} // namespace

std::string problemText(const Event &event)
{
    const std::string where =
        event.seq > 0 ? "event " + std::to_string(event.seq) + ": " : std::string();
    switch (event.problem) {
    case LineProblem::Gap:
        return where + "events are missing before this one";
    case LineProblem::NotJson:
        return where + "a line is not a JSON object";
    case LineProblem::Torn:
        return where + "the last line is torn";
    case LineProblem::WrongHash:
        return where + "the SHA-256 is missing or does not match the lines before it";
    case LineProblem::AfterEnd:
        return where + "an event stands after run.finished";
    case LineProblem::None:
        break;
    }
    return {};
}

void RunSummary::add(const Event &event)
{
    if (event.problem != LineProblem::None)
        m_problems.push_back(problemText(event));
    if (event.problem == LineProblem::NotJson || event.problem == LineProblem::Torn)
        return;
    const json body = eventBody(event);
    if (!body.is_object())
        return;
    ++m_kinds[event.kind == EventKind::Unknown ? textOf(body, "kind")
                                               : std::string(eventKindName(event.kind))];
    if (event.step > 0)
        m_stepBeganUs.try_emplace(event.step, event.tUs);
    switch (event.kind) {
    case EventKind::DecisionRejected:
        addRefused(event, body);
        [[fallthrough]];
    case EventKind::ModelRequested:
    case EventKind::ModelReplied:
    case EventKind::ModelFailed:
    case EventKind::DecisionAccepted:
        addModel(event, body);
        break;
    case EventKind::VerifyStarted:
    case EventKind::VerifyFinished:
        addVerify(event, body);
        break;
    case EventKind::GateFinished:
        m_gate = {{"verdict", get(body, "verdict")},
                  {"why", get(body, "why")},
                  {"held_out", get(body, "held_out")},
                  {"table", get(body, "table", json::array())}};
        if (body.contains("differences"))
            m_gate["differences"] = get(body, "differences");
        break;
    case EventKind::ToolStarted:
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
    case EventKind::ToolSkipped:
        addTool(event, body);
        break;
    case EventKind::CorrectionRequested:
    case EventKind::CorrectionResolved:
        addCorrection(event, body);
        break;
    case EventKind::BreakerChanged:
        m_breakers[textOf(body, "name")] = textOf(body, "to");
        break;
    case EventKind::RunStarted:
        m_code = get(body, "mode") == "code";
        for (const auto &tool : get(body, "tools", json::array()))
            if (tool.is_string())
                m_breakers.try_emplace(tool.get<std::string>(), "closed");
        m_breakers.try_emplace("provider:" + textOf(body, "provider"), "closed");
        m_price = get(body, "price");
        break;
    case EventKind::RunFinished:
        addFinish(body);
        break;
    default:
        break;
    }
}

std::optional<std::int64_t> RunSummary::stepBeganUs(int step) const
{
    const auto found = m_stepBeganUs.find(step);
    return found == m_stepBeganUs.end() ? std::nullopt : std::optional(found->second);
}

void RunSummary::addModel(const Event &event, const json &body)
{
    if (event.kind == EventKind::ModelRequested) {
        if (!m_stages.empty() && m_stages.back()["stage"] == get(body, "stage"))
            return; // a transport retry of the same call
        m_stages.push_back({{"stage", get(body, "stage")},
                            {"step", event.step},
                            {"attempt", event.attempt},
                            {"result", "in flight"}});
        return;
    }
    if (m_stages.empty())
        return;
    json &stage = m_stages.back();
    if (event.kind == EventKind::ModelFailed) {
        stage["result"] = "failed";
        stage["class"] = get(body, "class");
    } else if (event.kind == EventKind::ModelReplied) {
        stage["result"] = "replied";
        stage["tokens_in"] = get(body, "tokens_in");
        stage["tokens_out"] = get(body, "tokens_out");
        stage["cost_usd"] = get(body, "cost_usd");
    } else {
        const bool accepted = event.kind == EventKind::DecisionAccepted;
        stage["result"] = accepted ? get(body, "state") : get(body, "category");
        if (const json list = get(body, "normalisations", json::array()); !list.empty())
            stage["normalisations"] = list;
    }
    if (body.contains("duration_us"))
        stage["duration_us"] = body["duration_us"];
}

void RunSummary::addTool(const Event &event, const json &body)
{
    const bool first = event.kind == EventKind::ToolSkipped || get(body, "try") == 1;
    if ((event.kind == EventKind::ToolStarted && first) || event.kind == EventKind::ToolSkipped)
        m_actions.push_back({{"step", event.step},
                             {"tool", get(body, "tool")},
                             {"tool_input", get(body, "tool_input")},
                             {"success", false},
                             {"output", nullptr},
                             {"error", nullptr},
                             {"tries", 0},
                             {"skipped", false}});
    if (m_actions.empty())
        return;
    json &action = m_actions.back();
    if (event.kind == EventKind::ToolSkipped) {
        action["skipped"] = true;
        action["error"] = get(body, "reason");
    } else if (event.kind == EventKind::ToolStarted) {
        action["tries"] = get(body, "try");
    } else if (event.kind == EventKind::ToolSucceeded) {
        action["success"] = true;
        action["output"] = get(body, "output");
        action["error"] = nullptr;
    } else {
        action["error"] = get(body, "error");
    }
}

void RunSummary::addCorrection(const Event &event, const json &body)
{
    if (event.kind == EventKind::CorrectionRequested) {
        ++m_categories[textOf(body, "category")];
        m_corrections.push_back({{"step", event.step},
                                 {"attempt", event.attempt},
                                 {"category", get(body, "category")},
                                 {"error", get(body, "error")},
                                 {"pointer", get(body, "pointer")},
                                 {"resolved", nullptr},
                                 {"result_error", nullptr}});
    } else if (!m_corrections.empty()) {
        m_corrections.back()["resolved"] = get(body, "resolved");
        m_corrections.back()["result_error"] = get(body, "result_error");
    }
}

// A reply of mode code that held no source file.
void RunSummary::addRefused(const Event &event, const json &body)
{
    if (!m_code)
        return;
    m_attempts.push_back({{"step", event.step},
                          {"attempt", event.attempt},
                          {"candidate", event.step == 1 ? "first" : "second"},
                          {"passed", false},
                          {"cause", get(body, "category")},
                          {"message", get(body, "error")},
                          {"tests", nullptr},
                          {"duration_ms", nullptr}});
}

void RunSummary::addVerify(const Event &event, const json &body)
{
    if (get(body, "suite") != "tests")
        return; // of the gate alone: in its table
    if (event.kind == EventKind::VerifyStarted) {
        m_solutionDue = get(body, "solution");
        return;
    }
    const bool passed = get(body, "passed") == true;
    const json us = get(body, "duration_us");
    m_attempts.push_back(
        {{"step", event.step},
         {"attempt", event.attempt},
         {"candidate", get(body, "candidate")},
         {"passed", passed},
         {"cause", get(body, "cause")},
         {"message", get(body, "message")},
         {"tests", get(body, "counts")},
         {"duration_ms", us.is_number() ? json(us.get<double>() / 1000.0) : json(nullptr)}});
    if (passed && m_solution.is_null())
        m_solution = m_solutionDue;
    if (!m_stages.empty())
        m_stages.back()["result"] = passed ? json("passed") : get(body, "cause");
}

void RunSummary::addFinish(const json &body)
{
    m_finished = true;
    m_outcome = textOf(body, "outcome");
    m_reason = textOf(body, "reason");
    m_finish = body;
    m_totals = get(body, "totals", json::object());
}

json RunSummary::toJson() const
{
    const json totals = m_totals.is_object() ? m_totals : json::object();
    const json us = get(totals, "duration_us");
    json out = {
        {"outcome", m_finished ? json(m_outcome) : json(nullptr)},
        {"reason", m_finished ? json(m_reason) : json(nullptr)},
        {"satisfied", get(m_finish, "satisfied", false)},
        {"final_summary", get(m_finish, "final_summary", "")},
        {"missing", get(m_finish, "missing", json::array())},
        {"actions", m_actions},
        {"corrections", m_corrections},
        {"failure", get(m_finish, "failure")},
        {"breakers", m_breakers},
        {"stages", m_stages},
        {"model_calls", get(totals, "model_calls", 0)},
        {"tool_executions", get(totals, "tool_executions", 0)},
        {"tokens", {{"in", get(totals, "tokens_in", 0)}, {"out", get(totals, "tokens_out", 0)}}},
        {"cost_usd", get(totals, "cost_usd")},
        {"cost", costText(m_price, get(totals, "charged_tokens"))},
        {"duration_ms", us.is_number() ? json(us.get<double>() / 1000.0) : json(nullptr)}};
    if (m_code) {
        out["attempts"] = m_attempts;
        out["gate"] = m_gate;
        out["solution"] = m_solution;
        out["verifier_runs"] = get(totals, "verifier_runs", 0);
    }
    return out;
}

} // namespace emend::core
