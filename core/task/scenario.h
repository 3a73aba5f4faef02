// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/ports.h"

// A scenario: the scripted provider's replies, and what its tools play (design section 11).
namespace emend::core {

struct ScriptedReply {
    std::string text; // may be no UTF-8 (`text_b64`)
    std::int64_t delayMs = 0;
    int chunks = 1;    // pieces handed to onText
    bool hang = false; // never answers until stopped
    std::optional<TransportError> error;
};

struct ScriptedTry {
    bool ok = true;
    std::string text; // output or error; may be no UTF-8
    std::int64_t delayMs = 0;
    bool hang = false;
    bool timeout = false;
};

struct Scenario {
    std::vector<ScriptedReply> replies;
    std::map<std::string, std::vector<ScriptedTry>> tools; // by tool, one an execution
    std::vector<std::vector<ScriptedTry>> actions;         // by executed action, one a try
    bool repeatLast = false;                               // when_exhausted: "repeat_last"
};

// Errors carry line, column and pointer.
Result<Scenario> parseScenario(std::string_view text);

} // namespace emend::core
