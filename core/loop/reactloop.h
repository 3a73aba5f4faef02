// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/contract/decision.h"
#include "core/loop/modeloop.h"
#include "core/loop/references.h"

namespace emend::core {

// The react mode (design section 3): an attempt is one decision, the check is the decision
// contract, and an accepted action is executed.
class ReactLoop : public ModeLoop {
public:
    explicit ReactLoop(Setup setup);

protected:
    void prepare() override;
    std::string turn() override;
    bool finalOnly() const override { return m_actions >= m_task.bounds.maxActions; }
    Transition onReply(const ModelReply &reply) override;
    Transition onTool(const ToolDone &done) override;
    Transition onVerified(const VerifyDone &done) override;
    std::optional<Transition> reconsiderOwn() override;
    void undoOwn() override { --m_toolExecutions; }
    void abortOwn(const Stopped &stopped) override;
    std::string ownName() const override { return m_decision.tool; }
    void releaseOwn() override;
    std::string missing() const override { return "final decision"; }
    int actions() const override { return m_actions; }
    int toolExecutions() const override { return m_toolExecutions; }

private:
    Transition nextSlot();
    Transition accept(ReadReply read, const std::string &reply);
    Transition acceptAction(const Decision &decision);
    Transition executeTool();
    Transition refuseTool(const CircuitBreaker &breaker);
    Transition afterAction(bool succeeded, const std::string &text);
    Transition reject(const Rejection &rejection, const ReadReply &read, const std::string &reply);
    Transition oneTooMany(const ReadReply &read);

    std::optional<Rejection> checkResolved(Decision &decision) const;
    std::optional<Rejection> checkHistory(const Decision &decision) const;
    void observe(const std::string &text, bool succeeded, std::string_view extra);
    const ToolSpec *specOf(const std::string &tool) const;

    void writeRejected(const Rejection &rejection, const ReadReply &read);
    void writeAccepted(const ReadReply &read);
    void writeToolEnd(const ToolDone &done, bool willRetry);

    std::map<int, std::string> m_lastNumbers; // by step
    std::map<std::string, int> m_failed;      // fingerprints that may not run again, and their step

    // the current action
    Decision m_decision;
    std::vector<Reference> m_references;
    std::string m_fingerprint;
    std::optional<CircuitBreaker::Permit> m_toolPermit;
    int m_try = 0; // executions of it

    int m_actions = 0, m_succeeded = 0, m_toolExecutions = 0;
};

} // namespace emend::core
