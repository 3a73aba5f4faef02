// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/context/context.h"
#include "core/contract/decision.h"
#include "core/loop/breaker.h"
#include "core/loop/budget.h"
#include "core/loop/correctionslot.h"
#include "core/loop/references.h"
#include "core/run/control.h"
#include "core/run/ports.h"
#include "core/run/runner.h"
#include "core/task/task.h"

// The react mode as a state machine: advance(input) → what to write and what to do next. It
// performs nothing, reads no clock and starts no thread, so a test drives it row by row.
namespace emend::core {

// What the runner is to do next.
struct CallModel {
    ModelRequest request; // its pointers stay valid until the next advance()
    std::int64_t deadlineUs = 0;
};
struct ExecuteTool {
    std::string tool;
    nlohmann::json input;
    std::int64_t deadlineUs = 0;
};
struct WaitUntil {
    std::int64_t untilUs = 0;
};
struct Finish {
    Outcome outcome = Outcome::Failed;
    std::string reason;
};
using Effect = std::variant<CallModel, ExecuteTool, WaitUntil, Finish>;

// What came of it. Times are those of the run's clock.
struct Started {};
struct ModelDone {
    ModelOutcome outcome;
    std::int64_t durationUs = 0;
};
struct ToolDone {
    ToolOutcome outcome;
    std::int64_t durationUs = 0;
};
struct WaitDone {};
// A person stopped the run (design section 9).
struct Stopped {
    bool killed = true; // else escalated
    std::string reason; // of an escalation
    std::int64_t requestedUs = 0;
    bool effectStarted = false; // something was in flight
    bool resultDropped = false; // the call finished although it was aborted
    std::int64_t effectUs = 0;  // how long the effect ran
};
using Input = std::variant<Started, ModelDone, ToolDone, WaitDone, Stopped>;

struct Transition {
    std::vector<EventDraft> events;       // what has happened
    Effect effect;                        // what is due
    std::vector<EventDraft> announcement; // written just before the effect is performed
};

class ReactLoop {
public:
    struct Setup {
        Task task;
        Prompt prompt;
        std::vector<ToolSpec> tools;
        std::optional<Price> price;
        Breakers breakers; // of the session; empty for a fresh run
        std::uint64_t jitterSeed = 0;
        std::vector<Instruction> instructions = {};
    };

    explicit ReactLoop(Setup setup);
    ReactLoop(const ReactLoop &) = delete; // a request points into its loop
    ReactLoop &operator=(const ReactLoop &) = delete;

    // `nowUs` is on the run's clock; `waitedUs` is how long a person has kept the run waiting so
    // far.
    Transition advance(const Input &input, std::int64_t nowUs, std::int64_t waitedUs);

    // A person's command; allowed while an effect is due and has not begun. The events say what
    // changed.
    std::vector<EventDraft> command(const BreakerCommand &command, std::int64_t nowUs);
    // After a command: what is due instead, if a breaker that was forced open now forbids the
    // effect that is due.
    std::optional<Transition> reconsider(std::int64_t nowUs);
    // The trace cannot be written any more: gives back what is held, without events.
    void abandon();

    // Those that this run has used or a person has changed.
    Breakers usedBreakers() const;

private:
    Transition begin();
    Transition onModel(const ModelDone &done);
    Transition onReply(const ModelDone &done);
    Transition onTransportError(const ModelDone &done);
    Transition onTool(const ToolDone &done);
    Transition onStopped(const Stopped &stopped);
    Transition onWaitOver();

    Transition nextSlot();
    Transition callModel();
    void setInstructions();
    Transition accept(ReadReply read, const std::string &reply);
    Transition acceptAction(const Decision &decision);
    Transition executeTool();
    Transition refuseTool(const CircuitBreaker &breaker);
    Transition afterAction(bool succeeded, const std::string &text);
    Transition reject(const Rejection &rejection, const ReadReply &read, const std::string &reply);
    Transition finish(Outcome outcome, std::string reason);
    Transition exhausted(const std::string &bound, double limit, double used, double needed);

    Transition timeIsUp();
    std::optional<Rejection> checkResolved(Decision &decision) const;
    std::optional<Rejection> checkHistory(const Decision &decision) const;
    CircuitBreaker &breakerOf(const std::string &name);
    std::optional<CircuitBreaker::Permit> acquire(const std::string &name,
                                                  std::vector<EventDraft> &events);
    void writeBreaker(const std::string &name, CircuitBreaker::Change change, std::string_view why,
                      std::vector<EventDraft> &events);
    Transition providerRefused();
    void undoDueCall();
    void noteBreaker(const std::string &name, std::string_view why,
                     std::vector<EventDraft> &events);
    void observe(const std::string &text, bool succeeded, std::string_view extra);
    bool finalOnly() const { return m_actions >= m_task.bounds.maxActions; }
    std::int64_t runDeadlineUs() const;
    Transition due(Effect effect); // with the events gathered so far
    std::string providerBreaker() const { return "provider:" + m_task.model.provider; }
    const ToolSpec *specOf(const std::string &tool) const;
    std::int64_t backoffMs(const TransportError &error);

    void writeStarted();
    void writeRequested(const Context::Request &request);
    void writeReplied(const ModelDone &done, std::int64_t in, std::int64_t out, bool estimated,
                      const std::optional<double> &cost);
    void writeRejected(const Rejection &rejection, const ReadReply &read);
    void writeAccepted(const ReadReply &read);
    void writeToolEnd(const ToolDone &done, bool willRetry);
    void writeReceipt(const Stopped &stopped);
    void add(EventKind kind, std::string members, bool ofAttempt = true);

    Task m_task;
    Prompt m_prompt;
    std::vector<ToolSpec> m_tools;
    std::optional<Price> m_price;
    Breakers m_breakers;
    std::set<std::string> m_usedBreakers;
    Budget m_budget;
    Context m_context;
    CorrectionSlot m_slot;

    std::vector<Instruction> m_instructions;
    std::vector<Message> m_messages;
    std::vector<Observation> m_observations;
    std::map<int, std::string> m_lastNumbers; // by step
    std::map<std::string, int> m_failed;      // fingerprints that may not run again, and their step

    // the call or action in flight
    enum class InFlight : std::uint8_t {
        Nothing,
        Model,
        Tool,
        Wait
    } m_inFlight = InFlight::Nothing;
    int m_retry = 0; // transport retries of the current call
    int m_try = 0;   // executions of the current action
    std::optional<CircuitBreaker::Permit> m_providerPermit, m_toolPermit;
    Decision m_decision; // the current action
    std::vector<Reference> m_references;
    std::string m_fingerprint;
    AttemptCost m_cost; // of the current attempt

    // totals
    int m_actions = 0, m_succeeded = 0, m_toolExecutions = 0, m_modelCalls = 0, m_corrections = 0;
    std::optional<TransportError> m_failure;
    std::vector<std::string> m_missing;
    std::string m_finalSummary;
    bool m_satisfied = false;

    std::int64_t m_startUs = 0, m_nowUs = 0, m_waitedUs = 0;
    std::uint64_t m_jitter;
    std::vector<EventDraft> m_events, m_announcement;
};

} // namespace emend::core
