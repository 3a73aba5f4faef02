// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "tests/ui/fakeescalations.h"

// Settings that remember what they are given; a key only as "there is one".
class FakeProviderSettings : public emend::core::ProviderSettings {
public:
    std::vector<emend::core::ProviderFacts> facts;
    std::string keychainTrouble;
    emend::core::ConnectionReport report;
    std::vector<emend::core::LocalServer> servers;
    std::vector<std::string> patterns;
    std::vector<std::pair<std::string, std::string>> keysSet;

    std::vector<emend::core::ProviderFacts> providers() const override { return facts; }
    emend::core::Result<void> setKey(const std::string &provider, const std::string &key) override
    {
        keysSet.emplace_back(provider, key);
        for (auto &fact : facts)
            if (fact.name == provider)
                fact.keySource =
                    key.empty() ? emend::core::KeySource::None : emend::core::KeySource::Keychain;
        return {};
    }
    std::string keychainProblem() const override { return keychainTrouble; }
    emend::core::ConnectionReport testConnection(const emend::core::ModelSettings &,
                                                 std::stop_token) override
    {
        return report;
    }
    emend::core::Result<std::vector<std::string>> listModels(const emend::core::ModelSettings &,
                                                             std::stop_token) override
    {
        return report.models;
    }
    std::vector<emend::core::LocalServer> detectLocalServers(std::stop_token) override
    {
        return servers;
    }
    std::vector<std::string> redactionPatterns() const override { return patterns; }
    emend::core::Result<void> setRedactionPatterns(const std::vector<std::string> &wanted) override
    {
        patterns = wanted;
        return {};
    }
    std::string personsPrices; // a path
    std::string bundled = R"({"emend":"prices","version":1,"models":[]})";
    emend::core::Result<std::string> pricesFile() const override { return personsPrices; }
    std::string bundledPrices() const override { return bundled; }
};

// What the engines of the window's tests have in common: no forks, no replays.
class StubEngine : public emend::core::Engine {
public:
    std::vector<emend::core::NamedSpec> verifiers() const override
    {
        return {{"pytest", "runs the tests with pytest"}, {"command", "runs any command"}};
    }
    emend::core::SandboxFacts sandbox() const override { return sandboxFacts; }
    std::vector<emend::core::NamedSpec> examples() const override { return {}; }
    emend::core::Result<emend::core::Task> taskOfTrace(const std::string &) const override
    {
        return emend::core::Task{};
    }
    emend::core::Result<emend::core::RunReport>
    fork(const emend::core::Fork &, const emend::core::Task &task, const std::string &traceFile,
         emend::core::RunControl &control, emend::core::RunListener &listener) override
    {
        return run(task, traceFile, control, listener);
    }
    emend::core::Result<emend::core::RunReport> replay(const std::string &,
                                                       const std::string &traceFile,
                                                       emend::core::RunControl &control,
                                                       emend::core::RunListener &listener) override
    {
        return run(emend::core::Task{}, traceFile, control, listener);
    }
    emend::core::Result<emend::core::RunReport>
    answer(const std::string &escalation, const emend::core::Answer &given, const std::string &,
           emend::core::RunControl &control, emend::core::RunListener &listener) override
    {
        fakeInbox.answered(escalation, given);
        return run(emend::core::Task{}, {}, control, listener);
    }
    emend::core::Escalations &escalations() override { return fakeInbox; }
    emend::core::ProviderSettings &settings() override { return fakeSettings; }

    FakeProviderSettings fakeSettings;
    emend::core::SandboxFacts sandboxFacts{true, "it works"};
    FakeEscalations fakeInbox;
};
