// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/keys/keystore.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "core/base/text.h"
#include "core/trace/redactor.h"

namespace emend::tools {

namespace {

constexpr std::size_t shortestSecret = 8;

constexpr std::array<std::pair<const char *, const char *>, 4> variables = {
    {{"gemini", "GEMINI_API_KEY"},
     {"openai", "OPENAI_API_KEY"},
     {"anthropic", "ANTHROPIC_API_KEY"},
     {"ollama", "OLLAMA_API_KEY"}}};

// Without white space at the ends; an error if it cannot be the value of a header.
core::Result<std::string> checked(const std::string &key, const std::string &from)
{
    const std::string_view trimmed = core::trimBlank(key);
    for (const char c : trimmed) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == '\n' || byte == '\r')
            return core::fail(core::ErrorCode::BadValue, from + " holds a line break");
        if (byte < 0x20 || byte == 0x7F)
            return core::fail(core::ErrorCode::BadValue, from + " holds a control character");
        if (byte > 0x7F)
            return core::fail(core::ErrorCode::BadValue,
                              from + " holds a character that is not ASCII; was all of it copied, "
                                     "and nothing else?");
    }
    return std::string(trimmed);
}

std::string environmentValue(const std::string &name)
{
    const char *value = name.empty() ? nullptr : std::getenv(name.c_str());
    return value == nullptr ? std::string() : std::string(core::trimBlank(value));
}

void wipe(std::string &text)
{
    explicit_bzero(text.data(), text.size());
    text.clear();
}

} // namespace

KeyStore::KeyStore(const std::string &service)
    : m_keychain(service)
{}

KeyStore::~KeyStore()
{
    for (auto *keys : {&m_session, &m_seen})
        for (auto &[provider, key] : *keys)
            wipe(key);
    for (std::string &key : m_former)
        wipe(key);
}

std::string KeyStore::variableOf(const std::string &provider)
{
    for (const auto &[name, variable] : variables)
        if (provider == name)
            return variable;
    return {};
}

std::vector<std::string> KeyStore::providers()
{
    std::vector<std::string> names;
    for (const auto &[name, variable] : variables)
        names.emplace_back(name);
    return names;
}

void KeyStore::remember(const std::string &provider, const std::string &key,
                        std::map<std::string, std::string> &where)
{
    const std::lock_guard lock(m_mutex);
    std::string &kept = where[provider];
    if (kept == key)
        return;
    if (!kept.empty())
        m_former.push_back(std::move(kept));
    kept = key;
    ++m_revision;
}

std::string KeyStore::fromKeychain(const std::string &provider, std::stop_token stop)
{
    const auto read = m_keychain.read(provider, std::move(stop));
    if (read)
        remember(provider, *read, m_seen);
    return read ? *read : std::string();
}

core::Result<std::string> KeyStore::keyOf(const std::string &provider, std::stop_token stop)
{
    const std::string variable = variableOf(provider);
    if (variable.empty())
        return std::string();
    if (const std::string value = environmentValue(variable); !value.empty())
        return checked(value, variable);
    if (std::string key = fromKeychain(provider, std::move(stop)); !key.empty())
        return checked(key, "the key in the keychain");
    const std::lock_guard lock(m_mutex);
    const auto it = m_session.find(provider);
    return it == m_session.end() ? std::string() : it->second;
}

core::KeySource KeyStore::sourceOf(const std::string &provider, std::stop_token stop)
{
    const std::string variable = variableOf(provider);
    if (variable.empty())
        return core::KeySource::None;
    if (!environmentValue(variable).empty())
        return core::KeySource::Environment;
    if (!fromKeychain(provider, std::move(stop)).empty())
        return core::KeySource::Keychain;
    const std::lock_guard lock(m_mutex);
    const auto it = m_session.find(provider);
    return it == m_session.end() || it->second.empty() ? core::KeySource::None
                                                       : core::KeySource::Session;
}

core::Result<void> KeyStore::setKey(const std::string &provider, const std::string &key,
                                    std::stop_token stop)
{
    if (variableOf(provider).empty())
        return core::fail(core::ErrorCode::NotFound,
                          "the provider " + core::inQuotes(provider) + " takes no key");
    auto good = checked(key, "the key");
    if (!good)
        return tl::unexpected(good.error());
    if (good->empty()) {
        remember(provider, {}, m_session);
        auto removed = m_keychain.remove(provider, std::move(stop));
        if (removed)
            remember(provider, {}, m_seen);
        return removed;
    }
    const auto written = m_keychain.write(provider, *good, std::move(stop));
    remember(provider, *good, written ? m_seen : m_session);
    wipe(*good);
    if (written)
        return {};
    core::Error error = written.error();
    error.message = "the key is kept until Emend ends, because " + error.message;
    return tl::unexpected(std::move(error));
}

std::string KeyStore::keychainProblem(std::stop_token stop)
{
    const auto read = m_keychain.read("keychain-test", std::move(stop));
    return read ? std::string() : read.error().message;
}

std::vector<std::string> KeyStore::knownSecrets() const
{
    std::vector<std::string> secrets;
    for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        const std::size_t equals = text.find('=');
        const std::string_view name = text.substr(0, equals);
        if (equals == text.npos || name == "PWD" || name == "OLDPWD" || !core::isSecretName(name))
            continue;
        const std::string_view value = core::trimBlank(text.substr(equals + 1));
        if (value.size() >= shortestSecret)
            secrets.emplace_back(value);
    }
    const std::lock_guard lock(m_mutex);
    for (const auto *keys : {&m_session, &m_seen})
        for (const auto &[provider, key] : *keys)
            secrets.push_back(key);
    secrets.insert(secrets.end(), m_former.begin(), m_former.end());
    return secrets;
}

std::uint64_t KeyStore::revision() const
{
    const std::lock_guard lock(m_mutex);
    return m_revision;
}

} // namespace emend::tools
