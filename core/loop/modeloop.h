// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/context/context.h"
#include "core/json/linewriter.h"
#include "core/loop/breaker.h"
#include "core/loop/budget.h"
#include "core/loop/correctionslot.h"
#include "core/loop/effects.h"
#include "core/run/control.h"
#include "core/task/task.h"

namespace emend::core {

// What every mode does alike, as a state machine: the model call with its reservation, transport
// retries and breaker, the bounds, a person's stop with its receipt, and the beginning and end of
// the trace. A mode (react, code) says what is asked and what a reply means.
//
// advance(input) → what to write and what to do next. It performs nothing, reads no clock and
// starts no thread, so a test drives it row by row.
class ModeLoop {
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

    virtual ~ModeLoop() = default;
    ModeLoop(const ModeLoop &) = delete; // a request points into its loop
    ModeLoop &operator=(const ModeLoop &) = delete;

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

protected:
    // What a run that failed says about why.
    struct Failure {
        std::string cls; // transportClassName, "breaker_open" or "verifier_unavailable"
        std::string message;
        bool retryable = false;
        std::optional<std::int64_t> retryAfterMs = {};
        std::optional<int> httpStatus = {};
        std::string detail = {};
    };
    // The call, action or verification that is due or in flight.
    enum class InFlight : std::uint8_t { Nothing, Model, Tool, Verify, Wait };

    ModeLoop(Setup setup, CorrectionSlot slot);

    // ---- what a mode decides ----
    virtual void prepare() = 0;                              // the context, before the first call
    virtual Transition firstEffect() { return callModel(); } // before it, what a mode needs
    virtual std::string turn() = 0; // what is asked of the model in this call
    virtual bool finalOnly() const { return false; }
    virtual Transition onReply(const ModelReply &reply) = 0; // m_cost is that of the reply
    virtual Transition onTool(const ToolDone &done) = 0;
    virtual Transition onVerified(const VerifyDone &done) = 0;
    // The effect that is due is not the model's, and a breaker now forbids it.
    virtual std::optional<Transition> reconsiderOwn() { return std::nullopt; }
    virtual void undoOwn() = 0; // the tool call or verification that is due will not begin
    virtual void abortOwn(const Stopped &stopped) = 0; // it was in flight: the event that says so
    virtual std::string ownName() const = 0;           // its name in a receipt
    virtual void releaseOwn() {}
    virtual std::string missing() const = 0; // what a run that stops here has not got
    virtual void writeStart(LineWriter &) const {}
    virtual void writeTotals(LineWriter &) const {}
    virtual void writeHistory(LineWriter &) const {} // of an escalation
    virtual int actions() const { return 0; }
    virtual int toolExecutions() const { return 0; }

    // ---- what a mode uses ----
    Transition callModel();
    void setInstructions();
    Transition due(Effect effect); // with the events gathered so far
    Transition finish(Outcome outcome, std::string reason);
    Transition exhausted(const std::string &bound, double limit, double used, double needed);
    Transition timeIsUp();
    std::int64_t runDeadlineUs() const;
    CircuitBreaker &breakerOf(const std::string &name);
    std::optional<CircuitBreaker::Permit> acquire(const std::string &name,
                                                  std::vector<EventDraft> &events);
    void noteBreaker(const std::string &name, std::string_view why,
                     std::vector<EventDraft> &events);
    void add(EventKind kind, std::string members, bool ofAttempt = true);
    void announce(EventKind kind, std::string members, bool ofAttempt = true);
    void announce(EventDraft event) { m_announcement.push_back(std::move(event)); }
    std::string providerBreaker() const { return "provider:" + m_task.model.provider; }

    Task m_task;
    Prompt m_prompt;
    std::vector<ToolSpec> m_tools;
    Context m_context;
    CorrectionSlot m_slot;
    std::vector<Observation> m_observations;
    InFlight m_inFlight = InFlight::Nothing;
    AttemptCost m_cost; // of the current attempt
    int m_corrections = 0;
    std::optional<Failure> m_failure;
    std::vector<std::string> m_missing;
    std::string m_finalSummary;
    bool m_satisfied = false;
    std::int64_t m_nowUs = 0;
    std::vector<EventDraft> m_events;

private:
    Transition begin();
    Transition onModel(const ModelDone &done);
    Transition onTransportError(const ModelDone &done);
    Transition onStopped(const Stopped &stopped);
    Transition providerRefused();
    CallModel modelCall();
    void settle(const ModelDone &done);
    void undoDueCall();
    std::int64_t backoffMs(const TransportError &error);

    void writeStarted();
    std::string broughtBreakers() const;
    void writeRequested(const Context::Request &request);
    void writeReplied(const ModelDone &done, bool estimated);
    void writeFailed(const TransportError &error, bool retry, std::int64_t durationUs);
    void writeReceipt(const Stopped &stopped);
    void writeBreaker(const std::string &name, CircuitBreaker::Change change, std::string_view why,
                      std::vector<EventDraft> &events);

    std::optional<Price> m_price;
    Breakers m_breakers;
    std::set<std::string> m_usedBreakers;
    Budget m_budget;
    std::vector<Message> m_messages;
    int m_retry = 0; // transport retries of the current call
    std::optional<CircuitBreaker::Permit> m_providerPermit;
    int m_modelCalls = 0;
    std::int64_t m_startUs = 0, m_waitedUs = 0;
    std::uint64_t m_jitter;
    std::vector<Instruction> m_instructions;
    std::vector<EventDraft> m_announcement;
};

// The loop of the task's mode; of a mode that has none yet (parseTask refuses those) that of react.
std::unique_ptr<ModeLoop> makeLoop(ModeLoop::Setup setup);

// A JSON list of texts.
std::string stringList(const std::vector<std::string> &texts);
// `key`, and the bytes beside it where the text is not UTF-8: true.
bool foreignText(LineWriter &line, const std::string &key, const std::string &text);

} // namespace emend::core
