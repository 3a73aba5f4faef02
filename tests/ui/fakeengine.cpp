// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakeengine.h"

namespace emend::test {

namespace {

struct Player {
    FakeEngine &engine;
    SteadyClock &clock;
    core::RunControl &control;
    core::RunListener &listener;
    std::int64_t zeroUs;
    std::uint64_t seq = 0;
    core::Outcome outcome = core::Outcome::Failed;
    std::string reason = {};
    using Verdict = core::RunControl::Verdict;

    std::int64_t now() const { return clock.nowUs() - zeroUs; }
    void write(core::EventDraft event)
    {
        listener.arrived(core::stamp(std::move(event), ++seq, now()));
    }
    void begin(const core::Task &task)
    {
        core::LineWriter writer;
        writer.text("name", task.name).text("goal", task.goal).text("mode", "react");
        listener.began(
            R"({"emend":"trace","version":1,"task":{)" + writer.members() +
            R"(,"breaker":{"failure_threshold":2},"model":{"provider":"fake","model":"m","transport":{"tls":")" +
            std::string(task.model.transport.tlsVerify ? "verify" : "do_not_verify") + R"("}}}})");
        core::LineWriter started;
        started.text("mode", "react")
            .text("goal", task.goal)
            .text("provider", "fake")
            .text("model", "m-1")
            .text("prompt_id", "react")
            .number("prompt_version", 1)
            .raw("tools", R"(["weather","calculator"])")
            .raw("bound", R"({"model_calls":27,"tool_executions":16})");
        write(draft(core::EventKind::RunStarted, 0, -1, started.takeMembers()));
    }
    Verdict gate()
    {
        const auto breaker = [this](const core::BreakerCommand &command) {
            const char *to = command.kind == core::BreakerCommandKind::ForceOpen ? "forced_open"
                             : command.kind == core::BreakerCommandKind::Disable ? "disabled"
                                                                                 : "closed";
            core::LineWriter line;
            line.text("name", command.name)
                .text("from", "closed")
                .text("to", to)
                .text("why", "person")
                .number("failures", 0)
                .number("threshold", 2)
                .null("until_us");
            write(draft(core::EventKind::BreakerChanged, 0, -1, line.takeMembers()));
        };
        const auto gate = control.gate(
            [this] { write(draft(core::EventKind::ControlPaused, 0, -1, {})); },
            [this] { write(draft(core::EventKind::ControlResumed, 0, -1, {})); }, breaker);
        if (gate.verdict == Verdict::Proceed && gate.stepped)
            write(draft(core::EventKind::ControlStepped, 0, -1, {}));
        return gate.verdict;
    }
    void work(const FakeEffect &effect)
    {
        const int pieces = effect.partial.empty() ? 1 : 20;
        const std::int64_t from = clock.nowUs();
        for (int n = 1; n <= pieces; ++n) {
            if (!clock.waitUntil(from + std::int64_t(effect.workMs) * 1000 * n / pieces,
                                 control.stopToken()))
                return;
            const std::size_t size = effect.partial.size();
            const std::size_t begin = size * std::size_t(n - 1) / std::size_t(pieces);
            const std::size_t end = size * std::size_t(n) / std::size_t(pieces);
            if (end > begin && !effect.before.empty())
                listener.partialText(effect.before.back().step, effect.before.back().attempt,
                                     std::string_view(effect.partial).substr(begin, end - begin));
        }
    }
    void stopped(Verdict verdict, const FakeEffect *inFlight)
    {
        const std::int64_t clicked = control.stopRequestedUs() - zeroUs;
        const std::int64_t quiet = now();
        engine.lastQuietUs = quiet - clicked;
        core::LineWriter line;
        if (verdict == Verdict::Escalate)
            line.text("reason", control.escalationReason());
        line.number("clicked_us", clicked)
            .number("quiet_us", quiet)
            .number("quiet_after_us", quiet - clicked);
        std::string calls = "[]";
        if (inFlight) {
            core::LineWriter call;
            call.text("what", inFlight->what)
                .text("name", inFlight->name)
                .text("fate", "aborted")
                .number("after_us", quiet - clicked);
            calls = "[{" + call.members() + "}]";
        }
        line.raw("in_flight", calls);
        const bool killed = verdict == Verdict::Kill;
        write(draft(killed ? core::EventKind::ControlKilled : core::EventKind::ControlEscalated, 0,
                    -1, line.takeMembers()));
        outcome = killed ? core::Outcome::Killed : core::Outcome::Escalated;
        reason = killed ? "killed" : "escalated_by_person";
        write(draft(
            core::EventKind::RunFinished, 0, -1,
            std::string(killed ? R"("outcome":"killed")" : R"("outcome":"escalated")") +
                R"(,"reason":")" + reason +
                R"(","satisfied":false,"final_summary":null,"missing":[],"failure":null,"sha256":"ab")"));
    }
    void play()
    {
        const std::vector<FakeEffect> script =
            engine.script; // a test may set another one meanwhile
        for (const FakeEffect &effect : script) {
            if (const Verdict verdict = gate(); verdict != Verdict::Proceed)
                return stopped(verdict, nullptr);
            for (const core::EventDraft &event : effect.before)
                write(event);
            work(effect);
            if (const Verdict verdict = control.verdict(); verdict != Verdict::Proceed)
                return stopped(verdict, &effect);
            for (const core::EventDraft &event : effect.after)
                write(event);
        }
        if (const Verdict verdict = gate(); verdict != Verdict::Proceed)
            return stopped(verdict, nullptr);
        outcome = engine.endOutcome;
        reason = "final";
        write(draft(core::EventKind::RunFinished, 0, -1, engine.endMembers));
    }
    void flood()
    {
        const std::int64_t from = now();
        std::int64_t sent = 0;
        while (now() - from < std::int64_t(engine.floodMs) * 1000) {
            if (control.verdict() != Verdict::Proceed)
                return stopped(control.verdict(), nullptr);
            const std::int64_t due = (now() - from) * engine.floodPerSecond / 1'000'000;
            for (; sent < due; ++sent)
                floodEvent(sent);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        outcome = core::Outcome::Satisfied;
        write(draft(core::EventKind::RunFinished, 0, -1, engine.endMembers));
    }
    void floodEvent(std::int64_t n)
    {
        const int step = int(n / 5) + 1;
        switch (n % 5) {
        case 0:
            return write(draft(
                core::EventKind::ModelRequested, step, 0,
                R"("stage":"step","call":1,"request":1,"messages":[{"id":)" +
                    std::to_string(n + 1) +
                    R"(,"role":"user","text":"What is the weather like in Delhi today?"}],"context":{"tokens":420,"limit":22000,"percent":2})"));
        case 1:
            return write(draft(
                core::EventKind::ModelReplied, step, 0,
                R"("stage":"step","text":"{\"state\":\"action\",\"reason\":\"look it up\",\"tool\":\"weather\"}","tokens_in":420,"tokens_out":31,"duration_us":210)"));
        case 2:
            return write(
                draft(core::EventKind::DecisionAccepted, step, 0,
                      R"("state":"action","tool":"weather","tool_input":{"city":"Delhi"})"));
        case 3:
            return write(draft(core::EventKind::ToolStarted, step, -1,
                               R"("tool":"weather","tool_input":{"city":"Delhi"},"try":1)"));
        default:
            return write(draft(
                core::EventKind::ToolSucceeded, step, -1,
                R"("tool":"weather","try":1,"output":"Delhi: clear, 31 °C","duration_us":90)"));
        }
    }
};

} // namespace

FakeEngine::FakeEngine()
    : endMembers(
          R"("outcome":"satisfied","reason":"final","satisfied":true,"final_summary":"It is 88 °F in Delhi, clear.","missing":[],"totals":{"model_calls":3,"model_requests":3,"tool_executions":2,"actions":1,"corrections":1,"tokens_in":1240,"tokens_out":118,"cost_usd":null,"duration_us":2400000},"failure":null,"sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")")
{}

core::Result<core::RunReport> FakeEngine::run(const core::Task &task, const std::string &,
                                              core::RunControl &control,
                                              core::RunListener &listener)
{
    if (!startError.empty())
        return core::fail(core::ErrorCode::Unwritable, startError);
    ++runsGoingOn;
    Player player{*this, m_clock, control, listener, m_clock.nowUs()};
    player.begin(task);
    floodPerSecond > 0 ? player.flood() : player.play();
    core::RunReport report;
    report.result.outcome = player.outcome;
    report.result.reason = player.reason;
    report.traceFile = "/tmp/fake.trace.jsonl";
    --runsGoingOn;
    return report;
}

core::Result<void>
FakeEngine::readTrace(const std::string &path, std::stop_token stop,
                      const std::function<void(std::string)> &onHeader,
                      const std::function<void(std::vector<core::Event>)> &onEvents) const
{
    if (path == "missing")
        return core::fail(core::ErrorCode::NotFound, "no such file");
    onHeader(
        R"({"emend":"trace","version":1,"run_id":"r1","task":{"name":"Recorded","goal":"G"}})");
    for (std::size_t from = 0; from < traceEvents.size() && !stop.stop_requested(); from += 1000) {
        const std::size_t to = std::min(from + 1000, traceEvents.size());
        onEvents(
            {traceEvents.begin() + std::ptrdiff_t(from), traceEvents.begin() + std::ptrdiff_t(to)});
    }
    return {};
}

} // namespace emend::test
