// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/run/providersettings.h"
#include "tools/keys/keychain.h"

namespace emend::tools {

// The keys of the model providers: from the environment, else from the keychain, else those that
// were given to this process. Thread-safe; what may ask the keychain blocks for up to seconds.
class KeyStore {
public:
    explicit KeyStore(const std::string &service = "emend");
    ~KeyStore();

    // "OPENAI_API_KEY"; empty: the provider takes no key.
    static std::string variableOf(const std::string &provider);
    static std::vector<std::string> providers();

    // Empty: there is none. An error: there is one that cannot be sent.
    core::Result<std::string> keyOf(const std::string &provider, std::stop_token stop = {});
    core::KeySource sourceOf(const std::string &provider, std::stop_token stop = {});
    // Empty: removes it. An error after which keyOf() has the key means: for this session only.
    core::Result<void> setKey(const std::string &provider, const std::string &key,
                              std::stop_token stop = {});
    // One sentence; empty: the keychain works.
    std::string keychainProblem(std::stop_token stop = {});

    // Keys it has met, and values of environment variables whose names are those of secrets.
    std::vector<std::string> knownSecrets() const;
    // Changes when knownSecrets() does.
    std::uint64_t revision() const;

private:
    std::string fromKeychain(const std::string &provider, std::stop_token stop);
    void remember(const std::string &provider, const std::string &key,
                  std::map<std::string, std::string> &where);

    Keychain m_keychain;
    mutable std::mutex m_mutex; // all below
    std::map<std::string, std::string> m_session;
    std::map<std::string, std::string> m_seen; // read from the keychain
    std::vector<std::string> m_former;         // replaced, and still to be redacted
    std::uint64_t m_revision = 1;
};

} // namespace emend::tools
