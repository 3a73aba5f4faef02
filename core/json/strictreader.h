// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace emend::core {

// Why a text is not JSON, and the first byte that no JSON text can have there (the text's size if
// it was cut; the backslash of a lone surrogate; the second key of a duplicate).
struct JsonSyntaxError {
    std::size_t offset = 0;
    std::string message;
    bool inString = false;
};

// A number whose digits a 64-bit integer or a double cannot keep, and where it stands.
struct InexactNumber {
    std::string pointer;
    std::string digits;
};

struct StrictJson {
    nlohmann::json value;
    std::vector<std::string> rootKeys; // of a root object, in the order of the text
    std::vector<InexactNumber> inexact;
};

// RFC 8259 to the letter, and beyond it refuses what parsers disagree about: duplicate keys, lone
// surrogates, depth over `maxDepth`. Whole numbers become 64-bit integers however they are spelled
// (5.0, 1e16). Built on nlohmann's SAX parser with checks of our own. Pure.
tl::expected<StrictJson, JsonSyntaxError> readStrictJson(std::string_view text, int maxDepth = 128);

// Where the value at `pointer` begins in a text that readStrictJson accepts; the innermost parent
// that exists if the value does not.
std::size_t offsetOfPointer(std::string_view text, const std::string &pointer);

// Reads a whole document for a file format: the value, or an Error with line, column and code.
Result<nlohmann::json> readJsonFile(std::string_view text);

// `parent` + "/" + `key`, escaped as RFC 6901 asks.
std::string joinPointer(const std::string &parent, std::string_view key);

} // namespace emend::core
