// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/check/check.h"

namespace emend::core {

// A `*.checks.json` file (design section 8):
//   {"emend":"checks","version":1,"name":"data_query","title":"…","description":"…","checks":[…]}
struct CheckPack {
    std::string name;
    std::string title;
    std::string description;
    std::vector<CheckSpec> checks;
};

// Errors carry line, column and pointer: an unknown validator (with the nearest name), arguments
// that do not fit its schema, a name given twice, a `depends_on` that names nothing.
Result<CheckPack> parseCheckPack(std::string_view text, const CheckValidators &validators);
// The pack as a file, keys in the order of the documentation, defaults left out.
std::string checkPackToText(const CheckPack &pack);

// So that each check comes behind what it depends on, else in the order given. An error of code
// Cycle names the cycle: "a -> b -> a".
Result<std::vector<CheckSpec>> inDependencyOrder(std::vector<CheckSpec> checks);

} // namespace emend::core
