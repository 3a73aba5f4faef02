// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

#include "core/trace/event.h"

namespace emend::ui {

class LineFields;

struct BreakerFacts {
    QString name; // as in breaker.changed
    QString state = QStringLiteral("closed");
    QString why;
    int failures = 0;    // consecutive, counted on between changes
    int threshold = 0;   // 0: not known
    qint64 untilUs = -1; // microseconds since the start of the run; -1: no timer runs

    bool operator==(const BreakerFacts &) const = default;
};

struct InFlightFacts {
    QString what, name, fate;
    qint64 afterUs = 0;
};

// What is left of a kill or an escalation.
struct ReceiptFacts {
    qint64 quietAfterUs = -1;
    std::vector<InFlightFacts> inFlight;
};

struct OutcomeFacts {
    QString outcome, reason, summary, failureClass, failureMessage;
    QStringList missing;
    bool satisfied = false;
};

// What is going on right now, in one of the lanes.
struct CurrentFacts {
    core::EventKind kind = core::EventKind::Unknown; // of the event that began it
    QString tool;
    QString suite; // of a verification
    int step = 0;
    int attempt = -1;
    qint64 sinceUs = 0;
    // Of a wait before a retry:
    qint64 waitUs = 0;
    int retry = 0;
    int retriesOf = 0;
    QString why;     // "backoff" or "retry_after"
    QString failure; // the transport class that it is about
};

// What the header and the panels show of a run, folded from its events one by one. A value.
struct RunFacts {
    QString runId, startedAt; // ISO 8601, UTC
    QString name, goal, mode, provider, model, language;
    QStringList tools;
    int breakerThreshold = 0;

    qint64 events = 0;
    qint64 modelCalls = 0;
    qint64 modelRequests = 0;
    qint64 actions = 0;
    qint64 corrections = 0;
    qint64 toolExecutions = 0;
    qint64 tokensIn = 0; // as the run's own totals once it has ended
    qint64 tokensOut = 0;
    qint64 reservedTokens = 0; // of them, for calls that never replied: nobody knows what they used
    bool callAborted = false;  // the last of these calls, by a kill or an escalation
    double costUsd = 0;
    bool costKnown = false;
    qint64 repliesWithoutCost = 0; // the sums of the run are too low by these
    qint64 estimatedReplies = 0;   // whose tokens are an estimate
    qint64 recordedReplies = 0;
    qint64 redactions = 0; // secrets that were replaced before the write
    bool tlsNotVerified = false;
    int forkStep = 0;    // 0: no fork
    bool replay = false; // plays a recording from beginning to end
    qint64 lastUs = 0;
    int problems = 0; // lines that are not as they were written
    qint64 firstProblemRow = -1;
    core::LineProblem firstProblem = core::LineProblem::None;
    bool paused = false;

    CurrentFacts current;
    std::vector<BreakerFacts> breakers;
    std::optional<ReceiptFacts> receipt;
    std::optional<OutcomeFacts> outcome;

    void begin(std::string_view headerLine);
    void add(const core::Event &event);

private:
    void addRunStarted(const LineFields &fields);
    void addModelEvent(const core::Event &event, const LineFields &fields);
    void addModelReplied(const LineFields &fields);
    void addToolResult(const core::Event &event, const LineFields &fields);
    void addBreakerChanged(const core::Event &event, const LineFields &fields);
    void addOutcome(const LineFields &fields);
    void addTotals(const LineFields &totals);
    void addControl(const core::Event &event);
    BreakerFacts &breaker(const QString &name);
    QString m_lastFailure;
};

ReceiptFacts readReceipt(const LineFields &fields);

} // namespace emend::ui
