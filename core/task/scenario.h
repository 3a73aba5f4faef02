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

// How a scripted model call goes wrong. The scripted provider fails with the class that a client
// would make of it; a test server really does it.
enum class ScriptedFault : std::uint8_t {
    None,
    Http,        // a status of 400 to 599
    Timeout,     // silence
    StreamCut,   // the connection ends in the middle of the reply
    Connection,  // it ends before there is any
    Garbage,     // bytes that are no protocol
    Html,        // a web page with status 200
    StreamError, // an error object in the middle of the reply
    Endless,     // a reply that never ends
};

struct ScriptedReply {
    std::string text; // may be no UTF-8 (`text_b64`)
    std::int64_t delayMs = 0;
    int chunks = 1;    // pieces handed to onText
    bool hang = false; // never answers until stopped
    std::optional<TransportError> error;
    ScriptedFault fault = ScriptedFault::None; // what `error` comes from
    int status = 200;                          // of Http
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
