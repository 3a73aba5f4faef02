// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/builtintool.h"

namespace emend::tools {

BuiltInTool::BuiltInTool(const core::Clock &clock, std::string name, std::string description,
                         std::string_view inputSchema)
    : m_clock(clock)
{
    m_spec.name = std::move(name);
    m_spec.description = std::move(description);
    m_spec.idempotent = true;
    m_spec.inputSchema = nlohmann::json::parse(inputSchema, nullptr, false);
    // The schemas are literals; the contract test over the registry proves that each compiles.
    if (auto compiled = core::Schema::compile(m_spec.inputSchema))
        m_spec.schema = std::move(*compiled);
}

core::ToolOutcome BuiltInTool::execute(const nlohmann::json &input,
                                       const core::CallContext &context)
{
    if (context.stop.stop_requested())
        return core::ToolOutcome::cancelled();
    if (m_clock.nowUs() >= context.deadlineUs)
        return core::ToolOutcome::timeout("no time was left to start " + m_spec.name);
    return run(input, context);
}

std::string textAt(const nlohmann::json &object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        return {};
    return found->get<std::string>();
}

} // namespace emend::tools
