// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "tools/provider/practice/goalplan.h"
#include "tools/provider/practice/mistakes.h"
#include "tools/provider/practice/practicetext.h"
#include "tools/provider/replytext.h"

namespace emend::tools {

namespace {

constexpr int streamedPieces = 5;
constexpr int failuresUntilGivenUp = 2; // of one tool
constexpr std::size_t maxSubject = 120; // code points of a goal's text in a reason
constexpr std::size_t maxOutput = 300;  // code points of one result in the summary

std::string shortened(std::string_view text, std::size_t maxCodePoints)
{
    const std::string valid = core::toValidUtf8(core::trimBlank(text));
    const std::string_view prefix = core::prefixCodePoints(valid, maxCodePoints);
    return std::string(prefix) + (prefix.size() < valid.size() ? "…" : "");
}

// How far a planned call has come.
struct Progress {
    nlohmann::json input;                      // with the numbers of steps in it
    const core::Observation *result = nullptr; // what came of it, if it was made
    bool ready = true;                         // all it refers to has succeeded

    bool succeeded() const { return result && result->succeeded; }
};

// Whether the observed call is the planned one: what was planned is in it, beside defaults.
bool isCall(const core::Observation &observation, const std::string &tool,
            const nlohmann::json &input)
{
    if (observation.tool != tool || !observation.input.is_object())
        return false;
    return std::all_of(input.items().begin(), input.items().end(), [&](const auto &item) {
        const auto it = observation.input.find(item.key());
        return it != observation.input.end() && *it == item.value();
    });
}

// Compares the plan with what has happened.
class Review {
public:
    Review(const GoalPlan &plan, const std::vector<core::Observation> &observations)
        : m_plan(plan)
        , m_observations(observations)
        , m_taken(observations.size(), false)
        , m_progress(plan.calls.size())
    {
        for (std::size_t i = 0; i < plan.calls.size(); ++i) {
            m_progress[i].input = plan.calls[i].input;
            if (plan.calls[i].needs.empty())
                m_progress[i].result = takeResult(i, true);
        }
        for (std::size_t i = 0; i < plan.calls.size(); ++i) {
            if (!plan.calls[i].needs.empty())
                review(i);
        }
        for (const core::Observation &observation : observations)
            m_failures[observation.tool] += observation.succeeded    ? 0
                                            : isRefusal(observation) ? 2
                                                                     : 1;
    }

    const Progress &at(std::size_t index) const { return m_progress[index]; }

    bool isGivenUp(const std::string &tool) const
    {
        const auto it = m_failures.find(tool);
        return it != m_failures.end() && it->second >= failuresUntilGivenUp;
    }

private:
    // A call that refers to others: the numbers of their steps are known once they are done. What
    // was observed may hold the reference or the number it stands for, so the order decides.
    void review(std::size_t index)
    {
        Progress &progress = m_progress[index];
        for (const std::size_t need : m_plan.calls[index].needs) {
            const Progress &needed = m_progress[need];
            progress.ready &= needed.succeeded();
            if (progress.ready)
                replaceReference(progress.input, need, needed.result->step);
        }
        if (!progress.ready)
            return;
        progress.result = takeResult(index, true);
        if (!progress.result)
            progress.result = takeResult(index, false);
    }

    static void replaceReference(nlohmann::json &input, std::size_t need, int step)
    {
        const std::string from = referenceTo(need);
        const std::string to = "[" + std::to_string(step) + "]";
        for (nlohmann::json &value : input) {
            auto text = value.get<std::string>();
            for (std::size_t at = text.find(from); at != std::string::npos;
                 at = text.find(from, at + to.size()))
                text.replace(at, from.size(), to);
            value = std::move(text);
        }
    }

    const core::Observation *takeResult(std::size_t index, bool exactly)
    {
        const std::string &tool = m_plan.calls[index].tool;
        for (std::size_t i = 0; i < m_observations.size(); ++i) {
            const core::Observation &observation = m_observations[i];
            const bool fits = exactly ? isCall(observation, tool, m_progress[index].input)
                                      : observation.tool == tool;
            if (fits && !m_taken[i]) {
                m_taken[i] = true;
                return &observation;
            }
        }
        return nullptr;
    }

    const GoalPlan &m_plan;
    const std::vector<core::Observation> &m_observations;
    std::vector<bool> m_taken;
    std::vector<Progress> m_progress;
    std::map<std::string, int> m_failures;
};

std::string toolNames(const std::vector<core::ToolSpec> &tools)
{
    std::string names;
    for (const core::ToolSpec &tool : tools)
        names += (names.empty() ? "" : ", ") + tool.name;
    return names.empty() ? "none" : names;
}

// What there is to say of one planned call when the run ends.
std::string account(const PlannedCall &call, const Progress &progress, const Review &review,
                    bool finalOnly)
{
    const std::string subject = shortened(call.subject, maxSubject);
    if (progress.succeeded())
        return subject + " = " + shortened(progress.result->output, maxOutput);
    if (progress.result)
        return subject + " failed: " + shortened(progress.result->output, maxOutput);
    if (call.tool.empty())
        return subject + ": this task has no tool for it";
    if (!progress.ready)
        return subject + ": not possible without the result it needs";
    if (review.isGivenUp(call.tool))
        return subject + ": not tried, because " + call.tool + " does not work at the moment";
    return subject + (finalOnly ? ": no action is left for it" : ": not done");
}

nlohmann::ordered_json finalDecision(const GoalPlan &plan, const Review &review,
                                     const core::ModelRequest &request)
{
    if (plan.calls.empty() && plan.beyond.empty())
        return finalJson(false, "I cannot plan this goal. This offline practice model works out "
                                "arithmetic, the weather in a city and the time in a city, with "
                                "the tools of the task (" +
                                    toolNames(*request.tools) +
                                    "). Try \"What is 15 percent of 80, and what is the weather "
                                    "in Oslo in Fahrenheit?\"");
    bool satisfied = plan.beyond.empty();
    std::string summary;
    for (std::size_t i = 0; i < plan.calls.size(); ++i) {
        satisfied &= review.at(i).succeeded();
        summary += summary.empty() ? "" : "; ";
        summary += account(plan.calls[i], review.at(i), review, request.finalOnly);
    }
    for (const std::string &deed : plan.beyond)
        summary += (summary.empty() ? "" : "; ") + ("beyond this offline practice model: " + deed);
    return finalJson(satisfied, summary);
}

} // namespace

nlohmann::ordered_json practiceDecision(const core::ModelRequest &request)
{
    const GoalPlan plan = planGoal(request.goal, *request.tools);
    const Review review(plan, *request.observations);
    if (!request.finalOnly) {
        for (std::size_t i = 0; i < plan.calls.size(); ++i) {
            const PlannedCall &call = plan.calls[i];
            const Progress &progress = review.at(i);
            if (call.tool.empty() || progress.result || !progress.ready ||
                review.isGivenUp(call.tool))
                continue;
            return actionJson("The goal asks for " + shortened(call.subject, maxSubject) + ".",
                              call.tool, progress.input);
        }
    }
    return finalDecision(plan, review, request);
}

PracticeProvider::PracticeProvider(core::PracticeMistakes mistakes)
    : m_mistakes(std::move(mistakes))
{}

core::ModelOutcome PracticeProvider::generate(const core::ModelRequest &request,
                                              const core::CallContext &context,
                                              const std::function<void(std::string_view)> &onText)
{
    const auto decision = practiceDecision(request);
    std::string text = mistakeFor(m_mistakes, decision, request).value_or(jsonText(decision));
    const std::size_t length = lengthWithinTokens(text, request.maxOutputTokens);
    const bool truncated = length < text.size();
    text.resize(length);
    for (const std::string_view piece : cutIntoPieces(text, streamedPieces)) {
        if (context.stop.stop_requested())
            return core::ModelOutcome::cancelled();
        if (onText)
            onText(piece);
    }
    if (context.stop.stop_requested())
        return core::ModelOutcome::cancelled();
    return core::ModelOutcome::replied(
        {std::move(text), core::Usage(), truncated ? "length" : "stop", truncated});
}

} // namespace emend::tools
