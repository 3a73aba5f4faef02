// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/ports.h"

namespace emend::tools {

// What all built-in agent tools share: the spec with its compiled schema, and the refusal to begin
// when the call is already stopped or late. All are idempotent and keep no state between calls.
// execute() runs on the runner's thread.
class BuiltInTool : public core::Tool {
public:
    const core::ToolSpec &spec() const final { return m_spec; }
    core::ToolOutcome execute(const nlohmann::json &input, const core::CallContext &context) final;

protected:
    // `inputSchema` is the text of a JSON Schema. It leaves `additionalProperties` out, because
    // false is our default and some providers refuse the keyword.
    BuiltInTool(const core::Clock &clock, std::string name, std::string description,
                std::string_view inputSchema);

    virtual core::ToolOutcome run(const nlohmann::json &input,
                                  const core::CallContext &context) = 0;

    const core::Clock &clock() const { return m_clock; }

private:
    const core::Clock &m_clock;
    core::ToolSpec m_spec;
};

// The string at `key`, or "" if there is none. Never throws.
std::string textAt(const nlohmann::json &object, std::string_view key);

} // namespace emend::tools
