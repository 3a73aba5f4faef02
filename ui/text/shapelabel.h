// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/text/colors.h"
#include "ui/text/shapes.h"

namespace emend::ui {

// One shape in a role's colour, beside a word that says the same; silent for screen readers.
class ShapeLabel : public QWidget {
    Q_OBJECT
public:
    ShapeLabel(Shape shape, ColorRole color, int size, QWidget *parent = nullptr);
    void setShape(Shape shape, ColorRole color);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Shape m_shape;
    ColorRole m_color;
};

} // namespace emend::ui
