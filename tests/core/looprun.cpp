// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/looprun.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace emend::tests {

using namespace emend::core;
using nlohmann::json;

namespace {

// Lets the time of a call pass, but not beyond its deadline; true: the deadline came first.
bool pass(FakeClock &clock, const CallContext &context, std::int64_t us)
{
    const std::int64_t left = context.deadlineUs - clock.nowUs();
    clock.advance(std::min(us, left));
    return us > left;
}

class ScriptProvider : public ModelProvider {
public:
    ScriptProvider(const LoopScript &script, LoopRun &run, FakeClock &clock)
        : m_script(script)
        , m_run(run)
        , m_clock(clock)
    {}

    ModelOutcome generate(const ModelRequest &request, const CallContext &context,
                          const std::function<void(std::string_view)> &) override
    {
        m_run.requests.push_back(*request.messages);
        if (pass(m_clock, context, m_script.callUs))
            return ModelOutcome::failed({TransportClass::Timeout, "late", true, {}, {}});
        const std::size_t at = std::min(m_run.requests.size(), m_script.replies.size()) - 1;
        const Reply &reply = m_script.replies.at(at);
        if (reply.error)
            return ModelOutcome::failed(*reply.error);
        return ModelOutcome::replied(
            {reply.text, {}, reply.truncated ? "length" : "stop", reply.truncated});
    }

private:
    const LoopScript &m_script;
    LoopRun &m_run;
    FakeClock &m_clock;
};

// Plays the tries of the n-th executed action, whatever its tool.
struct ActionScript {
    const LoopScript *script;
    LoopRun *run;
    FakeClock *clock;
    std::size_t action = 0; // executed so far
    std::size_t tries = 0;
    std::size_t requestsSeen = 0;

    ToolOutcome next(const std::string &tool, const json &input, const CallContext &context)
    {
        if (run->requests.size() != requestsSeen) { // a model call lies between two actions
            ++action;
            tries = 0;
            requestsSeen = run->requests.size();
        }
        run->executed.push_back({{"tool", tool}, {"input", input}});
        if (pass(*clock, context, script->callUs))
            return ToolOutcome::timeout("late");
        if (action > script->actions.size())
            return ToolOutcome::succeeded("unscripted");
        const Tries &list = script->actions[action - 1];
        return list.at(std::min(tries++, list.size() - 1));
    }
};

class ScriptTool : public Tool {
public:
    ScriptTool(ToolSpec spec, ActionScript &script)
        : m_spec(std::move(spec))
        , m_script(script)
    {}
    const ToolSpec &spec() const override { return m_spec; }
    ToolOutcome execute(const json &input, const CallContext &context) override
    {
        return m_script.next(m_spec.name, input, context);
    }

private:
    ToolSpec m_spec;
    ActionScript &m_script;
};

std::string word(const Event &event, const json &body)
{
    switch (event.kind) {
    case EventKind::ToolSucceeded:
        return "action:ok";
    case EventKind::ToolFailed:
        return body["will_retry"] == true ? "" : "action:failed";
    case EventKind::ToolSkipped:
        return "refused:circuit_open:" + body["tool"].get<std::string>();
    case EventKind::CorrectionRequested:
        return "correction:" + body["category"].get<std::string>();
    case EventKind::ModelFailed:
        return "infrastructure:" + body["class"].get<std::string>();
    case EventKind::DecisionAccepted:
        if (body["state"] == "final")
            return body["satisfied"] == true ? "final:satisfied=true" : "final:satisfied=false";
        return {};
    case EventKind::VerifyFinished:
        return body.value("candidate", std::string("nobody")) + ":" +
               body["suite"].get<std::string>() + ":" +
               (body["passed"] == true ? "passed" : body["cause"].get<std::string>());
    case EventKind::GateFinished:
        return "gate:" + body["verdict"].get<std::string>();
    case EventKind::RunFinished:
        return body["reason"] == "final" ? "" : "stop:" + body["reason"].get<std::string>();
    default:
        return {};
    }
}

} // namespace

Result<RunResult> CodeWorld::run(const Task &task)
{
    RunSetup setup;
    setup.task = task;
    setup.prompt = {"t", 1, "p"};
    setup.provider = &provider;
    setup.verifier = &verifier;
    setup.clock = &clock;
    setup.sink = &sink;
    setup.control = &control;
    setup.runId = "r";
    return core::run(setup);
}

LoopRun runLoop(const LoopScript &script, const std::vector<ToolSpec> &tools, FakeClock *given)
{
    LoopRun out;
    FakeClock own;
    FakeClock &clock = given != nullptr ? *given : own;
    FakeSink sink;
    RunControl control(clock);
    ScriptProvider provider(script, out, clock);
    ActionScript actions{&script, &out, &clock, 0, 0, 0};
    std::vector<std::unique_ptr<ScriptTool>> made;
    RunSetup setup;
    setup.task = script.task;
    setup.prompt = {"test", 1, "system prompt"};
    setup.tools = tools;
    for (const ToolSpec &spec : tools) {
        made.push_back(std::make_unique<ScriptTool>(spec, actions));
        setup.toolsByName[spec.name] = made.back().get();
    }
    FakeVerifier verifier([&](const VerifyRequest &, const CallContext &context) {
        if (pass(clock, context, script.callUs))
            return verdict(VerifyOutcome::Kind::Failed, "timeout", 0, 0);
        const std::size_t at = std::min(verifier.asked.size(), script.verdicts.size()) - 1;
        return script.verdicts.at(at);
    });
    if (script.preparation)
        verifier.onPrepare = [&](const CallContext &context) {
            (void)pass(clock, context, script.callUs);
            return *script.preparation;
        };
    if (!script.verdicts.empty() || script.preparation)
        setup.verifier = &verifier;
    setup.provider = &provider;
    setup.price = script.price;
    setup.clock = &clock;
    setup.sink = &sink;
    setup.control = &control;
    setup.runId = "test";
    out.result = *run(setup);
    out.events = std::move(sink.events);
    out.verified = std::move(verifier.asked);
    out.partialOutput = std::move(sink.partialOutputs);
    for (const Event &event : out.events) {
        const json body = eventBody(event);
        if (std::string w = word(event, body); !w.empty())
            out.words.push_back(std::move(w));
        if (event.kind == EventKind::RunFinished)
            out.finish = body;
    }
    return out;
}

ToolSpec makeTool(const std::string &name, bool idempotent, const json &schema)
{
    return {name, "", idempotent, schema, *Schema::compile(schema)};
}

std::vector<ToolSpec> caseTools()
{
    std::vector<ToolSpec> tools;
    const json file = json::parse(readFile("model-replies-tools.json"));
    for (const json &tool : file["tools"])
        tools.push_back(makeTool(tool["name"].get<std::string>(), tool["idempotent"] == true,
                                 tool["input_schema"]));
    return tools;
}

std::string action(const std::string &tool, const json &input)
{
    return json{{"state", "action"}, {"reason", "because"}, {"tool", tool}, {"tool_input", input}}
        .dump();
}

std::string final(bool satisfied, const std::string &summary)
{
    return json{{"state", "final"}, {"satisfied", satisfied}, {"final_summary", summary}}.dump();
}

std::string readFile(const std::string &name)
{
    std::ifstream file(std::string(EMEND_TEST_DATA) + "/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace emend::tests
