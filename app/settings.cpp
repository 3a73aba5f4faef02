// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

#include <QString>

#include "tools/provider/net/probe.h"
#include "tools/provider/registry.h"

namespace emend::app {

using namespace emend::core;

tools::KeyOf Settings::keyOf() const
{
    return [](const std::string &provider) -> Result<std::string> {
        for (const ProviderFacts &fact : tools::providerFacts())
            if (fact.name == provider && !fact.keyVariable.empty())
                return qEnvironmentVariable(fact.keyVariable.c_str()).trimmed().toStdString();
        return std::string();
    };
}

std::vector<ProviderFacts> Settings::providers() const
{
    return tools::providerFacts();
}

Result<void> Settings::setKey(const std::string &, const std::string &)
{
    return fail(ErrorCode::NotSupported, "there is no keychain yet");
}

std::string Settings::keychainProblem() const
{
    return "there is no keychain yet";
}

ConnectionReport Settings::testConnection(const ModelSettings &model, std::stop_token stop)
{
    return tools::testConnection(m_http, m_clock, model, keyOf(), std::move(stop));
}

Result<std::vector<std::string>> Settings::listModels(const ModelSettings &model,
                                                      std::stop_token stop)
{
    return tools::listModels(m_http, model, keyOf(), std::move(stop));
}

std::vector<LocalServer> Settings::detectLocalServers(std::stop_token stop)
{
    return tools::detectLocalServers(m_http, std::move(stop));
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
