// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/shapes.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <algorithm>
#include <initializer_list>

namespace emend::ui {

namespace {

// Shapes live in a square of 16; pens are 2 wide.
QPen pen(const QColor &color, double width = 2.0)
{
    return QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
}

void stroke(QPainter *p, const QColor &color, std::initializer_list<QPointF> points)
{
    p->setPen(pen(color));
    p->setBrush(Qt::NoBrush);
    p->drawPolyline(points.begin(), int(points.size()));
}

void fill(QPainter *p, const QColor &color, std::initializer_list<QPointF> points)
{
    p->setPen(pen(color, 1.0));
    p->setBrush(color);
    p->drawPolygon(points.begin(), int(points.size()));
}

void paintRound(QPainter *p, Shape shape, const QColor &color)
{
    p->setPen(pen(color));
    p->setBrush(shape == Shape::Dot ? QBrush(color) : QBrush(Qt::NoBrush));
    const QRectF circle(3, 3, 10, 10);
    switch (shape) {
    case Shape::Loop:
        p->drawArc(circle, 60 * 16, 270 * 16);
        fill(p, color, {{8.5, 0.5}, {8.5, 6.0}, {12.5, 3.2}});
        return;
    case Shape::HalfDot:
        p->drawEllipse(circle);
        p->setBrush(color);
        p->drawPie(circle, 90 * 16, 180 * 16);
        return;
    case Shape::Slash:
        p->drawEllipse(circle);
        p->drawLine(QPointF(4.6, 11.4), QPointF(11.4, 4.6));
        return;
    default:
        p->drawEllipse(circle);
    }
}

void paintSolid(QPainter *p, Shape shape, const QColor &color)
{
    p->setPen(Qt::NoPen);
    p->setBrush(color);
    switch (shape) {
    case Shape::Pause:
        p->drawRoundedRect(QRectF(3.5, 2.5, 3.2, 11), 1, 1);
        p->drawRoundedRect(QRectF(9.3, 2.5, 3.2, 11), 1, 1);
        return;
    case Shape::Step:
        p->drawRoundedRect(QRectF(11, 3, 2.4, 10), 1, 1);
        fill(p, color, {{3, 3.5}, {3, 12.5}, {9, 8}});
        return;
    case Shape::Stop:
        fill(p, color,
             {{5.5, 2},
              {10.5, 2},
              {14, 5.5},
              {14, 10.5},
              {10.5, 14},
              {5.5, 14},
              {2, 10.5},
              {2, 5.5}});
        return;
    case Shape::Person:
        p->drawEllipse(QRectF(5.2, 1.5, 5.6, 5.6));
        p->drawChord(QRectF(2, 8.4, 12, 12), 0, 180 * 16);
        return;
    case Shape::Bar:
        p->drawRoundedRect(QRectF(2, 6.5, 12, 3), 1, 1);
        return;
    default:
        p->drawRoundedRect(QRectF(3, 3, 10, 10), 1.5, 1.5);
    }
}

void paintLines(QPainter *p, Shape shape, const QColor &color)
{
    switch (shape) {
    case Shape::Check:
        return stroke(p, color, {{2.8, 8.6}, {6.4, 12.2}, {13.2, 4.2}});
    case Shape::Cross:
        stroke(p, color, {{3.8, 3.8}, {12.2, 12.2}});
        return stroke(p, color, {{12.2, 3.8}, {3.8, 12.2}});
    case Shape::ArrowOut:
        stroke(p, color, {{2.5, 8}, {13, 8}});
        return stroke(p, color, {{9, 4}, {13, 8}, {9, 12}});
    case Shape::ArrowIn:
        stroke(p, color, {{3, 8}, {13.5, 8}});
        return stroke(p, color, {{7, 4}, {3, 8}, {7, 12}});
    case Shape::Flag:
        stroke(p, color, {{4, 14}, {4, 2.5}});
        return fill(p, color, {{4, 3}, {13, 5.8}, {4, 8.8}});
    case Shape::Hourglass:
        return stroke(p, color, {{4, 3}, {12, 3}, {4, 13}, {12, 13}, {4, 3}});
    case Shape::Copy:
        p->setPen(pen(color, 1.4));
        p->setBrush(Qt::NoBrush);
        p->drawRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.5, 1.5);
        return p->drawPolyline(QPolygonF{{10.5, 2.5}, {2.5, 2.5}, {2.5, 10.5}});
    case Shape::Down:
        stroke(p, color, {{8, 2.5}, {8, 13}});
        return stroke(p, color, {{4, 9}, {8, 13}, {12, 9}});
    default: // HollowSquare
        p->setPen(pen(color));
        p->setBrush(Qt::NoBrush);
        p->drawRoundedRect(QRectF(3, 3, 10, 10), 1.5, 1.5);
    }
}

} // namespace

void paintShape(QPainter *painter, const QRectF &rect, Shape shape, const QColor &color)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double side = std::min(rect.width(), rect.height());
    painter->translate(rect.center() - QPointF(side / 2, side / 2));
    painter->scale(side / 16.0, side / 16.0);
    switch (shape) {
    case Shape::Dot:
    case Shape::Ring:
    case Shape::Loop:
    case Shape::HalfDot:
    case Shape::Slash:
        paintRound(painter, shape, color);
        break;
    case Shape::Play:
        fill(painter, color, {{4.5, 3}, {4.5, 13}, {13, 8}});
        break;
    case Shape::Triangle:
        fill(painter, color, {{8, 3}, {14, 13}, {2, 13}});
        break;
    case Shape::Diamond:
        fill(painter, color, {{8, 2}, {14, 8}, {8, 14}, {2, 8}});
        break;
    case Shape::Pause:
    case Shape::Step:
    case Shape::Stop:
    case Shape::Person:
    case Shape::Bar:
    case Shape::Square:
        paintSolid(painter, shape, color);
        break;
    default:
        paintLines(painter, shape, color);
    }
    painter->restore();
}

QIcon shapeIcon(Shape shape, const QColor &color, const QColor &disabled, int size)
{
    const auto pixmap = [&](const QColor &c) {
        constexpr int scale = 3;
        QPixmap result(size * scale, size * scale);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paintShape(&painter, QRectF(0, 0, size * scale, size * scale), shape, c);
        painter.end();
        result.setDevicePixelRatio(scale);
        return result;
    };
    QIcon icon;
    icon.addPixmap(pixmap(color), QIcon::Normal);
    icon.addPixmap(pixmap(disabled), QIcon::Disabled);
    return icon;
}

} // namespace emend::ui
