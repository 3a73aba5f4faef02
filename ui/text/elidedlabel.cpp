// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/elidedlabel.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/text/plaintext.h"

namespace emend::ui {

ElidedLabel::ElidedLabel(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    update();
}

void ElidedLabel::setHint(const QString &hint)
{
    m_hint = hint;
    setAccessibleDescription(hint);
}

void ElidedLabel::setColor(ColorRole role)
{
    m_color = role;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    // Not the text's: it may change many times a second, and the layout is to stand still.
    return {fontMetrics().averageCharWidth() * 24, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 6, fontMetrics().height()};
}

bool ElidedLabel::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const bool cut = fontMetrics().horizontalAdvance(m_text) > width();
    QStringList tip;
    if (cut)
        tip << m_text;
    if (!m_hint.isEmpty())
        tip << m_hint;
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(),
                       tip.isEmpty() ? QString() : plainToolTip(tip.join(u'\n')), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(roleColor(m_color, palette()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
}

} // namespace emend::ui
