// SPDX-License-Identifier: GPL-3.0-or-later
// The inbox on disk: a real SQLite file.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QTest>

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "tools/store/escalationfeed.h"
#include "tools/store/escalationstore.h"
#include "tools/store/sqliteconnection.h"
#include "tools/trace/tracewriter.h"

using namespace emend::core;
using namespace emend::tools;

class TestEscalationStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();

    void whatGoesInComesOut();
    void addingAgainChangesNothing();
    void idsThatBeginAlikeStayApart();
    void oneIsFoundByTheBeginningOfItsId();
    void statesFollowTheRules_data();
    void statesFollowTheRules();
    void twoPeopleAtOnceHaveOneWinner();
    void manyThreadsWriteAtOnce();
    void anAnswerCanBeTakenBack();
    void theFileIsForItsOwnerOnly();
    void writesAreOnTheDiskAtOnce();
    void aLockedFileIsSaidAfterTheTimeout();
    void aLaterSchemaIsLeftAlone();
    void whatIsNoDatabaseIsSaid();
    void readingMakesNoFile();
    void notesOutliveTheirProcessOnly();
    void aDamagedTraceStopsNoScan();

private:
    std::string file() const { return m_folder->filePath("x/inbox.sqlite").toStdString(); }
    static Escalation one(const std::string &runId)
    {
        Escalation out;
        out.runId = runId;
        out.id = escalationIds(runId).front();
        out.traceFile = "/traces/" + runId;
        out.taskName = "Grüße, 'Bobby'); DROP TABLE escalation;--";
        out.mode = "react";
        out.reason = "why\nnot";
        out.by = "person";
        out.openedAt = "2026-01-31T12:00:00.000Z";
        out.lastFeedback = "<correction>";
        out.finalAttempt = "{}";
        out.attempts = 3;
        out.parent = "abcd1234";
        return out;
    }

    std::optional<QTemporaryDir> m_folder;
    const std::string m_run = "3f2a9c1d-0000-4000-8000-000000000001";
};

void TestEscalationStore::init()
{
    m_folder.emplace();
    QVERIFY(m_folder->isValid());
}

void TestEscalationStore::whatGoesInComesOut()
{
    EscalationStore store(file());
    const Escalation in = one(m_run);
    const auto added = store.add(in);
    QVERIFY2(added, added ? "" : added.error().text().c_str());
    const auto list = EscalationStore(file()).list();
    QVERIFY(list && list->size() == 1);
    QCOMPARE(escalationToJson(list->front()).dump(), escalationToJson(in).dump());
    QCOMPARE(list->front().id, "3f2a9c1d");
}

void TestEscalationStore::addingAgainChangesNothing()
{
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    QVERIFY(store.claim(m_run, "ann", "2026-01-31T13:00:00.000Z"));
    const auto again = store.add(one(m_run));
    QVERIFY(again && again->state == EscalationState::Claimed);
    QCOMPARE(store.list()->size(), 1U);
}

void TestEscalationStore::idsThatBeginAlikeStayApart()
{
    EscalationStore store(file());
    const std::string other = "3f2a9c1d-1111-4000-8000-000000000001";
    QCOMPARE(store.add(one(m_run))->id, "3f2a9c1d");
    QCOMPARE(store.add(one(other))->id, "3f2a9c1d1111");
    QCOMPARE(store.add(one(other))->id, "3f2a9c1d1111");
    QCOMPARE(store.find("3f2a9c1d")->runId, m_run); // its own name, whole
    QCOMPARE(store.find("3f2a9c1d1111")->runId, other);
    const auto both = store.find("3f2a");
    QVERIFY(!both);
    QVERIFY(both.error().message.find("more than one") != std::string::npos);
}

void TestEscalationStore::oneIsFoundByTheBeginningOfItsId()
{
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    for (const char *id : {"3f2a9c1d", "3f2a", "3f2a9c1d-0000-4000-8000-000000000001"})
        QVERIFY2(store.find(id), id);
    for (const char *id : {"", "3f2", "%", "____", "3f2a9c1e", "3f2a'"})
        QVERIFY2(!store.find(id), id);
}

void TestEscalationStore::statesFollowTheRules_data()
{
    QTest::addColumn<QString>("steps"); // in order; the last is the one in question
    QTest::addColumn<bool>("allowed");
    const auto row = [](const char *steps, bool allowed) {
        QTest::newRow(steps) << QString(steps) << allowed;
    };
    row("claim:ann", true);
    row("claim:ann claim:ann", true);
    row("claim:ann claim:bob", false);
    row("claim:ann release claim:bob", true);
    row("claim:ann answer", true);
    row("claim:ann dismiss", true);
    row("dismiss answer", false);
    row("dismiss claim:ann", false);
    row("dismiss dismiss", false);
    row("answer answer", false);
    row("answer release", false);
    row("answer outcome:satisfied answer", false);
    row("answer outcome:escalated answer", false);
    row("answer outcome:killed answer", true);
    row("answer outcome:failed dismiss", true);
    row("answer outcome:lost answer", true);
}

void TestEscalationStore::statesFollowTheRules()
{
    QFETCH(QString, steps);
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    bool allowed = true;
    for (const QString &step : steps.split(' ')) {
        QVERIFY(allowed); // all but the last must work
        const std::string value = step.section(':', 1).toStdString();
        if (step.startsWith("claim"))
            allowed = store.claim(m_run, value, "t").has_value();
        else if (step == "release")
            allowed = store.release(m_run).has_value();
        else if (step == "answer")
            allowed = store.answer(m_run, "{}", "t") &&
                      store.link("3f2a9c1d", {"next", "/traces/next", {}}).has_value();
        else if (step == "dismiss")
            allowed = store.dismiss(m_run, "{}", "t").has_value();
        else
            allowed = store.setOutcome("next", value).has_value();
    }
    QTEST(allowed, "allowed");
}

void TestEscalationStore::twoPeopleAtOnceHaveOneWinner()
{
    QVERIFY(EscalationStore(file()).add(one(m_run)));
    std::atomic<int> won = 0;
    {
        std::vector<std::jthread> people;
        for (int i = 0; i < 8; ++i)
            people.emplace_back([&] {
                EscalationStore mine(file(), 30'000);
                won += mine.answer(m_run, "{}", "t").has_value() ? 1 : 0;
            });
    }
    QCOMPARE(won.load(), 1);
}

void TestEscalationStore::manyThreadsWriteAtOnce()
{
    EscalationStore store(file(), 30'000); // one object, as in the window
    std::atomic<int> failed = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 10; ++i)
                    failed += store.add(one("run-" + std::to_string(t) + "x" + std::to_string(i) +
                                            "-0123456789abcdef"))
                                  ? 0
                                  : 1;
            });
    }
    QCOMPARE(failed.load(), 0);
    QCOMPARE(store.list()->size(), 40U);
}

void TestEscalationStore::anAnswerCanBeTakenBack()
{
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    const auto before = store.claim(m_run, "ann", "t");
    QVERIFY(before && store.answer(m_run, "{}", "t"));
    QVERIFY(store.link(before->id, {"next", "/traces/next", {}}) && store.takeBack(*before));
    QCOMPARE(escalationToJson(*store.find(m_run)).dump(), escalationToJson(*before).dump());
}

void TestEscalationStore::theFileIsForItsOwnerOnly()
{
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(QString::fromStdString(file())) & others));
}

void TestEscalationStore::writesAreOnTheDiskAtOnce()
{
    SqliteConnection connection(file(), 1000, {{}});
    const auto journal = connection.execute("PRAGMA journal_mode");
    QVERIFY(journal);
    QCOMPARE(journal->value(0).toString(), "wal");
    const auto synchronous = connection.execute("PRAGMA synchronous");
    QVERIFY(synchronous);
    QCOMPARE(synchronous->value(0).toInt(), 2); // FULL
}

void TestEscalationStore::aLockedFileIsSaidAfterTheTimeout()
{
    EscalationStore store(file(), 50);
    QVERIFY(store.add(one(m_run)));
    SqliteConnection other(file(), 50, {{}});
    QVERIFY(other.begin());
    const auto added = store.add(one("other-0123456789abcdef"));
    QVERIFY(!added);
    QVERIFY2(added.error().message.find("locked") != std::string::npos,
             added.error().message.c_str());
    QCOMPARE(added.error().file, file());
    QVERIFY(store.list()); // reading goes on beside a writer
}

void TestEscalationStore::aLaterSchemaIsLeftAlone()
{
    EscalationStore store(file());
    QVERIFY(store.add(one(m_run)));
    QVERIFY(SqliteConnection(file(), 50, {{}}).execute("PRAGMA user_version=99"));
    const auto list = store.list();
    QVERIFY(!list);
    QVERIFY(list.error().code == ErrorCode::BadVersion);
    SqliteConnection connection(file(), 50, std::vector<SqliteConnection::Migration>(99));
    QVERIFY(connection.ok());
    QCOMPARE(connection.execute("SELECT count(*) FROM escalation")->value(0).toInt(), 1);
}

void TestEscalationStore::whatIsNoDatabaseIsSaid()
{
    QVERIFY(QDir().mkpath(m_folder->filePath("x")));
    QFile other(QString::fromStdString(file()));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write(QByteArray(5000, 'x'));
    other.close();
    const auto added = EscalationStore(file()).add(one(m_run));
    QVERIFY(!added);
    QVERIFY2(added.error().message.find("no database") != std::string::npos,
             added.error().message.c_str());
    QVERIFY(other.open(QIODevice::ReadOnly));
    QCOMPARE(other.readAll(), QByteArray(5000, 'x')); // and not touched
}

void TestEscalationStore::readingMakesNoFile()
{
    EscalationStore store(file());
    QVERIFY(store.list()->empty() && store.seen()->empty() && !store.find("3f2a9c1d"));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(file())));
}

void TestEscalationStore::notesOutliveTheirProcessOnly()
{
    EscalationStore store(file());
    const std::string notes = m_folder->filePath("notes").toStdString();
    const EscalationFeed feed(store, m_folder->filePath("traces").toStdString(), notes);
    const std::string trace = m_folder->filePath("a.trace.jsonl").toStdString();
    const QDir folder(QString::fromStdString(notes));
    {
        auto note = feed.announce("run1", trace, false);
        QCOMPARE(folder.entryList(QDir::Files), QStringList{"run1"});
    }
    QVERIFY(folder.isEmpty(QDir::Files));
    {
        auto note = feed.announce("run1", trace, false);
        note.keep();
    }
    QCOMPARE(folder.entryList(QDir::Files), QStringList{"run1"});
    // Those in the trace folder are found by looking.
    const auto none = feed.announce("run2", m_folder->filePath("traces/b").toStdString(), false);
    QCOMPARE(folder.entryList(QDir::Files), QStringList{"run1"});
}

void TestEscalationStore::aDamagedTraceStopsNoScan()
{
    EscalationStore store(file());
    const QString traces = m_folder->filePath("traces");
    QVERIFY(QDir().mkpath(traces));
    const auto write = [&](const QString &name, const QByteArray &text) {
        QFile trace(traces + '/' + name);
        QVERIFY(trace.open(QIODevice::WriteOnly));
        trace.write(text);
    };
    const QByteArray head =
        R"({"emend":"trace","version":1,"run_id":"RUN","started_at":"2026-01-31T23:59:59.500Z",)"
        R"("task":{"name":"n","mode":"react"}})"
        "\n";
    const QByteArray opened = "{\"seq\":1,\"t_us\":600000,\"kind\":\"escalation.opened\","
                              "\"reason\":\"r\",\"by\":\"loop\"}\n";
    write("empty.trace.jsonl", {});
    write("other.trace.jsonl", "not a trace\n");
    write("zero.trace.jsonl", QByteArray(100'000, '\0'));
    write("binary.trace.jsonl", QByteArray(head) + "\xff\xfe\n" + opened);
    write("torn.trace.jsonl", QByteArray(head).replace("RUN", "torn") + opened + "{\"seq\":2,\"t_");
    write("far.trace.jsonl", QByteArray(head).replace("RUN", "far") +
                                 QByteArray(opened).replace("600000", "9223372036854775807"));
    EscalationFeed feed(store, traces.toStdString(), m_folder->filePath("n").toStdString());
    const auto scanned = feed.scan({});
    QVERIFY2(scanned, scanned ? "" : scanned.error().text().c_str());
    QCOMPARE(store.list()->size(), 3U);
    QCOMPARE(store.find("torn")->openedAt, "2026-02-01T00:00:00.100Z");
    QCOMPARE(store.find("far")->openedAt, "2026-01-31T23:59:59.500Z");
    QCOMPARE(store.find("torn")->by, "loop");
}

QTEST_GUILESS_MAIN(TestEscalationStore)
#include "tst_escalationstore.moc"
