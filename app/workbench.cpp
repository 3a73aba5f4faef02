// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench.h"

#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include "app/settings.h"
#include "core/base/closest.h"
#include "core/base/text.h"
#include "core/context/prompt.h"
#include "tools/provider/registry.h"
#include "tools/scenario/playedtool.h"
#include "tools/scenario/scenariofile.h"
#include "tools/scenario/scenarioplayer.h"
#include "tools/trace/tracereader.h"
#include "tools/trace/tracewriter.h"

namespace emend::app {

using namespace emend::core;

namespace {

constexpr const char *demoFile = ":/emend/scenarios/demo.task.json";
constexpr const char *program = "emend " EMEND_VERSION;

std::string resource(const char *path)
{
    QFile file(QString::fromLatin1(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

// A task with everything it names found and made; the tools live as long as this.
struct Workbench::Checked {
    std::vector<ToolSpec> specs;
    std::vector<Tool *> real; // one a spec; null: only declared
    std::optional<Price> price;
    Scenario scenario;
};

Workbench::Workbench()
    : m_settings(std::make_unique<Settings>())
    , m_builtIn(tools::makeBuiltInTools(
          {m_clock, &m_http, qEnvironmentVariable("EMEND_WEATHER_URL").toStdString()}))
{
    // Both are part of the program; tests read them, so they cannot be wrong here.
    m_prices = parsePrices(resource(":/emend/prices.json")).value_or(std::vector<PriceEntry>{});
    m_prompt = parsePrompt(resource(":/emend/prompts/react.prompt.json")).value_or(Prompt{});
}

Workbench::~Workbench() = default;

ProviderSettings &Workbench::settings()
{
    return *m_settings;
}

std::vector<NamedSpec> Workbench::providers() const
{
    return tools::providerSpecs();
}

std::vector<ToolSpec> Workbench::tools() const
{
    std::vector<ToolSpec> specs;
    for (const auto &tool : m_builtIn)
        specs.push_back(tool->spec());
    return specs;
}

Prompt Workbench::builtInPrompt() const
{
    return m_prompt;
}

Result<Task> Workbench::loadTask(const std::string &path) const
{
    return tools::loadTaskFile(path);
}

Result<void> Workbench::saveTask(const Task &task, const std::string &path) const
{
    QSaveFile file(QString::fromStdString(path)); // writes beside it, then renames: no half file
    const std::string text = taskToFileText(task);
    const auto size = static_cast<qint64>(text.size());
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit())
        return {};
    Error error;
    error.code = ErrorCode::Unwritable;
    error.file = path;
    error.message = "cannot be saved: " + file.errorString().toStdString();
    return tl::unexpected<Error>(std::move(error));
}

Result<Task> Workbench::demoTask() const
{
    return tools::loadTaskFile(demoFile);
}

Tool *Workbench::builtIn(const std::string &name) const
{
    for (const auto &tool : m_builtIn)
        if (tool->spec().name == name)
            return tool.get();
    return nullptr;
}

Result<Workbench::Checked> Workbench::check(const Task &task) const
{
    Checked out;
    std::vector<std::string> known;
    for (const auto &tool : m_builtIn)
        known.push_back(tool->spec().name);
    for (const ToolReference &reference : task.tools) {
        Tool *tool = reference.declared ? nullptr : builtIn(reference.name);
        if (!reference.declared && tool == nullptr) {
            const std::string near = closestName(reference.name, known);
            return fail(ErrorCode::NotFound,
                        "there is no built-in tool " + inQuotes(reference.name) +
                            (near.empty() ? "; declare it with its input_schema"
                                          : "; did you mean " + inQuotes(near) + "?"),
                        "/tools");
        }
        auto spec =
            tool != nullptr ? Result<ToolSpec>(tool->spec()) : tools::declaredToolSpec(reference);
        if (!spec)
            return tl::unexpected<Error>(spec.error());
        out.specs.push_back(std::move(*spec));
        out.real.push_back(tool);
    }
    auto scenario = tools::loadScenarioFor(task);
    if (!scenario)
        return tl::unexpected<Error>(scenario.error());
    out.scenario = std::move(*scenario);
    out.price = priceOf(m_prices, task.model.provider, task.model.model);
    if (task.bounds.maxCostUsd && !out.price)
        return fail(ErrorCode::BadValue,
                    "the price of " + task.model.provider + " " + inQuotes(task.model.model) +
                        " is unknown, so a cost bound cannot be kept",
                    "/bounds/max_cost_usd");
    return out;
}

Result<Bound> Workbench::boundOf(const Task &task) const
{
    const auto checked = check(task);
    if (!checked)
        return tl::unexpected<Error>(checked.error());
    const tools::ProviderEnvironment environment{
        &m_clock, std::make_shared<tools::ScenarioPlayer>(checked->scenario)};
    if (const auto provider = tools::makeProvider(task, environment); !provider)
        return tl::unexpected<Error>(provider.error());
    bool anyIdempotent = false;
    for (const ToolSpec &spec : checked->specs)
        anyIdempotent = anyIdempotent || spec.idempotent;
    return bound(task, anyIdempotent, checked->price);
}

std::string Workbench::traceFolder()
{
    return (QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
            QStringLiteral("/emend/traces"))
        .toStdString();
}

Result<std::string> Workbench::tracePath(const std::string &title, const std::string &wanted) const
{
    if (!wanted.empty())
        return wanted;
    return tools::makeTracePath(traceFolder(), title, m_clock.utcNow());
}

Result<RunReport> Workbench::run(const Task &task, const std::string &traceFile,
                                 RunControl &control, RunListener &listener)
{
    auto checked = check(task);
    if (!checked)
        return tl::unexpected<Error>(checked.error());
    auto player = std::make_shared<tools::ScenarioPlayer>(std::move(checked->scenario));
    auto provider = tools::makeProvider(task, {&m_clock, player});
    if (!provider)
        return tl::unexpected<Error>(provider.error());
    const auto redactor = m_settings->redactor(); // after the provider: it may have read a key
    if (!redactor)
        return tl::unexpected<Error>(redactor.error());
    const std::string title = (*redactor)->redactText(task.name.empty() ? task.goal : task.name);
    const auto path = tracePath(title, traceFile);
    if (!path)
        return tl::unexpected<Error>(path.error());
    tools::TraceOptions options;
    options.overwrite = !traceFile.empty(); // named by the person
    options.listener = &listener;
    options.redactor = *redactor;
    tools::TraceWriter writer(*path, options);

    RunSetup setup;
    setup.task = task;
    setup.prompt = task.systemPrompt.empty() ? m_prompt : Prompt{"task", 1, task.systemPrompt};
    setup.tools = checked->specs;
    std::vector<std::unique_ptr<tools::PlayedTool>> played;
    for (std::size_t i = 0; i < checked->specs.size(); ++i) {
        played.push_back(std::make_unique<tools::PlayedTool>(checked->specs[i], checked->real[i],
                                                             player, &m_clock));
        setup.toolsByName[checked->specs[i].name] = played.back().get();
    }
    setup.provider = provider->get();
    setup.price = checked->price;
    setup.clock = &m_clock;
    setup.sink = &writer;
    setup.control = &control;
    setup.runId = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    setup.program = program;
    const bool session = task.breaker.scope == BreakerScope::Session;
    if (session) {
        const std::lock_guard lock(m_mutex);
        setup.breakers = m_sessionBreakers;
    }
    auto result = core::run(setup);
    if (!result)
        return tl::unexpected<Error>(result.error());
    if (session) {
        const std::lock_guard lock(m_mutex);
        for (auto &[name, breaker] : result->breakers)
            m_sessionBreakers.insert_or_assign(name, breaker);
    }
    return RunReport{std::move(*result), *path};
}

Result<Task> Workbench::taskOfTrace(const std::string &) const
{
    return fail(ErrorCode::NotSupported, "not yet");
}

Result<RunReport> Workbench::fork(const Fork &, const Task &, const std::string &, RunControl &,
                                  RunListener &)
{
    return fail(ErrorCode::NotSupported, "not yet");
}

Result<RunReport> Workbench::replay(const std::string &, const std::string &, RunControl &,
                                    RunListener &)
{
    return fail(ErrorCode::NotSupported, "not yet");
}

Result<void> Workbench::readTrace(const std::string &path, std::stop_token stop,
                                  const std::function<void(std::string)> &onHeader,
                                  const std::function<void(std::vector<Event>)> &onEvents) const
{
    return tools::readTrace(path, stop, onHeader, onEvents);
}

} // namespace emend::app
