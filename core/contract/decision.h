// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/run/ports.h"

// The decision contract (design section 4): from the raw text of a reply to a decision, or to the
// category and the place of what is wrong with it.
namespace emend::core {

// In the order in which they are looked for; the first match wins.
enum class Category : std::uint8_t {
    EmptyResponse,
    InvalidJson,
    DecisionSchema,
    UnknownTool,
    InvalidToolInput,
    RepeatedFailedAction,
    UnsupportedSuccess,
};
std::string_view categoryName(Category category); // "empty_response" …

struct Decision {
    enum class Kind : std::uint8_t { Action, Final } kind = Kind::Final;
    // action
    std::string reason;
    std::string tool;
    nlohmann::json toolInput; // validated, defaults filled in
    // final
    bool satisfied = false;
    std::string finalSummary;
};

struct Rejection {
    Category category = Category::InvalidJson;
    std::string error;                  // for the model and the person, English
    std::optional<Place> place;         // in the reply as received
    std::optional<std::string> pointer; // RFC 6901
    std::string suggest;                // a name that was probably meant; never acted on
};

struct ReadReply {
    std::optional<Decision> decision;   // either this
    std::optional<Rejection> rejection; // or this
    std::vector<std::string> normalisations;
    std::vector<std::string> extraKeys;
    std::vector<std::string> warnings; // accepted, but worth a look
};

struct ContractOptions {
    bool acceptWrappers = true;
    int maxDepth = 128;
};

// Reads and validates one reply against the tools of the task. Pure.
ReadReply readReply(std::string_view reply, const std::vector<ToolSpec> &tools,
                    const ContractOptions &options = {});

// The decision as JSON in the contract's own form.
nlohmann::json decisionToJson(const Decision &decision);

} // namespace emend::core
