// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/escalationpanel.h"

#include "ui/inbox/answerform.h"
#include "ui/shell/section.h"
#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/text/textpane.h"
#include "ui/theme/theme.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr qsizetype longestShown = 20'000;

QLabel *plainLabel(const QString &name)
{
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString shown(const std::string &text)
{
    return visible(QString::fromStdString(text).left(longestShown));
}

} // namespace

EscalationPanel::EscalationPanel(QWidget *parent)
    : QScrollArea(parent)
    , m_nothing(new QLabel)
    , m_content(new QWidget)
    , m_shape(new ShapeLabel(emend::ui::Shape::Person, ColorRole::Correction, 16))
    , m_state(plainLabel(u"escalationState"_s))
    , m_reason(plainLabel(u"escalationReason"_s))
    , m_where(plainLabel(u"escalationWhere"_s))
    , m_openRun(new QPushButton(tr("&Open run")))
    , m_openAnswer(new QPushButton(tr("Open the run that &went on")))
    , m_claim(new QPushButton)
    , m_problem(plainLabel(u"escalationProblem"_s))
    , m_facts(new QGridLayout)
    , m_history(new Section(tr("What was tried")))
    , m_attemptTitle(headingLabel(tr("Last reply")))
    , m_feedbackTitle(headingLabel(tr("Last correction")))
    , m_givenTitle(headingLabel({}))
    , m_attempt(new TextPane)
    , m_feedback(new TextPane)
    , m_given(new TextPane)
    , m_answer(new Section(tr("Answer")))
    , m_form(new AnswerForm)
{
    setObjectName(u"escalationPanel"_s);
    build();
    connect(m_openRun, &QPushButton::clicked, this,
            [this] { Q_EMIT openRequested(QString::fromStdString(m_shown.traceFile)); });
    connect(m_openAnswer, &QPushButton::clicked, this,
            [this] { Q_EMIT openRequested(QString::fromStdString(m_shown.answerTrace)); });
    connect(m_claim, &QPushButton::clicked, this, [this] {
        if (m_shown.state == core::EscalationState::Claimed)
            Q_EMIT releaseRequested(id());
        else
            Q_EMIT claimRequested(id());
    });
    connect(m_form, &AnswerForm::answered, this,
            [this](const core::Answer &answer) { Q_EMIT answered(id(), answer); });
    connect(m_form, &AnswerForm::dismissed, this,
            [this](const QString &reason) { Q_EMIT dismissed(id(), reason); });
    showNothing(tr("Choose an escalation to see what was tried."));
}

void EscalationPanel::build()
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_nothing->setObjectName(u"noEscalation"_s);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_reason->setFont(scaledFont(1.15, QFont::DemiBold));
    m_state->setFont(scaledFont(1.0, QFont::DemiBold));
    auto *body = new QWidget;
    auto *outer = new QVBoxLayout(body);
    outer->setContentsMargins(space::two, space::two, space::two, space::two);
    outer->addWidget(m_nothing, 1);
    outer->addWidget(m_content);
    auto *layout = new QVBoxLayout(m_content);
    layout->setContentsMargins({});
    layout->setSpacing(space::one);
    auto *top = new QHBoxLayout;
    top->setSpacing(space::one);
    top->addWidget(m_shape);
    top->addWidget(m_state, 1);
    layout->addLayout(top);
    layout->addWidget(m_reason);
    layout->addWidget(m_where);
    buildButtons(layout);
    layout->addWidget(m_problem);
    m_facts->setHorizontalSpacing(space::two);
    m_facts->setVerticalSpacing(space::half);
    m_facts->setColumnStretch(1, 1);
    layout->addSpacing(space::half);
    layout->addLayout(m_facts);
    layout->addSpacing(space::half);
    for (const auto &[title, pane] :
         {std::pair(m_attemptTitle, m_attempt), std::pair(m_feedbackTitle, m_feedback)}) {
        m_history->body()->addWidget(title);
        m_history->body()->addWidget(pane);
    }
    m_attempt->setObjectName(u"finalAttempt"_s);
    m_feedback->setObjectName(u"lastFeedback"_s);
    m_given->setObjectName(u"givenAnswer"_s);
    m_answer->body()->addWidget(m_givenTitle);
    m_answer->body()->addWidget(m_given);
    m_answer->body()->addWidget(m_form);
    layout->addWidget(m_answer);
    layout->addWidget(m_history);
    layout->addStretch(1);
    setWidget(body);
}

void EscalationPanel::buildButtons(QVBoxLayout *layout)
{
    m_openRun->setObjectName(u"openRun"_s);
    m_openAnswer->setObjectName(u"openAnswerRun"_s);
    m_claim->setObjectName(u"claim"_s);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    for (QPushButton *button : {m_openRun, m_openAnswer, m_claim}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addLayout(row);
}

void EscalationPanel::showNothing(const QString &why)
{
    m_shown = {};
    m_nothing->setText(why);
    m_nothing->show();
    m_content->hide();
}

void EscalationPanel::showDetail(const core::EscalationDetail &detail)
{
    const bool other = detail.escalation.id != m_shown.id;
    m_shown = detail.escalation;
    const Term term = EscalationWords::state(m_shown.state);
    m_shape->setShape(term.shape, term.color);
    m_state->setText(EscalationWords::stateAndOutcome(m_shown));
    m_reason->setText(EscalationWords::reason(m_shown));
    m_where->setText(detail.situation
                         ? EscalationWords::situation(*detail.situation)
                         : tr("The trace of the run cannot be read: %1")
                               .arg(oneLine(QString::fromStdString(detail.traceProblem), 400)));
    m_openRun->setEnabled(QFileInfo::exists(QString::fromStdString(m_shown.traceFile)));
    m_openAnswer->setVisible(!m_shown.answerTrace.empty());
    const bool waits = m_shown.state == core::EscalationState::Open ||
                       m_shown.state == core::EscalationState::Claimed;
    m_claim->setVisible(waits);
    m_claim->setText(m_shown.state == core::EscalationState::Open ? tr("&Claim") : tr("&Put back"));
    m_claim->setToolTip(m_shown.state == core::EscalationState::Open
                            ? tr("Say that you look after it")
                            : tr("Let somebody else look after it"));
    if (other)
        setProblem({});
    showFacts();
    showHistory();
    const bool answerable = core::mayAnswer(m_shown);
    m_form->setVisible(answerable);
    m_answer->setVisible(answerable || !m_shown.answer.empty());
    if (answerable)
        m_form->setSituation(id(), detail.situation, QString::fromStdString(detail.traceProblem));
    m_givenTitle->setVisible(!m_shown.answer.empty());
    m_given->setVisible(!m_shown.answer.empty());
    m_givenTitle->setText(EscalationWords::answerKindOf(m_shown.answer));
    m_given->setPlainText(
        visible(EscalationWords::answerTextOf(m_shown.answer).left(longestShown)));
    m_nothing->hide();
    m_content->show();
    if (other)
        ensureVisible(0, 0);
}

void EscalationPanel::showFacts()
{
    while (QLayoutItem *item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto text = [](const std::string &value) { return QString::fromStdString(value); };
    addFact(tr("Task"), oneLine(text(m_shown.taskName).simplified(), 200));
    addFact(tr("Mode"), Vocabulary::mode(text(m_shown.mode)));
    addFact(tr("Opened"), tr("%1 by %2")
                              .arg(EscalationWords::moment(m_shown.openedAt),
                                   EscalationWords::opener(m_shown.by)));
    if (!m_shown.claimedBy.empty())
        addFact(tr("Claimed"), tr("%1 by %2")
                                   .arg(EscalationWords::moment(m_shown.claimedAt),
                                        oneLine(text(m_shown.claimedBy), 80)));
    if (!m_shown.closedAt.empty())
        addFact(tr("Closed"), EscalationWords::moment(m_shown.closedAt));
    if (!m_shown.parent.empty())
        addFact(tr("Follows"), tr("the answer to %1").arg(oneLine(text(m_shown.parent), 40)));
    addFact(tr("Run"), oneLine(text(m_shown.runId), 80));
    addFact(tr("Trace"), oneLine(text(m_shown.traceFile), 400));
    addFact(tr("Attempts"), QLocale().toString(m_shown.attempts));
}

void EscalationPanel::addFact(const QString &label, const QString &value)
{
    const int row = m_facts->rowCount();
    auto *name = quietLabel(label);
    name->setWordWrap(false);
    auto *pane = new TextPane; // breaks anywhere, as paths need it
    pane->setPlainText(value);
    pane->setInline();
    pane->setAccessibleName(label);
    m_facts->addWidget(name, row, 0, Qt::AlignTop);
    m_facts->addWidget(pane, row, 1);
}

void EscalationPanel::showHistory()
{
    const bool reply = !m_shown.finalAttempt.empty(), feedback = !m_shown.lastFeedback.empty();
    m_attemptTitle->setVisible(reply);
    m_attempt->setVisible(reply);
    m_attempt->setPlainText(shown(m_shown.finalAttempt));
    m_feedbackTitle->setVisible(feedback);
    m_feedback->setVisible(feedback);
    m_feedback->setPlainText(shown(m_shown.lastFeedback));
    m_history->setHint(reply ? QString() : tr("The model had not replied yet."));
}

void EscalationPanel::setBusy(bool busy)
{
    m_claim->setEnabled(!busy);
    m_form->setBusy(busy);
}

void EscalationPanel::setProblem(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_problem->setPalette(red);
}

void EscalationPanel::forget(const QString &id)
{
    m_form->forget(id);
}

} // namespace emend::ui
