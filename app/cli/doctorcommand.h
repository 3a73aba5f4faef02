// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace emend::core {
class ProviderSettings;
}

namespace emend::app {

// What Emend would use of this machine, whether it is there, and how to get it.
struct Finding {
    std::string name;
    bool ok = false;
    bool needed = false; // without it, mode code does not do what it says
    std::string words;
};
std::vector<Finding> examine(core::ProviderSettings &settings);

} // namespace emend::app
