// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QTimer>
#include <QWidget>

#include "ui/run/lanegeometry.h"

namespace emend::ui {

class EventModel;

// The run as lanes on a time axis: model, corrections, tools, breakers, control. A click selects
// the row of what was clicked; Left and Right go from mark to mark, + and - and the wheel zoom, 0
// and F show all, dragging pans.
class LaneStrip : public QWidget {
    Q_OBJECT
public:
    explicit LaneStrip(const EventModel &model, QWidget *parent = nullptr);

    void setCurrentRow(int row); // -1: none
    int currentRow() const { return m_row; }
    // The live end of the run, so that what goes on is seen to grow.
    void setNow(qint64 us);
    const LaneGeometry &geometryOfLanes() const { return m_lanes; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rowClicked(int row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    void appendRows(int first, int last);
    void reset();
    void layoutLanes();
    int gutter() const;
    int axisHeight() const;
    int laneHeight() const;
    void choose(int row);
    void describe();
    bool zoomByKey(const QKeyEvent &event);
    QString tipAt(const QPointF &pos) const;
    void paintFrame(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintLane(QPainter &painter, Lane lane) const;
    void paintItem(QPainter &painter, const LaneItem &item, const QRectF &track, bool state) const;
    void paintCursor(QPainter &painter) const;

    const EventModel &m_model;
    LaneGeometry m_lanes;
    QTimer m_repaint;
    int m_row = -1;
    double m_hoverX = -1;
    QPointF m_pressed;
    double m_panX = 0;
    bool m_pressing = false;
    bool m_panning = false;
};

} // namespace emend::ui
