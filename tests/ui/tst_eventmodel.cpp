// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "fakeengine.h"
#include "ui/run/eventmodel.h"
#include "ui/run/eventqueue.h"
#include "ui/run/rowtext.h"

#include <thread>

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;
using core::EventKind;

class EventModelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneInsertABatch();
    void rowsSayWhatHappened_data();
    void rowsSayWhatHappened();
    void foreignTextStaysOnOneLine();
    void hugeLinesAreNotRead();
    void damagedLinesSayWhatIsWrong();
    void messagesAreFound();
    void queueKeepsOrderAndPushesBack();
    void closedQueueNeverBlocks();
    void partialTextEndsWithItsReply();
};

namespace {

core::Event make(EventKind kind, int step, int attempt, std::string members, std::uint64_t seq = 1)
{
    return core::stamp(test::draft(kind, step, attempt, std::move(members)), seq,
                       std::int64_t(seq) * 1000);
}

std::vector<core::Event> many(int count, int first = 1)
{
    std::vector<core::Event> events;
    for (int n = 0; n < count; ++n)
        events.push_back(make(EventKind::ToolStarted, 1, -1,
                              R"("tool":"t","tool_input":{},"try":1)", std::uint64_t(first + n)));
    return events;
}

} // namespace

void EventModelTest::oneInsertABatch()
{
    EventModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.append(many(1000));
    model.append({});
    model.append(many(500, 1001));
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(model.rowCount(), 1500);
    QCOMPARE(model.index(1499, EventModel::Number).data().toString(), u"1500"_s);
    QCOMPARE(model.rowAtTime(10'500), 9);
    QCOMPARE(model.rowAtTime(-1), -1);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void EventModelTest::rowsSayWhatHappened_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("attempt");
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("badge");
    QTest::addColumn<QString>("what");
    const auto row = [](EventKind kind, int attempt, const QString &members, const QString &badge,
                        const QString &what) {
        QTest::newRow(core::eventKindName(kind).data())
            << int(kind) << attempt << members << badge << what;
    };
    row(EventKind::DecisionRejected, 0,
        u"\"category\":\"unknown_tool\",\"error\":\"no tool wether\""_s, u"Rejected"_s,
        u"Unknown tool: no tool wether"_s);
    row(EventKind::CorrectionRequested, 0,
        u"\"correction\":1,\"of\":2,\"category\":\"unknown_tool\""_s, u"Correction"_s,
        QStringLiteral("Correction 1 of 2 for “Unknown tool”"));
    row(EventKind::CorrectionResolved, 1, u"\"resolved\":true,\"duration_us\":5"_s, u"Resolved"_s,
        u"Resolved by attempt 1"_s);
    row(EventKind::ToolFailed, -1,
        u"\"tool\":\"weather\",\"try\":2,\"error\":\"down\",\"will_retry\":true"_s,
        u"Tool failed"_s, u"weather (try 2): down (will be tried again)"_s);
    row(EventKind::ToolSkipped, -1,
        u"\"tool\":\"weather\",\"reason\":\"breaker_open\",\"retry_in_ms\":28000"_s,
        u"Tool refused"_s, u"weather: its breaker is open, trial in 28.0 s"_s);
    row(EventKind::BreakerChanged, -1,
        u"\"name\":\"weather\",\"from\":\"closed\",\"to\":\"open\",\"why\":\"failures\""_s,
        u"Breaker changed"_s, QStringLiteral("weather: Closed → Open, too many failures in a row"));
    row(EventKind::RunFinished, -1,
        u"\"outcome\":\"unsatisfied\",\"reason\":\"budget:max_tokens\""_s, u"Run finished"_s,
        u"Unsatisfied: A bound was reached: tokens"_s);
    row(EventKind::ModelReplied, 0, u"\"text\":\"\",\"duration_us\":5"_s, u"Model replied"_s,
        u"(empty)"_s);
    row(EventKind::DecisionAccepted, 0,
        u"\"state\":\"action\",\"tool\":\"w\",\"tool_input\":{\"a\":1}"_s, u"Accepted"_s,
        u"w {\"a\":1}"_s);
    row(EventKind::ControlKilled, -1,
        u"\"quiet_after_us\":3000,\"in_flight\":[{\"what\":\"tool\"}]"_s, u"Killed"_s,
        u"Quiet 3.0 ms after the click, 1 in flight"_s);
}

void EventModelTest::rowsSayWhatHappened()
{
    QFETCH(int, kind);
    QFETCH(int, attempt);
    QFETCH(QString, members);
    QFETCH(QString, badge);
    QFETCH(QString, what);
    QLocale::setDefault(QLocale::c());
    const RowText text = rowText(make(EventKind(kind), 1, attempt, members.toStdString()));
    QCOMPARE(text.badge.word, badge);
    QCOMPARE(text.what, what);
}

void EventModelTest::foreignTextStaysOnOneLine()
{
    const RowText text =
        rowText(make(EventKind::ModelReplied, 1, 0, R"("text":"<b>a</b>\nb\u0007\u202e")"));
    QCOMPARE(text.what, QStringLiteral("<b>a</b>↵b\u2407\ufffd"));
}

void EventModelTest::hugeLinesAreNotRead()
{
    core::Event event = make(EventKind::ModelReplied, 1, 0, R"("text":"x")");
    event.line.append(std::size_t(100) << 20, ' ');
    QElapsedTimer timer;
    timer.start();
    const RowText text = rowText(event);
    QVERIFY(timer.elapsed() < 20);
    QCOMPARE(text.badge.word, u"Model replied"_s);
    QVERIFY(text.what.contains(u"MB"_s));
}

void EventModelTest::damagedLinesSayWhatIsWrong()
{
    core::Event torn = core::parseEventLine("{\"seq\":3,\"t_us\":");
    torn.problem = core::LineProblem::Torn;
    const RowText text = rowText(torn);
    QCOMPARE(text.badge.word, u"Torn last line"_s);
    QVERIFY(text.what.startsWith(u"The last line has no end"_s));
}

void EventModelTest::messagesAreFound()
{
    EventModel model;
    model.append(many(3), {{5, 1}, {6, 1}});
    QCOMPARE(model.messageRow(5), 1);
    QCOMPARE(model.messageRow(7), -1);
}

void EventModelTest::queueKeepsOrderAndPushesBack()
{
    EventQueue queue;
    const int total = int(EventQueue::maxWaiting) * 2;
    std::jthread worker([&] {
        for (int n = 1; n <= total; ++n)
            queue.push(make(EventKind::ModelRequested, n, 0,
                            R"("messages":[{"id":)" + std::to_string(n) + "}]", std::uint64_t(n)));
        queue.end({});
    });
    std::uint64_t expected = 1;
    bool ended = false;
    std::vector<MessageRef> refs;
    while (!ended) {
        EventQueue::Batch batch = queue.take(5000);
        QVERIFY(batch.events.size() <= 5000);
        for (const core::Event &event : batch.events)
            QCOMPARE(event.seq, expected++);
        refs.insert(refs.end(), batch.messages.begin(), batch.messages.end());
        ended = batch.ending.has_value();
        std::this_thread::yield();
    }
    QCOMPARE(expected, std::uint64_t(total) + 1);
    QCOMPARE(int(refs.size()), total);
    QCOMPARE(refs.back().row, total - 1);
}

void EventModelTest::closedQueueNeverBlocks()
{
    EventQueue queue;
    std::jthread worker([&] {
        for (int n = 1; n <= 50'000; ++n)
            queue.push(make(EventKind::ToolStarted, n, 0, {}, std::uint64_t(n)));
    });
    QTest::qWait(20);
    queue.close();
    worker.join();
    QVERIFY(queue.take(100).events.empty());
}

void EventModelTest::partialTextEndsWithItsReply()
{
    EventQueue queue;
    queue.appendPartial(2, 1, "{\"sta");
    queue.appendPartial(2, 1, "te\"");
    EventQueue::Batch batch = queue.take(10);
    QVERIFY(batch.partial.has_value());
    QCOMPARE(batch.partial->text, u"{\"state\""_s);
    QCOMPARE(batch.partial->attempt, 1);
    queue.push(make(EventKind::ModelReplied, 2, 1, R"("text":"x")"));
    batch = queue.take(10);
    QVERIFY(batch.partial.has_value());
    QVERIFY(batch.partial->text.isEmpty());
}

QTEST_MAIN(EventModelTest)
#include "tst_eventmodel.moc"
