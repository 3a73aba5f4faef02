// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/noticestrip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/text/shapelabel.h"
#include "ui/theme/theme.h"

namespace emend::ui {

NoticeStrip::NoticeStrip(Shape shape, ColorRole color, QWidget *parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_text(new QLabel(this))
    , m_color(color)
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setFont(scaledFont(1.0, QFont::DemiBold));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_row->setContentsMargins(space::two, space::half + 2, space::two, space::half + 3);
    m_row->setSpacing(space::one);
    m_row->addWidget(new ShapeLabel(shape, color, 14, this), 0, Qt::AlignVCenter);
    m_row->addWidget(m_text, 1);
    updateColors();
    hide();
}

void NoticeStrip::setText(const QString &text)
{
    if (text == m_text->text())
        return;
    m_text->setText(text);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
}

QPushButton *NoticeStrip::addButton(const QString &objectName, const QString &text)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    m_row->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

QString NoticeStrip::text() const
{
    return m_text->text();
}

void NoticeStrip::updateColors()
{
    QPalette colored = m_text->palette();
    colored.setColor(QPalette::WindowText, roleColor(m_color, palette()));
    m_text->setPalette(colored);
}

void NoticeStrip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateColors();
}

void NoticeStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), roleTint(m_color, palette()));
    painter.fillRect(QRect(0, 0, 3, height()), roleColor(m_color, palette()));
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
}

} // namespace emend::ui
