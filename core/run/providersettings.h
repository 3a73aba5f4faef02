// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/task/task.h"

namespace emend::core {

// A provider as the settings show it.
enum class KeySource : std::uint8_t { None, Environment, Keychain, Session };
struct ProviderFacts {
    std::string name;
    std::string description;
    bool overNetwork = false;              // it has an address, and may have a key
    bool keyRequired = false;              // its own service refuses requests without one
    std::string keyVariable;               // "OPENAI_API_KEY"; empty: it takes no key
    std::string defaultBaseUrl;            // where requests go if the task names no other
    KeySource keySource = KeySource::None; // where a key was found; never the key itself
};

// What a test of a connection found, in words for a person (English, one sentence each).
struct ConnectionReport {
    bool ok = false;
    std::string summary;             // "It works: the model answered in 412 ms."
    std::string advice;              // what to do, where it does not
    std::vector<std::string> models; // where the API has a list
};

struct LocalServer {
    std::string provider; // "ollama" or "openai"
    std::string baseUrl;
    std::vector<std::string> models;
};

// What a person sets up once: providers and their keys, prices, redaction. Implemented by app,
// shown by ui. Thread-safe. A key goes in and never comes out again.
class ProviderSettings {
public:
    virtual ~ProviderSettings() = default;

    // Asks the keychain where a key may be in it: blocks for up to seconds, not for the GUI thread.
    virtual std::vector<ProviderFacts> providers() const = 0;
    // Into the keychain; where there is none, for this session only. Empty: removes it. An error
    // says why it is in no keychain. Blocks for up to seconds: not for the GUI thread.
    virtual Result<void> setKey(const std::string &provider, const std::string &key) = 0;
    // Why there is no keychain, in one sentence; empty where there is one. Blocks as setKey().
    virtual std::string keychainProblem() const = 0;
    // These three use the network, block until done and end soon after the token is triggered.
    virtual ConnectionReport testConnection(const ModelSettings &model, std::stop_token stop) = 0;
    virtual Result<std::vector<std::string>> listModels(const ModelSettings &model,
                                                        std::stop_token stop) = 0;
    virtual std::vector<LocalServer> detectLocalServers(std::stop_token stop) = 0;
    // The person's own redaction patterns (RE2 syntax). Setting bad ones is an error that names it.
    virtual std::vector<std::string> redactionPatterns() const = 0;
    virtual Result<void> setRedactionPatterns(const std::vector<std::string> &patterns) = 0;
    // The person's price table, made without an entry where it is not there yet: what it names goes
    // before the bundled table, and what it does not name changes with the program.
    virtual Result<std::string> pricesFile() const = 0;
    virtual std::string bundledPrices() const = 0; // the text of that table
};

} // namespace emend::core
