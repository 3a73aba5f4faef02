// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDateTime>
#include <QString>

#include "core/escalation/escalations.h"
#include "ui/text/vocabulary.h"

namespace emend::ui {

// The words for escalations and answers. Any thread after start.
class EscalationWords {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::EscalationWords)
public:
    static Term state(core::EscalationState state);
    // The state, and what came of an answer: "Answered, satisfied".
    static QString stateAndOutcome(const core::Escalation &escalation);
    static QString age(const std::string &openedAt, const QDateTime &now); // "3 min", "now"
    static QString moment(const std::string &utc);                         // in the person's time
    static QString answerKind(core::AnswerKind kind);
    static QString answerKind(QStringView code); // of the trace; "dismiss" as well
    // What was answered, by its JSON: kind and text. Empty for none.
    static QString answerKindOf(const std::string &answer);
    static QString answerTextOf(const std::string &answer);
    static QString opener(const std::string &by); // "a person", "the run itself"
    // Why it waits: a person's own words, or what the loop says in a code. One line.
    static QString reason(const core::Escalation &escalation);
    // Where the run stopped, one or two sentences.
    static QString situation(const core::Situation &situation);
};

} // namespace emend::ui
