// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QtGlobal>

class QColor;
class QPainter;
class QRectF;

// The small signs beside the words. Drawn, not loaded: sharp at every scale, in any colour.
namespace emend::ui {

enum class Shape : quint8 {
    Dot,
    Ring,
    Check,
    Cross,
    Play,
    Pause,
    Step,
    Stop,
    Flag,
    ArrowOut,
    ArrowIn,
    Loop,
    Hourglass,
    Triangle,
    Diamond,
    Square,
    HollowSquare,
    Person,
    HalfDot,
    Bar,
    Slash,
    Copy,
    Down,
};
inline constexpr int shapeCount = int(Shape::Down) + 1;

void paintShape(QPainter *painter, const QRectF &rect, Shape shape, const QColor &color);
// `size` in device independent pixels; sharp up to a scale of 3.
QIcon shapeIcon(Shape shape, const QColor &color, const QColor &disabled, int size = 16);

} // namespace emend::ui
