// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tools/provider/practice/practicetext.h"

namespace emend::tools {

namespace {

using core::Category;
using Json = nlohmann::ordered_json;
using Spoilt = std::optional<std::string>;

constexpr std::array allCategories = {
    Category::EmptyResponse,      Category::InvalidJson,      Category::DecisionSchema,
    Category::UnknownTool,        Category::InvalidToolInput, Category::RepeatedFailedAction,
    Category::UnsupportedSuccess,
};

bool isAction(const Json &decision)
{
    return decision.contains("tool");
}

std::string emptyResponse(Dice &dice)
{
    static constexpr std::array<const char *, 3> replies = {"", " \n", "\n\n"};
    return replies[dice.below(replies.size())];
}

std::string invalidJson(const Json &decision, Dice &dice)
{
    std::string text = jsonText(decision);
    const std::size_t space = text.find(' '); // the first one is inside a string
    switch (dice.below(space == std::string::npos ? 4 : 5)) {
    case 0:
        return text.insert(text.size() - 1, ",");
    case 1:
        return "Sure! Here is my next step:\n\n" + text + "\n\nLet me know how it went.";
    case 2: // cut; the first two thirds never hold the last brace
        return std::string(core::prefixCodePoints(text, core::countCodePoints(text) * 2 / 3));
    case 3:
        std::replace(text.begin(), text.end(), '"', '\'');
        return text;
    default: // a line break inside a string, as models write it that are used to prose
        return text.replace(space, 1, "\n");
    }
}

std::string decisionSchema(Json decision, Dice &dice)
{
    const std::size_t kind = dice.below(4);
    if (isAction(decision)) {
        if (kind == 0)
            decision.erase("reason");
        else if (kind == 1)
            decision["reason"] = "";
        else if (kind == 2)
            decision["state"] = "tool_call";
        else
            decision["final_summary"] = "See the result of the tool.";
    } else {
        if (kind == 0)
            decision["satisfied"] = decision["satisfied"] == true ? "true" : "false";
        else if (kind == 1)
            decision["final_summary"] = "  ";
        else if (kind == 2)
            decision.erase("satisfied");
        else
            decision["state"] = "done";
    }
    return jsonText(decision);
}

Spoilt unknownTool(Json decision, const core::ModelRequest &request, Dice &dice)
{
    if (!isAction(decision))
        return std::nullopt;
    const auto name = decision["tool"].get<std::string>();
    std::string shortened = name;
    shortened.erase(name.size() / 2, 1);
    const std::array<std::string, 4> misspelt = {"fetch_" + name, name + "_tool", shortened,
                                                 name + "s"};
    const std::size_t first = dice.below(misspelt.size());
    for (std::size_t i = 0; i < misspelt.size(); ++i) {
        const std::string &wrong = misspelt[(first + i) % misspelt.size()];
        const bool exists =
            std::any_of(request.tools->begin(), request.tools->end(),
                        [&](const core::ToolSpec &tool) { return tool.name == wrong; });
        if (exists || wrong.empty())
            continue;
        decision["tool"] = wrong;
        return jsonText(decision);
    }
    return std::nullopt;
}

Spoilt invalidToolInput(Json decision, const core::ModelRequest &request, Dice &dice)
{
    if (!isAction(decision))
        return std::nullopt;
    const auto tool = std::find_if(
        request.tools->begin(), request.tools->end(),
        [&](const core::ToolSpec &candidate) { return decision["tool"] == candidate.name; });
    if (tool == request.tools->end() || !tool->schema)
        return std::nullopt;
    const Json &right = decision["tool_input"];
    std::vector<Json> wrong = {Json::object(), right, right};
    wrong[1]["verbose"] = true;
    if (!right.empty())
        wrong[2].begin().value() = Json::array({right.begin().value()});
    const std::size_t first = dice.below(wrong.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const Json &input = wrong[(first + i) % wrong.size()];
        nlohmann::json probe = input;
        if (tool->schema->apply(probe))
            continue; // this tool would take it
        decision["tool_input"] = input;
        return jsonText(decision);
    }
    return std::nullopt;
}

Spoilt repeatedFailure(const core::ModelRequest &request)
{
    if (request.finalOnly)
        return std::nullopt; // an action there would end the run
    const auto &seen = *request.observations;
    const auto failed = std::find_if(seen.rbegin(), seen.rend(), [](const core::Observation &o) {
        return !o.succeeded && !isRefusal(o);
    });
    if (failed == seen.rend())
        return std::nullopt;
    return actionText("Let me try the same thing once more.", failed->tool, failed->input);
}

Spoilt unsupportedSuccess(const core::ModelRequest &request)
{
    const auto &seen = *request.observations;
    const bool unsupported =
        !seen.empty() && std::none_of(seen.begin(), seen.end(),
                                      [](const core::Observation &o) { return o.succeeded; });
    if (!unsupported)
        return std::nullopt;
    return finalText(true, "Everything has been done as asked.");
}

std::vector<Category> categoriesOf(const core::PracticeMistakes &mistakes)
{
    std::vector<Category> result;
    for (const Category category : allCategories) {
        const auto &names = mistakes.categories;
        if (names.empty() ||
            std::find(names.begin(), names.end(), core::categoryName(category)) != names.end())
            result.push_back(category);
    }
    return result;
}

} // namespace

std::uint64_t Dice::next()
{
    m_state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

std::optional<std::string> spoiltReply(core::Category category,
                                       const nlohmann::ordered_json &decision,
                                       const core::ModelRequest &request, Dice &dice)
{
    switch (category) {
    case Category::EmptyResponse:
        return emptyResponse(dice);
    case Category::InvalidJson:
        return invalidJson(decision, dice);
    case Category::DecisionSchema:
        return decisionSchema(decision, dice);
    case Category::UnknownTool:
        return unknownTool(decision, request, dice);
    case Category::InvalidToolInput:
        return invalidToolInput(decision, request, dice);
    case Category::RepeatedFailedAction:
        return repeatedFailure(request);
    case Category::UnsupportedSuccess:
        return unsupportedSuccess(request);
    }
    return std::nullopt;
}

std::optional<std::string> mistakeFor(const core::PracticeMistakes &mistakes,
                                      const nlohmann::ordered_json &decision,
                                      const core::ModelRequest &request)
{
    Dice dice(mistakes.seed);
    dice = Dice(dice.next() ^ static_cast<std::uint64_t>(request.step));
    dice = Dice(dice.next() ^ static_cast<std::uint64_t>(request.attempt));
    if (dice.unit() >= mistakes.rate * std::pow(0.3, request.attempt))
        return std::nullopt;
    const auto categories = categoriesOf(mistakes);
    const std::size_t first = categories.empty() ? 0 : dice.below(categories.size());
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const Category category = categories[(first + i) % categories.size()];
        if (auto reply = spoiltReply(category, decision, request, dice))
            return reply;
    }
    return std::nullopt;
}

} // namespace emend::tools
