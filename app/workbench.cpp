// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

#include "app/inbox.h"
#include "app/recordings.h"
#include "app/settings.h"
#include "app/stage.h"
#include "app/verifiers.h"
#include "core/base/closest.h"
#include "core/base/text.h"
#include "core/context/prompt.h"
#include "core/task/httprules.h"
#include "tools/provider/registry.h"
#include "tools/scenario/playedtool.h"
#include "tools/scenario/scenariofile.h"
#include "tools/scenario/scenarioplayer.h"
#include "tools/trace/tracewriter.h"

namespace emend::app {

using namespace emend::core;

namespace {

constexpr const char *program = "emend " EMEND_VERSION;
constexpr const char *replayProvider = "replay";

// The person's own table, read anew for each run: it may have been edited meanwhile.
Result<std::vector<PriceEntry>> personsPrices()
{
    const QString path = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                         QStringLiteral("/emend/prices.json");
    if (!QFileInfo::exists(path))
        return std::vector<PriceEntry>();
    const auto text = tools::readTextFile(path.toStdString());
    if (!text)
        return tl::unexpected<Error>(text.error());
    auto prices = parsePrices(*text);
    if (prices)
        return prices;
    Error error = prices.error();
    error.file = path.toStdString();
    return tl::unexpected<Error>(std::move(error));
}

std::string dataFolder()
{
    return (QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
            QStringLiteral("/emend"))
        .toStdString();
}

Result<void> costBoundCanBeKept(const Task &task, const std::optional<Price> &price)
{
    if (!task.bounds.maxCostUsd || price)
        return {};
    return fail(ErrorCode::BadValue,
                "the price of " + task.model.provider + " " + inQuotes(task.model.model) +
                    " is unknown, so a cost bound cannot be kept",
                "/bounds/max_cost_usd");
}

// A damaged recording is played as far as it goes, but not without a word.
void tellProblems(const Recording &recording, RunListener &listener)
{
    for (const std::string &problem : recording.problems)
        listener.recordingProblem(problem);
    if (recording.cut)
        listener.recordingProblem("the last line is torn: the recorded run was cut");
}

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
    std::unique_ptr<Verifier> verifier; // of mode code
};

Workbench::Workbench()
    : m_settings(std::make_unique<Settings>(m_http, m_clock))
    , m_verifiers(std::make_unique<Verifiers>(m_clock))
    , m_inbox(std::make_unique<Inbox>(dataFolder(), m_clock,
                                      [this](const Task &task) -> Result<std::vector<ToolSpec>> {
                                          auto checked = check(task, false);
                                          if (!checked)
                                              return tl::unexpected<Error>(checked.error());
                                          return std::move(checked->specs);
                                      }))
    , m_builtIn(tools::makeBuiltInTools(
          {m_clock, &m_http, qEnvironmentVariable("EMEND_WEATHER_URL").toStdString()}))
{
    // All are part of the program; tests read them, so they cannot be wrong here.
    m_prices = parsePrices(resource(":/emend/prices.json")).value_or(std::vector<PriceEntry>{});
    m_prompt = parsePrompt(resource(":/emend/prompts/react.prompt.json")).value_or(Prompt{});
    m_codePrompt = parsePrompt(resource(":/emend/prompts/code.prompt.json")).value_or(Prompt{});
}

Prompt Workbench::promptOf(const Task &task) const
{
    if (!task.systemPrompt.empty())
        return {"task", 1, task.systemPrompt};
    return builtInPrompt(task.mode);
}

Workbench::~Workbench() = default;

Escalations &Workbench::escalations()
{
    return *m_inbox;
}

ProviderSettings &Workbench::settings()
{
    return *m_settings;
}

Prompt Workbench::builtInPrompt(Mode mode) const
{
    return mode == Mode::Code ? m_codePrompt : m_prompt;
}

Tool *Workbench::builtIn(const std::string &name) const
{
    for (const auto &tool : m_builtIn)
        if (tool->spec().name == name)
            return tool.get();
    return nullptr;
}

Result<Workbench::Checked> Workbench::check(const Task &task, bool withScenario) const
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
    if (task.mode == Mode::Code && withScenario) { // a replay plays the recorded verdicts
        auto verifier = m_verifiers->make(task);
        if (!verifier)
            return tl::unexpected<Error>(verifier.error());
        out.verifier = std::move(*verifier);
    }
    if (withScenario) { // it runs live; a form of the window may hold what no file may
        if (const auto fits = checkHttp(task.model); !fits)
            return tl::unexpected<Error>(fits.error());
        auto scenario = tools::loadScenarioFor(task);
        if (!scenario)
            return tl::unexpected<Error>(scenario.error());
        out.scenario = std::move(*scenario);
    }
    auto prices = personsPrices();
    if (!prices)
        return tl::unexpected<Error>(prices.error());
    prices->insert(prices->end(), m_prices.begin(), m_prices.end());
    const auto facts = tools::providerFacts();
    const bool own = std::any_of(facts.begin(), facts.end(), [&](const ProviderFacts &fact) {
        return fact.name == task.model.provider && fact.defaultBaseUrl == task.model.baseUrl;
    });
    out.price = priceOf(*prices, task.model.provider, task.model.model,
                        own ? std::string() : task.model.baseUrl);
    if (const auto kept = costBoundCanBeKept(task, out.price); withScenario && !kept)
        return tl::unexpected<Error>(kept.error());
    return out;
}

tools::ProviderEnvironment
Workbench::environmentOf(std::shared_ptr<tools::ScenarioPlayer> player) const
{
    return {&m_clock, std::move(player), &m_http,
            [this](const std::string &provider) { return m_settings->keyOf(provider); }};
}

Result<Bound> Workbench::boundOf(const Task &task) const
{
    const bool played = task.model.provider == replayProvider;
    const auto checked = check(task, !played);
    if (!checked)
        return tl::unexpected<Error>(checked.error());
    const auto environment =
        environmentOf(std::make_shared<tools::ScenarioPlayer>(checked->scenario));
    if (const auto provider = tools::makeProvider(task, environment); !played && !provider)
        return tl::unexpected<Error>(provider.error());
    bool anyIdempotent = false;
    for (const ToolSpec &spec : checked->specs)
        anyIdempotent = anyIdempotent || spec.idempotent;
    return bound(task, anyIdempotent, checked->price);
}

std::string Workbench::traceFolder()
{
    return dataFolder() + "/traces";
}

Result<std::string> Workbench::tracePath(const std::string &title, const std::string &wanted) const
{
    if (!wanted.empty())
        return wanted;
    return tools::makeTracePath(traceFolder(), title, m_clock.utcNow());
}

// What a run plays besides the real world.
struct Workbench::Playback {
    Recording recording;
    tools::ReplayPlayer::Options options;
    bool whole = true;                     // a replay; else the beginning of a fork
    std::optional<Recording> continuation; // what plays after the fork instead of a live model
    std::string kind = "replay";
    std::string escalation = {}; // that is answered; then these hold:
    int step = 0, liveStep = 0, usedReplies = -1;
    std::vector<Instruction> instructions = {};
    std::vector<EventDraft> events = {};
};

Result<RunReport> Workbench::run(const Task &task, const std::string &traceFile,
                                 RunControl &control, RunListener &listener)
{
    if (task.model.provider != replayProvider)
        return start(task, nullptr, traceFile, control, listener);
    const auto safe = refuseOverwriting(traceFile, {recordingFileOf(task)});
    if (!safe)
        return tl::unexpected<Error>(safe.error());
    auto recording = loadRecordingOf(task);
    if (!recording)
        return tl::unexpected<Error>(recording.error());
    Playback playback{std::move(*recording), {}, true, {}, "replay"};
    return start(task, &playback, traceFile, control, listener);
}

Result<RunReport> Workbench::replay(const std::string &recordingFile, const std::string &traceFile,
                                    RunControl &control, RunListener &listener)
{
    const auto safe = refuseOverwriting(traceFile, {recordingFile});
    if (!safe)
        return tl::unexpected<Error>(safe.error());
    auto recording = tools::loadRecording(recordingFile);
    if (!recording)
        return tl::unexpected<Error>(recording.error());
    const Task task = recording->task;
    Playback playback{std::move(*recording), {}, true, {}, "replay"};
    return start(task, &playback, traceFile, control, listener);
}

Result<RunReport> Workbench::fork(const Fork &fork, const Task &task, const std::string &traceFile,
                                  RunControl &control, RunListener &listener)
{
    const bool played = task.model.provider == replayProvider;
    const auto safe = refuseOverwriting(
        traceFile, {fork.traceFile, played ? recordingFileOf(task) : std::string()});
    if (!safe)
        return tl::unexpected<Error>(safe.error());
    auto recording = tools::loadRecording(fork.traceFile);
    if (!recording)
        return tl::unexpected<Error>(recording.error());
    const int last = lastStep(*recording);
    if (fork.step < 1 || fork.step > last)
        return fail(ErrorCode::BadValue, "the trace has the steps 1 to " + std::to_string(last) +
                                             ", so it cannot be forked at step " +
                                             std::to_string(fork.step));
    Playback playback{std::move(*recording), {false, false, 1, fork.step, {}}, false, {}, "fork"};
    if (played) {
        auto other = loadRecordingOf(task);
        if (!other)
            return tl::unexpected<Error>(other.error());
        playback.continuation = std::move(*other);
    }
    return start(task, &playback, traceFile, control, listener);
}

Result<RunReport> Workbench::answer(const std::string &escalation, const Answer &answer,
                                    const std::string &traceFile, RunControl &control,
                                    RunListener &listener)
{
    auto answered = m_inbox->answer(escalation, answer);
    if (!answered)
        return tl::unexpected<Error>(answered.error());
    const auto goOn = [&]() -> Result<RunReport> {
        auto task = taskOfTrace(answered->before.traceFile);
        if (!task)
            return tl::unexpected<Error>(task.error());
        Continuation &from = answered->continuation;
        if (from.maxAttempts > 0)
            task->bounds.maxAttempts = from.maxAttempts;
        Playback playback{std::move(from.recording), {false, false, 1}, false, {}, "answer"};
        playback.options.thenLive = true;
        playback.escalation = answered->before.id;
        playback.step = from.step;
        playback.liveStep = from.liveStep;
        playback.usedReplies = from.usedReplies;
        playback.instructions = std::move(from.instructions);
        playback.events = std::move(answered->events);
        if (task->model.provider == replayProvider) {
            auto other = loadRecordingOf(*task);
            if (!other)
                return tl::unexpected<Error>(other.error());
            playback.continuation = std::move(*other);
        }
        return start(*task, &playback, traceFile, control, listener);
    };
    auto report = goOn();
    if (!report)
        m_inbox->takeBack(answered->before);
    return report;
}

// Fills the stage with the task's own model and tools, each wrapped for what its scenario plays.
// A scenario goes on where the recording leaves off.
Result<void> Workbench::setLive(Stage &stage, const Task &task, Checked &checked,
                                const Playback *before) const
{
    const auto player = std::make_shared<tools::ScenarioPlayer>(std::move(checked.scenario));
    for (int i = 0; before != nullptr && i < before->usedReplies; ++i)
        player->nextReply();
    for (std::size_t i = 0; before != nullptr && i < before->recording.items.size(); ++i) {
        const RecordedItem &item = before->recording.items[i];
        const auto *call = std::get_if<RecordedCall>(&item);
        const auto *execution = std::get_if<RecordedExecution>(&item);
        if (call != nullptr && before->usedReplies < 0 && call->step < before->options.untilStep)
            player->nextReply();
        else if (execution != nullptr && execution->step < before->options.untilStep &&
                 !execution->tool.empty())
            player->nextTry(execution->tool, execution->input);
    }
    auto provider = tools::makeProvider(task, environmentOf(player));
    if (!provider)
        return tl::unexpected<Error>(provider.error());
    stage.setModel(std::move(*provider));
    if (checked.verifier)
        stage.setVerifier(std::move(checked.verifier));
    for (std::size_t i = 0; i < checked.specs.size(); ++i)
        stage.addTool(std::make_unique<tools::PlayedTool>(checked.specs[i], checked.real[i], player,
                                                          &m_clock));
    return {};
}

Result<RunReport> Workbench::start(const Task &task, Playback *playback,
                                   const std::string &traceFile, RunControl &control,
                                   RunListener &listener)
{
    const bool live = playback == nullptr || (!playback->whole && !playback->continuation);
    auto checked = check(task, live);
    if (!checked)
        return tl::unexpected<Error>(checked.error());
    Stage stage(m_clock);
    if (live)
        if (const auto set = setLive(stage, task, *checked, playback); !set)
            return tl::unexpected<Error>(set.error());
    if (live) // whatever it is: a key that is about to be used is known to the redactor
        (void)m_settings->keyOf(task.model.provider, control.stopToken());
    const auto redactor = m_settings->redactor();
    if (!redactor)
        return tl::unexpected<Error>(redactor.error());
    const std::string title = (*redactor)->redactText(task.name.empty() ? task.goal : task.name);
    const auto path = tracePath(title, traceFile);
    if (!path)
        return tl::unexpected<Error>(path.error());

    RunSetup setup;
    setup.task = task;
    setup.prompt = promptOf(task);
    setup.tools = checked->specs;
    setup.price = checked->price;
    std::optional<ComparingListener> comparing;
    tools::ReplayPlayer *player = nullptr;
    if (playback != nullptr) {
        setup.origin = {{"kind", playback->kind}, {"run_id", playback->recording.runId}};
        if (!playback->whole)
            setup.origin["step"] = playback->options.untilStep;
        setup.seed = playback->recording.runId;
        setup.instructions = instructionsOf(playback->recording, playback->options.untilStep);
        if (!playback->escalation.empty()) {
            setup.origin["step"] = playback->step;
            setup.origin["escalation"] = playback->escalation;
            setup.instructions = playback->instructions;
            setup.afterStart = playback->events;
        }
        if (!setup.instructions.empty())
            setup.origin["instructions"] = instructionsToJson(setup.instructions);
        if (playback->whole || playback->continuation) // what it cost is recorded, too
            setup.price =
                playback->whole ? playback->recording.price : playback->continuation->price;
        if (const auto kept = costBoundCanBeKept(task, setup.price); !kept)
            return tl::unexpected<Error>(kept.error());
        setup.breakers = breakersOf(playback->recording, m_clock.nowUs());
        tellProblems(playback->recording, listener);
        playback->options.redactor = *redactor;
        if (playback->continuation)
            stage.play(
                std::move(*playback->continuation),
                {false, true,
                 playback->escalation.empty() ? playback->options.untilStep : playback->liveStep,
                 INT_MAX, *redactor},
                checked->specs, control);
        player =
            &stage.play(std::move(playback->recording), playback->options, checked->specs, control);
        if (playback->whole)
            comparing.emplace(listener, *player);
    }
    setup.provider = stage.model();
    setup.verifier = stage.verifier();
    setup.toolsByName = stage.tools();
    setup.clock = &stage.clock();
    setup.control = &control;
    setup.runId = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    setup.program = program;
    tools::TraceOptions options;
    options.overwrite = !traceFile.empty(); // named by the person
    options.listener = comparing ? &*comparing : &listener;
    options.redactor = *redactor;
    tools::TraceWriter writer(*path, options);
    setup.sink = &writer;
    auto report = perform(setup, *path);
    if (report && player != nullptr)
        report->difference = playback->whole ? player->verdict() : stage.difference();
    return report;
}

// Runs, with what the session's breakers bring along and leave.
Result<RunReport> Workbench::perform(RunSetup &setup, const std::string &path)
{
    const bool session =
        setup.task.breaker.scope == BreakerScope::Session && setup.origin.is_null();
    if (session) {
        const std::lock_guard lock(m_mutex);
        setup.breakers = m_sessionBreakers;
    }
    auto note = m_inbox->runBegins(setup, path);
    auto result = core::run(setup);
    if (!result)
        return tl::unexpected<Error>(result.error());
    if (session) {
        const std::lock_guard lock(m_mutex);
        for (auto &[name, breaker] : result->breakers)
            m_sessionBreakers.insert_or_assign(name, breaker);
    }
    RunReport report{std::move(*result), path};
    m_inbox->runEnded(setup, note, report);
    return report;
}

} // namespace emend::app
