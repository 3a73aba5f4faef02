// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/styleparts.h"

#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QWidget>

namespace emend::ui::parts {

namespace {

constexpr qreal radius = space::radius;

QColor blend(const QColor &over, const QColor &under, qreal amount)
{
    return QColor::fromRgbF(
        static_cast<float>(over.redF() * amount + under.redF() * (1 - amount)),
        static_cast<float>(over.greenF() * amount + under.greenF() * (1 - amount)),
        static_cast<float>(over.blueF() * amount + under.blueF() * (1 - amount)));
}

// A rounded box whose one pixel border lies on whole pixels.
void roundBox(QPainter *painter, const QRectF &rect, qreal corner, const QColor &fill,
              const QColor &border, qreal width = 1.0)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill.isValid() ? QBrush(fill) : Qt::NoBrush);
    painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
    const qreal inset = border.isValid() ? width / 2 : 0;
    painter->drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), corner, corner);
    painter->restore();
}

bool has(const QStyleOption &option, QStyle::StateFlag flag)
{
    return option.state.testFlag(flag);
}

QColor accent(const QStyleOption &option)
{
    return option.palette.color(QPalette::Highlight);
}

} // namespace

bool isPrimary(const QWidget *widget)
{
    return widget && widget->property(primaryProperty).toBool();
}

QColor stripColour(const QPalette &palette)
{
    return palette.color(QPalette::Window).darker(isDark(palette) ? 130 : 105);
}

void paintButton(const QStyleOption &option, QPainter *painter, const QWidget *widget)
{
    const QPalette &p = option.palette;
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool down = has(option, QStyle::State_Sunken) || has(option, QStyle::State_On);
    const bool hover = has(option, QStyle::State_MouseOver) && enabled;
    QColor fill = p.color(QPalette::Button);
    QColor border = p.color(enabled ? QPalette::Dark : QPalette::Mid);
    if (isPrimary(widget) && enabled) {
        fill = accent(option);
        if (down)
            fill = fill.darker(118);
        else if (hover)
            fill = fill.darker(108);
        border = fill;
    } else if (!enabled) {
        fill = p.color(QPalette::Window);
    } else if (down) {
        fill = blend(p.color(QPalette::Mid), fill, 0.8);
    } else if (hover) {
        fill = p.color(QPalette::Midlight);
    }
    roundBox(painter, option.rect, radius, fill, border);
}

// Picture and words as one group in the middle, a step of the grid apart.
void paintButtonLabel(const QStyleOptionButton &option, QPainter *painter, const QWidget *widget)
{
    const bool enabled = has(option, QStyle::State_Enabled);
    const QPalette::ColorRole role =
        isPrimary(widget) && enabled ? QPalette::HighlightedText : QPalette::ButtonText;
    const QSize picture = option.icon.isNull() ? QSize() : option.iconSize;
    const int gap = option.icon.isNull() || option.text.isEmpty() ? 0 : space::one;
    const int words = option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
    const QRect &r = option.rect;
    const int whole = qMin(picture.width() + gap + words, r.width());
    QRect box(r.left() + (r.width() - whole) / 2, r.top(), whole, r.height());
    if (!option.icon.isNull()) {
        QRect at(box.left(), r.center().y() - (picture.height() - 1) / 2, picture.width(),
                 picture.height());
        at = QStyle::visualRect(option.direction, r, at);
        option.icon.paint(painter, at, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled,
                          has(option, QStyle::State_On) ? QIcon::On : QIcon::Off);
        box.setLeft(box.left() + picture.width() + gap);
    }
    const bool underline =
        !widget || widget->style()->styleHint(QStyle::SH_UnderlineShortcut, &option, widget);
    painter->setPen(option.palette.color(enabled ? QPalette::Active : QPalette::Disabled, role));
    painter->drawText(QStyle::visualRect(option.direction, r, box),
                      int(Qt::AlignCenter) |
                          (underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                      option.text);
}

void paintMenuBarItem(const QStyleOptionMenuItem &option, QPainter *painter, const QStyle &style,
                      const QWidget *widget)
{
    painter->fillRect(option.rect, stripColour(option.palette));
    if (has(option, QStyle::State_Selected))
        roundBox(painter, option.rect.adjusted(1, 1, -1, -1), 4,
                 option.palette.color(QPalette::Mid), QColor());
    const bool underline = style.styleHint(QStyle::SH_UnderlineShortcut, &option, widget);
    style.drawItemText(
        painter, option.rect,
        int(Qt::AlignCenter) | (underline ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
        option.palette, has(option, QStyle::State_Enabled), option.text, QPalette::WindowText);
}

void paintTabClose(const QStyleOption &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    const bool hover = has(option, QStyle::State_MouseOver) || has(option, QStyle::State_Raised);
    const QRectF box(option.rect);
    if (hover && has(option, QStyle::State_MouseOver))
        roundBox(painter, box, 4, p.color(QPalette::Mid), QColor());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(p.color(hover ? QPalette::WindowText : QPalette::PlaceholderText), 1.4,
                         Qt::SolidLine, Qt::RoundCap));
    const QPointF c = box.center();
    painter->drawLine(c + QPointF(-3.5, -3.5), c + QPointF(3.5, 3.5));
    painter->drawLine(c + QPointF(-3.5, 3.5), c + QPointF(3.5, -3.5));
    painter->restore();
}

void paintToolButton(const QStyleOption &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    if (!has(option, QStyle::State_Enabled))
        return;
    QColor fill;
    if (has(option, QStyle::State_Sunken) || has(option, QStyle::State_On))
        fill = p.color(QPalette::Mid);
    else if (has(option, QStyle::State_MouseOver))
        fill = p.color(QPalette::Midlight);
    if (fill.isValid())
        roundBox(painter, option.rect, radius, fill, QColor());
}

void paintField(const QStyleOption &option, QPainter *painter, bool focused, bool faint)
{
    const QPalette &p = option.palette;
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool readOnly = has(option, QStyle::State_ReadOnly);
    const QColor fill = p.color(enabled && !readOnly ? QPalette::Base : QPalette::Window);
    if (focused && enabled)
        roundBox(painter, option.rect, radius, fill, accent(option), 2.0);
    else
        roundBox(painter, option.rect, radius, fill,
                 p.color(enabled && !readOnly && !faint ? QPalette::Dark : QPalette::Mid));
}

void paintCard(const QStyleOption &option, QPainter *painter)
{
    roundBox(painter, option.rect, space::one, option.palette.color(QPalette::Base),
             option.palette.color(QPalette::Mid));
}

void paintCheck(const QStyleOption &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    const bool some = has(option, QStyle::State_NoChange);
    const QRectF box = QRectF(option.rect);
    QColor fill = p.color(enabled ? QPalette::Base : QPalette::Window);
    QColor border = p.color(enabled ? QPalette::Dark : QPalette::Mid);
    if ((on || some) && enabled)
        fill = border = accent(option);
    else if ((on || some))
        fill = border = p.color(QPalette::Mid);
    else if (enabled && has(option, QStyle::State_MouseOver))
        fill = p.color(QPalette::Midlight);
    roundBox(painter, box, 4, fill, border, 1.0);
    if (!on && !some)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor mark =
        p.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::HighlightedText);
    painter->setPen(QPen(mark, box.width() / 8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const qreal s = box.width();
    QPainterPath path;
    if (some) {
        path.moveTo(box.left() + s * 0.28, box.center().y());
        path.lineTo(box.left() + s * 0.72, box.center().y());
    } else {
        path.moveTo(box.left() + s * 0.25, box.top() + s * 0.53);
        path.lineTo(box.left() + s * 0.43, box.top() + s * 0.70);
        path.lineTo(box.left() + s * 0.76, box.top() + s * 0.33);
    }
    painter->drawPath(path);
    painter->restore();
}

void paintRadio(const QStyleOption &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    const bool enabled = has(option, QStyle::State_Enabled);
    const QRectF box = QRectF(option.rect);
    const bool on = has(option, QStyle::State_On);
    const QColor strong = enabled ? accent(option) : p.color(QPalette::Mid);
    roundBox(painter, box, box.width() / 2, p.color(QPalette::Base),
             on ? strong : p.color(enabled ? QPalette::Dark : QPalette::Mid), on ? 1.5 : 1.0);
    if (on) {
        const qreal inset = box.width() * 0.28;
        const QRectF dot = box.adjusted(inset, inset, -inset, -inset);
        roundBox(painter, dot, dot.width() / 2, strong, QColor());
    }
}

void paintFocus(const QStyleOption &option, QPainter *painter, bool onAccent)
{
    if (onAccent) {
        roundBox(painter, option.rect.adjusted(3, 3, -3, -3), radius - 2, QColor(),
                 option.palette.color(QPalette::HighlightedText), 1.5);
        return;
    }
    roundBox(painter, option.rect, radius, QColor(), accent(option), 2.0);
}

void paintTab(const QStyleOptionTab &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    const bool selected = has(option, QStyle::State_Selected);
    const QRect r = option.rect;
    if (!selected && has(option, QStyle::State_MouseOver))
        painter->fillRect(r.adjusted(0, 0, 0, -1),
                          blend(p.color(QPalette::Window), stripColour(p), 0.6));
    if (selected) {
        painter->fillRect(r, p.color(QPalette::Window));
        painter->fillRect(QRect(r.left(), r.top(), r.width(), 2), accent(option));
        painter->fillRect(QRect(r.left(), r.top(), 1, r.height()), p.color(QPalette::Mid));
        painter->fillRect(QRect(r.right(), r.top(), 1, r.height()), p.color(QPalette::Mid));
    } else {
        painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), p.color(QPalette::Mid));
    }
}

void paintHeader(const QStyleOptionHeader &option, QPainter *painter)
{
    const QPalette &p = option.palette;
    const QRect r = option.rect;
    painter->fillRect(r, p.color(QPalette::Window));
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), p.color(QPalette::Mid));
    if (option.orientation == Qt::Horizontal && option.position != QStyleOptionHeader::End &&
        option.position != QStyleOptionHeader::OnlyOneSection)
        painter->fillRect(QRect(r.right(), r.top() + 6, 1, r.height() - 12),
                          p.color(QPalette::Mid));
}

void paintSlider(const QStyleOptionSlider &option, QPainter *painter, const QRect &groove,
                 const QRect &handle)
{
    const QPalette &p = option.palette;
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool flat = option.orientation == Qt::Horizontal;
    QRectF track(groove);
    if (flat)
        track = QRectF(groove.left(), QRectF(groove).center().y() - 2, groove.width(), 4);
    else
        track = QRectF(QRectF(groove).center().x() - 2, groove.top(), 4, groove.height());
    roundBox(painter, flat ? track.adjusted(6, 0, -6, 0) : track.adjusted(0, 6, 0, -6), 2,
             p.color(QPalette::Mid), QColor());
    QRectF done = track.adjusted(space::one, 0, 0, 0);
    if (!flat)
        done = track.adjusted(0, 0, 0, -space::one);
    if (flat)
        option.upsideDown ? done.setLeft(handle.center().x()) : done.setRight(handle.center().x());
    else
        option.upsideDown ? done.setTop(handle.center().y()) : done.setBottom(handle.center().y());
    if (enabled && option.sliderPosition > option.minimum)
        roundBox(painter, done, 2, accent(option), QColor());
    QRectF knob(0, 0, 16, 16);
    knob.moveCenter(QRectF(handle).center());
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange))
        roundBox(painter, knob.adjusted(-2, -2, 2, 2), 10, QColor(), p.color(QPalette::WindowText),
                 1.5);
    roundBox(painter, knob, 8, enabled ? accent(option) : p.color(QPalette::Mid),
             p.color(QPalette::Base), 2.0);
}

void paintScrollBar(const QStyleOptionSlider &option, QPainter *painter, const QRect &handle)
{
    const QPalette &p = option.palette;
    if (option.minimum >= option.maximum)
        return;
    QColor fill = blend(p.color(QPalette::Dark), p.color(QPalette::Window), 0.7);
    if (has(option, QStyle::State_Sunken) || has(option, QStyle::State_MouseOver))
        fill = p.color(QPalette::Dark);
    const QRectF bar = QRectF(handle).adjusted(3, 3, -3, -3);
    roundBox(painter, bar, qMin(bar.width(), bar.height()) / 2, fill, QColor());
}

void paintChevron(QPainter *painter, const QRectF &box, const QColor &colour, Qt::ArrowType way)
{
    const QPointF c = box.center();
    const qreal w = 4, h = 2;
    QPolygonF line;
    switch (way) {
    case Qt::UpArrow:
        line << c + QPointF(-w, h) << c + QPointF(0, -h) << c + QPointF(w, h);
        break;
    case Qt::LeftArrow:
        line << c + QPointF(h, -w) << c + QPointF(-h, 0) << c + QPointF(h, w);
        break;
    case Qt::RightArrow:
        line << c + QPointF(-h, -w) << c + QPointF(h, 0) << c + QPointF(-h, w);
        break;
    default:
        line << c + QPointF(-w, -h) << c + QPointF(0, h) << c + QPointF(w, -h);
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(line);
    painter->restore();
}

} // namespace emend::ui::parts
