// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/shapelabel.h"

#include <QPainter>

namespace emend::ui {

ShapeLabel::ShapeLabel(Shape shape, ColorRole color, int size, QWidget *parent)
    : QWidget(parent)
    , m_shape(shape)
    , m_color(color)
{
    setFixedSize(size, size);
}

void ShapeLabel::setShape(Shape shape, ColorRole color)
{
    m_shape = shape;
    m_color = color;
    update();
}

void ShapeLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintShape(&painter, rect(), m_shape, roleColor(m_color, palette()));
}

} // namespace emend::ui
