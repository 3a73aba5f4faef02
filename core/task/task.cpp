// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/task.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/contract/decision.h"
#include "core/json/schema.h"
#include "core/json/strictreader.h"
#include "core/task/codetask.h"
#include "core/task/filereader.h"
#include "core/task/httprules.h"

namespace emend::core {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::int64_t maxWhole = 1'000'000'000'000;
constexpr double maxCost = 1e9;

const std::vector<std::string> modeNames = {"react", "code", "reflect", "pipeline"};
const std::vector<std::string> structuredOutputNames = {"off", "json", "schema", "tools"};

std::vector<std::string> categoryNames()
{
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(Category::UnsupportedSuccess); ++i)
        names.emplace_back(categoryName(static_cast<Category>(i)));
    return names;
}

void readMistakes(FileReader &file, ObjectReader mistakes, PracticeMistakes &out)
{
    std::int64_t seed = 1;
    mistakes.real("rate", out.rate, 0, 1);
    mistakes.integer("seed", seed, 0, maxWhole);
    out.seed = static_cast<std::uint64_t>(seed);
    const json *list = mistakes.take("categories");
    const std::string at = mistakes.pointerTo("categories");
    if (list != nullptr && !list->is_array())
        file.fault(at, "expected a list of categories");
    const auto known = categoryNames();
    for (std::size_t i = 0; list != nullptr && list->is_array() && i < list->size(); ++i) {
        const json &entry = (*list)[i];
        if (std::find(known.begin(), known.end(), entry) == known.end())
            file.fault(at + "/" + std::to_string(i), "unknown category " + entry.dump());
        else
            out.categories.push_back(entry.get<std::string>());
    }
    mistakes.finish();
}

void readTransport(ObjectReader transport, TransportSettings &out)
{
    constexpr std::int64_t day = 86'400;
    transport.integer("max_retries", out.maxRetries, 0, 20);
    transport.integer("timeout_seconds", out.timeoutSeconds, 1, day);
    transport.integer("connect_timeout_seconds", out.connectSeconds, 1, day);
    transport.integer("first_byte_timeout_seconds", out.firstByteSeconds, 1, day);
    transport.integer("idle_timeout_seconds", out.idleSeconds, 1, day);
    transport.text("proxy", out.proxy);
    transport.text("ca_file", out.caFile);
    if (const auto tls = transport.choice("tls", {"verify", "do_not_verify"}))
        out.tlsVerify = *tls == 0;
    transport.finish();
}

void readHeaders(FileReader &file, ObjectReader &model,
                 std::vector<std::pair<std::string, std::string>> &out)
{
    const json *headers = model.take("headers");
    if (headers == nullptr)
        return;
    const std::string at = model.pointerTo("headers");
    if (!headers->is_object())
        return file.fault(at, "expected an object of header names and texts");
    for (const auto &[name, value] : headers->items()) {
        if (!value.is_string())
            file.fault(joinPointer(at, name), "expected a text");
        else
            out.emplace_back(name, value.get<std::string>());
    }
}

void readModel(FileReader &file, ObjectReader model, ModelSettings &out)
{
    model.text("provider", out.provider);
    model.text("model", out.model);
    model.text("base_url", out.baseUrl);
    model.real("temperature", out.temperature, 0, 2);
    model.integer("max_output_tokens", out.maxOutputTokens, 1, 10'000'000);
    model.flag("stream", out.stream);
    if (const auto wish = model.choice("structured_output", structuredOutputNames))
        out.structuredOutput = static_cast<StructuredOutput>(*wish);
    readHeaders(file, model, out.headers);
    model.text("recording", out.recording);
    readTransport(model.object("transport"), out.transport);
    readMistakes(file, model.object("mistakes"), out.mistakes);
    model.finish();
    // What was redacted in a recording is let pass: it is never sent.
    if (const auto fits = checkHttp(out, true); !fits)
        file.fault(fits.error().pointer, fits.error().message);
}

void readBounds(ObjectReader bounds, Bounds &out)
{
    bounds.integer("max_actions", out.maxActions, 0, 100'000);
    bounds.integer("max_corrections", out.maxCorrections, 0, 100);
    bounds.integer("max_tool_retries", out.maxToolRetries, 0, 100);
    bounds.integer("max_attempts", out.maxAttempts, 1, 100);
    bounds.optionalInteger("max_model_calls", out.maxModelCalls, 0, maxWhole);
    bounds.optionalInteger("max_tokens", out.maxTokens, 0, maxWhole);
    bounds.optionalReal("max_cost_usd", out.maxCostUsd, 0, maxCost);
    bounds.optionalInteger("max_seconds", out.maxSeconds, 1, 10'000'000);
    bounds.finish();
}

void readBreaker(ObjectReader breaker, BreakerSettings &out)
{
    breaker.integer("failure_threshold", out.failureThreshold, 1, 1000);
    breaker.integer("cooldown_seconds", out.cooldownSeconds, 0, 86'400);
    if (const auto scope = breaker.choice("scope", {"run", "session"}))
        out.scope = *scope == 0 ? BreakerScope::Run : BreakerScope::Session;
    breaker.finish();
}

bool isToolName(const std::string &name)
{
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return !name.empty() && name.size() <= 64 &&
           name.find_first_not_of(allowed) == std::string::npos;
}

ToolReference readDeclaredTool(FileReader &file, const json &entry, const std::string &at)
{
    ToolReference tool;
    tool.declared = true;
    ObjectReader reader(file, &entry, at);
    reader.required("name", tool.name);
    reader.text("description", tool.description);
    reader.flag("idempotent", tool.idempotent);
    if (const json *schema = reader.take("input_schema")) {
        tool.inputSchema = *schema;
        if (const auto compiled = Schema::compile(*schema); !compiled)
            file.fault(at + "/input_schema" + compiled.error().pointer, compiled.error().message);
    } else {
        file.fault(at + "/input_schema", "missing, and required");
    }
    reader.finish();
    if (!tool.name.empty() && !isToolName(tool.name))
        file.fault(at + "/name", "a tool's name has 1 to 64 of A-Z a-z 0-9 _ - .");
    return tool;
}

void readTools(FileReader &file, const json *list, std::vector<ToolReference> &tools,
               std::vector<std::string> *files)
{
    if (list == nullptr)
        return;
    if (!list->is_array())
        return file.fault("/tools", "expected a list");
    std::set<std::string> names;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const json &entry = (*list)[i];
        const std::string at = "/tools/" + std::to_string(i);
        if (entry.is_string()) {
            tools.push_back({entry.get<std::string>(), false, {}, false, {}});
        } else if (files != nullptr && entry.is_object() && entry.contains("file")) {
            ObjectReader reader(file, &entry, at);
            files->emplace_back();
            reader.required("file", files->back());
            reader.finish();
            continue;
        } else if (entry.is_object()) {
            tools.push_back(readDeclaredTool(file, entry, at));
        } else {
            file.fault(at, "expected a tool's name or an object that declares one");
            continue;
        }
        if (!names.insert(tools.back().name).second)
            file.fault(at, "the tool " + inQuotes(tools.back().name) + " is listed twice");
    }
}

void readPrompt(FileReader &file, ObjectReader prompt, Task &task)
{
    prompt.text("system", task.systemPrompt);
    prompt.text("system_file", task.systemPromptFile);
    prompt.finish();
    if (!task.systemPrompt.empty() && !task.systemPromptFile.empty())
        file.fault("/prompt", "give either \"system\" or \"system_file\"");
}

void readCode(FileReader &file, ObjectReader &root, Task &task)
{
    const json *member = root.take("code");
    if (task.mode != Mode::Code) {
        if (member != nullptr)
            file.fault("/code", "only a task with \"mode\":\"code\" has this member");
        return;
    }
    if (member == nullptr)
        return file.fault("/code", "missing, and required in mode \"code\"");
    readCodeSettings(file, root.object("code"), task.code);
    if (trimBlank(task.goal).empty()) // what is wanted is said once
        task.goal = task.code.spec;
    if (!task.tools.empty() || !task.toolFiles.empty())
        file.fault("/tools", "a task of mode \"code\" has no tools");
    if (task.model.structuredOutput != StructuredOutput::Off)
        file.fault("/model/structured_output", "a task of mode \"code\" asks for text: \"off\"");
}

ordered_json toolsToJson(const Task &task, bool resolved)
{
    ordered_json out = ordered_json::array();
    for (const ToolReference &tool : task.tools) {
        if (!resolved && !tool.fromFile.empty())
            continue;
        if (!tool.declared) {
            out.push_back(tool.name);
            continue;
        }
        ordered_json entry = {{"name", tool.name}};
        if (!tool.description.empty())
            entry["description"] = tool.description;
        entry["idempotent"] = tool.idempotent;
        entry["input_schema"] = tool.inputSchema;
        out.push_back(std::move(entry));
    }
    const bool read = std::any_of(task.tools.begin(), task.tools.end(),
                                  [](const ToolReference &tool) { return !tool.fromFile.empty(); });
    for (const std::string &file : task.toolFiles)
        if (!resolved || !read)
            out.push_back({{"file", file}});
    return out;
}

template<typename T>
ordered_json orNull(const std::optional<T> &value)
{
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json modelToJson(const ModelSettings &model)
{
    ordered_json out = {{"provider", model.provider},
                        {"model", model.model},
                        {"base_url", model.baseUrl},
                        {"temperature", model.temperature},
                        {"max_output_tokens", model.maxOutputTokens},
                        {"stream", model.stream},
                        {"structured_output", structuredOutputName(model.structuredOutput)}};
    out["headers"] = ordered_json::object();
    for (const auto &[name, value] : model.headers)
        out["headers"][name] = value;
    if (!model.recording.empty())
        out["recording"] = model.recording;
    const TransportSettings &transport = model.transport;
    out["transport"] = {{"max_retries", transport.maxRetries},
                        {"timeout_seconds", transport.timeoutSeconds},
                        {"connect_timeout_seconds", transport.connectSeconds},
                        {"first_byte_timeout_seconds", transport.firstByteSeconds},
                        {"idle_timeout_seconds", transport.idleSeconds},
                        {"proxy", transport.proxy},
                        {"ca_file", transport.caFile},
                        {"tls", transport.tlsVerify ? "verify" : "do_not_verify"}};
    out["mistakes"] = {{"rate", model.mistakes.rate},
                       {"categories", model.mistakes.categories},
                       {"seed", model.mistakes.seed}};
    return out;
}

ordered_json boundsToJson(const Bounds &bounds)
{
    return {{"max_actions", bounds.maxActions},
            {"max_corrections", bounds.maxCorrections},
            {"max_tool_retries", bounds.maxToolRetries},
            {"max_attempts", bounds.maxAttempts},
            {"max_model_calls", orNull(bounds.maxModelCalls)},
            {"max_tokens", orNull(bounds.maxTokens)},
            {"max_cost_usd", orNull(bounds.maxCostUsd)},
            {"max_seconds", orNull(bounds.maxSeconds)}};
}

ordered_json fullJson(const Task &task, bool resolved)
{
    ordered_json out = {{"emend", "task"}, {"version", 1}, {"mode", modeName(task.mode)}};
    out["name"] = task.name;
    out["goal"] = task.goal;
    out["model"] = modelToJson(task.model);
    if (!task.scenarioFile.empty())
        out["scenario"] = task.scenarioFile;
    const bool byReference = !resolved || task.systemPrompt.empty();
    if (!task.systemPromptFile.empty() && byReference)
        out["prompt"] = {{"system_file", task.systemPromptFile}};
    else if (!task.systemPrompt.empty())
        out["prompt"] = {{"system", task.systemPrompt}};
    out["tools"] = toolsToJson(task, resolved);
    out["repeat_guard"] = task.repeatGuard == RepeatGuard::Run ? "run" : "until_change";
    out["accept_wrappers"] = task.acceptWrappers;
    out["bounds"] = boundsToJson(task.bounds);
    out["breaker"] = {{"failure_threshold", task.breaker.failureThreshold},
                      {"cooldown_seconds", task.breaker.cooldownSeconds},
                      {"scope", task.breaker.scope == BreakerScope::Run ? "run" : "session"}};
    if (task.mode == Mode::Code)
        out["code"] = codeSettingsToJson(task.code, resolved);
    return out;
}

// Takes out of `value` what is the same in `defaults`.
void dropDefaults(ordered_json &value, const ordered_json &defaults)
{
    for (auto it = value.begin(); it != value.end();) {
        const auto fallback = defaults.find(it.key());
        if (fallback != defaults.end() && it->is_object() && fallback->is_object())
            dropDefaults(*it, *fallback);
        const bool same = fallback != defaults.end() && *it == *fallback;
        const bool empty = it->is_object() && it->empty();
        it = same || empty ? value.erase(it) : std::next(it);
    }
}

} // namespace

std::string_view modeName(Mode mode)
{
    return modeNames[static_cast<std::size_t>(mode)];
}

std::string_view structuredOutputName(StructuredOutput wish)
{
    return structuredOutputNames[static_cast<std::size_t>(wish)];
}

Result<Task> parseTask(std::string_view text)
{
    FileReader file(text, "task", 1);
    Task task;
    ObjectReader root = file.root();
    if (const auto mode = root.choice("mode", modeNames))
        task.mode = static_cast<Mode>(*mode);
    const bool code = task.mode == Mode::Code;
    if (task.mode != Mode::React && !code)
        file.fault("/mode",
                   "mode \"" + std::string(modeName(task.mode)) +
                       "\" is not in this version of Emend",
                   ErrorCode::NotSupported);
    root.text("name", task.name);
    code ? root.text("goal", task.goal) : root.required("goal", task.goal);
    readModel(file, root.object("model"), task.model);
    root.text("scenario", task.scenarioFile);
    readPrompt(file, root.object("prompt"), task);
    readTools(file, root.take("tools"), task.tools, &task.toolFiles);
    if (const auto guard = root.choice("repeat_guard", {"run", "until_change"}))
        task.repeatGuard = *guard == 0 ? RepeatGuard::Run : RepeatGuard::UntilChange;
    root.flag("accept_wrappers", task.acceptWrappers);
    readBounds(root.object("bounds"), task.bounds);
    readBreaker(root.object("breaker"), task.breaker);
    readCode(file, root, task);
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return task;
}

Result<std::vector<ToolReference>> parseToolsFile(std::string_view text)
{
    FileReader file(text, "tools", 1, true);
    std::vector<ToolReference> tools;
    ObjectReader root = file.root();
    root.take("comment");
    const json *list = root.take("tools");
    if (list == nullptr)
        file.fault("/tools", "missing, and required");
    readTools(file, list, tools, nullptr);
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return tools;
}

void moveTo(Task &task, const std::string &folder)
{
    const auto rebase = [&](std::string &name) {
        const bool absolute = name.starts_with('/') || name.starts_with(":/");
        if (!name.empty() && !absolute && !task.folder.empty() && task.folder != folder)
            name = task.folder + '/' + name;
    };
    rebase(task.scenarioFile);
    rebase(task.systemPromptFile);
    rebase(task.model.recording);
    rebase(task.model.transport.caFile);
    for (std::string &file : task.toolFiles)
        rebase(file);
    for (ToolReference &tool : task.tools)
        rebase(tool.fromFile);
    rebase(task.code.testsFile);
    rebase(task.code.edgeTestsFile);
    rebase(task.code.generatorFile);
    task.folder = folder;
}

json taskToJson(const Task &task)
{
    return json::parse(
        fullJson(task, true).dump(-1, ' ', false, ordered_json::error_handler_t::replace), nullptr,
        false);
}

std::string taskToFileText(const Task &task)
{
    ordered_json out = fullJson(task, false);
    Task defaults;
    defaults.model.provider.clear(); // always said
    ordered_json fallback = fullJson(defaults, false);
    for (const char *key : {"emend", "version", "mode", "goal", "tools"})
        fallback.erase(key);
    if (task.mode == Mode::Code) {
        fallback["code"] = codeSettingsToJson(CodeSettings{}, false);
        fallback["tools"] = ordered_json::array();
        fallback["goal"] = task.code.spec;
        out["tools"] = ordered_json::array();
    }
    dropDefaults(out, fallback);
    return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

} // namespace emend::core
