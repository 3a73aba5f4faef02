// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/fakeclock.h"
#include "tools/agent/gettime.h"

#include <QTest>

using namespace emend;

class TestGetTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aZoneGivesItsTime_data();
    void aZoneGivesItsTime();
    void theZoneIsUtcUnlessGiven();
    void anUnknownZoneSuggestsWhatWasMeant_data();
    void anUnknownZoneSuggestsWhatWasMeant();
    void aClockThatCannotBeReadIsAFailure();
    void aLateCallTimesOut();

private:
    core::ToolOutcome timeIn(const std::string &zone, const std::string &utc = {})
    {
        if (!utc.empty())
            m_clock.setUtc(utc);
        return tools::makeGetTimeTool({m_clock})->execute({{"timezone", zone}}, {});
    }

    tests::FakeClock m_clock{1'000};
};

void TestGetTime::aZoneGivesItsTime_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("utc");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *zone, const char *utc, const char *expected) {
        QTest::addRow("%s at %s", zone, utc)
            << QByteArray(zone) << QByteArray(utc) << QByteArray(expected);
    };
    row("Europe/Oslo", "2026-01-31T12:00:00.000Z", "2026-01-31 13:00:00 Europe/Oslo (UTC+01:00)");
    row("Europe/Oslo", "2026-07-01T12:00:00.999Z", "2026-07-01 14:00:00 Europe/Oslo (UTC+02:00)");
    row("UTC", "2026-01-31T12:00:00.000Z", "2026-01-31 12:00:00 UTC (UTC+00:00)");
    row("GMT", "2026-01-31T12:00:00.000Z", "2026-01-31 12:00:00 GMT (UTC+00:00)");
    row("Asia/Kolkata", "2026-01-31T20:00:00.000Z", "2026-02-01 01:30:00 Asia/Kolkata (UTC+05:30)");
    row("Asia/Calcutta", "2026-01-31T20:00:00.000Z",
        "2026-02-01 01:30:00 Asia/Calcutta (UTC+05:30)");
    row("America/St_Johns", "2026-01-31T12:00:00.000Z",
        "2026-01-31 08:30:00 America/St_Johns (UTC-03:30)");
    row("America/New_York", "2026-03-08T06:59:59.000Z",
        "2026-03-08 01:59:59 America/New_York (UTC-05:00)");
    row("America/New_York", "2026-03-08T07:00:00.000Z",
        "2026-03-08 03:00:00 America/New_York (UTC-04:00)");
    row("Pacific/Kiritimati", "2026-12-31T12:00:00.000Z",
        "2027-01-01 02:00:00 Pacific/Kiritimati (UTC+14:00)");
    row("Etc/GMT+5", "2026-01-31T12:00:00.000Z", "2026-01-31 07:00:00 Etc/GMT+5 (UTC-05:00)");
}

void TestGetTime::aZoneGivesItsTime()
{
    QFETCH(QByteArray, zone);
    QFETCH(QByteArray, utc);
    QFETCH(QByteArray, expected);
    const core::ToolOutcome outcome = timeIn(zone.toStdString(), utc.toStdString());
    QCOMPARE(QByteArray::fromStdString(outcome.text), expected);
    QCOMPARE(outcome.kind, core::ToolOutcome::Kind::Succeeded);
}

void TestGetTime::theZoneIsUtcUnlessGiven()
{
    const auto tool = tools::makeGetTimeTool({m_clock});
    nlohmann::json input = nlohmann::json::object();
    QVERIFY(tool->spec().schema->acceptsEmptyObject());
    QVERIFY(tool->spec().schema->apply(input));
    QCOMPARE(input, nlohmann::json({{"timezone", "UTC"}}));
    QCOMPARE(tool->execute(input, {}).kind, core::ToolOutcome::Kind::Succeeded);
}

void TestGetTime::anUnknownZoneSuggestsWhatWasMeant_data()
{
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("suggested");
    const auto row = [](const char *zone, const char *suggested) {
        QTest::newRow(QByteArray(zone).simplified().constData())
            << QByteArray(zone) << QByteArray(suggested);
    };
    row("Tokyo", "did you mean Asia/Tokyo?");
    row("tokyo", "did you mean Asia/Tokyo?");
    row("Tokio", "did you mean Asia/Tokyo?");
    row("New York", "did you mean America/New_York?");
    row("Europe/Tokyo", "did you mean Asia/Tokyo?");
    row("europe/oslo", "did you mean Europe/Oslo?");
    row("Europe/Osl", "did you mean Europe/Oslo?");
    row("Buenos Aires", "did you mean America/Argentina/Buenos_Aires?");
    row("Japan", "did you mean Asia/Tokyo?");
    row("norway", "did you mean Europe/Oslo?");
    row("Xyzzyplugh", "such as Europe/Oslo");
    row("", "such as Europe/Oslo");
    row("/", "such as Europe/Oslo");
    // Qt would take these for UTC, for this machine's zone or for leap-second time.
    row("PST", "unknown time zone");
    row("FOO5", "unknown time zone");
    row("<+03>-3", "unknown time zone");
    row("localtime", "unknown time zone");
    row("right/Europe/Oslo", "did you mean Europe/Oslo?");
    row("../../etc/passwd", "unknown time zone");
    row("/etc/localtime", "unknown time zone");
    row(" Europe/Oslo\n", "did you mean Europe/Oslo?");
    row("\xff\xfe", "unknown time zone");
}

void TestGetTime::anUnknownZoneSuggestsWhatWasMeant()
{
    QFETCH(QByteArray, zone);
    QFETCH(QByteArray, suggested);
    const core::ToolOutcome outcome = timeIn(zone.toStdString());
    QCOMPARE(outcome.kind, core::ToolOutcome::Kind::Failed);
    QVERIFY2(outcome.text.find(suggested.toStdString()) != std::string::npos, outcome.text.c_str());
}

void TestGetTime::aClockThatCannotBeReadIsAFailure()
{
    QCOMPARE(timeIn("UTC", "soon").kind, core::ToolOutcome::Kind::Failed);
    m_clock.setUtc("2026-01-31T12:00:00.000Z");
}

void TestGetTime::aLateCallTimesOut()
{
    const auto tool = tools::makeGetTimeTool({m_clock});
    const core::ToolOutcome outcome = tool->execute({{"timezone", "UTC"}}, {{}, 1'000});
    QCOMPARE(outcome.kind, core::ToolOutcome::Kind::Failed);
    QVERIFY(outcome.timedOut);
}

QTEST_GUILESS_MAIN(TestGetTime)
#include "tst_gettime.moc"
