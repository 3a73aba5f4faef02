// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace emend::core {
class Clock;
}

namespace emend::tools {

class HttpClient;

// What the built-in tools need from outside. The references and pointers outlive the tools.
struct ToolEnvironment {
    const core::Clock &clock;        // deadlines, and the wall clock of get_time
    HttpClient *http = nullptr;      // needed only with a weatherBaseUrl
    std::string weatherBaseUrl = {}; // "https://api.example.org"; empty: built-in sample weather
};

} // namespace emend::tools
