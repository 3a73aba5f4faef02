// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/run/ports.h"
#include "tools/http/httpclient.h"
#include "tools/provider/net/retryafter.h"

// From what a server says went wrong to the class of transport error (design section 6) and a
// sentence that says what to do. Pure.
namespace emend::tools {

// Who is asked, for the words of an error.
struct Asked {
    std::string provider; // "openai"
    std::string baseUrl;  // without a slash at its end
    std::string model;
    std::string keyVariable; // "OPENAI_API_KEY"; empty: it takes no key
    std::string key;         // what was sent; nothing that is said may hold it
};

// JSON from a server; discarded where it is none, or nested deeper than any reply is (what goes
// through a deep value recurses).
nlohmann::json parseForeign(std::string_view text);

// The error in a body: `{"error":{…}}`, `{"error":"…"}`, `[{"error":…}]`, `{"type":"error",…}`.
// Null if it tells of none.
nlohmann::json errorIn(const nlohmann::json &body);

// A reply with a status other than 2xx, whole.
core::TransportError classifyStatus(const Asked &asked, const HttpResponse &response, WallTime now);

// An error inside a 200 body. `begun`: a stream had begun, so a general failure of the server is a
// broken stream.
core::TransportError classifyError(const Asked &asked, const nlohmann::json &error, bool begun);

// No reply at all.
core::TransportError classifyFailure(const Asked &asked, const HttpError &error, bool begun);

// A 200 with something that is no reply of a model: a web page, a text.
core::TransportError notAReply(const Asked &asked, std::string_view body);

// `text` of a server in quotes, on one line and short, and without the key; empty for an empty
// text. The key goes before the text is shortened, as nobody finds half a key.
std::string serverWords(const Asked &asked, std::string_view text);

// Puts [redacted] for each occurrence of a key of at least four characters, in whatever form the
// redactor knows.
void hideSecret(std::string &text, const std::string &key);

} // namespace emend::tools
