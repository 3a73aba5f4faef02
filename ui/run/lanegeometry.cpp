// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/lanegeometry.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

#include "ui/run/linefields.h"

namespace emend::ui {

using core::EventKind;

namespace {

constexpr double shortestShownUs = 20; // across the whole strip
constexpr double hitTolerance = 5;
constexpr std::size_t longestReadLine = 1 << 20;

LineFields fieldsOf(const core::Event &event)
{
    return LineFields(event.line.size() <= longestReadLine ? std::string_view(event.line)
                                                           : std::string_view());
}

} // namespace

// ---- bars ----

void LaneGeometry::Track::add(const LaneBar &bar)
{
    if (open()) // a line is missing: what follows ends it
        end(bar.startUs, bar.row, false);
    if (badBefore.empty())
        badBefore.push_back(0);
    bars.push_back(bar);
    badBefore.push_back(badBefore.back() + (bar.bad ? 1 : 0));
}

void LaneGeometry::Track::end(qint64 us, int row, bool bad)
{
    if (!open())
        return;
    bars.back().endUs = std::max(us, bars.back().startUs);
    bars.back().endRow = row;
    if (bad)
        markBad();
}

void LaneGeometry::Track::markBad()
{
    if (bars.back().bad)
        return;
    bars.back().bad = true;
    bars.back().color = ColorRole::Bad;
    ++badBefore.back();
}

void LaneGeometry::clear()
{
    for (auto &lane : m_tracks)
        lane.clear();
    m_markRows.clear();
    m_endUs = 0;
    m_fitted = true;
    fit();
}

LaneGeometry::Track &LaneGeometry::track(Lane lane, std::size_t index)
{
    auto &all = m_tracks[std::size_t(lane)];
    if (all.size() <= index)
        all.resize(index + 1);
    return all[index];
}

void LaneGeometry::note(int row)
{
    if (m_markRows.empty() || m_markRows.back() < row)
        m_markRows.push_back(row);
}

void LaneGeometry::start(Lane lane, const core::Event &event, int row)
{
    const Term term = Vocabulary::event(event.kind);
    track(lane, 0).add({event.tUs, -1, row, row, term.shape, term.color, false});
    note(row);
}

void LaneGeometry::end(Lane lane, const core::Event &event, int row, bool bad)
{
    Track &t = track(lane, 0);
    if (t.open())
        t.end(event.tUs, row, bad);
    else // its start is missing
        moment(lane, 0, event, row, bad);
}

void LaneGeometry::moment(Lane lane, std::size_t index, const core::Event &event, int row, bool bad)
{
    const Term term = Vocabulary::event(event.kind);
    track(lane, index).add({event.tUs, event.tUs, row, row, term.shape, term.color, bad});
    note(row);
}

void LaneGeometry::append(const core::Event &event, int row)
{
    m_endUs = std::max<qint64>(m_endUs, event.tUs);
    switch (event.kind) {
    case EventKind::ModelRequested:
    case EventKind::ModelWaiting:
        start(Lane::Model, event, row);
        break;
    case EventKind::ModelReplied:
    case EventKind::ModelFailed:
        end(Lane::Model, event, row, event.kind == EventKind::ModelFailed);
        break;
    case EventKind::ToolStarted:
    case EventKind::VerifyStarted:
        start(Lane::Tools, event, row);
        break;
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
    case EventKind::VerifyFinished:
        end(Lane::Tools, event, row, event.kind == EventKind::ToolFailed);
        break;
    case EventKind::ToolSkipped:
        moment(Lane::Tools, 0, event, row, false);
        break;
    case EventKind::DecisionRejected:
    case EventKind::CorrectionRequested:
    case EventKind::CorrectionResolved:
        appendCorrection(event, row);
        break;
    case EventKind::BreakerChanged:
        appendBreaker(event, row);
        break;
    default:
        appendControl(event, row);
    }
    if (m_fitted)
        fit();
}

void LaneGeometry::appendCorrection(const core::Event &event, int row)
{
    Track &t = track(Lane::Corrections, 0);
    if (event.kind == EventKind::DecisionRejected) {
        t.end(event.tUs, row, true); // the answer to a correction was rejected too
        return moment(Lane::Corrections, 0, event, row, true);
    }
    if (event.kind == EventKind::CorrectionRequested) {
        // The rejection's mark becomes the beginning of the bar: one story, one bar.
        if (t.bars.empty() || t.bars.back().shape != Shape::Cross)
            return start(Lane::Corrections, event, row);
        const Term term = Vocabulary::event(event.kind);
        LaneBar &bar = t.bars.back();
        bar = {bar.startUs, -1, bar.row, row, term.shape, term.color, false};
        t.badBefore.back() = t.badBefore[t.bars.size() - 1];
        return note(row);
    }
    if (t.bars.size() > 1 && !t.open() && t.bars[t.bars.size() - 2].endRow == t.bars.back().row) {
        t.bars[t.bars.size() - 2].endRow = row; // its rejection came first and ended it
        return;
    }
    end(Lane::Corrections, event, row, !fieldsOf(event).flag("resolved"));
    if (!t.bars.back().bad)
        t.bars.back().color = ColorRole::Correction;
}

void LaneGeometry::appendBreaker(const core::Event &event, int row)
{
    const LineFields fields = fieldsOf(event);
    const QString name = fields.text("name", 200);
    const QString to = fields.text("to", 40);
    auto &all = m_tracks[std::size_t(Lane::Breakers)];
    auto found =
        std::find_if(all.begin(), all.end(), [&](const Track &t) { return t.name == name; });
    if (found == all.end()) {
        all.emplace_back().name = name;
        found = all.end() - 1;
    }
    found->end(event.tUs, row, false);
    const Term term = Vocabulary::breakerState(to);
    const bool closed = to == QLatin1StringView("closed");
    found->add({event.tUs, closed ? event.tUs : -1, row, row, term.shape, term.color,
                term.color == ColorRole::Bad});
    note(row);
}

void LaneGeometry::appendControl(const core::Event &event, int row)
{
    switch (event.kind) {
    case EventKind::ControlPaused:
        return start(Lane::Control, event, row);
    case EventKind::ControlResumed:
    case EventKind::ControlStepped:
        return end(Lane::Control, event, row, false);
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
        for (Lane lane : {Lane::Model, Lane::Tools, Lane::Control})
            track(lane, 0).end(event.tUs, row, false);
        return moment(Lane::Control, 0, event, row, event.kind == EventKind::ControlKilled);
    case EventKind::RunFinished:
        for (Lane lane : {Lane::Model, Lane::Corrections, Lane::Tools, Lane::Control})
            track(lane, 0).end(event.tUs, row, false);
        for (Track &t : m_tracks[std::size_t(Lane::Breakers)])
            t.end(event.tUs, row, false);
        return moment(Lane::Control, 0, event, row, false);
    case EventKind::RunStarted:
    case EventKind::BudgetExhausted:
    case EventKind::EscalationOpened:
    case EventKind::ControlAnswered:
    case EventKind::ControlEdited:
        return moment(Lane::Control, 0, event, row, false);
    default:
        return;
    }
}

void LaneGeometry::setNow(qint64 us)
{
    m_endUs = std::max(m_endUs, us);
    if (m_fitted)
        fit();
}

// ---- the view ----

void LaneGeometry::setArea(const QRectF &area)
{
    m_area = area;
}

void LaneGeometry::fit()
{
    m_fitted = true;
    m_fromUs = 0;
    // A little air at the end, so that the last mark is not cut.
    m_toUs = std::max(double(m_endUs) * 1.015, 1000.0);
}

void LaneGeometry::zoom(double factor, double anchorX)
{
    const double longest = std::max(double(m_endUs) * 1.015, 1000.0);
    const double anchor = timeAt(anchorX);
    const double part = m_area.width() > 0 ? (anchorX - m_area.left()) / m_area.width() : 0.5;
    const double length = std::clamp(shownUs() / factor, shortestShownUs, longest);
    if (length >= longest)
        return fit();
    m_fitted = false;
    m_fromUs = std::clamp(anchor - length * part, 0.0, longest - length);
    m_toUs = m_fromUs + length;
}

void LaneGeometry::pan(double dx)
{
    if (m_fitted || m_area.width() <= 0)
        return;
    const double length = shownUs();
    const double last = std::max(double(m_endUs) * 1.015 - length, 0.0);
    m_fromUs = std::clamp(m_fromUs - dx / m_area.width() * length, 0.0, last);
    m_toUs = m_fromUs + length;
}

void LaneGeometry::reveal(qint64 us)
{
    const double t = double(us);
    if (t >= m_fromUs && t <= m_toUs)
        return;
    const double length = shownUs();
    m_fromUs = std::max(0.0, t - length / 2);
    m_toUs = m_fromUs + length;
}

double LaneGeometry::xOf(qint64 us) const
{
    return m_area.left() + (double(us) - m_fromUs) / shownUs() * m_area.width();
}

double LaneGeometry::timeAt(double x) const
{
    return m_fromUs + (x - m_area.left()) / std::max(m_area.width(), 1.0) * shownUs();
}

double LaneGeometry::niceStep(double minUs)
{
    constexpr double second = 1e6, minute = 60 * second, hour = 60 * minute;
    if (minUs <= second) {
        double power = 1;
        while (power * 10 <= minUs)
            power *= 10;
        for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
            if (power * factor >= minUs)
                return power * factor;
        }
    }
    for (const double step :
         {second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second, minute, 2 * minute,
          5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 6 * hour, 12 * hour}) {
        if (step >= minUs)
            return step;
    }
    return std::ceil(minUs / (24 * hour)) * 24 * hour;
}

QString LaneGeometry::tickLabel(double us, double step)
{
    const auto t = [](const char *text) {
        return QCoreApplication::translate("emend::ui::LaneStrip", text);
    };
    const QLocale locale;
    if (us == 0)
        return QStringLiteral("0");
    if (step >= 60e6) {
        const qint64 minutes = qRound64(us / 60e6);
        if (minutes >= 60)
            return t(QT_TRANSLATE_NOOP("emend::ui::LaneStrip", "%1 h %2 min"))
                .arg(minutes / 60)
                .arg(minutes % 60);
        return t(QT_TRANSLATE_NOOP("emend::ui::LaneStrip", "%1 min")).arg(minutes);
    }
    if (us >= 60e6 && step >= 1e6) {
        const qint64 seconds = qRound64(us / 1e6);
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    }
    const auto decimals = [step](double unit) {
        return std::max(0, int(std::ceil(-std::log10(step / unit) - 1e-9)));
    };
    if (us >= 1e6 || step >= 1e5)
        return t(QT_TRANSLATE_NOOP("emend::ui::LaneStrip", "%1 s"))
            .arg(locale.toString(us / 1e6, 'f', decimals(1e6)));
    if (us >= 1e3 || step >= 1e2)
        return t(QT_TRANSLATE_NOOP("emend::ui::LaneStrip", "%1 ms"))
            .arg(locale.toString(us / 1e3, 'f', decimals(1e3)));
    return t(QT_TRANSLATE_NOOP("emend::ui::LaneStrip", "%1 µs"))
        .arg(locale.toString(us, 'f', decimals(1)));
}

std::vector<Tick> LaneGeometry::ticks(double minDistance) const
{
    std::vector<Tick> result;
    if (m_area.width() <= 0)
        return result;
    const double step = niceStep(shownUs() / m_area.width() * minDistance);
    for (double n = std::ceil(m_fromUs / step); n * step <= m_toUs; ++n)
        result.push_back({xOf(qRound64(n * step)), tickLabel(n * step, step)});
    return result;
}

QRectF LaneGeometry::laneRect(Lane lane) const
{
    const double height = m_area.height() / laneCount;
    return {m_area.left(), m_area.top() + height * int(lane), m_area.width(), height};
}

QRectF LaneGeometry::trackRect(Lane lane, int track) const
{
    const QRectF rect = laneRect(lane);
    const int count = std::clamp(trackCount(lane), 1, 4); // more share the last line
    const double height = rect.height() / count;
    return {rect.left(), rect.top() + height * std::min(track, count - 1), rect.width(), height};
}

// ---- questions ----

double LaneGeometry::barEnd(const LaneBar &bar) const
{
    return double(bar.endUs < 0 ? m_endUs : bar.endUs);
}

LaneItem LaneGeometry::itemOf(const Track &track, std::size_t first, std::size_t last) const
{
    // Of many in one pixel the first bad one stands for all.
    std::size_t shown = first;
    if (track.badBefore[last + 1] > track.badBefore[first]) {
        const auto from = track.badBefore.begin() + std::ptrdiff_t(first) + 1;
        const auto to = track.badBefore.begin() + std::ptrdiff_t(last) + 2;
        shown = std::size_t(std::upper_bound(from, to, track.badBefore[first]) -
                            track.badBefore.begin()) -
                1;
    }
    const LaneBar &bar = track.bars[shown];
    LaneItem item;
    item.left = xOf(track.bars[first].startUs);
    item.right = m_area.left() + (barEnd(track.bars[last]) - m_fromUs) / shownUs() * m_area.width();
    item.row = bar.row;
    item.endRow = bar.endRow;
    item.count = int(last - first) + 1;
    item.shape = bar.shape;
    item.color = bar.color;
    item.bad = bar.bad;
    item.moment = bar.startUs == bar.endUs;
    item.open = track.bars[last].endUs < 0;
    return item;
}

std::vector<LaneItem> LaneGeometry::items(Lane lane, int trackIndex) const
{
    std::vector<LaneItem> result;
    const auto &all = tracks(lane);
    if (trackIndex >= int(all.size()) || m_area.width() <= 0)
        return result;
    const Track &t = all[std::size_t(trackIndex)];
    const double usPerPixel = shownUs() / m_area.width();
    const auto firstFrom = [&](double us, std::size_t from) {
        return std::size_t(
            std::lower_bound(t.bars.begin() + std::ptrdiff_t(from), t.bars.end(), us,
                             [](const LaneBar &b, double v) { return double(b.startUs) < v; }) -
            t.bars.begin());
    };
    std::size_t i = firstFrom(m_fromUs, 0);
    if (i > 0 && barEnd(t.bars[i - 1]) >= m_fromUs)
        --i;
    while (i < t.bars.size() && double(t.bars[i].startUs) <= m_toUs) {
        std::size_t last = i;
        if (barEnd(t.bars[i]) - double(t.bars[i].startUs) < usPerPixel) {
            const double pixel = std::floor((double(t.bars[i].startUs) - m_fromUs) / usPerPixel);
            last = std::max(firstFrom(m_fromUs + (pixel + 1) * usPerPixel, i + 1), i + 1) - 1;
            // A long bar that begins in this pixel is drawn by itself.
            if (last > i && barEnd(t.bars[last]) - double(t.bars[last].startUs) >= usPerPixel)
                --last;
        }
        result.push_back(itemOf(t, i, last));
        i = last + 1;
    }
    return result;
}

int LaneGeometry::rowAt(const QPointF &pos) const
{
    for (int l = 0; l < laneCount; ++l) {
        const Lane lane = Lane(l);
        if (pos.y() < laneRect(lane).top() || pos.y() >= laneRect(lane).bottom())
            continue;
        int best = -1;
        double bestDistance = hitTolerance;
        for (int n = 0; n < trackCount(lane); ++n) {
            const QRectF rect = trackRect(lane, n);
            if (pos.y() < rect.top() || pos.y() >= rect.bottom())
                continue;
            for (const LaneItem &item : items(lane, n)) {
                const double distance = std::max({item.left - pos.x(), pos.x() - item.right, 0.0});
                if (distance < bestDistance || (distance == 0.0 && item.moment)) {
                    bestDistance = distance;
                    best = item.row;
                }
            }
        }
        return best;
    }
    return -1;
}

const LaneBar *LaneGeometry::barOf(int row) const
{
    const LaneBar *ended = nullptr, *around = nullptr;
    for (const auto &lane : m_tracks) {
        for (const Track &t : lane) {
            const auto after = std::upper_bound(t.bars.begin(), t.bars.end(), row,
                                                [](int r, const LaneBar &b) { return r < b.row; });
            if (after == t.bars.begin())
                continue;
            const LaneBar &bar = *(after - 1);
            if (bar.row == row)
                return &bar;
            if (bar.endRow == row && !ended)
                ended = &bar;
            if (after - t.bars.begin() > 1 && (after - 2)->endRow == row && !ended)
                ended = &*(after - 2);
            // The request for a correction lies inside the bar that its rejection began.
            if (&lane == &tracks(Lane::Corrections) && row == bar.row + 1)
                around = &bar;
        }
    }
    return ended ? ended : around;
}

int LaneGeometry::neighbour(int row, int direction) const
{
    if (direction > 0) {
        const auto next = std::upper_bound(m_markRows.begin(), m_markRows.end(), row);
        return next == m_markRows.end() ? -1 : *next;
    }
    const auto at = std::lower_bound(m_markRows.begin(), m_markRows.end(), row);
    return at == m_markRows.begin() ? -1 : *(at - 1);
}

} // namespace emend::ui
