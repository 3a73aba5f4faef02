// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/prompt.h"

#include <nlohmann/json.hpp>

#include "core/task/filereader.h"

namespace emend::core {

namespace {

std::string toolList(const std::vector<ToolSpec> &tools)
{
    std::string out;
    for (const ToolSpec &tool : tools) {
        const nlohmann::json entry = {{"name", tool.name},
                                      {"description", tool.description},
                                      {"input_schema", tool.inputSchema}};
        out += entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    }
    return out.empty() ? "(none)\n" : out;
}

bool replaceAll(std::string &text, std::string_view what, const std::string &with)
{
    bool found = false;
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
        found = true;
    }
    return found;
}

} // namespace

Result<Prompt> parsePrompt(std::string_view text)
{
    FileReader file(text, "prompt", 1);
    Prompt prompt;
    ObjectReader root = file.root();
    root.required("id", prompt.id);
    root.integer("revision", prompt.version, 1, 1'000'000);
    if (const nlohmann::json *lines = root.take("system"); lines != nullptr && lines->is_array()) {
        for (const auto &line : *lines)
            prompt.system += (line.is_string() ? line.get<std::string>() : std::string()) + '\n';
    } else {
        file.fault("/system", "expected a list of lines");
    }
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return prompt;
}

std::string renderSystemPrompt(const Prompt &prompt, const std::vector<ToolSpec> &tools,
                               int maxActions)
{
    std::string out = prompt.system;
    replaceAll(out, "{{max_actions}}", std::to_string(maxActions));
    if (!replaceAll(out, "{{tools}}", toolList(tools)))
        out += "\nTools, one JSON object a line:\n" + toolList(tools);
    return out;
}

std::string renderCodePrompt(const Prompt &prompt, const CodeSettings &settings)
{
    std::string out = prompt.system;
    replaceAll(out, "{{language}}", settings.language);
    replaceAll(out, "{{file}}",
               settings.solutionName.empty() ? "Everything is in this one file."
                                             : "Everything is in this one file, which is called " +
                                                   settings.solutionName + ".");
    return out;
}

} // namespace emend::core
