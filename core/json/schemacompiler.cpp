// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/json/schemanode.h"
#include "core/json/strictreader.h"

namespace emend::core {

using nlohmann::json;

namespace {

bool isAnnotation(const std::string &key)
{
    static const std::set<std::string> names = {
        "title",    "description",      "$schema",        "$id",       "$comment",
        "examples", "deprecated",       "readOnly",       "writeOnly", "format",
        "default",  "contentMediaType", "contentEncoding"};
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
            wrong(at, depth > 32 ? "nested too deep"
                                 : "a schema is an object, got " + describeForMessage(schema));
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
                return wrong(at, "unknown type " + shortJson(name));
            node.types |= it->second;
        }
    }

    void properties(Node &node, const json &value, const std::string &at, int depth)
    {
        if (!value.is_object())
            return wrong(at, "expected an object of schemas");
        for (const auto &[name, schema] : value.items()) {
            const std::string here = joinPointer(at, name);
            auto child = compile(schema, here, depth + 1);
            if (!error && child->fallback && !child->accepts(*child->fallback))
                wrong(here + "/default", "the default does not fit its own schema");
            node.properties.emplace_back(name, std::move(child));
        }
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

    void number(std::optional<json> &into, const json &value, const std::string &at)
    {
        value.is_number() ? void(into = value) : wrong(at, "expected a number");
    }

    void checkMultiple(const Node &node, const std::string &at)
    {
        if (node.multipleOf && *node.multipleOf <= 0)
            wrong(at, "expected a number above 0");
    }

    void size(std::optional<std::size_t> &into, const json &value, const std::string &at)
    {
        if (!value.is_number_integer() || value < 0)
            return wrong(at, "expected a whole number, 0 or more");
        into = value.get<std::size_t>();
    }

    bool limit(Node &node, const std::string &key, const json &value, const std::string &at)
    {
        const std::pair<std::string_view, std::optional<json> *> numbers[] = {
            {"minimum", &node.minimum},
            {"maximum", &node.maximum},
            {"exclusiveMinimum", &node.exclusiveMinimum},
            {"exclusiveMaximum", &node.exclusiveMaximum},
            {"multipleOf", &node.multipleOf}};
        for (const auto &[name, target] : numbers)
            if (key == name)
                return number(*target, value, at), checkMultiple(node, at), true;
        const std::pair<std::string_view, std::optional<std::size_t> *> sizes[] = {
            {"minLength", &node.minLength},
            {"maxLength", &node.maxLength},
            {"minItems", &node.minItems},
            {"maxItems", &node.maxItems}};
        for (const auto &[name, target] : sizes)
            if (key == name)
                return size(*target, value, at), true;
        if (key == "enum" && value.is_array() && !value.empty()) {
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
        // RE2 matches in linear time: a pattern cannot hang a run beyond the reach of a kill. It
        // has no look-around and no back references; a pattern with those is refused here.
        re2::RE2::Options options(re2::RE2::Quiet);
        node.regex = std::make_shared<const re2::RE2>(text, options);
        node.pattern = text;
        if (!node.regex->ok())
            wrong(at, "not a regular expression: " + inQuotes(text) + ": " + node.regex->error());
    }
};

Result<std::shared_ptr<const Schema>> Schema::compile(const json &schema)
{
    SchemaCompiler compiler;
    auto root = compiler.compile(schema, {});
    if (compiler.error)
        return tl::unexpected<Error>(std::move(*compiler.error));
    return std::shared_ptr<const Schema>(new Schema(std::move(root)));
}

} // namespace emend::core
