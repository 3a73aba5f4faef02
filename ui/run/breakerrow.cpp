// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/breakerrow.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

#include "ui/text/elidedlabel.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::BreakerCommandKind;

BreakerRow::BreakerRow(QWidget *parent)
    : QWidget(parent)
    , m_shape(new ShapeLabel(Shape::Check, ColorRole::Good, 12, this))
    , m_name(new ElidedLabel(this))
    , m_state(new QLabel(this))
    , m_detail(new ElidedLabel(this))
{
    m_state->setTextFormat(Qt::PlainText);
    m_detail->setColor(ColorRole::Muted);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(space::two, space::half, space::one, space::half);
    grid->setHorizontalSpacing(space::one);
    grid->setVerticalSpacing(0);
    grid->addWidget(m_shape, 0, 0, Qt::AlignVCenter);
    grid->addWidget(m_name, 0, 1);
    grid->addWidget(m_state, 0, 2, 2, 1, Qt::AlignRight | Qt::AlignVCenter);
    grid->addWidget(m_detail, 1, 1);
    grid->setColumnStretch(1, 1);
    m_forceOpen = addButton(tr("Force open"), u"forceOpen"_s, BreakerCommandKind::ForceOpen);
    m_disable = addButton(tr("Disable"), u"disable"_s, BreakerCommandKind::Disable);
    m_reset = addButton(tr("Reset"), u"reset"_s, BreakerCommandKind::Reset);
    int column = 3;
    for (QToolButton *button : {m_forceOpen, m_disable, m_reset})
        grid->addWidget(button, 0, column++, 2, 1, Qt::AlignVCenter);
}

QToolButton *BreakerRow::addButton(const QString &text, const QString &name,
                                   BreakerCommandKind kind)
{
    auto *button = new QToolButton(this);
    button->setText(text);
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this,
            [this, kind] { Q_EMIT commandGiven(m_facts.name, kind); });
    return button;
}

void BreakerRow::setFacts(const BreakerFacts &facts, bool live, qint64 elapsedUs)
{
    if (m_known && m_facts == facts && m_live == live)
        return showCountdown(elapsedUs);
    m_known = true;
    m_facts = facts;
    m_live = live;
    const QString name = oneLine(Vocabulary::breakerName(facts.name), 80);
    const Term term = Vocabulary::breakerState(facts.state);
    m_shape->setShape(term.shape, term.color);
    m_name->setText(name);
    m_state->setText(term.word);
    updateColors();
    m_forceOpen->setAccessibleName(tr("Force open the breaker of %1").arg(name));
    m_disable->setAccessibleName(tr("Disable the breaker of %1").arg(name));
    m_reset->setAccessibleName(tr("Reset the breaker of %1").arg(name));
    m_forceOpen->setToolTip(tr("Refuse every call until it is reset; no timer ends this"));
    m_disable->setToolTip(tr("Let every call through and count nothing"));
    m_reset->setToolTip(tr("Close it and forget the failures"));
    // A button that is disabled passes the focus on: never to one that does the opposite.
    QToolButton *focused = nullptr;
    for (QToolButton *button : {m_forceOpen, m_disable, m_reset})
        focused = button->hasFocus() ? button : focused;
    m_forceOpen->setEnabled(live && facts.state != "forced_open"_L1);
    m_disable->setEnabled(live && facts.state != "disabled"_L1);
    m_reset->setEnabled(live && (facts.state != "closed"_L1 || facts.failures > 0));
    if (focused != nullptr && !focused->isEnabled())
        (focused == m_reset ? m_forceOpen : m_reset)->setFocus();
    for (QToolButton *button : {m_forceOpen, m_disable, m_reset})
        button->setVisible(live);
    showCountdown(elapsedUs);
    setAccessibleName(tr("Breaker of %1: %2").arg(name, term.word));
}

bool BreakerRow::counts() const
{
    return m_live && m_facts.state == "open"_L1 && m_facts.untilUs >= 0;
}

void BreakerRow::showCountdown(qint64 elapsedUs)
{
    QString detail = m_facts.threshold > 0
                         ? tr("%1 of %2 failures").arg(m_facts.failures).arg(m_facts.threshold)
                         : Vocabulary::failures(m_facts.failures);
    if (counts()) {
        const qint64 left = std::max<qint64>(m_facts.untilUs - elapsedUs, 0);
        detail += u" · "_s + (left > 0 ? tr("trial call in %1 s").arg((left + 999'999) / 1'000'000)
                                       : tr("trial call with the next action"));
    } else if (m_live && (m_facts.state == "forced_open"_L1 || m_facts.state == "disabled"_L1)) {
        detail += u" · "_s + tr("until a person resets it");
    }
    m_detail->setText(detail);
}

void BreakerRow::updateColors()
{
    QPalette colored = m_state->palette();
    colored.setColor(QPalette::WindowText,
                     roleColor(Vocabulary::breakerState(m_facts.state).color, palette()));
    m_state->setPalette(colored);
}

void BreakerRow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateColors();
}

} // namespace emend::ui
