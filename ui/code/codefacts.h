// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

#include "core/trace/event.h"

namespace emend::ui {

class LineFields;

struct TestFacts {
    QString name;
    QString status; // "passed", "failed", "error", "skipped"
    QString message;
    qint64 durationUs = 0;
};

// One run of the tests on one solution.
struct VerificationFacts {
    QString suite; // "tests", "edge_tests", "generated" (of both solutions)
    bool running = true;
    bool passed = false;
    QString cause, message, sandbox;
    std::vector<TestFacts> tests; // the first of them: the trace holds no more than 1,000
    int total = 0, notPassed = 0; // of all that were reported; skipped ones are only in `total`
    int collected = -1;
    int exitCode = -1, signal = 0, runs = 0;
    qint64 outputBytes = 0;
    std::string output; // foreign bytes, the end of what there was
    qint64 durationUs = 0, commandUs = 0;
};

// One solution the model wrote, and what became of it.
struct AttemptFacts {
    QString candidate = QStringLiteral("first"); // or "second": the independent one
    int attempt = 0;                             // from 0, as in the events
    std::string solution;                        // foreign bytes
    QString problem;                             // why there is no solution in the reply
    QString feedback;                            // what was sent back after it
    std::vector<VerificationFacts> verifications;
};

// A cell of the gate's table: a solution against a suite.
struct GateCell {
    QString solution, suite, cause;
    int passed = 0, total = 0;
    bool accepted = false;
};
// An input on which the two solutions came to different results.
struct DifferenceFacts {
    QString input, first, second;
};
struct GateFacts {
    QString verdict; // "confirmed", "disagreement"; empty: not reached
    QString why;     // "second_failed_tests" …; empty where all agree
    bool heldOut = false;
    std::vector<GateCell> cells;
    std::vector<DifferenceFacts> differences; // the first of them
};

// What the panel of a code run shows, folded from its events one by one. A value.
struct CodeFacts {
    QString language;
    std::vector<AttemptFacts> attempts;
    GateFacts gate;

    // True: something that is shown has changed.
    bool add(const core::Event &event);

private:
    void addStarted(const core::Event &event, const LineFields &fields);
    void addFinished(const core::Event &event, const LineFields &fields);
    void addCorrection(const core::Event &event, const LineFields &fields);
    void addGate(const LineFields &fields);
    AttemptFacts &attemptOf(const core::Event &event, const LineFields &fields);
};

} // namespace emend::ui
