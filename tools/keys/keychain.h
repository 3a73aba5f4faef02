// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace emend::tools {

// The system's keychain (on Linux the secret service on the session bus). Its jobs run on a thread
// of their own, one for the process; calls block until the answer is there, 10 s have passed or the
// token is triggered. Any thread but the GUI's.
class Keychain {
public:
    explicit Keychain(std::string service);

    // Empty: there is no such entry.
    core::Result<std::string> read(const std::string &name, std::stop_token stop = {});
    core::Result<void> write(const std::string &name, const std::string &value,
                             std::stop_token stop = {});
    core::Result<void> remove(const std::string &name, std::stop_token stop = {});

private:
    std::string m_service;
};

} // namespace emend::tools
