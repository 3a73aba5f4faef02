// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace emend::core {

// What does not fit: where (RFC 6901 pointer into the value, below the prefix given), what was
// wanted and what came, in one sentence a model can act on. Up to four more mismatches follow in
// the message, so that one correction can mend them all.
struct SchemaMismatch {
    std::string pointer;
    std::string message;
    std::string suggest; // a name or value that was probably meant; empty if none
};

// A compiled JSON Schema (2020-12, the subset that describes tool arguments: type, properties,
// required, additionalProperties, enum, const, minimum/maximum and their exclusive forms,
// multipleOf, minLength/maxLength, pattern, items, minItems/maxItems, uniqueItems, anyOf, oneOf,
// allOf, not, default; annotations are ignored). A keyword outside the subset is refused at
// compile time, because ignoring it would let through what its author meant to forbid.
// For objects additionalProperties defaults to false (design section 4: unknown parameters are
// refused), except where they are described by const, enum or a combination. Immutable, any thread.
class Schema {
public:
    static Result<std::shared_ptr<const Schema>> compile(const nlohmann::json &schema);
    ~Schema();

    // Trims strings, fills in defaults and turns integral numbers into integers where an integer is
    // wanted, in place; then validates. First mismatch in document order of the schema.
    // `prefix` is put before each pointer.
    tl::expected<void, SchemaMismatch> apply(nlohmann::json &value,
                                             const std::string &prefix = {}) const;

    // The same, with every mismatch that was found in a place of its own.
    std::vector<SchemaMismatch> mismatches(nlohmann::json &value) const;

    // True if `{}` satisfies the schema, so that an absent input can only mean an empty one.
    bool acceptsEmptyObject() const;

private:
    struct Node;
    friend class SchemaCompiler;
    explicit Schema(std::unique_ptr<Node> root);
    std::unique_ptr<Node> m_root;
};

} // namespace emend::core
