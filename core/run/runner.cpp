// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner.h"

#include "core/json/canonical.h"
#include "core/loop/modeloop.h"

namespace emend::core {

namespace {

class Runner {
public:
    explicit Runner(RunSetup &setup)
        : m_setup(setup)
        , m_loop(
              makeLoop({setup.task, setup.prompt, setup.tools, setup.price, setup.breakers,
                        hash64(setup.seed.empty() ? setup.runId : setup.seed), setup.instructions}))
    {}

    Result<RunResult> run()
    {
        m_startUs = m_setup.clock->nowUs();
        if (const auto begun = m_setup.sink->begin(header()); !begun)
            return tl::unexpected<Error>(begun.error());
        Transition due = m_loop->advance(Started{}, m_startUs, 0);
        due.events.insert(due.events.begin() + (due.events.empty() ? 0 : 1),
                          m_setup.afterStart.begin(), m_setup.afterStart.end());
        for (;;) {
            write(due.events);
            if (const auto *end = std::get_if<Finish>(&due.effect); end != nullptr && !m_traceError)
                return result(end->outcome, end->reason);
            if (m_traceError) {
                m_loop->abandon();
                return result(Outcome::Failed, "trace_unwritable");
            }
            due = passGate(due);
        }
    }

private:
    nlohmann::json header() const
    {
        nlohmann::json out = {{"emend", "trace"},           {"version", 1},
                              {"run_id", m_setup.runId},    {"started_at", m_setup.clock->utcNow()},
                              {"program", m_setup.program}, {"task", taskToJson(m_setup.task)}};
        if (!m_setup.task.folder.empty()) // where its relative file names start
            out["task_folder"] = m_setup.task.folder;
        if (m_setup.origin.is_object())
            out["origin"] = m_setup.origin;
        return out;
    }

    RunResult result(Outcome outcome, std::string reason) const
    {
        return {outcome, std::move(reason), m_traceError, m_loop->usedBreakers()};
    }

    void write(std::vector<EventDraft> &drafts)
    {
        for (EventDraft &draft : drafts) {
            if (m_traceError)
                return;
            const std::int64_t now = m_setup.clock->nowUs() - m_startUs;
            Event event = stamp(std::move(draft), ++m_seq, now);
            if (const auto written = m_setup.sink->write(event); !written)
                m_traceError = written.error();
        }
    }

    void writeControl(EventKind kind)
    {
        std::vector<EventDraft> one;
        one.push_back({kind, 0, -1, {}});
        write(one);
    }

    // The gate before each effect: pause, step, breaker commands, kill, escalate.
    Transition passGate(Transition &due)
    {
        const RunControl::Gate gate =
            m_setup.control->gate([this] { writeControl(EventKind::ControlPaused); },
                                  [this] { writeControl(EventKind::ControlResumed); },
                                  [this](const BreakerCommand &command) {
                                      auto events =
                                          m_loop->command(command, m_setup.clock->nowUs());
                                      write(events);
                                  });
        m_waitedUs += gate.waitedUs;
        if (gate.verdict != RunControl::Verdict::Proceed)
            return stopped(gate.verdict, false, false, 0);
        if (auto instead = m_loop->reconsider(m_setup.clock->nowUs()))
            return std::move(*instead);
        if (gate.stepped)
            writeControl(EventKind::ControlStepped);
        write(due.announcement);
        if (m_traceError)
            return {{}, Finish{}, {}};
        extendDeadline(due.effect, gate.waitedUs);
        const std::int64_t began = m_setup.clock->nowUs();
        bool finished = false;
        const Input input = perform(due.effect, finished);
        const std::int64_t ended = m_setup.clock->nowUs();
        const auto verdict = m_setup.control->verdict();
        if (verdict != RunControl::Verdict::Proceed)
            return stopped(verdict, true, finished, ended - began);
        return m_loop->advance(input, ended, m_waitedUs);
    }

    // The loop set the deadline before a person made the effect wait.
    static void extendDeadline(Effect &effect, std::int64_t waitedUs)
    {
        const auto extend = [waitedUs](std::int64_t &deadline) {
            if (deadline != INT64_MAX)
                deadline += waitedUs;
        };
        if (auto *call = std::get_if<CallModel>(&effect))
            extend(call->deadlineUs);
        else if (auto *tool = std::get_if<ExecuteTool>(&effect))
            extend(tool->deadlineUs);
        else if (auto *verify = std::get_if<Verify>(&effect))
            extend(verify->deadlineUs);
    }

    Transition stopped(RunControl::Verdict verdict, bool effectStarted, bool finished,
                       std::int64_t effectUs)
    {
        Stopped input;
        input.killed = verdict == RunControl::Verdict::Kill;
        input.reason = m_setup.control->escalationReason();
        input.requestedUs = m_setup.control->stopRequestedUs();
        if (const Clock &persons = m_setup.control->clock(); &persons != m_setup.clock)
            input.requestedUs += m_setup.clock->nowUs() - persons.nowUs();
        input.effectStarted = effectStarted;
        input.resultDropped = finished;
        input.effectUs = effectUs;
        return m_loop->advance(input, m_setup.clock->nowUs(), m_waitedUs);
    }

    // `finished`: the effect has a result although it may have been aborted meanwhile.
    Input perform(const Effect &effect, bool &finished)
    {
        if (const auto *call = std::get_if<CallModel>(&effect))
            return performCall(*call, finished);
        if (const auto *execute = std::get_if<ExecuteTool>(&effect))
            return performTool(*execute, finished);
        if (const auto *verify = std::get_if<Verify>(&effect))
            return performVerify(*verify, finished);
        m_setup.clock->waitUntil(std::get<WaitUntil>(effect).untilUs, m_setup.control->stopToken());
        return WaitDone{};
    }

    ModelDone performCall(const CallModel &call, bool &finished)
    {
        const std::int64_t began = m_setup.clock->nowUs();
        const ModelRequest &request = call.request;
        ModelDone done;
        done.outcome = m_setup.provider->generate(
            request, {m_setup.control->stopToken(), call.deadlineUs}, [&](std::string_view piece) {
                m_setup.sink->partialText(request.step, request.attempt, piece);
            });
        finished = done.outcome.kind == ModelOutcome::Kind::Replied;
        done.durationUs = m_setup.clock->nowUs() - began;
        return done;
    }

    ToolDone performTool(const ExecuteTool &execute, bool &finished)
    {
        const std::int64_t began = m_setup.clock->nowUs();
        ToolDone done;
        done.outcome =
            m_setup.toolsByName.at(execute.tool)
                ->execute(execute.input, {m_setup.control->stopToken(), execute.deadlineUs});
        finished = done.outcome.kind != ToolOutcome::Kind::Cancelled;
        done.durationUs = m_setup.clock->nowUs() - began;
        return done;
    }

    VerifyDone performVerify(const Verify &verify, bool &finished)
    {
        const std::int64_t began = m_setup.clock->nowUs();
        VerifyDone done;
        if (m_setup.verifier == nullptr) {
            done.outcome.kind = VerifyOutcome::Kind::CannotVerify;
            done.outcome.cause = "bad_settings";
            done.outcome.message = "this run has no verifier";
        } else {
            done.outcome = judge(
                *m_setup.verifier, verify.request,
                {m_setup.control->stopToken(), verify.deadlineUs}, [&](std::string_view piece) {
                    m_setup.sink->partialOutput(verify.step, verify.attempt, piece);
                });
        }
        finished = done.outcome.kind != VerifyOutcome::Kind::Cancelled;
        done.durationUs = m_setup.clock->nowUs() - began;
        return done;
    }

    RunSetup &m_setup;
    std::unique_ptr<ModeLoop> m_loop;
    std::optional<Error> m_traceError;
    std::uint64_t m_seq = 0;
    std::int64_t m_startUs = 0;
    std::int64_t m_waitedUs = 0;
};

} // namespace

Result<RunResult> run(RunSetup &setup)
{
    return Runner(setup).run();
}

} // namespace emend::core
