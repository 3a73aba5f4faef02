// SPDX-License-Identifier: GPL-3.0-or-later
#include <QElapsedTimer>
#include <QTest>

#include "fakeengine.h"
#include "ui/run/lanegeometry.h"

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;
using core::EventKind;

class LaneGeometryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startsAndEndsBecomeBars();
    void aRejectionAndItsCorrectionAreOneBar();
    void unresolvedCorrectionsAreBad();
    void aRejectedAnswerEndsItsCorrectionAndBeginsTheNext();
    void clicksFindRows();
    void keysGoFromMarkToMark();
    void zoomKeepsItsAnchor();
    void panStaysInside();
    void niceSteps_data();
    void niceSteps();
    void ticksAreApart();
    void aBadOneStandsForItsPixel();
    void aMillionBarsCostAsMuchAsTheStripIsWide();
};

namespace {

void put(LaneGeometry &lanes, EventKind kind, qint64 us, int row, std::string members = {})
{
    lanes.append(
        core::stamp(test::draft(kind, 1, 0, std::move(members)), std::uint64_t(row) + 1, us), row);
}

LaneGeometry simple()
{
    LaneGeometry lanes;
    lanes.setArea(QRectF(100, 0, 1000, 100));
    put(lanes, EventKind::ModelRequested, 0, 0);
    put(lanes, EventKind::ModelReplied, 100'000, 1);
    put(lanes, EventKind::DecisionRejected, 100'010, 2);
    put(lanes, EventKind::CorrectionRequested, 100'020, 3);
    put(lanes, EventKind::ModelRequested, 100'030, 4);
    put(lanes, EventKind::ModelReplied, 300'000, 5);
    put(lanes, EventKind::CorrectionResolved, 300'010, 6, R"("resolved":true)");
    put(lanes, EventKind::ToolStarted, 400'000, 7);
    put(lanes, EventKind::ToolFailed, 900'000, 8);
    put(lanes, EventKind::BreakerChanged, 900'010, 9, R"("name":"w","from":"closed","to":"open")");
    put(lanes, EventKind::ToolStarted, 950'000, 10);
    lanes.setNow(1'000'000);
    return lanes;
}

} // namespace

void LaneGeometryTest::startsAndEndsBecomeBars()
{
    const LaneGeometry lanes = simple();
    const auto model = lanes.items(Lane::Model, 0);
    QCOMPARE(int(model.size()), 2);
    QCOMPARE(model[0].row, 0);
    QCOMPARE(model[0].endRow, 1);
    QCOMPARE(qRound(model[0].left), 100);
    QCOMPARE(qRound(model[0].right), qRound(100 + 0.1 / 1.015 * 1000));
    const auto tools = lanes.items(Lane::Tools, 0);
    QCOMPARE(int(tools.size()), 2);
    QVERIFY(tools[0].bad && tools[0].color == ColorRole::Bad);
    QVERIFY(tools[1].open);
    QCOMPARE(qRound(tools[1].right), qRound(lanes.xOf(1'000'000)));
    const auto breakers = lanes.items(Lane::Breakers, 0);
    QVERIFY(breakers.at(0).open);
}

void LaneGeometryTest::aRejectionAndItsCorrectionAreOneBar()
{
    const LaneGeometry lanes = simple();
    const auto corrections = lanes.items(Lane::Corrections, 0);
    QCOMPARE(int(corrections.size()), 1);
    QCOMPARE(corrections[0].row, 2);
    QCOMPARE(corrections[0].endRow, 6);
    QVERIFY(!corrections[0].bad);
    for (const int row : {2, 3, 6}) {
        const LaneBar *bar = lanes.barOf(row);
        QVERIFY2(bar && bar->row == 2, qPrintable(QString::number(row)));
    }
}

void LaneGeometryTest::unresolvedCorrectionsAreBad()
{
    LaneGeometry lanes;
    lanes.setArea(QRectF(0, 0, 1000, 100));
    put(lanes, EventKind::DecisionRejected, 10'000, 0);
    put(lanes, EventKind::CorrectionRequested, 10'000, 1);
    put(lanes, EventKind::CorrectionResolved, 500'000, 2, R"("resolved":false)");
    put(lanes, EventKind::DecisionRejected, 500'000, 3);
    put(lanes, EventKind::RunFinished, 900'000, 4);
    const auto items = lanes.items(Lane::Corrections, 0);
    QCOMPARE(int(items.size()), 2);
    QVERIFY(items[0].bad && !items[0].moment);
    QVERIFY(items[1].bad && items[1].moment);
}

void LaneGeometryTest::aRejectedAnswerEndsItsCorrectionAndBeginsTheNext()
{
    // The order in which the runner writes them.
    LaneGeometry lanes;
    lanes.setArea(QRectF(0, 0, 1000, 100));
    put(lanes, EventKind::DecisionRejected, 100'000, 0);
    put(lanes, EventKind::CorrectionRequested, 100'000, 1);
    put(lanes, EventKind::DecisionRejected, 400'000, 2);
    put(lanes, EventKind::CorrectionResolved, 400'000, 3, R"("resolved":false)");
    put(lanes, EventKind::CorrectionRequested, 400'000, 4);
    put(lanes, EventKind::CorrectionResolved, 800'000, 5, R"("resolved":true)");
    const auto items = lanes.items(Lane::Corrections, 0);
    QCOMPARE(int(items.size()), 2);
    QVERIFY(items[0].bad && items[0].row == 0 && items[0].endRow == 3);
    QVERIFY(!items[1].bad && items[1].row == 2 && items[1].endRow == 5);
    QCOMPARE(lanes.barOf(3)->row, 0);
    QCOMPARE(lanes.barOf(2)->row, 2);
}

void LaneGeometryTest::clicksFindRows()
{
    const LaneGeometry lanes = simple();
    const auto at = [&](Lane lane, qint64 us) {
        return lanes.rowAt({lanes.xOf(us), lanes.laneRect(lane).center().y()});
    };
    QCOMPARE(at(Lane::Model, 50'000), 0);
    QCOMPARE(at(Lane::Model, 200'000), 4);
    QCOMPARE(at(Lane::Corrections, 200'000), 2);
    QCOMPARE(at(Lane::Tools, 500'000), 7);
    QCOMPARE(at(Lane::Tools, 200'000), -1);
    QCOMPARE(at(Lane::Breakers, 950'000), 9);
    QCOMPARE(lanes.rowAt({300, 1000}), -1);
}

void LaneGeometryTest::keysGoFromMarkToMark()
{
    const LaneGeometry lanes = simple();
    QList<int> rows;
    for (int row = lanes.firstMark(); row >= 0; row = lanes.neighbour(row, 1))
        rows << row;
    QCOMPARE(rows, QList<int>({0, 2, 3, 4, 7, 9, 10}));
    QCOMPARE(lanes.neighbour(7, -1), 4);
    QCOMPARE(lanes.neighbour(5, 1), 7);
    QCOMPARE(lanes.neighbour(0, -1), -1);
}

void LaneGeometryTest::zoomKeepsItsAnchor()
{
    LaneGeometry lanes = simple();
    const double before = lanes.timeAt(600);
    lanes.zoom(4, 600);
    QVERIFY(!lanes.isFitted());
    QVERIFY(std::abs(lanes.timeAt(600) - before) < 1);
    lanes.zoom(0.01, 600);
    QVERIFY(lanes.isFitted());
}

void LaneGeometryTest::panStaysInside()
{
    LaneGeometry lanes = simple();
    lanes.pan(500);
    QVERIFY(lanes.isFitted());
    lanes.zoom(10, 600);
    lanes.pan(100'000);
    QCOMPARE(qRound(lanes.timeAt(100)), 0);
    lanes.pan(-1'000'000);
    QVERIFY(lanes.timeAt(1100) <= 1'015'001);
    lanes.reveal(0);
    QVERIFY(lanes.xOf(0) >= 100);
}

void LaneGeometryTest::niceSteps_data()
{
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("step");
    QTest::addColumn<QString>("label");
    QTest::newRow("us") << 3.0 << 5.0 << QStringLiteral("15 µs");
    QTest::newRow("ms") << 1500.0 << 2000.0 << u"6 ms"_s;
    QTest::newRow("tenths") << 90'000.0 << 100'000.0 << u"0.3 s"_s;
    QTest::newRow("seconds") << 1.2e6 << 2e6 << u"6 s"_s;
    QTest::newRow("quarter minute") << 11e6 << 15e6 << u"45 s"_s;
    QTest::newRow("half minutes") << 16e6 << 30e6 << u"1:30"_s;
    QTest::newRow("minutes") << 40e6 << 60e6 << u"3 min"_s;
    QTest::newRow("hours") << 1900e6 << 3600e6 << u"3 h 0 min"_s;
    QTest::newRow("days") << 90'000e6 << 172'800e6 << u"144 h 0 min"_s;
}

void LaneGeometryTest::niceSteps()
{
    QFETCH(double, least);
    QFETCH(double, step);
    QFETCH(QString, label);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(LaneGeometry::niceStep(least), step);
    QCOMPARE(LaneGeometry::tickLabel(step * 3, step), label);
}

void LaneGeometryTest::ticksAreApart()
{
    LaneGeometry lanes = simple();
    for (int n = 0; n < 40; ++n) {
        const std::vector<Tick> ticks = lanes.ticks(90);
        QVERIFY(ticks.size() <= 12);
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            QVERIFY(ticks[i].x - ticks[i - 1].x >= 89);
            QVERIFY(ticks[i].label != ticks[i - 1].label);
        }
        lanes.zoom(1.5, 700);
    }
}

void LaneGeometryTest::aBadOneStandsForItsPixel()
{
    LaneGeometry lanes;
    lanes.setArea(QRectF(0, 0, 100, 100));
    for (int n = 0; n < 10'000; ++n) {
        put(lanes, EventKind::ToolStarted, n * 100, 2 * n);
        put(lanes, n == 4321 ? EventKind::ToolFailed : EventKind::ToolSucceeded, n * 100 + 50,
            2 * n + 1);
    }
    int bad = 0, count = 0;
    for (const LaneItem &item : lanes.items(Lane::Tools, 0)) {
        count += item.count;
        if (item.bad) {
            ++bad;
            QCOMPARE(item.row, 8642);
        }
    }
    QCOMPARE(bad, 1);
    QCOMPARE(count, 10'000);
}

void LaneGeometryTest::aMillionBarsCostAsMuchAsTheStripIsWide()
{
    LaneGeometry lanes;
    lanes.setArea(QRectF(0, 0, 1500, 100));
    const core::Event from = core::stamp(test::draft(EventKind::ToolStarted, 1, 0, {}), 1, 0);
    const core::Event to = core::stamp(test::draft(EventKind::ToolSucceeded, 1, 0, {}), 1, 0);
    for (int n = 0; n < 500'000; ++n) {
        core::Event event = from;
        event.tUs = n * 20;
        lanes.append(event, 2 * n);
        event = to;
        event.tUs = n * 20 + 10;
        lanes.append(event, 2 * n + 1);
    }
    QElapsedTimer timer;
    timer.start();
    std::size_t items = 0;
    for (int n = 0; n < 100; ++n)
        items = lanes.items(Lane::Tools, 0).size();
    QVERIFY(items <= 1600);
    qInfo("%zu items of 500,000 bars in %.2f ms", items, double(timer.nsecsElapsed()) / 1e8);
}

QTEST_MAIN(LaneGeometryTest)
#include "tst_lanegeometry.moc"
