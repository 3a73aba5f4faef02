// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/clock/steadyclock.h"

#include <QRegularExpression>
#include <QTest>

#include <latch>
#include <thread>

using namespace emend;
using namespace std::chrono_literals;

class TestSteadyClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timeNeverGoesBack();
    void theDateIsIsoInUtcWithMilliseconds();
    void waitingForThePastReturnsTrue();
    void waitingReachesItsMoment();
    void aStopEndsAWaitWithoutEnd_data();
    void aStopEndsAWaitWithoutEnd();
    void aTriggeredTokenWinsOverThePast();
    void theTimeLeftIsBounded_data();
    void theTimeLeftIsBounded();

private:
    tools::SteadyClock m_clock;
};

void TestSteadyClock::timeNeverGoesBack()
{
    std::int64_t last = m_clock.nowUs();
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t now = m_clock.nowUs();
        QVERIFY(now >= last);
        last = now;
    }
}

void TestSteadyClock::theDateIsIsoInUtcWithMilliseconds()
{
    static const QRegularExpression iso(
        QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"));
    QVERIFY(iso.match(QString::fromStdString(m_clock.utcNow())).hasMatch());
}

void TestSteadyClock::waitingForThePastReturnsTrue()
{
    QVERIFY(m_clock.waitUntil(m_clock.nowUs() - 1, {}));
    QVERIFY(m_clock.waitUntil(0, {}));
}

void TestSteadyClock::waitingReachesItsMoment()
{
    const std::int64_t until = m_clock.nowUs() + 5'000;
    QVERIFY(m_clock.waitUntil(until, {}));
    QVERIFY(m_clock.nowUs() >= until);
}

void TestSteadyClock::aStopEndsAWaitWithoutEnd_data()
{
    QTest::addColumn<qint64>("until");
    QTest::newRow("for ever") << qint64(INT64_MAX);
    QTest::newRow("an hour") << qint64(m_clock.nowUs() + 3'600'000'000);
}

void TestSteadyClock::aStopEndsAWaitWithoutEnd()
{
    QFETCH(qint64, until);
    std::stop_source source;
    std::latch ready(1);
    std::chrono::steady_clock::time_point stopped;
    std::jthread stopper([&] {
        ready.wait();
        stopped = std::chrono::steady_clock::now();
        source.request_stop();
    });
    ready.count_down();
    const bool reached = m_clock.waitUntil(until, source.get_token());
    const auto returned = std::chrono::steady_clock::now();
    stopper.join();
    QVERIFY(!reached);
    QVERIFY(returned - stopped < 100ms);
}

void TestSteadyClock::aTriggeredTokenWinsOverThePast()
{
    std::stop_source source;
    source.request_stop();
    QVERIFY(!m_clock.waitUntil(0, source.get_token()));
    QVERIFY(!m_clock.waitUntil(INT64_MAX, source.get_token()));
}

void TestSteadyClock::theTimeLeftIsBounded_data()
{
    QTest::addColumn<qint64>("deadline");
    QTest::addColumn<qint64>("least");
    QTest::addColumn<qint64>("most");
    const qint64 now = m_clock.nowUs();
    const qint64 century = 100LL * 365 * 24 * 3600 * 1'000'000;
    QTest::newRow("none") << qint64(INT64_MAX) << century << century;
    QTest::newRow("over") << now - 1 << qint64(0) << qint64(0);
    QTest::newRow("an hour") << now + 3'600'000'000 << qint64(1) << qint64(3'600'000'000);
}

void TestSteadyClock::theTimeLeftIsBounded()
{
    QFETCH(qint64, deadline);
    QFETCH(qint64, least);
    QFETCH(qint64, most);
    const auto left = tools::timeLeft(m_clock, core::CallContext{{}, deadline});
    QVERIFY(left.count() >= least);
    QVERIFY(left.count() <= most);
}

QTEST_GUILESS_MAIN(TestSteadyClock)
#include "tst_steadyclock.moc"
