// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "core/run/engine.h"
#include "core/task/prices.h"
#include "tools/agent/registry.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"
#include "tools/provider/registry.h"

namespace emend::app {

class Inbox;
class Settings;
class Stage;
class Verifiers;

// The composition: wires core to tools for both programs. Thread-safe; run() may be called on
// several threads at a time.
class Workbench : public core::Engine {
public:
    Workbench();
    ~Workbench() override;

    std::vector<core::NamedSpec> providers() const override;
    std::vector<core::ToolSpec> tools() const override;
    std::vector<core::NamedSpec> verifiers() const override;
    core::SandboxFacts sandbox() const override;
    core::Prompt builtInPrompt(core::Mode mode) const override;
    std::vector<core::NamedSpec> examples() const override;
    core::Result<core::Task> loadTask(const std::string &path) const override;
    core::Result<void> saveTask(const core::Task &task, const std::string &path) const override;
    core::Result<core::Task> demoTask() const override;
    core::Result<core::Bound> boundOf(const core::Task &task) const override;
    core::Result<core::RunReport> run(const core::Task &task, const std::string &traceFile,
                                      core::RunControl &control,
                                      core::RunListener &listener) override;
    core::Result<core::Task> taskOfTrace(const std::string &traceFile) const override;
    core::Result<core::RunReport> fork(const core::Fork &fork, const core::Task &task,
                                       const std::string &traceFile, core::RunControl &control,
                                       core::RunListener &listener) override;
    core::Result<core::RunReport> replay(const std::string &recording, const std::string &traceFile,
                                         core::RunControl &control,
                                         core::RunListener &listener) override;
    core::Result<core::RunReport> answer(const std::string &escalation, const core::Answer &answer,
                                         const std::string &traceFile, core::RunControl &control,
                                         core::RunListener &listener) override;
    core::Escalations &escalations() override;
    core::ProviderSettings &settings() override;
    const core::Clock &clock() const override { return m_clock; }
    core::Result<void>
    readTrace(const std::string &path, std::stop_token stop,
              const std::function<void(std::string)> &onHeader,
              const std::function<void(std::vector<core::Event>)> &onEvents) const override;

    // Where traces go if nobody says otherwise.
    static std::string traceFolder();

private:
    struct Checked;  // a task with all it names found
    struct Playback; // what a run plays from recordings

    core::Result<Checked> check(const core::Task &task, bool withScenario) const;
    core::Result<void> setLive(Stage &stage, const core::Task &task, Checked &checked,
                               const Playback *before) const;
    core::Result<core::RunReport> start(const core::Task &task, Playback *playback,
                                        const std::string &traceFile, core::RunControl &control,
                                        core::RunListener &listener);
    core::Prompt promptOf(const core::Task &task) const;
    core::Result<core::RunReport> perform(core::RunSetup &setup, const std::string &path);
    tools::ProviderEnvironment environmentOf(std::shared_ptr<tools::ScenarioPlayer> player) const;
    core::Tool *builtIn(const std::string &name) const;
    core::Result<std::string> tracePath(const std::string &title, const std::string &wanted) const;

    mutable tools::SteadyClock m_clock; // stateless
    mutable tools::HttpClient m_http;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Verifiers> m_verifiers;
    std::unique_ptr<Inbox> m_inbox;
    std::vector<std::unique_ptr<core::Tool>> m_builtIn;
    std::vector<core::PriceEntry> m_prices;
    core::Prompt m_prompt, m_codePrompt; // built in, of modes react and code
    std::mutex m_mutex;                  // the breakers of the session
    core::Breakers m_sessionBreakers;
};

} // namespace emend::app
