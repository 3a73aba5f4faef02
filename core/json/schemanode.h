// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <re2/re2.h>

#include "core/json/schema.h"

// The inside of Schema, shared by its compiler and its checker only.
namespace emend::core {

constexpr std::pair<std::string_view, unsigned> typeNames[] = {
    {"null", 1},    {"boolean", 2}, {"integer", 4}, {"number", 8},
    {"string", 16}, {"array", 32},  {"object", 64}};

struct Schema::Node {
    using json = nlohmann::json;

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
    std::optional<json> minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf;
    std::optional<std::size_t> minLength, maxLength, minItems, maxItems;
    bool uniqueItems = false;
    std::string pattern;
    std::shared_ptr<const re2::RE2> regex;
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

// "integer 3", "string \"x\"", "object": what came, for a message.
std::string describeForMessage(const nlohmann::json &value);
// The value as short JSON.
std::string shortJson(const nlohmann::json &value);

} // namespace emend::core
