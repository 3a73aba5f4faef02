// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"
#include "tools/provider/net/netprovider.h"

namespace emend::app {

// The settings of both programs, wired to tools. Thread-safe.
class Settings : public core::ProviderSettings {
public:
    // Both borrowed.
    Settings(tools::HttpClient &http, core::Clock &clock)
        : m_http(http)
        , m_clock(clock)
    {}

    tools::KeyOf keyOf() const;

    std::vector<core::ProviderFacts> providers() const override;
    core::Result<void> setKey(const std::string &provider, const std::string &key) override;
    std::string keychainProblem() const override;
    core::ConnectionReport testConnection(const core::ModelSettings &model,
                                          std::stop_token stop) override;
    core::Result<std::vector<std::string>> listModels(const core::ModelSettings &model,
                                                      std::stop_token stop) override;
    std::vector<core::LocalServer> detectLocalServers(std::stop_token stop) override;
    std::vector<std::string> redactionPatterns() const override;
    core::Result<void> setRedactionPatterns(const std::vector<std::string> &patterns) override;
    core::Result<std::string> pricesFile() const override;

private:
    tools::HttpClient &m_http;
    core::Clock &m_clock;
};

} // namespace emend::app
