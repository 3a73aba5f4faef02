// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/task/task.h"

// What of a task goes onto the wire must have the form that HTTP wants, and say nothing that the
// client itself has to say. Pure, any thread.
namespace emend::core {

// Each gives the sentence for a person, or nothing where all is well.

// `http://` or `https://`, a host, perhaps a port and a path. Empty: the provider's own.
std::string problemOfBaseUrl(std::string_view url);
// Empty (the system's), "none", "http://host:port" or "socks5://host:port".
std::string problemOfProxy(std::string_view proxy);
// A token and a field value (RFC 9110, sections 5.5 and 5.6.2), no name that frames the message or
// belongs to the connection, and none of a key.
std::string problemOfHeader(std::string_view name, std::string_view value);

// All of them, with the JSON Pointer in the task. `recorded`: the task of a trace, where text that
// was redacted may stand; it is passed over, for it is not sent.
Result<void> checkHttp(const ModelSettings &model, bool recorded = false);

} // namespace emend::core
