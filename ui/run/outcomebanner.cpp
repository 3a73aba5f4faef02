// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/outcomebanner.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>

#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int longestBody = 600; // the whole of it is in the story of the last event

QString shortened(const QString &text)
{
    return oneLine(text.trimmed(), longestBody);
}

} // namespace

OutcomeBanner::OutcomeBanner(QWidget *parent)
    : QWidget(parent)
    , m_shape(new ShapeLabel(Shape::Flag, ColorRole::Neutral, 16, this))
    , m_headline(new QLabel(this))
    , m_body(new QLabel(this))
{
    setObjectName(u"outcomeBanner"_s);
    m_headline->setObjectName(u"outcomeHeadline"_s);
    m_headline->setFont(scaledFont(1.0, QFont::DemiBold));
    m_body->setObjectName(u"outcomeBody"_s);
    for (QLabel *label : {m_headline, m_body}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(space::two, space::one, space::two, space::one + 1);
    grid->setHorizontalSpacing(space::one);
    grid->setVerticalSpacing(2);
    grid->addWidget(m_shape, 0, 0, Qt::AlignVCenter);
    grid->addWidget(m_headline, 0, 1);
    grid->addWidget(m_body, 1, 1);
    grid->setColumnStretch(1, 1);
    hide();
}

QString OutcomeBanner::receiptText(const ReceiptFacts &receipt, RunState state)
{
    QString text =
        state == RunState::Killed
            ? tr("Quiet %1 after the click").arg(durationText(receipt.quietAfterUs))
            : tr("Quiet %1 after the escalation").arg(durationText(receipt.quietAfterUs));
    if (receipt.inFlight.empty())
        return text + u"; "_s + tr("nothing was in flight");
    QStringList calls;
    for (const InFlightFacts &call : receipt.inFlight)
        calls += tr("%1 %2, %3 after %4")
                     .arg(Vocabulary::inFlight(call.what), call.name, Vocabulary::fate(call.fate),
                          durationText(call.afterUs));
    return text + u"; "_s + tr("in flight: %1").arg(calls.join(u"; "_s));
}

void OutcomeBanner::showOutcome(RunState state, const RunFacts &facts, const QString &error)
{
    m_state = state;
    const Term term = Vocabulary::state(state);
    QString headline = term.word;
    QStringList body;
    if (facts.outcome) {
        const OutcomeFacts &end = *facts.outcome;
        headline += u" – "_s + oneLine(Vocabulary::reason(end.reason), 200);
        if (!end.summary.isEmpty())
            body += shortened(end.summary);
        if (!end.missing.isEmpty())
            body += tr("Missing: %1").arg(shortened(end.missing.join(u", "_s)));
        if (!end.failureMessage.isEmpty())
            body += shortened(end.failureMessage);
    } else if (facts.events > 0) {
        headline += u" – "_s + Vocabulary::stateHint(state);
    } else if (!error.isEmpty()) {
        headline = tr("Nothing was started");
    }
    if (facts.receipt && facts.receipt->quietAfterUs >= 0)
        body += receiptText(*facts.receipt, state);
    if (facts.reservedTokens > 0)
        body += tr("Tokens: %1; what was used nobody knows")
                    .arg(Vocabulary::reserved(facts.reservedTokens, facts.callAborted));
    if (!error.isEmpty())
        body += shortened(error);
    m_shape->setShape(term.shape, term.color);
    m_headline->setText(headline);
    m_body->setText(body.join(u'\n'));
    m_body->setVisible(!body.isEmpty());
    setAccessibleName(tr("Outcome: %1").arg(headline));
    setAccessibleDescription(m_body->text());
    updateColors();
    show();
}

QString OutcomeBanner::text() const
{
    return m_headline->text() + u'\n' + m_body->text();
}

void OutcomeBanner::updateColors()
{
    QPalette colored = m_headline->palette();
    colored.setColor(QPalette::WindowText, roleColor(Vocabulary::state(m_state).color, palette()));
    m_headline->setPalette(colored);
}

void OutcomeBanner::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateColors();
}

void OutcomeBanner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const ColorRole role = Vocabulary::state(m_state).color;
    painter.fillRect(rect(), roleTint(role, palette()));
    painter.fillRect(QRect(0, 0, 3, height()), roleColor(role, palette()));
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
}

} // namespace emend::ui
