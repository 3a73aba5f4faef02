// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace emend::core {

// When a check applies (design section 8). As JSON one of
//   "always" (also absent)
//   {"query_contains": "quarter"} or a list of words, one of which is enough; without regard to
//   case
//   {"query_matches": "RE2 pattern"}
//   {"response_has": "/json/pointer"}
//   {"all": [conditions]}, {"any": [conditions]}, {"not": condition}
// A value; copies share what is compiled. Pure, any thread.
class Condition {
public:
    Condition(); // always
    // Errors carry the pointer below `pointer`.
    static Result<Condition> parse(const nlohmann::json &json, const std::string &pointer = {});

    bool holds(std::string_view query, const nlohmann::json &response) const;
    const nlohmann::json &toJson() const;

private:
    struct Node;
    std::shared_ptr<const Node> m_root; // null: always
};

} // namespace emend::core
