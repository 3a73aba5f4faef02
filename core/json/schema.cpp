// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/json/schema.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <regex>
#include <set>

#include "core/base/text.h"
#include "core/json/canonical.h"
#include "core/json/strictreader.h"

namespace emend::core {

using nlohmann::json;

namespace {

constexpr std::size_t maxPatternSubject = 4000; // std::regex recurses on the subject
constexpr int maxMismatches = 5;

std::string typeOf(const json &value)
{
    if (value.is_number_integer())
        return "integer";
    return value.is_number() ? "number" : value.type_name();
}

std::string shortDump(const json &value)
{
    if (value.is_string())
        return inQuotes(value.get_ref<const std::string &>(), 60);
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string_view head = prefixCodePoints(text, 60);
    return head.size() < text.size() ? std::string(head) + "…" : text;
}

std::string what(const json &value)
{
    if (value.is_null())
        return "null";
    return value.is_structured() ? typeOf(value) : typeOf(value) + " " + shortDump(value);
}

std::string lowered(const std::string &text)
{
    std::string out = text;
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::size_t editDistance(const std::string &a, const std::string &b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string closestName(const std::string &name, const std::vector<std::string> &candidates)
{
    if (name.empty() || name.size() > 200)
        return {};
    const std::string wanted = lowered(std::string(trimBlank(name)));
    std::string best;
    std::size_t bestScore = SIZE_MAX;
    for (const std::string &candidate : candidates) {
        const std::string offered = lowered(candidate);
        std::size_t score = editDistance(wanted, offered);
        // "functions.weather", "weather<|channel|>commentary", "get_weather"
        const std::size_t at = offered.size() < 3 ? std::string::npos : wanted.find(offered);
        const auto isLetter = [&](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(wanted[i])) != 0;
        };
        if (at != std::string::npos && (at == 0 || !isLetter(at - 1)) &&
            (at + offered.size() == wanted.size() || !isLetter(at + offered.size())))
            score = std::min<std::size_t>(score, 1);
        const std::size_t allowed = std::max<std::size_t>(1, offered.size() / 3);
        if (score <= allowed && score < bestScore) {
            bestScore = score;
            best = candidate;
        }
    }
    return best;
}

struct Schema::Node {
    enum Type : unsigned {
        Null = 1,
        Boolean = 2,
        Integer = 4,
        Number = 8,
        String = 16,
        Array = 32,
        Object = 64,
        Any = 127
    };
    unsigned types = Any;
    std::vector<std::pair<std::string, std::unique_ptr<Node>>> properties;
    std::vector<std::string> required;
    bool additionalAllowed = false;
    std::unique_ptr<Node> additional;
    std::optional<json> constant, fallback;
    std::vector<json> choices;
    std::optional<double> minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf;
    std::optional<std::size_t> minLength, maxLength, minItems, maxItems;
    bool uniqueItems = false;
    std::string pattern;
    std::optional<std::regex> regex;
    std::unique_ptr<Node> items, negated;
    std::vector<std::unique_ptr<Node>> anyOf, oneOf, allOf;

    struct Fault {
        std::string pointer, message, suggest;
    };
    using Faults = std::vector<Fault>;

    void check(json &value, const std::string &at, Faults &faults) const;
    void checkNumber(const json &value, const std::string &at, Faults &faults) const;
    void checkString(const json &value, const std::string &at, Faults &faults) const;
    void checkArray(json &value, const std::string &at, Faults &faults) const;
    void checkObject(json &value, const std::string &at, Faults &faults) const;
    void checkChoice(const json &value, const std::string &at, Faults &faults) const;
    void checkCombined(json &value, const std::string &at, Faults &faults) const;
    bool accepts(const json &value, json *changed = nullptr) const;
    std::string wanted() const;
};

namespace {

constexpr std::pair<std::string_view, unsigned> typeNames[] = {
    {"null", 1}, {"boolean", 2}, {"integer", 4}, {"number", 8},
    {"string", 16}, {"array", 32}, {"object", 64}};

unsigned typeBit(const json &value)
{
    switch (value.type()) {
    case json::value_t::null: return 1;
    case json::value_t::boolean: return 2;
    case json::value_t::number_integer:
    case json::value_t::number_unsigned: return 4 | 8;
    case json::value_t::number_float: return 8;
    case json::value_t::string: return 16;
    case json::value_t::array: return 32;
    default: return 64;
    }
}

bool isAnnotation(const std::string &key)
{
    static const std::set<std::string> names = {
        "title", "description", "$schema", "$id", "$comment", "examples", "deprecated",
        "readOnly", "writeOnly", "format", "default", "contentMediaType", "contentEncoding"};
    return names.contains(key) || key.starts_with("x-");
}

} // namespace

// Reads a schema document into nodes; keeps the first error.
class SchemaCompiler {
public:
    std::optional<Error> error;

    // `part`: of an allOf and its like, which does not see all properties, so that refusing
    // unknown ones there would refuse everything.
    std::unique_ptr<Schema::Node> compile(const json &schema, const std::string &at, int depth = 0,
                                          bool part = false)
    {
        auto node = std::make_unique<Schema::Node>();
        if (schema.is_boolean()) { // true: anything, false: nothing
            node->additionalAllowed = true;
            node->types = schema.get<bool>() ? Schema::Node::Any : 0U;
            return node;
        }
        if (!schema.is_object() || depth > 32) {
            wrong(at, depth > 32 ? "nested too deep" : "a schema is an object, got " + what(schema));
            return node;
        }
        node->additionalAllowed = part || isOpen(schema);
        for (const auto &[key, value] : schema.items()) {
            const std::string here = joinPointer(at, key);
            if (key == "default")
                node->fallback = value;
            if (!isAnnotation(key) && !structural(*node, key, value, here, depth) &&
                !limit(*node, key, value, here))
                wrong(here, "unsupported schema keyword " + inQuotes(key));
        }
        return node;
    }

private:
    using Node = Schema::Node;

    // An object that is described by other means than a list of properties.
    static bool isOpen(const json &schema)
    {
        return !schema.contains("properties") &&
               (schema.contains("const") || schema.contains("enum") || schema.contains("anyOf") ||
                schema.contains("oneOf") || schema.contains("allOf") || schema.contains("not"));
    }

    void wrong(const std::string &at, std::string message)
    {
        if (!error)
            error = Error{ErrorCode::BadValue, std::move(message), {}, at, 0, 0};
    }

    void types(Node &node, const json &value, const std::string &at)
    {
        node.types = 0;
        for (const json &name : value.is_array() ? value : json::array({value})) {
            const auto it = std::find_if(std::begin(typeNames), std::end(typeNames),
                                         [&](const auto &entry) { return name == entry.first; });
            if (it == std::end(typeNames))
                return wrong(at, "unknown type " + shortDump(name));
            node.types |= it->second;
        }
    }

    void properties(Node &node, const json &value, const std::string &at, int depth)
    {
        if (!value.is_object())
            return wrong(at, "expected an object of schemas");
        for (const auto &[name, schema] : value.items())
            node.properties.emplace_back(name, compile(schema, joinPointer(at, name), depth + 1));
    }

    void list(std::vector<std::unique_ptr<Node>> &into, const json &value, const std::string &at,
              int depth)
    {
        if (!value.is_array() || value.empty())
            return wrong(at, "expected a list of schemas");
        for (std::size_t i = 0; i < value.size(); ++i)
            into.push_back(compile(value[i], at + "/" + std::to_string(i), depth + 1, true));
    }

    bool structural(Node &node, const std::string &key, const json &value, const std::string &at,
                    int depth)
    {
        if (key == "type") {
            types(node, value, at);
        } else if (key == "properties") {
            properties(node, value, at, depth);
        } else if (key == "required") {
            for (const json &name : value)
                name.is_string() ? node.required.push_back(name.get<std::string>())
                                 : wrong(at, "expected a list of names");
        } else if (key == "additionalProperties") {
            node.additionalAllowed = !value.is_boolean() || value.get<bool>();
            if (!value.is_boolean())
                node.additional = compile(value, at, depth + 1);
        } else if (key == "items") {
            node.items = compile(value, at, depth + 1);
        } else if (key == "not") {
            node.negated = compile(value, at, depth + 1, true);
        } else if (key == "anyOf") {
            list(node.anyOf, value, at, depth);
        } else if (key == "oneOf") {
            list(node.oneOf, value, at, depth);
        } else if (key == "allOf") {
            list(node.allOf, value, at, depth);
        } else {
            return false;
        }
        return true;
    }

    void number(std::optional<double> &into, const json &value, const std::string &at)
    {
        value.is_number() ? void(into = value.get<double>()) : wrong(at, "expected a number");
    }

    void size(std::optional<std::size_t> &into, const json &value, const std::string &at)
    {
        if (!value.is_number_integer() || value < 0)
            return wrong(at, "expected a whole number, 0 or more");
        into = value.get<std::size_t>();
    }

    bool limit(Node &node, const std::string &key, const json &value, const std::string &at)
    {
        const std::pair<std::string_view, std::optional<double> *> numbers[] = {
            {"minimum", &node.minimum},
            {"maximum", &node.maximum},
            {"exclusiveMinimum", &node.exclusiveMinimum},
            {"exclusiveMaximum", &node.exclusiveMaximum},
            {"multipleOf", &node.multipleOf}};
        for (const auto &[name, target] : numbers)
            if (key == name)
                return number(*target, value, at), true;
        const std::pair<std::string_view, std::optional<std::size_t> *> sizes[] = {
            {"minLength", &node.minLength},
            {"maxLength", &node.maxLength},
            {"minItems", &node.minItems},
            {"maxItems", &node.maxItems}};
        for (const auto &[name, target] : sizes)
            if (key == name)
                return size(*target, value, at), true;
        if (key == "enum" && value.is_array()) {
            node.choices.assign(value.begin(), value.end());
        } else if (key == "const") {
            node.constant = value;
        } else if (key == "uniqueItems" && value.is_boolean()) {
            node.uniqueItems = value.get<bool>();
        } else if (key == "pattern" && value.is_string()) {
            pattern(node, value.get<std::string>(), at);
        } else {
            return false;
        }
        return true;
    }

    void pattern(Node &node, const std::string &text, const std::string &at)
    {
        try { // std::regex knows no other way to say that a pattern is wrong
            node.regex.emplace(text, std::regex::ECMAScript);
            node.pattern = text;
        } catch (const std::regex_error &) {
            wrong(at, "not a regular expression: " + inQuotes(text));
        }
    }
};

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
        if (const std::string_view trimmed = trimJsonSpace(text); trimmed.size() != text.size())
            text = std::string(trimmed);
    }
    if (value.is_number_float() && (types & Integer)) {
        const Decimal exact = Decimal::fromDouble(value.get<double>());
        if (const auto whole = exact.toInt64())
            value = *whole;
    }
    if (!(types & typeBit(value))) {
        std::string message = "expected " + wanted() + ", got " + what(value);
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
        faults.push_back({at, "expected " + shortDump(*constant) + ", got " + what(value), {}});
    if (choices.empty())
        return;
    const std::string canonical = canonicalText(value);
    std::string offered;
    std::vector<std::string> names;
    for (const json &choice : choices) {
        if (canonicalText(choice) == canonical)
            return;
        offered += (offered.empty() ? "" : ", ") + shortDump(choice);
        if (choice.is_string())
            names.push_back(choice.get<std::string>());
    }
    std::string suggest = value.is_string() ? closestName(value.get<std::string>(), names) : "";
    std::string message = "expected one of " + offered + ", got " + what(value);
    if (!suggest.empty())
        message += "; did you mean " + inQuotes(suggest) + "?";
    faults.push_back({at, std::move(message), std::move(suggest)});
}

void Schema::Node::checkNumber(const json &value, const std::string &at, Faults &faults) const
{
    const double number = value.get<double>();
    const auto fault = [&](bool bad, std::string_view words, double limit) {
        if (bad)
            faults.push_back({at,
                              "expected a number " + std::string(words) + " " +
                                  Decimal::fromDouble(limit).text() + ", got " + shortDump(value),
                              {}});
    };
    if (minimum)
        fault(number < *minimum, "of at least", *minimum);
    if (maximum)
        fault(number > *maximum, "of at most", *maximum);
    if (exclusiveMinimum)
        fault(number <= *exclusiveMinimum, "above", *exclusiveMinimum);
    if (exclusiveMaximum)
        fault(number >= *exclusiveMaximum, "below", *exclusiveMaximum);
    if (multipleOf && *multipleOf > 0)
        fault(std::fabs(std::remainder(number, *multipleOf)) > 1e-9 * *multipleOf,
              "that is a multiple of", *multipleOf);
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
    if (!regex)
        return;
    if (text.size() > maxPatternSubject)
        faults.push_back({at, "too long to be matched against " + inQuotes(pattern), {}});
    else if (!std::regex_search(text, *regex))
        faults.push_back({at, "expected text matching " + inQuotes(pattern) + ", got " + what(value), {}});
}

void Schema::Node::checkArray(json &value, const std::string &at, Faults &faults) const
{
    if (minItems && value.size() < *minItems)
        faults.push_back({at, "expected at least " + std::to_string(*minItems) + " items, got " +
                                  std::to_string(value.size()), {}});
    if (maxItems && value.size() > *maxItems)
        faults.push_back({at, "expected at most " + std::to_string(*maxItems) + " items, got " +
                                  std::to_string(value.size()), {}});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string here = at + "/" + std::to_string(i);
        if (items)
            items->check(value[i], here, faults);
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
        } else if (!additionalAllowed) {
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
        if (value.contains(name))
            node->check(value[name], joinPointer(at, name), faults);
        else if (node->fallback)
            value[name] = *node->fallback;
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
    if (!anyOf.empty() &&
        std::none_of(anyOf.begin(), anyOf.end(), [&](auto &n) { return n->accepts(value, &value); }))
        faults.push_back({at, "fits none of the allowed forms", {}});
    if (!oneOf.empty()) {
        const auto fitting = std::count_if(oneOf.begin(), oneOf.end(),
                                           [&](const auto &node) { return node->accepts(value); });
        if (fitting != 1)
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
{
}

Schema::~Schema() = default;

Result<std::shared_ptr<const Schema>> Schema::compile(const json &schema)
{
    SchemaCompiler compiler;
    auto root = compiler.compile(schema, {});
    if (compiler.error)
        return tl::unexpected<Error>(std::move(*compiler.error));
    return std::shared_ptr<const Schema>(new Schema(std::move(root)));
}

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

bool Schema::acceptsEmptyObject() const
{
    return m_root->accepts(json::object());
}

} // namespace emend::core
