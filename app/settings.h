// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "core/run/ports.h"
#include "core/run/providersettings.h"
#include "core/trace/redactor.h"
#include "tools/http/httpclient.h"
#include "tools/keys/keystore.h"

namespace emend::app {

// The settings of both programs, wired to tools. Thread-safe. Files are in the person's
// configuration folder, `emend/`.
class Settings : public core::ProviderSettings {
public:
    // Both borrowed.
    Settings(tools::HttpClient &http, core::Clock &clock)
        : m_http(http)
        , m_clock(clock)
    {}

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
    std::string bundledPrices() const override;

    // What a provider sends; empty: there is none. Blocks as setKey().
    core::Result<std::string> keyOf(const std::string &provider, std::stop_token stop = {}) const;
    core::KeySource keySource(const std::string &provider) const;
    // Takes out all keys known by now, and what the person's patterns match. A file of patterns
    // that cannot be read is an error: a run without them would keep what they should take out.
    core::Result<std::shared_ptr<const core::Redactor>> redactor() const;

private:
    std::function<core::Result<std::string>(const std::string &)> keys() const;

    tools::HttpClient &m_http;
    core::Clock &m_clock;
    mutable tools::KeyStore m_keys;
    mutable std::mutex m_mutex; // all below
    mutable std::shared_ptr<const core::Redactor> m_redactor;
    mutable std::uint64_t m_redactorOf = 0;          // revision of the keys
    mutable std::vector<std::string> m_redactorWith; // patterns
};

} // namespace emend::app
