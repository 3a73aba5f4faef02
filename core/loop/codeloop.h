// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/loop/modeloop.h"
#include "core/verify/codefeedback.h"
#include "core/verify/codereply.h"

namespace emend::core {

// The code mode (design sections 3 and 7): an attempt is a source file, the check is a run of the
// main tests. Step 1 is the first solution with its corrections. Once it has passed, step 2 is the
// confidence gate: a second solution, asked for with nothing but the task itself, then both on the
// held-out edge tests, and where the task has a generator both on the same generated inputs.
//
// Before the first model call the verifier is asked whether it could judge anything at all. Only
// its no is in the trace.
//
// The second solution is one attempt without corrections: any feedback would make it depend on the
// tests as the first one did, and two that were pushed to the same tests agree on nothing more.
// What is not readable or fails the main tests is a disagreement, which a person judges; a broken
// connection is retried as ever.
//
// The gate runs whatever is still readable, so that its table tells the person which of the two is
// more likely right. Without edge tests the gate has only the main tests, and says so.
class CodeLoop : public ModeLoop {
public:
    explicit CodeLoop(Setup setup);

protected:
    void prepare() override;
    Transition firstEffect() override;
    std::string turn() override;
    Transition onReply(const ModelReply &reply) override;
    Transition onTool(const ToolDone &done) override;
    Transition onVerified(const VerifyDone &done) override;
    void undoOwn() override { m_verifierRuns -= m_preparing ? 0 : 1; }
    void abortOwn(const Stopped &stopped) override;
    std::string ownName() const override;
    std::string missing() const override;
    void writeStart(LineWriter &line) const override;
    void writeTotals(LineWriter &line) const override;
    void writeHistory(LineWriter &line) const override;

private:
    enum Candidate : std::uint8_t { First, Second };
    enum Suite : std::uint8_t { Tests, EdgeTests, Generated };
    struct Solution {
        std::string code;
        std::vector<std::string> normalisations;
        std::string stage;
        int step = 0, attempt = 0;
        bool readable = false;
    };
    struct Run { // of a suite on a solution
        Candidate candidate = First;
        Suite suite = Tests;
    };
    struct Counts {
        std::int64_t passed = 0, failed = 0, errors = 0, skipped = 0;
        std::int64_t total() const { return passed + failed + errors + skipped; }
    };
    struct Row { // of the gate's table
        Run run;
        bool passed = false;
        std::string cause;
        Counts counts;
    };
    struct Attempt { // what an escalation tells of it
        Solution solution;
        Candidate candidate = First;
        bool passed = false;
        CodeFault fault;
        Counts counts;
    };

    bool second() const { return m_slot.step() == 2; }
    bool hasGenerator() const { return !m_task.code.generator.empty(); }
    bool hasEdgeTests() const { return !m_task.code.edgeTests.empty(); }
    Transition verify(Run run);
    Transition refuse(const CodeReply &read, const ModelReply &reply);
    Transition correct(const CodeFault &fault, const std::optional<Place> &place);
    Transition accept();
    Transition startSecond();
    Transition nextOfGate();
    Transition onPrepared(const VerifyOutcome &outcome, std::int64_t durationUs);
    std::string disagreement() const;
    Transition decide(const std::string &why);
    Transition escalate(const std::string &reason);
    Transition cannotVerify(const VerifyOutcome &outcome);

    std::string request() const;
    std::string summary(bool confirmed) const;
    const Row *rowOf(Candidate candidate, Suite suite) const;

    void writeRefused(const CodeReply &read);
    void writeVerifyStarted();
    void writeVerifyFinished(const VerifyOutcome &outcome, std::int64_t durationUs);
    void writeUnprepared(const VerifyOutcome &outcome, std::int64_t durationUs);
    static void writeOutcome(LineWriter &line, const VerifyOutcome &outcome,
                             std::int64_t durationUs);
    void writeGate(const std::string &verdict, const std::string &why);
    static Counts count(const VerifyOutcome &outcome);
    static std::string_view suiteName(Suite suite);
    static std::string countsJson(const Counts &counts);

    std::array<Solution, 2> m_solutions; // by Candidate; of the first its current attempt
    std::vector<Attempt> m_attempts;
    std::vector<Row> m_rows;
    std::vector<GeneratedDifference> m_differences; // the first of them
    bool m_preparing = false;                       // that is due or in flight
    Run m_run;                                      // what is being verified, or was last
    std::vector<Run> m_plan; // what the gate still has to run, the last one first
    int m_verifierRuns = 0;
};

} // namespace emend::core
