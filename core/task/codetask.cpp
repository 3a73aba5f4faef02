// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/codetask.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/task/filereader.h"

namespace emend::core {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// A name in the folder of a run, not a way out of it.
bool isPlainName(const std::string &name)
{
    return !name.starts_with('.') && name.size() <= 100 &&
           name.find_first_of(std::string_view("/\\\0\n\r", 5)) == std::string::npos;
}

bool staysInside(const std::string &path)
{
    return !path.starts_with('/') && path.find('\0') == std::string::npos &&
           ("/" + path + "/").find("/../") == std::string::npos;
}

// A text, or {"file":"name"}.
void readSource(FileReader &file, ObjectReader &code, const char *key, std::string &text,
                std::string &fileName)
{
    const json *value = code.take(key);
    if (value == nullptr)
        return;
    const std::string at = code.pointerTo(key);
    if (value->is_object()) {
        ObjectReader source(file, value, at);
        source.required("file", fileName);
        source.finish();
    } else if (!value->is_string() || trimBlank(value->get_ref<const std::string &>()).empty()) {
        file.fault(at, "expected a text that is not empty, or {\"file\":…}");
    } else {
        text = value->get<std::string>();
    }
}

void readName(FileReader &file, ObjectReader &code, const char *key, std::string &out)
{
    code.text(key, out);
    if (!isPlainName(out))
        file.fault(code.pointerTo(key), "a file name without folders is wanted");
}

void readList(FileReader &file, const std::string &at, const json &list,
              std::vector<std::string> &out)
{
    for (std::size_t i = 0; i < list.size(); ++i) {
        const json &entry = list[i];
        const bool fits =
            entry.is_string() && (i > 0 || !entry.get_ref<const std::string &>().empty());
        if (!fits || entry.get_ref<const std::string &>().find('\0') != std::string::npos)
            return file.fault(at + "/" + std::to_string(i), "expected a text");
        out.push_back(entry.get<std::string>());
    }
}

void readArguments(FileReader &file, ObjectReader &code, const char *key,
                   std::vector<std::string> &out)
{
    const json *list = code.take(key);
    if (list == nullptr)
        return;
    if (!list->is_array())
        return file.fault(code.pointerTo(key),
                          "expected a list: the program and its arguments, one text each");
    readList(file, code.pointerTo(key), *list, out);
}

// A function is one name; a command is a list.
void readCompare(FileReader &file, ObjectReader &code, CodeSettings &out)
{
    const std::string at = code.pointerTo("compare");
    const json *value = code.take("compare");
    if (value == nullptr)
        return;
    if (value->is_array())
        return readList(file, at, *value, out.compareCommand);
    const std::string name = value->is_string() ? value->get<std::string>() : std::string();
    const bool fits = !name.empty() && name.size() <= 200 &&
                      std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                      std::all_of(name.begin(), name.end(),
                                  [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!fits)
        return file.fault(at, "expected the name of a function, or a command as a list of texts");
    out.compareFunction = name;
}

void readComparison(FileReader &file, ObjectReader &code, CodeSettings &out)
{
    readArguments(file, code, "generator", out.generator);
    readSource(file, code, "generator_source", out.generatorSource, out.generatorFile);
    readCompare(file, code, out);
    const bool source = !out.generatorSource.empty() || !out.generatorFile.empty();
    const bool called = !out.compareFunction.empty() || !out.compareCommand.empty();
    if (out.generator.empty() && source && out.language == "python")
        out.generator = {"python3", "generator"};
    if (out.generator.empty() && (source || called))
        file.fault(code.pointerTo("generator"),
                   "missing: the command that prints one input a line as JSON");
    if (!out.generator.empty() && !called)
        file.fault(code.pointerTo("compare"),
                   "missing: the function that is called on each generated input, or the command "
                   "that gets it on stdin");
}

void readOptions(FileReader &file, ObjectReader &code, json &out)
{
    const json *options = code.take("options");
    if (options == nullptr)
        return;
    if (!options->is_object())
        return file.fault(code.pointerTo("options"), "expected an object");
    out = *options;
}

ordered_json sourceToJson(const std::string &text, const std::string &file, bool resolved)
{
    if (!file.empty() && (!resolved || text.empty()))
        return {{"file", file}};
    return text;
}

} // namespace

void readCodeSettings(FileReader &file, ObjectReader code, CodeSettings &out)
{
    code.required("spec", out.spec);
    readSource(file, code, "tests", out.tests, out.testsFile);
    readSource(file, code, "edge_tests", out.edgeTests, out.edgeTestsFile);
    if (out.tests.empty() && out.testsFile.empty())
        file.fault(code.pointerTo("tests"), "missing, and required");
    code.text("verifier", out.verifier);
    code.text("language", out.language);
    if (trimBlank(out.language).size() != out.language.size() || out.language.empty() ||
        out.language.size() > 40)
        file.fault(code.pointerTo("language"), "the tag of a code block is wanted: \"python\"");
    readName(file, code, "solution_name", out.solutionName);
    readName(file, code, "tests_name", out.testsName);
    if (!out.solutionName.empty() && out.solutionName == out.testsName)
        file.fault(code.pointerTo("tests_name"),
                   "solution and tests cannot have the same file name");
    readArguments(file, code, "command", out.command);
    readComparison(file, code, out);
    code.text("report", out.report);
    if (!staysInside(out.report))
        file.fault(code.pointerTo("report"), "a path inside the folder of the run is wanted");
    readOptions(file, code, out.options);
    code.integer("timeout_seconds", out.timeoutSeconds, 1, 3600);
    code.integer("memory_mb", out.memoryMb, 16, 1 << 20);
    code.integer("max_processes", out.maxProcesses, 1, 10'000);
    if (const auto sandbox = code.choice("sandbox", {"preferred", "required"}))
        out.sandboxRequired = *sandbox == 1;
    code.flag("gate", out.gate);
    code.flag("show_tests", out.showTests);
    code.finish();
}

ordered_json codeSettingsToJson(const CodeSettings &settings, bool resolved)
{
    ordered_json out = {
        {"spec", settings.spec},
        {"tests", sourceToJson(settings.tests, settings.testsFile, resolved)},
        {"edge_tests", sourceToJson(settings.edgeTests, settings.edgeTestsFile, resolved)},
        {"verifier", settings.verifier},
        {"language", settings.language},
        {"solution_name", settings.solutionName},
        {"tests_name", settings.testsName},
        {"command", settings.command},
        {"generator", settings.generator},
        {"generator_source",
         sourceToJson(settings.generatorSource, settings.generatorFile, resolved)},
        {"report", settings.report},
        {"options", settings.options.is_object() ? settings.options : json::object()},
        {"timeout_seconds", settings.timeoutSeconds},
        {"memory_mb", settings.memoryMb},
        {"max_processes", settings.maxProcesses},
        {"sandbox", settings.sandboxRequired ? "required" : "preferred"},
        {"gate", settings.gate},
        {"show_tests", settings.showTests}};
    if (settings.edgeTests.empty() && settings.edgeTestsFile.empty())
        out.erase("edge_tests");
    if (settings.generatorSource.empty() && settings.generatorFile.empty())
        out.erase("generator_source");
    if (!settings.compareFunction.empty())
        out["compare"] = settings.compareFunction;
    else if (!settings.compareCommand.empty())
        out["compare"] = settings.compareCommand;
    return out;
}

} // namespace emend::core
