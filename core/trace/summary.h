// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/trace/event.h"

namespace emend::core {

// What is wrong with a line, for a person: "event 5: events are missing before this one". Empty for
// one as it should be.
std::string problemText(const Event &event);

// What a run amounts to, gathered from its events one by one: the summary of `run --json` and
// `show` (design section 12). Nothing in it comes from anywhere but the trace. A value, any thread.
class RunSummary {
public:
    void add(const Event &event);

    bool finished() const { return m_finished; }
    const std::string &outcome() const { return m_outcome; }
    const std::string &reason() const { return m_reason; }
    const std::map<std::string, std::int64_t> &kinds() const { return m_kinds; }
    const std::map<std::string, std::int64_t> &categories() const { return m_categories; }
    const std::vector<std::string> &problems() const { return m_problems; }
    const nlohmann::json &totals() const { return m_totals; }
    // When `step` began, in microseconds since the start; none if the run never got there.
    std::optional<std::int64_t> stepBeganUs(int step) const;

    // {outcome, reason, satisfied, final_summary, missing[], actions[], corrections[], failure,
    // breakers{}, stages[], model_calls, tool_executions, tokens{in,out}, cost_usd,
    // cost (its arithmetic, or null where no price is known), duration_ms}; of mode code besides
    // {attempts[], gate, solution (the first that passed the main tests, or null), verifier_runs}
    nlohmann::json toJson() const;

private:
    void addTool(const Event &event, const nlohmann::json &body);
    void addModel(const Event &event, const nlohmann::json &body);
    void addCorrection(const Event &event, const nlohmann::json &body);
    void addVerify(const Event &event, const nlohmann::json &body);
    void addRefused(const Event &event, const nlohmann::json &body);
    void addFinish(const nlohmann::json &body);

    bool m_finished = false;
    std::string m_outcome, m_reason;
    nlohmann::json m_finish, m_totals, m_price;
    nlohmann::json m_actions = nlohmann::json::array();
    nlohmann::json m_corrections = nlohmann::json::array();
    nlohmann::json m_stages = nlohmann::json::array();
    bool m_code = false; // the mode
    nlohmann::json m_attempts = nlohmann::json::array();
    nlohmann::json m_gate, m_solution, m_solutionDue;
    std::map<std::string, std::string> m_breakers;
    std::map<int, std::int64_t> m_stepBeganUs;
    std::map<std::string, std::int64_t> m_kinds, m_categories;
    std::vector<std::string> m_problems;
};

} // namespace emend::core
