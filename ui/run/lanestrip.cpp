// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/lanestrip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/run/eventmodel.h"
#include "ui/text/plaintext.h"

namespace emend::ui {

LaneStrip::LaneStrip(const EventModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setObjectName(QStringLiteral("laneStrip"));
    setAccessibleName(tr("Lanes of the run"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_repaint.setSingleShot(true);
    m_repaint.setInterval(40); // new events are seen soon enough, however many there are
    connect(&m_repaint, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) { appendRows(first, last); });
    connect(&model, &QAbstractItemModel::modelReset, this, &LaneStrip::reset);
    appendRows(0, model.rowCount() - 1);
    describe();
}

void LaneStrip::appendRows(int first, int last)
{
    for (int row = first; row <= last; ++row)
        m_lanes.append(m_model.event(row), row);
    if (!m_repaint.isActive())
        m_repaint.start();
}

void LaneStrip::reset()
{
    m_lanes.clear();
    m_row = -1;
    appendRows(0, m_model.rowCount() - 1);
    describe();
}

void LaneStrip::setNow(qint64 us)
{
    m_lanes.setNow(us);
    update();
}

void LaneStrip::setCurrentRow(int row)
{
    if (m_row == row)
        return;
    m_row = row;
    if (row >= 0 && row < m_model.rowCount())
        m_lanes.reveal(m_model.event(row).tUs);
    describe();
    update();
}

void LaneStrip::choose(int row)
{
    if (row < 0)
        return;
    setCurrentRow(row);
    Q_EMIT rowClicked(row);
}

void LaneStrip::describe()
{
    if (m_row < 0 || m_row >= m_model.rowCount()) {
        setAccessibleDescription(tr("Left and Right go from mark to mark, plus and minus zoom, "
                                    "0 shows everything"));
        return;
    }
    const RowText text = m_model.text(m_row);
    setAccessibleDescription(
        tr("%1 at %2: %3").arg(text.badge.word, clockText(m_model.event(m_row).tUs), text.what));
}

// ---- sizes ----

int LaneStrip::gutter() const
{
    int widest = 0;
    for (int lane = 0; lane < laneCount; ++lane)
        widest = std::max(widest, fontMetrics().horizontalAdvance(Vocabulary::lane(Lane(lane))));
    return widest + 32;
}

int LaneStrip::axisHeight() const
{
    return fontMetrics().height() + 8;
}

int LaneStrip::laneHeight() const
{
    return std::max(fontMetrics().height() + 4, 20);
}

QSize LaneStrip::sizeHint() const
{
    return {640, laneHeight() * laneCount + axisHeight() + 8};
}

QSize LaneStrip::minimumSizeHint() const
{
    return {gutter() + 120, sizeHint().height()};
}

void LaneStrip::layoutLanes()
{
    const double left = gutter();
    m_lanes.setArea(
        QRectF(left, 4, std::max(width() - left - 16, 1.0), height() - axisHeight() - 8));
}

void LaneStrip::resizeEvent(QResizeEvent *)
{
    layoutLanes();
}

void LaneStrip::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::LanguageChange) {
        updateGeometry();
        layoutLanes();
    }
    update();
    QWidget::changeEvent(event);
}

// ---- painting ----

void LaneStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    paintFrame(painter);
    paintAxis(painter);
    painter.save();
    painter.setClipRect(m_lanes.area().adjusted(-6, 0, 6, 0));
    paintCursor(painter);
    for (int lane = 0; lane < laneCount; ++lane)
        paintLane(painter, Lane(lane));
    painter.restore();
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void LaneStrip::paintFrame(QPainter &painter) const
{
    const QColor line =
        mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.09);
    const QColor label = roleColor(ColorRole::Muted, palette());
    for (int lane = 0; lane < laneCount; ++lane) {
        const QRectF rect = m_lanes.laneRect(Lane(lane));
        painter.setPen(line);
        painter.drawLine(QPointF(0, rect.bottom()), QPointF(width(), rect.bottom()));
        painter.setPen(label);
        painter.drawText(QRectF(16, rect.top(), rect.left() - 24, rect.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, Vocabulary::lane(Lane(lane)));
    }
    if (m_lanes.isEmpty()) {
        painter.setPen(label);
        painter.drawText(
            m_lanes.area(), Qt::AlignCenter,
            tr("Every model call, correction and tool call appears here as it happens"));
    }
}

void LaneStrip::paintAxis(QPainter &painter) const
{
    if (m_lanes.isEmpty())
        return;
    const QColor line =
        mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.09);
    const QRectF area = m_lanes.area();
    double free = area.left() - 40;
    for (const Tick &tick : m_lanes.ticks(96)) {
        painter.setPen(line);
        painter.drawLine(QPointF(std::floor(tick.x) + 0.5, area.top()),
                         QPointF(std::floor(tick.x) + 0.5, area.bottom() + 4));
        const double labelWidth = fontMetrics().horizontalAdvance(tick.label);
        const double x =
            std::clamp(tick.x - labelWidth / 2, area.left() - 12, width() - labelWidth - 4);
        if (x < free)
            continue;
        free = x + labelWidth + 8;
        painter.setPen(roleColor(ColorRole::Muted, palette()));
        painter.drawText(QRectF(x, area.bottom() + 4, labelWidth + 2, axisHeight()),
                         Qt::AlignLeft | Qt::AlignTop, tick.label);
    }
}

void LaneStrip::paintLane(QPainter &painter, Lane lane) const
{
    for (int track = 0; track < m_lanes.trackCount(lane); ++track) {
        const QRectF rect = m_lanes.trackRect(lane, track);
        for (const LaneItem &item : m_lanes.items(lane, track))
            paintItem(painter, item, rect, lane == Lane::Breakers || lane == Lane::Control);
    }
}

// A bad bar is taller than a good one, a state is thin: not only the colour tells.
void LaneStrip::paintItem(QPainter &painter, const LaneItem &item, const QRectF &track,
                          bool state) const
{
    const QColor color = roleColor(item.color, palette());
    const double room = track.height() - 4;
    if (item.moment && item.count == 1) {
        const double side = std::min(room, 11.0);
        paintShape(&painter,
                   QRectF(item.left - side / 2, track.center().y() - side / 2, side, side),
                   item.shape, color);
        return;
    }
    const double height = std::min(room, state ? 5.0 : item.bad ? 13.0 : 9.0);
    const double left = std::max(item.left, m_lanes.area().left() - 8);
    const double right = std::min(std::max(item.right, item.left + 2), m_lanes.area().right() + 8);
    // A pixel of air keeps bars apart that follow each other at once.
    const double air = right - left > 6 ? 1.0 : 0.0;
    const QRectF bar(left, track.center().y() - height / 2, std::max(right - left - air, 2.0),
                     height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, bar.width() > 4);
    const QColor body = mixed(color, palette().color(QPalette::Base), item.open ? 0.5 : 0.12);
    if (bar.width() > 4) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(body);
        painter.drawRoundedRect(bar, 2, 2);
    } else {
        painter.fillRect(bar, body);
    }
    if (state && bar.width() > 20) {
        const double side = std::min(room, 11.0);
        const QRectF sign(bar.left(), track.center().y() - side / 2, side, side);
        painter.fillRect(sign.adjusted(-1, 0, 3, 0), palette().color(QPalette::Base));
        paintShape(&painter, sign, item.shape, color);
    }
    painter.restore();
}

void LaneStrip::paintCursor(QPainter &painter) const
{
    const QRectF area = m_lanes.area();
    if (m_hoverX >= area.left() && m_hoverX <= area.right()) {
        painter.setPen(
            mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.3));
        painter.drawLine(QPointF(m_hoverX, area.top()), QPointF(m_hoverX, area.bottom()));
    }
    if (m_row < 0 || m_row >= m_model.rowCount())
        return;
    const QColor highlight = palette().color(QPalette::Highlight);
    const LaneBar *bar = m_lanes.barOf(m_row);
    const double left = m_lanes.xOf(bar ? bar->startUs : m_model.event(m_row).tUs);
    const double right = bar ? m_lanes.xOf(bar->endUs < 0 ? m_lanes.endUs() : bar->endUs) : left;
    QColor shade = highlight;
    shade.setAlpha(36);
    painter.fillRect(QRectF(left - 4, area.top(), std::max(right - left, 1.0) + 8, area.height()),
                     shade);
    painter.setPen(QPen(highlight, 2));
    const double x = m_lanes.xOf(m_model.event(m_row).tUs);
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

// ---- mouse ----

void LaneStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressing = true;
    m_panning = false;
    m_pressed = event->position();
    m_panX = m_pressed.x();
}

void LaneStrip::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF pos = event->position();
    m_hoverX = pos.x();
    if (m_pressing && std::abs(pos.x() - m_pressed.x()) >= QApplication::startDragDistance())
        m_panning = true;
    if (m_panning) {
        m_lanes.pan(pos.x() - m_panX);
        m_panX = pos.x();
    }
    setCursor(m_panning && !m_lanes.isFitted() ? Qt::ClosedHandCursor
              : m_lanes.rowAt(pos) >= 0        ? Qt::PointingHandCursor
                                               : Qt::ArrowCursor);
    update();
}

void LaneStrip::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressing)
        return;
    m_pressing = false;
    if (m_panning) {
        m_panning = false;
        return;
    }
    const int hit = m_lanes.rowAt(event->position());
    if (hit >= 0)
        choose(hit);
    else if (m_lanes.area().contains(event->position()))
        choose(m_model.rowAtTime(qint64(m_lanes.timeAt(event->position().x()))));
}

void LaneStrip::leaveEvent(QEvent *)
{
    m_hoverX = -1;
    update();
}

void LaneStrip::wheelEvent(QWheelEvent *event)
{
    if (m_lanes.isEmpty())
        return;
    const QPoint delta = event->angleDelta();
    if (delta.x() != 0 && std::abs(delta.x()) > std::abs(delta.y()))
        m_lanes.pan(delta.x());
    else if (event->modifiers() & Qt::ShiftModifier)
        m_lanes.pan(delta.y());
    else
        m_lanes.zoom(std::pow(1.2, delta.y() / 120.0), event->position().x());
    event->accept();
    update();
}

QString LaneStrip::tipAt(const QPointF &pos) const
{
    const int row = m_lanes.rowAt(pos);
    if (row < 0 || row >= m_model.rowCount())
        return {};
    const RowText text = m_model.text(row);
    QString tip = text.badge.word + QStringLiteral(" · ") + clockText(m_model.event(row).tUs);
    const LaneBar *bar = m_lanes.barOf(row);
    if (bar && bar->endUs > bar->startUs)
        tip += QStringLiteral(" · ") + durationText(bar->endUs - bar->startUs);
    if (!text.what.isEmpty())
        tip += u'\n' + text.what;
    if (bar && bar->endRow != bar->row && bar->endRow < m_model.rowCount()) {
        const RowText end = m_model.text(bar->endRow);
        tip += u'\n' + end.badge.word + QStringLiteral(": ") + end.what;
    }
    return plainToolTip(tip);
}

bool LaneStrip::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

// ---- keys ----

bool LaneStrip::zoomByKey(const QKeyEvent &event)
{
    const double anchor = m_row >= 0 && m_row < m_model.rowCount()
                              ? std::clamp(m_lanes.xOf(m_model.event(m_row).tUs),
                                           m_lanes.area().left(), m_lanes.area().right())
                              : m_lanes.area().center().x();
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_lanes.zoom(1.5, anchor);
        return true;
    case Qt::Key_Minus:
        m_lanes.zoom(1 / 1.5, anchor);
        return true;
    case Qt::Key_0:
    case Qt::Key_F:
        m_lanes.fit();
        return true;
    default:
        return false;
    }
}

void LaneStrip::keyPressEvent(QKeyEvent *event)
{
    if ((event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) || m_lanes.isEmpty())
        return QWidget::keyPressEvent(event);
    if (zoomByKey(*event)) {
        update();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(m_row < 0 ? m_lanes.lastMark() : m_lanes.neighbour(m_row, -1));
    case Qt::Key_Right:
        return choose(m_row < 0 ? m_lanes.firstMark() : m_lanes.neighbour(m_row, 1));
    case Qt::Key_Home:
        return choose(m_lanes.firstMark());
    case Qt::Key_End:
        return choose(m_lanes.lastMark());
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace emend::ui
