// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

// Members of JSON from a trace, which is foreign: each may be missing or of any type.
namespace emend::app {

// The member if it is an object, else an empty one.
inline nlohmann::json objectOf(const nlohmann::json &parent, const char *key)
{
    const auto it = parent.is_object() ? parent.find(key) : parent.end();
    return it != parent.end() && it->is_object() ? *it : nlohmann::json::object();
}

// A text as it is, anything else as JSON, "" for a missing member and null.
inline std::string textOf(const nlohmann::json &parent, const char *key)
{
    const auto it = parent.find(key);
    if (it == parent.end() || it->is_null())
        return {};
    return it->is_string() ? it->get<std::string>()
                           : it->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace emend::app
