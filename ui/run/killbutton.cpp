// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/killbutton.h"

#include <QPainter>

#include "ui/text/colors.h"
#include "ui/text/shapes.h"
#include "ui/theme/theme.h"

namespace emend::ui {

KillButton::KillButton(QWidget *parent)
    : QPushButton(parent)
{
    setObjectName(QStringLiteral("killButton"));
    // Room for the sign is asked for by an icon that is never drawn.
    QPixmap blank(16, 16);
    blank.fill(Qt::transparent);
    setIcon(QIcon(blank));
    setAttribute(Qt::WA_Hover);
}

void KillButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette &p = palette();
    const QColor danger = isEnabled() ? roleColor(ColorRole::Bad, p)
                                      : p.color(QPalette::Disabled, QPalette::ButtonText);
    QColor body = p.color(QPalette::Window);
    if (isEnabled() && (isDown() || underMouse()))
        body = mixed(body, danger, isDown() ? 0.24 : 0.12);
    const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(isEnabled() ? danger : hairline(p), isEnabled() ? 1.5 : 1));
    painter.setBrush(body);
    painter.drawRoundedRect(frame, space::radius, space::radius);
    if (hasFocus()) {
        painter.setPen(QPen(p.color(QPalette::Highlight), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(frame, space::radius, space::radius);
    }
    const int textWidth = fontMetrics().horizontalAdvance(text());
    const int left = (width() - textWidth - 20) / 2;
    paintShape(&painter, QRectF(left, (height() - 14) / 2.0, 14, 14), Shape::Stop, danger);
    painter.setPen(danger);
    painter.drawText(QRect(left + 20, 0, textWidth + 2, height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text());
}

} // namespace emend::ui
