// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/scenario/playedtool.h"

#include <algorithm>
#include <utility>

#include "tools/scenario/scenarioplayer.h"

namespace emend::tools {

namespace {

core::ToolOutcome play(const core::ScriptedTry &entry, const core::CallContext &context,
                       core::Clock &clock)
{
    const std::int64_t delayUs = entry.delayMs * 1000;
    const std::int64_t now = clock.nowUs();
    const bool late = entry.hang || delayUs > context.deadlineUs - now;
    if (late || delayUs > 0) {
        const std::int64_t until = late ? context.deadlineUs : now + delayUs;
        if (!clock.waitUntil(until, context.stop))
            return core::ToolOutcome::cancelled();
        if (late)
            return core::ToolOutcome::timeout("timed out: no answer within the tool's time limit");
    }
    if (context.stop.stop_requested())
        return core::ToolOutcome::cancelled();
    if (entry.timeout)
        return core::ToolOutcome::timeout(entry.text);
    return entry.ok ? core::ToolOutcome::succeeded(entry.text)
                    : core::ToolOutcome::failed(entry.text);
}

} // namespace

PlayedTool::PlayedTool(core::ToolSpec spec, core::Tool *real,
                       std::shared_ptr<ScenarioPlayer> player, core::Clock *clock)
    : m_spec(std::move(spec))
    , m_real(real)
    , m_player(std::move(player))
    , m_clock(clock)
{}

PlayedTool::~PlayedTool() = default;

core::ToolOutcome PlayedTool::execute(const nlohmann::json &input, const core::CallContext &context)
{
    if (const core::ScriptedTry *entry = m_player->nextTry(m_spec.name, input))
        return play(*entry, context, *m_clock);
    if (m_real)
        return m_real->execute(input, context);
    return core::ToolOutcome::failed("\"" + m_spec.name +
                                     "\" is declared by the task only, and its scenario has "
                                     "nothing left to play for it");
}

core::Result<core::ToolSpec> declaredToolSpec(const core::ToolReference &tool)
{
    auto schema = core::Schema::compile(tool.inputSchema);
    if (!schema) {
        core::Error error = std::move(schema.error());
        error.message = "input_schema of the tool \"" + tool.name + "\": " + error.message;
        return tl::unexpected(std::move(error));
    }
    return core::ToolSpec{tool.name, tool.description, tool.idempotent, tool.inputSchema,
                          std::move(*schema)};
}

} // namespace emend::tools
