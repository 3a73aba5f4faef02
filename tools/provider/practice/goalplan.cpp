// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/goalplan.h"

#include <algorithm>
#include <utility>

#include "tools/provider/practice/goalarithmetic.h"
#include "tools/provider/practice/goalplaces.h"
#include "tools/provider/practice/goaltokens.h"

namespace emend::tools {

namespace {

using Kind = GoalToken::Kind;

constexpr std::size_t maxCalls = 100; // a goal is foreign text

constexpr std::string_view weatherWords =
    "weather temperature temperatures forecast warm warmer warmest hot hotter hottest cold colder "
    "coldest rain raining rainy sunny snow snowing windy";
// What people ask of assistants and no offline planner can do.
constexpr std::string_view otherDeeds =
    "write poem essay email e-mail mail send buy translate search browse google download delete "
    "summarize summarise remind joke story paint program debug";

class Planner {
public:
    Planner(std::string_view goal, const std::vector<core::ToolSpec> &tools)
        : m_tokens(goalTokens(goal))
        , m_tools(tools)
    {}

    GoalPlan plan()
    {
        std::size_t i = 0;
        while (m_tokens[i].kind != Kind::End && m_plan.calls.size() < maxCalls)
            i = planAt(i);
        if (m_toFahrenheit)
            convertWeather();
        if (m_toCompare && m_weather.size() >= 2)
            compareWeather();
        if (m_plan.calls.empty() && m_weatherNowhere)
            m_plan.beyond.push_back("the weather without the name of a place");
        return std::move(m_plan);
    }

private:
    std::size_t planAt(std::size_t i);
    void planWeather(std::size_t keyword);
    bool planTime(std::size_t keyword);
    bool isTimeQuestion(std::size_t keyword) const;
    void convertWeather();
    void compareWeather();
    std::size_t addCalculation(std::string expression, std::string subject = {});
    std::size_t add(PlannedCall call);
    const core::ToolSpec *toolLike(std::string_view name, std::string_view part) const;

    std::vector<GoalToken> m_tokens;
    const std::vector<core::ToolSpec> &m_tools;
    GoalPlan m_plan;
    std::vector<std::size_t> m_weather; // the calls for weather …
    std::size_t m_converted = 0;        // … and how many of them have been converted
    std::string m_previous;             // what "it" means
    bool m_toFahrenheit = false;
    bool m_toCompare = false;
    bool m_weatherNowhere = false;
};

// The tool's parameter that takes the one text it needs: the first of `names` it has, else the
// first required one, else the first of them all.
std::string parameterOf(const core::ToolSpec *tool, std::vector<std::string> names)
{
    const nlohmann::json *schema = tool ? &tool->inputSchema : nullptr;
    if (!schema || !schema->is_object() || !schema->contains("properties"))
        return names.front();
    const nlohmann::json &properties = schema->at("properties");
    for (const std::string &name : names) {
        if (properties.contains(name))
            return name;
    }
    const auto required = schema->find("required");
    if (required != schema->end() && required->is_array() && !required->empty() &&
        required->front().is_string())
        return required->front().get<std::string>();
    return properties.is_object() && !properties.empty() ? properties.begin().key() : names.front();
}

std::size_t Planner::planAt(std::size_t i)
{
    const GoalToken &token = m_tokens[i];
    if (isOneOf(token, weatherWords)) {
        planWeather(i);
        m_toCompare |= isOneOf(token, "warmer warmest hotter hottest colder coldest");
        return i + 1;
    }
    if (token.kind == Kind::Word && planTime(i))
        return i + 1;
    if (const auto found = calculationAt(m_tokens, i, m_previous)) {
        m_previous = referenceTo(addCalculation(found->expression));
        return found->end;
    }
    if (isOneOf(token, "fahrenheit °f")) {
        m_toFahrenheit = true;
        convertWeather();
    }
    m_toCompare |= isOneOf(token, "difference average mean compare");
    if (isOneOf(token, otherDeeds))
        m_plan.beyond.push_back("\"" + token.text + "\"");
    return i + 1;
}

const core::ToolSpec *Planner::toolLike(std::string_view name, std::string_view part) const
{
    const auto exact = std::find_if(m_tools.begin(), m_tools.end(),
                                    [&](const core::ToolSpec &tool) { return tool.name == name; });
    if (exact != m_tools.end())
        return &*exact;
    const auto like = std::find_if(m_tools.begin(), m_tools.end(), [&](const core::ToolSpec &tool) {
        return tool.name.find(part) != std::string::npos;
    });
    return like == m_tools.end() ? nullptr : &*like;
}

// Adds the call unless it is planned already; its index.
std::size_t Planner::add(PlannedCall call)
{
    const auto same =
        std::find_if(m_plan.calls.begin(), m_plan.calls.end(), [&](const PlannedCall &planned) {
            return planned.tool == call.tool && planned.subject == call.subject &&
                   planned.input == call.input;
        });
    const auto index = static_cast<std::size_t>(same - m_plan.calls.begin());
    if (same == m_plan.calls.end())
        m_plan.calls.push_back(std::move(call));
    return index;
}

std::size_t Planner::addCalculation(std::string expression, std::string subject)
{
    const core::ToolSpec *tool = toolLike("calculator", "calc");
    PlannedCall call;
    call.tool = tool ? tool->name : "";
    for (std::size_t i = 0; i < m_plan.calls.size(); ++i) {
        if (expression.find(referenceTo(i)) != std::string::npos)
            call.needs.push_back(i);
    }
    if (subject.empty())
        subject = call.needs.empty()
                      ? expression
                      : "the next calculation with " + m_plan.calls[call.needs.back()].subject;
    call.subject = std::move(subject);
    call.input = {{parameterOf(tool, {"expression", "formula", "query"}), std::move(expression)}};
    return add(std::move(call));
}

void Planner::planWeather(std::size_t keyword)
{
    const core::ToolSpec *tool = toolLike("weather", "weather");
    const auto places = placesFor(m_tokens, keyword);
    m_weatherNowhere |= places.empty();
    for (const std::string &place : places) {
        const std::size_t index = add({tool ? tool->name : "",
                                       "the weather in " + place,
                                       {{parameterOf(tool, {"city", "location", "place"}), place}},
                                       {}});
        if (std::find(m_weather.begin(), m_weather.end(), index) == m_weather.end())
            m_weather.push_back(index);
        m_previous = referenceTo(index);
    }
}

bool Planner::isTimeQuestion(std::size_t keyword) const
{
    const GoalToken &next = m_tokens[keyword + 1];
    const bool followed = isOneOf(next, "in at is now for here difference and zone today");
    const bool asked = keyword > 0 && isOneOf(m_tokens[keyword - 1],
                                              "what current local exact the today's and get");
    return isOneOf(m_tokens[keyword], "time date clock o'clock") && (followed || asked);
}

bool Planner::planTime(std::size_t keyword)
{
    if (!isTimeQuestion(keyword))
        return false;
    const core::ToolSpec *tool = toolLike("get_time", "time");
    const std::string parameter =
        parameterOf(tool, {"timezone", "time_zone", "zone", "tz", "city"});
    auto places = placesFor(m_tokens, keyword);
    if (places.empty())
        places.push_back("UTC");
    for (const std::string &place : places) {
        const bool byCity = parameter == "city" || parameter == "location";
        add({tool ? tool->name : "",
             "the time in " + place,
             {{parameter, byCity ? place : timeZoneOf(place)}},
             {}});
    }
    return true;
}

void Planner::convertWeather()
{
    for (; m_converted < m_weather.size(); ++m_converted) {
        const std::size_t index = m_weather[m_converted];
        const std::size_t calculation = addCalculation(
            referenceTo(index) + " * 9 / 5 + 32", m_plan.calls[index].subject + " in Fahrenheit");
        m_previous = referenceTo(calculation);
    }
}

void Planner::compareWeather()
{
    const bool average = std::any_of(m_tokens.begin(), m_tokens.end(), [](const GoalToken &token) {
        return isOneOf(token, "average mean");
    });
    std::string expression = referenceTo(m_weather[0]);
    const std::size_t count = average ? m_weather.size() : 2;
    for (std::size_t i = 1; i < count; ++i)
        expression += (average ? " + " : " - ") + referenceTo(m_weather[i]);
    if (average)
        expression = "(" + expression + ") / " + std::to_string(count);
    addCalculation(std::move(expression),
                   average ? "the average temperature" : "the difference in temperature");
}

} // namespace

std::string referenceTo(std::size_t index)
{
    return "[@" + std::to_string(index) + "]";
}

GoalPlan planGoal(std::string_view goal, const std::vector<core::ToolSpec> &tools)
{
    return Planner(goal, tools).plan();
}

} // namespace emend::tools
