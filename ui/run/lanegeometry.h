// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <vector>

#include "core/trace/event.h"
#include "ui/text/vocabulary.h"

namespace emend::ui {

// Something that took a while, or a moment (endUs == startUs). Still going on: endUs < 0.
struct LaneBar {
    qint64 startUs = 0;
    qint64 endUs = 0;
    int row = 0;
    int endRow = 0; // of the event that ended it; `row` while it goes on
    Shape shape = Shape::Dot;
    ColorRole color = ColorRole::Neutral;
    bool bad = false;
};

// What is painted: one bar, or `count` bars that share a pixel.
struct LaneItem {
    double left = 0;
    double right = 0;
    int row = 0;
    int endRow = 0;
    int count = 1;
    Shape shape = Shape::Dot;
    ColorRole color = ColorRole::Neutral;
    bool bad = false;
    bool moment = false;
    bool open = false;
};

struct Tick {
    double x = 0;
    QString label;
};

// Where everything in the strip of lanes is; no painting, no widgets. Bars of one track follow each
// other and never overlap, so all questions are binary searches, and painting costs as much as the
// strip is wide, whatever the number of events. GUI thread, or any one thread.
class LaneGeometry {
public:
    void clear();
    void append(const core::Event &event, int row);
    bool isEmpty() const { return m_markRows.empty(); }
    qint64 endUs() const { return m_endUs; }
    void setNow(qint64 us); // the live end; bars that go on reach up to it

    // -- the view: the part of time that is shown between `left` and `left + width` --
    void setArea(const QRectF &area);
    QRectF area() const { return m_area; }
    void fit();
    bool isFitted() const { return m_fitted; }
    void zoom(double factor, double anchorX); // factor > 1: closer
    void pan(double dx);
    void reveal(qint64 us); // pans so that this moment is in sight
    double xOf(qint64 us) const;
    double timeAt(double x) const; // microseconds
    double shownUs() const { return m_toUs - m_fromUs; }

    std::vector<Tick> ticks(double minDistance) const;
    QRectF laneRect(Lane lane) const;
    int trackCount(Lane lane) const { return int(tracks(lane).size()); }
    QRectF trackRect(Lane lane, int track) const;
    std::vector<LaneItem> items(Lane lane, int track) const;

    // The row of what is at `pos` (within a few pixels), or -1.
    int rowAt(const QPointF &pos) const;
    // The bar that began or ended with `row`, or nullptr.
    const LaneBar *barOf(int row) const;
    // The next row with a mark after `row` (direction 1) or before (-1), or -1.
    int neighbour(int row, int direction) const;
    int firstMark() const { return m_markRows.empty() ? -1 : m_markRows.front(); }
    int lastMark() const { return m_markRows.empty() ? -1 : m_markRows.back(); }

    // The distance between ticks that is nice to read and at least `minUs`.
    static double niceStep(double minUs);
    static QString tickLabel(double us, double step);

private:
    struct Track {
        QString name; // of a breaker
        std::vector<LaneBar> bars;
        std::vector<int> badBefore; // number of bad bars before each; one longer than bars

        void add(const LaneBar &bar);
        void end(qint64 us, int row, bool bad);
        void markBad();
        bool open() const { return !bars.empty() && bars.back().endUs < 0; }
    };

    const std::vector<Track> &tracks(Lane lane) const { return m_tracks[std::size_t(lane)]; }
    Track &track(Lane lane, std::size_t index);
    void start(Lane lane, const core::Event &event, int row);
    void end(Lane lane, const core::Event &event, int row, bool bad);
    void moment(Lane lane, std::size_t index, const core::Event &event, int row, bool bad);
    void appendCorrection(const core::Event &event, int row);
    void appendBreaker(const core::Event &event, int row);
    void appendControl(const core::Event &event, int row);
    void note(int row);
    LaneItem itemOf(const Track &track, std::size_t first, std::size_t last) const;
    double barEnd(const LaneBar &bar) const;

    std::array<std::vector<Track>, laneCount> m_tracks;
    std::vector<int> m_markRows; // ascending
    QRectF m_area;
    qint64 m_endUs = 0;
    double m_fromUs = 0;
    double m_toUs = 1'000'000;
    bool m_fitted = true;
};

} // namespace emend::ui
