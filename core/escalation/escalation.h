// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/trace/event.h"

// A run handed to a person, with everything that was tried (design sections 1 and 9), as a value.
namespace emend::core {

enum class EscalationState : std::uint8_t { Open, Claimed, Answered, Dismissed };
std::string_view escalationStateName(EscalationState state); // "open" …
std::optional<EscalationState> escalationStateFromName(std::string_view name);

// One run ends in one escalation at most, so it is found by the run's id as well as by its own.
struct Escalation {
    std::string id; // short, from the run's id: the same however often it is read from the trace
    std::string runId;
    std::string traceFile; // absolute
    std::string taskName;  // or the goal, where the task has no name
    std::string mode;      // "react"
    std::string reason;    // as the person or the loop gave it
    std::string by;        // "person" or "loop"
    std::string openedAt;  // UTC, ISO 8601
    EscalationState state = EscalationState::Open;
    std::string claimedBy, claimedAt;
    std::string answer;   // JSON of the Answer; of a dismissed one {"kind":"dismiss","text":…}
    std::string closedAt; // answered or dismissed
    std::string answerRunId, answerTrace; // the run that goes on from it
    std::string lastFeedback;             // the last correction that was sent
    std::string finalAttempt;             // the text of the last reply
    int attempts = 0;                     // model calls, without retries of the transport
    std::string outcome; // of the run that went on: "satisfied" …; "lost": it died with its process
    std::string parent; // the escalation whose answer led to this run; empty: none
};

// Whether an answer may be given now: while it waits, or when the run that an earlier answer began
// was killed, failed or died, so that nothing came of it.
bool mayAnswer(EscalationState state, std::string_view outcome);
bool mayAnswer(const Escalation &escalation);

// Short names of a run's escalation, the preferred one first: the beginnings of the run's id.
std::vector<std::string> escalationIds(std::string_view runId);

// All of it as JSON, as `escalations show --json` prints it.
nlohmann::json escalationToJson(const Escalation &escalation);
// One line of `escalations export`: timestamp, task, final attempt, attempts, last feedback,
// outcome, and what finds the rest.
nlohmann::json escalationToExport(const Escalation &escalation);

// Gathers what a trace says about its escalation, event by event. A value, any thread.
class EscalationReader {
public:
    // The first line of the trace, and where the trace is.
    EscalationReader(const std::string &headerLine, std::string traceFile);

    void add(const Event &event);

    // Nothing: the run was not escalated, or only played one that was.
    std::optional<Escalation> escalation() const;
    bool finished() const { return m_finished; }
    // Where the run goes on from an answered escalation: that one, else empty.
    const std::string &answers() const { return m_found.parent; }
    const std::string &runId() const { return m_found.runId; }
    const std::string &answer() const { return m_answer; } // JSON of it, where it is in the trace
    const std::string &outcome() const { return m_outcome; }

private:
    Escalation m_found;
    std::string m_startedAt, m_answer, m_outcome;
    bool m_replay = false, m_opened = false, m_finished = false;
};

} // namespace emend::core
