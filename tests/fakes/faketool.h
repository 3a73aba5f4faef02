// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json/schema.h"
#include "core/run/ports.h"

namespace emend::tests {

// A specification with a compiled schema. The default takes any object.
inline core::ToolSpec toolSpec(const std::string &name, bool idempotent = true,
                               nlohmann::json inputSchema = {{"type", "object"},
                                                             {"additionalProperties", true}})
{
    core::ToolSpec spec{name, "A fake " + name, idempotent, std::move(inputSchema), nullptr};
    auto schema = core::Schema::compile(spec.inputSchema);
    if (!schema) {
        std::fprintf(stderr, "fake tool %s: %s\n", name.c_str(), schema.error().text().c_str());
        std::abort(); // a fault of the test itself
    }
    spec.schema = *schema;
    return spec;
}

// A schema of one required text.
inline nlohmann::json textParameter(const std::string &name)
{
    return {{"type", "object"},
            {"properties", {{name, {{"type", "string"}, {"minLength", 1u}}}}},
            {"required", nlohmann::json::array({name})}};
}

// The three built-in tools as the model sees them, without what they do.
inline std::vector<core::ToolSpec> weatherTools()
{
    return {toolSpec("calculator", true, textParameter("expression")),
            toolSpec("get_time", true, textParameter("timezone")),
            toolSpec("weather", true, textParameter("city"))};
}

// A tool that does what a test says and keeps what it was asked. The run's thread.
class FakeTool : public core::Tool {
public:
    using Body =
        std::function<core::ToolOutcome(const nlohmann::json &, const core::CallContext &)>;

    FakeTool(core::ToolSpec spec, Body body)
        : m_spec(std::move(spec))
        , m_body(std::move(body))
    {}

    // Always gives `output`.
    explicit FakeTool(const std::string &name, const std::string &output = "ok")
        : FakeTool(toolSpec(name), [output](const auto &, const auto &) {
            return core::ToolOutcome::succeeded(output);
        })
    {}

    const core::ToolSpec &spec() const override { return m_spec; }

    core::ToolOutcome execute(const nlohmann::json &input,
                              const core::CallContext &context) override
    {
        inputs.push_back(input);
        return m_body(input, context);
    }

    std::vector<nlohmann::json> inputs; // one an execution

private:
    core::ToolSpec m_spec;
    Body m_body;
};

} // namespace emend::tests
