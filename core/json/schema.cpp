// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/schemanode.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/closest.h"
#include "core/base/text.h"
#include "core/json/canonical.h"
#include "core/json/strictreader.h"

namespace emend::core {

using nlohmann::json;

namespace {

constexpr int maxMismatches = 5;

void trimString(std::string &text)
{
    if (const std::string_view trimmed = trimBlank(text); trimmed.size() != text.size())
        text = std::string(trimmed);
}

// Whole numbers exactly; fractions as far as a double can tell, but next to nothing is no multiple.
bool isMultiple(const json &value, const json &of)
{
    if (value.is_number_unsigned() && of.is_number_unsigned())
        return value.get<std::uint64_t>() % of.get<std::uint64_t>() == 0;
    if (value.is_number_integer() && of.is_number_integer())
        return value.get<std::int64_t>() % of.get<std::int64_t>() == 0;
    const double number = std::fabs(value.get<double>()), step = of.get<double>();
    if (number == 0)
        return true;
    return number > step / 2 && std::fabs(std::remainder(number, step)) <= 1e-9 * step;
}

// Where no schema says more, strings are trimmed all the same, so that blanks make no new action.
void trimStrings(json &value)
{
    if (value.is_string())
        trimString(value.get_ref<std::string &>());
    else if (value.is_structured())
        for (json &element : value)
            trimStrings(element);
}

std::string typeOf(const json &value)
{
    if (value.is_number_integer())
        return "integer";
    return value.is_number() ? "number" : value.type_name();
}

} // namespace

std::string shortJson(const json &value)
{
    if (value.is_string())
        return inQuotes(value.get_ref<const std::string &>(), 60);
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string_view head = prefixCodePoints(text, 60);
    return head.size() < text.size() ? std::string(head) + "…" : text;
}

std::string describeForMessage(const json &value)
{
    if (value.is_null())
        return "null";
    return value.is_structured() ? typeOf(value) : typeOf(value) + " " + shortJson(value);
}

namespace {

unsigned typeBit(const json &value)
{
    switch (value.type()) {
    case json::value_t::null:
        return 1;
    case json::value_t::boolean:
        return 2;
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
        return 4 | 8;
    case json::value_t::number_float:
        return 8;
    case json::value_t::string:
        return 16;
    case json::value_t::array:
        return 32;
    default:
        return 64;
    }
}

} // namespace

std::string Schema::Node::wanted() const
{
    std::string out;
    for (const auto &[name, bit] : typeNames)
        if (types & bit)
            out += (out.empty() ? "" : " or ") + std::string(name);
    return out.empty() ? "nothing" : out;
}

void Schema::Node::check(json &value, const std::string &at, Faults &faults) const
{
    if (faults.size() >= maxMismatches)
        return;
    if (value.is_string() && (types & String)) {
        auto &text = value.get_ref<std::string &>();
        trimString(text);
    }
    if (value.is_number_float() && (types & Integer)) {
        const Decimal exact = Decimal::fromDouble(value.get<double>());
        if (const auto whole = exact.toInt64())
            value = *whole;
    }
    if (!(types & typeBit(value))) {
        std::string message = "expected " + wanted() + ", got " + describeForMessage(value);
        if (value.is_null())
            message += "; leave the key out if there is nothing to say";
        faults.push_back({at, std::move(message), {}});
        return;
    }
    checkChoice(value, at, faults);
    if (value.is_number())
        checkNumber(value, at, faults);
    else if (value.is_string())
        checkString(value, at, faults);
    else if (value.is_array())
        checkArray(value, at, faults);
    else if (value.is_object())
        checkObject(value, at, faults);
    checkCombined(value, at, faults);
}

void Schema::Node::checkChoice(const json &value, const std::string &at, Faults &faults) const
{
    if (constant && canonicalText(*constant) != canonicalText(value))
        faults.push_back(
            {at, "expected " + shortJson(*constant) + ", got " + describeForMessage(value), {}});
    if (choices.empty())
        return;
    const std::string canonical = canonicalText(value);
    std::string offered;
    std::vector<std::string> names;
    for (const json &choice : choices) {
        if (canonicalText(choice) == canonical)
            return;
        offered += (offered.empty() ? "" : ", ") + shortJson(choice);
        if (choice.is_string())
            names.push_back(choice.get<std::string>());
    }
    std::string suggest = value.is_string() ? closestName(value.get<std::string>(), names) : "";
    std::string message = "expected one of " + offered + ", got " + describeForMessage(value);
    if (!suggest.empty())
        message += "; did you mean " + inQuotes(suggest) + "?";
    faults.push_back({at, std::move(message), std::move(suggest)});
}

void Schema::Node::checkNumber(const json &value, const std::string &at, Faults &faults) const
{
    const auto fault = [&](const std::optional<json> &limit, auto bad, std::string_view words) {
        if (limit && bad(value, *limit))
            faults.push_back({at,
                              "expected a number " + std::string(words) + " " + shortJson(*limit) +
                                  ", got " + shortJson(value),
                              {}});
    };
    // nlohmann compares integers as integers
    fault(
        minimum, [](const json &v, const json &l) { return v < l; }, "of at least");
    fault(
        maximum, [](const json &v, const json &l) { return v > l; }, "of at most");
    fault(
        exclusiveMinimum, [](const json &v, const json &l) { return v <= l; }, "above");
    fault(
        exclusiveMaximum, [](const json &v, const json &l) { return v >= l; }, "below");
    fault(
        multipleOf, [](const json &v, const json &l) { return !isMultiple(v, l); },
        "that is a multiple of");
}

void Schema::Node::checkString(const json &value, const std::string &at, Faults &faults) const
{
    const auto &text = value.get_ref<const std::string &>();
    const std::size_t length = countCodePoints(text);
    if (minLength && length < *minLength)
        faults.push_back({at,
                          length == 0 ? "must not be empty"
                                      : "expected at least " + std::to_string(*minLength) +
                                            " characters, got " + std::to_string(length),
                          {}});
    if (maxLength && length > *maxLength)
        faults.push_back({at,
                          "expected at most " + std::to_string(*maxLength) + " characters, got " +
                              std::to_string(length),
                          {}});
    if (regex && !re2::RE2::PartialMatch(text, *regex))
        faults.push_back(
            {at,
             "expected text matching " + inQuotes(pattern) + ", got " + describeForMessage(value),
             {}});
}

void Schema::Node::checkArray(json &value, const std::string &at, Faults &faults) const
{
    if (minItems && value.size() < *minItems)
        faults.push_back({at,
                          "expected at least " + std::to_string(*minItems) + " items, got " +
                              std::to_string(value.size()),
                          {}});
    if (maxItems && value.size() > *maxItems)
        faults.push_back({at,
                          "expected at most " + std::to_string(*maxItems) + " items, got " +
                              std::to_string(value.size()),
                          {}});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string here = at + "/" + std::to_string(i);
        if (items)
            items->check(value[i], here, faults);
        else
            trimStrings(value[i]);
        if (uniqueItems && !seen.insert(canonicalText(value[i])).second)
            faults.push_back({here, "appears twice in a list of unique items", {}});
    }
}

void Schema::Node::checkObject(json &value, const std::string &at, Faults &faults) const
{
    std::vector<std::string> names;
    for (const auto &[name, node] : properties)
        names.push_back(name);
    for (auto it = value.begin(); it != value.end(); ++it) {
        if (std::find(names.begin(), names.end(), it.key()) != names.end())
            continue;
        const std::string here = joinPointer(at, it.key());
        if (additional) {
            additional->check(it.value(), here, faults);
        } else if (additionalAllowed) {
            trimStrings(it.value());
        } else {
            std::string suggest = closestName(it.key(), names);
            std::string message = "unknown parameter";
            message += suggest.empty() ? "" : "; did you mean " + inQuotes(suggest) + "?";
            if (suggest.empty() && names.empty())
                message += "; no parameters are taken";
            for (std::size_t i = 0; suggest.empty() && i < names.size(); ++i)
                message += (i == 0 ? "; known: " : ", ") + names[i];
            faults.push_back({here, std::move(message), std::move(suggest)});
        }
    }
    for (const std::string &name : required)
        if (!value.contains(name))
            faults.push_back({joinPointer(at, name), "missing, and required", {}});
    for (const auto &[name, node] : properties) {
        if (!value.contains(name) && node->fallback)
            value[name] = *node->fallback;
        if (value.contains(name)) // a default may have defaults inside
            node->check(value[name], joinPointer(at, name), faults);
    }
}

bool Schema::Node::accepts(const json &value, json *changed) const
{
    json copy = value;
    Faults faults;
    check(copy, {}, faults);
    if (faults.empty() && changed != nullptr)
        *changed = std::move(copy);
    return faults.empty();
}

void Schema::Node::checkCombined(json &value, const std::string &at, Faults &faults) const
{
    for (const auto &node : allOf)
        node->check(value, at, faults);
    if (!anyOf.empty() && std::none_of(anyOf.begin(), anyOf.end(),
                                       [&](auto &n) { return n->accepts(value, &value); }))
        faults.push_back({at, "fits none of the allowed forms", {}});
    if (!oneOf.empty()) {
        json kept;
        const auto fitting = std::count_if(oneOf.begin(), oneOf.end(), [&](const auto &node) {
            return node->accepts(value, &kept);
        });
        if (fitting == 1)
            value = std::move(kept);
        else
            faults.push_back({at,
                              fitting == 0 ? "fits none of the allowed forms"
                                           : "fits more than one of the allowed forms",
                              {}});
    }
    if (negated && negated->accepts(value))
        faults.push_back({at, "has a form that is forbidden", {}});
}

Schema::Schema(std::unique_ptr<Node> root)
    : m_root(std::move(root))
{}

Schema::~Schema() = default;

tl::expected<void, SchemaMismatch> Schema::apply(json &value, const std::string &prefix) const
{
    Node::Faults faults;
    m_root->check(value, prefix, faults);
    if (faults.empty())
        return {};
    SchemaMismatch mismatch{faults[0].pointer, faults[0].message, faults[0].suggest};
    for (std::size_t i = 1; i < faults.size(); ++i)
        mismatch.message += "; also " + faults[i].pointer + ": " + faults[i].message;
    return tl::unexpected<SchemaMismatch>(std::move(mismatch));
}

std::vector<SchemaMismatch> Schema::mismatches(json &value) const
{
    Node::Faults faults;
    m_root->check(value, {}, faults);
    std::vector<SchemaMismatch> all;
    for (Node::Fault &fault : faults)
        all.push_back(
            {std::move(fault.pointer), std::move(fault.message), std::move(fault.suggest)});
    return all;
}

bool Schema::acceptsEmptyObject() const
{
    return m_root->accepts(json::object());
}

} // namespace emend::core
