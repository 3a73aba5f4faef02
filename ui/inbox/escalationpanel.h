// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/escalation/escalations.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace emend::ui {

class AnswerForm;
class Section;
class ShapeLabel;
class TextPane;

// One escalation: why and where the run stopped, what was tried, and the form for an answer. Shows
// what it is given and says what a person wants; changes nothing itself. GUI thread.
class EscalationPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit EscalationPanel(QWidget *parent = nullptr);

    void showDetail(const core::EscalationDetail &detail);
    void showNothing(const QString &why);
    void setBusy(bool busy);
    void setProblem(const QString &problem); // of what was wanted last; empty: none
    void forget(const QString &id);          // what was typed for it
    QString id() const { return QString::fromStdString(m_shown.id); }

Q_SIGNALS:
    void openRequested(const QString &trace);
    void claimRequested(const QString &id);
    void releaseRequested(const QString &id);
    void answered(const QString &id, const core::Answer &answer);
    void dismissed(const QString &id, const QString &reason);

private:
    void build();
    void buildButtons(QVBoxLayout *layout);
    void showFacts();
    void showHistory();
    void addFact(const QString &label, const QString &value);

    core::Escalation m_shown;
    QLabel *m_nothing;
    QWidget *m_content;
    ShapeLabel *m_shape;
    QLabel *m_state;
    QLabel *m_reason;
    QLabel *m_where;
    QPushButton *m_openRun;
    QPushButton *m_openAnswer;
    QPushButton *m_claim;
    QLabel *m_problem;
    QGridLayout *m_facts;
    Section *m_history;
    QLabel *m_attemptTitle, *m_feedbackTitle, *m_givenTitle;
    TextPane *m_attempt, *m_feedback, *m_given;
    Section *m_answer;
    AnswerForm *m_form;
};

} // namespace emend::ui
