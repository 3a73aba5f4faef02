// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

namespace emend::app {

using namespace emend::core;

std::vector<ProviderFacts> Settings::providers() const
{
    return {};
}

Result<void> Settings::setKey(const std::string &, const std::string &)
{
    return fail(ErrorCode::NotSupported, "there is no keychain yet");
}

std::string Settings::keychainProblem() const
{
    return "there is no keychain yet";
}

ConnectionReport Settings::testConnection(const ModelSettings &, std::stop_token)
{
    return {};
}

Result<std::vector<std::string>> Settings::listModels(const ModelSettings &, std::stop_token)
{
    return std::vector<std::string>();
}

std::vector<LocalServer> Settings::detectLocalServers(std::stop_token)
{
    return {};
}

std::vector<std::string> Settings::redactionPatterns() const
{
    return {};
}

Result<void> Settings::setRedactionPatterns(const std::vector<std::string> &)
{
    return fail(ErrorCode::NotSupported, "not yet");
}

Result<std::string> Settings::pricesFile() const
{
    return fail(ErrorCode::NotSupported, "not yet");
}

} // namespace emend::app
