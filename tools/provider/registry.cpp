// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "tools/http/cafile.h"
#include "tools/provider/net/netprovider.h"
#include "tools/provider/practice.h"
#include "tools/provider/scripted.h"
#include "tools/scenario/scenarioplayer.h"

namespace emend::tools {

namespace {

using Made = core::Result<std::unique_ptr<core::ModelProvider>>;

Made makePractice(const core::Task &task, const ProviderEnvironment &)
{
    return std::make_unique<PracticeProvider>(task.model.mistakes);
}

Made makeScripted(const core::Task &, const ProviderEnvironment &environment)
{
    if (!environment.player || !environment.player->hasReplies())
        return core::fail(core::ErrorCode::BadValue,
                          "the scripted provider plays the replies of a scenario, and this task "
                          "has none",
                          "/scenario");
    return std::make_unique<ScriptedProvider>(environment.player, environment.clock);
}

// A recording plays tools and time as well as the model, so the run is staged as a whole
// (app/stage.h); there is no model of this name to be had alone.
Made makeReplay(const core::Task &, const ProviderEnvironment &)
{
    return core::fail(core::ErrorCode::NotSupported,
                      "the replay provider plays a whole run, its tools included",
                      "/model/provider");
}

template<const Dialect &(*dialect)()>
Made makeNet(const core::Task &task, const ProviderEnvironment &environment)
{
    if (core::trimBlank(task.model.model).empty())
        return core::fail(core::ErrorCode::BadValue,
                          "name the model that " + task.model.provider + " is to use",
                          "/model/model");
    if (const std::string file = caFileOf(task.model.transport, task.folder); !file.empty())
        if (const auto usable = checkCaFile(file); !usable)
            return tl::unexpected<core::Error>(usable.error());
    return std::make_unique<NetProvider>(
        dialect(), task.model, task.folder,
        NetProvider::World{environment.http, environment.clock, environment.keyOf});
}

struct Entry {
    const char *name;
    const char *description;
    Made (*make)(const core::Task &, const ProviderEnvironment &);
    const Dialect &(*dialect)() = nullptr; // of those over the network
};

constexpr std::array entries = {
    Entry{"practice",
          "A small planner for arithmetic, time and weather that needs no network and "
          "can make mistakes on purpose",
          makePractice},
    Entry{"openai",
          "OpenAI, and every server that speaks its chat completions: llama.cpp, vLLM, OpenRouter",
          makeNet<openaiDialect>, openaiDialect},
    Entry{"anthropic", "Anthropic's Claude models", makeNet<anthropicDialect>, anthropicDialect},
    Entry{"gemini", "Google's Gemini models", makeNet<geminiDialect>, geminiDialect},
    Entry{"ollama", "Models that Ollama serves, on this machine or another", makeNet<ollamaDialect>,
          ollamaDialect},
    Entry{"replay", "Plays a recorded trace with no network and stops at the first difference",
          makeReplay},
    Entry{"scripted", "Plays the replies of the task's scenario", makeScripted},
};

// Tells the player of the calls to a provider that knows no scenario.
class AnnouncedProvider : public core::ModelProvider {
public:
    AnnouncedProvider(std::unique_ptr<core::ModelProvider> provider,
                      std::shared_ptr<ScenarioPlayer> player)
        : m_provider(std::move(provider))
        , m_player(std::move(player))
    {}

    core::ModelOutcome generate(const core::ModelRequest &request, const core::CallContext &context,
                                const std::function<void(std::string_view)> &onText) override
    {
        m_player->modelCalled();
        return m_provider->generate(request, context, onText);
    }

private:
    std::unique_ptr<core::ModelProvider> m_provider;
    std::shared_ptr<ScenarioPlayer> m_player;
};

std::string knownNames()
{
    std::string names;
    for (const Entry &entry : entries)
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    return names;
}

} // namespace

std::vector<core::NamedSpec> providerSpecs()
{
    std::vector<core::NamedSpec> specs;
    for (const Entry &entry : entries)
        specs.push_back({entry.name, entry.description});
    return specs;
}

std::vector<core::ProviderFacts> providerFacts()
{
    std::vector<core::ProviderFacts> facts;
    for (const Entry &entry : entries) {
        core::ProviderFacts fact;
        fact.name = entry.name;
        fact.description = entry.description;
        if (entry.dialect != nullptr) {
            const Dialect &dialect = entry.dialect();
            fact.overNetwork = true;
            fact.keyVariable = dialect.keyVariable();
            fact.defaultBaseUrl = dialect.defaultBaseUrl();
            fact.keyRequired = fact.defaultBaseUrl.starts_with("https:");
        }
        facts.push_back(std::move(fact));
    }
    return facts;
}

core::Result<std::unique_ptr<core::ModelProvider>>
makeProvider(const core::Task &task, const ProviderEnvironment &environment)
{
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const Entry &candidate) {
        return candidate.name == task.model.provider;
    });
    if (entry == entries.end())
        return core::fail(core::ErrorCode::NotFound,
                          "there is no model provider " + core::inQuotes(task.model.provider) +
                              "; known: " + knownNames(),
                          "/model/provider");
    Made provider = entry->make(task, environment);
    if (!provider || !environment.player)
        return provider;
    return std::make_unique<AnnouncedProvider>(std::move(*provider), environment.player);
}

} // namespace emend::tools
