// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include "core/run/ports.h"
#include "tools/trace/tracereader.h"
#include "tools/trace/tracewriter.h"

using namespace emend;
using Problem = core::LineProblem;

namespace {

const QByteArray header = "{\"emend\":\"trace\",\"version\":1,\"run_id\":\"r\"}\n";

QByteArray line(int seq, const char *kind = "tool.started")
{
    return "{\"seq\":" + QByteArray::number(seq) + ",\"t_us\":" + QByteArray::number(seq * 10) +
           ",\"kind\":\"" + kind + "\",\"step\":2,\"attempt\":1}\n";
}

// What was read: the events, the sizes of the batches and the error.
struct Read {
    explicit Read(const QString &file, std::stop_token stop = {})
    {
        const auto result = tools::readTrace(
            file.toStdString(), stop, [this](std::string text) { headers.push_back(text); },
            [this](std::vector<core::Event> batch) {
                batches.push_back(batch.size());
                std::move(batch.begin(), batch.end(), std::back_inserter(events));
            });
        if (!result)
            error = result.error();
    }

    std::vector<Problem> problems() const
    {
        std::vector<Problem> found;
        for (const core::Event &event : events)
            found.push_back(event.problem);
        return found;
    }

    std::vector<std::string> headers;
    std::vector<core::Event> events;
    std::vector<std::size_t> batches;
    std::optional<core::Error> error;
};

} // namespace

Q_DECLARE_METATYPE(std::vector<Problem>)

class TestTraceReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void headAndLineOfEachEventAreRead();
    void whatTheWriterWroteIsWhole();
    void problemsAreFoundAndTheRestIsRead_data();
    void problemsAreFoundAndTheRestIsRead();
    void aTornLineIsShownAsValidText();
    void aChangedByteIsAWrongHash();
    void aMissingHashIsAsBadAsAWrongOne();
    void unusualHeadsAreReadAsCoreReadsThem_data();
    void unusualHeadsAreReadAsCoreReadsThem();
    void batchesAreBoundedAndTheFirstIsSmall();
    void aHugeLineIsOneEvent();
    void aStopEndsReading();
    void whatIsNoTraceIsRefused_data();
    void whatIsNoTraceIsRefused();
    void whatCannotBeReadIsRefused();

private:
    QString write(const QByteArray &content)
    {
        QFile file(m_folder->filePath(QStringLiteral("a.trace.jsonl")));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write the test file");
        return file.fileName();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestTraceReader::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestTraceReader::headAndLineOfEachEventAreRead()
{
    const Read read(write(header + line(1, "run.started") + line(2, "of.a.later.version")));
    QVERIFY(!read.error);
    QCOMPARE(read.headers, std::vector<std::string>{header.trimmed().toStdString()});
    QCOMPARE(read.events.size(), 2u);
    const core::Event &first = read.events.front();
    QCOMPARE(first.seq, 1u);
    QCOMPARE(first.tUs, 10);
    QCOMPARE(first.kind, core::EventKind::RunStarted);
    QCOMPARE(first.step, 2);
    QCOMPARE(first.attempt, 1);
    QCOMPARE(first.line + '\n', line(1, "run.started").toStdString());
    QCOMPARE(read.events.back().kind, core::EventKind::Unknown);
    QCOMPARE(read.events.back().problem, Problem::None);
}

void TestTraceReader::whatTheWriterWroteIsWhole()
{
    const QString path = m_folder->filePath(QStringLiteral("w.trace.jsonl"));
    tools::TraceWriter writer(path.toStdString());
    QVERIFY(writer.begin({{"emend", "trace"}, {"version", 1}}).has_value());
    std::vector<std::string> lines;
    for (std::uint64_t seq = 1; seq <= 1000; ++seq) {
        const bool last = seq == 1000;
        auto event =
            core::stamp({last ? core::EventKind::RunFinished : core::EventKind::ToolStarted, 1, -1,
                         "\"text\":\"ä€😀 " + std::to_string(seq) + '"'},
                        seq, 5);
        QVERIFY(writer.write(event).has_value());
        lines.push_back(event.line);
    }
    const Read read(path);
    QVERIFY(!read.error);
    QCOMPARE(read.problems(), std::vector<Problem>(1000, Problem::None));
    for (std::size_t i = 0; i < lines.size(); ++i)
        QCOMPARE(read.events[i].line, lines[i]);
    QCOMPARE(read.events.front().attempt, -1);
}

void TestTraceReader::problemsAreFoundAndTheRestIsRead_data()
{
    using Problems = std::vector<Problem>;
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<Problems>("problems");
    constexpr Problem ok = Problem::None;
    QTest::newRow("no events") << QByteArray() << Problems{};
    QTest::newRow("a gap") << line(1) + line(3) + line(4) << Problems{ok, Problem::Gap, ok};
    QTest::newRow("not from 1") << line(2) + line(3) << Problems{Problem::Gap, ok};
    QTest::newRow("twice the same")
        << line(1) + line(1) + line(2) << Problems{ok, Problem::Gap, ok};
    QTest::newRow("no seq") << line(1) + "{\"kind\":\"run.started\"}\n"
                            << Problems{ok, Problem::Gap};
    QTest::newRow("a line replaced by garbage")
        << line(1) + "garbage\n" + line(3) << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("garbage between two lines")
        << line(1) + "garbage\n" + line(2) << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("garbage and a gap")
        << line(1) + "garbage\n" + line(4) << Problems{ok, Problem::NotJson, Problem::Gap};
    QTest::newRow("an empty line")
        << line(1) + "\n" + line(2) << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("JSON, but no object")
        << line(1) + "[1]\n" + line(2) << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("two objects in a line")
        << line(1) + "{} {}\n" + line(2) << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("no UTF-8") << line(1) + "{\"seq\":2,\"x\":\"\xff\"}\n" + line(3)
                              << Problems{ok, Problem::NotJson, ok};
    QTest::newRow("torn") << line(1) + line(2).chopped(20) << Problems{ok, Problem::Torn};
    QTest::newRow("only the line feed is missing")
        << line(1) + line(2).chopped(1) << Problems{ok, Problem::Torn};
    QTest::newRow("after the end")
        << line(1, "run.finished") + line(2) + line(9)
        << Problems{Problem::WrongHash, Problem::AfterEnd, Problem::AfterEnd};
    QTest::newRow("torn after the end")
        << line(1, "run.finished") + "{\"se" << Problems{Problem::WrongHash, Problem::Torn};
}

void TestTraceReader::problemsAreFoundAndTheRestIsRead()
{
    QFETCH(QByteArray, events);
    const Read read(write(header + events));
    QVERIFY(!read.error);
    QTEST(read.problems(), "problems");
}

void TestTraceReader::aTornLineIsShownAsValidText()
{
    const Read read(write(header + line(1) + "{\"seq\":2,\"text\":\"\xc3"));
    const core::Event &torn = read.events.back();
    QCOMPARE(torn.problem, Problem::Torn);
    QCOMPARE(torn.kind, core::EventKind::Unknown);
    QCOMPARE(QString::fromStdString(torn.line), QStringLiteral("{\"seq\":2,\"text\":\"\uFFFD"));
}

void TestTraceReader::aChangedByteIsAWrongHash()
{
    const QString path = m_folder->filePath(QStringLiteral("w.trace.jsonl"));
    {
        tools::TraceWriter writer(path.toStdString());
        QVERIFY(writer.begin({{"emend", "trace"}, {"version", 1}}).has_value());
        auto first = core::stamp({core::EventKind::ToolSucceeded, 1, -1, R"("output":"31")"}, 1, 1);
        auto last = core::stamp({core::EventKind::RunFinished, 0, -1, {}}, 2, 2);
        QVERIFY(writer.write(first) && writer.write(last));
    }
    QCOMPARE(Read(path).problems(), (std::vector<Problem>{Problem::None, Problem::None}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    QByteArray changed = content;
    changed.replace("\"31\"", "\"32\"");
    QCOMPARE(Read(write(changed)).problems(),
             (std::vector<Problem>{Problem::None, Problem::WrongHash}));
    changed = content; // the header is covered too
    changed.replace("\"version\":1", "\"version\":1 ");
    QCOMPARE(Read(write(changed)).problems(),
             (std::vector<Problem>{Problem::None, Problem::WrongHash}));
}

void TestTraceReader::aMissingHashIsAsBadAsAWrongOne()
{
    QCOMPARE(Read(write(header + line(1, "run.finished"))).problems(),
             std::vector<Problem>{Problem::WrongHash});
}

void TestTraceReader::unusualHeadsAreReadAsCoreReadsThem_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("members in another order")
        << QByteArray(R"({"kind":"run.started","attempt":2,"step":1,"t_us":5,"seq":1})");
    QTest::newRow("white space") << QByteArray("  { \"seq\" : 1 , \"kind\" : \"run.started\" } \r");
    QTest::newRow("wrong types") << QByteArray(
        R"({"seq":"1","t_us":1.5,"kind":7,"step":[],"attempt":null})");
    QTest::newRow("out of range") << QByteArray(
        R"({"seq":-1,"step":99999999999,"attempt":70000,"t_us":1})");
    QTest::newRow("an integer beyond 64 bits")
        << QByteArray(R"({"seq":1,"id":123456789012345678901234567890,"kind":"run.started"})");
    QTest::newRow("a key twice") << QByteArray(R"({"seq":1,"seq":7})");
    QTest::newRow("escaped key") << QByteArray("{\"s\\u0065q\":1}");
    QTest::newRow("a number beyond doubles") << QByteArray(R"({"seq":1,"x":1e999})");
    QTest::newRow("a lone surrogate") << QByteArray(R"({"seq":1,"x":"\ud800"})");
    QTest::newRow("empty object") << QByteArray("{}");
}

void TestTraceReader::unusualHeadsAreReadAsCoreReadsThem()
{
    QFETCH(QByteArray, text);
    const Read read(write(header + text + '\n'));
    QCOMPARE(read.events.size(), 1u);
    const core::Event &event = read.events.front();
    const core::Event expected = core::parseEventLine(text.toStdString());
    QCOMPARE(event.seq, expected.seq);
    QCOMPARE(event.tUs, expected.tUs);
    QCOMPARE(event.kind, expected.kind);
    QCOMPARE(event.step, expected.step);
    QCOMPARE(event.attempt, expected.attempt);
    QCOMPARE(event.problem == Problem::NotJson, expected.problem == Problem::NotJson);
    QCOMPARE(event.line, expected.line);
}

void TestTraceReader::batchesAreBoundedAndTheFirstIsSmall()
{
    QByteArray content = header;
    for (int seq = 1; seq <= 20000; ++seq)
        content += line(seq);
    const Read read(write(content));
    QCOMPARE(read.events.size(), 20000u);
    QCOMPARE(read.batches.front(), 256u);
    for (const std::size_t size : read.batches)
        QVERIFY(size > 0 && size <= 4096);
    QCOMPARE(read.problems(), std::vector<Problem>(20000, Problem::None));
}

void TestTraceReader::aHugeLineIsOneEvent()
{
    QByteArray huge = line(2);
    huge.insert(huge.size() - 2, ",\"output\":\"" + QByteArray(100'000'000, 'x') + '"');
    const Read read(write(header + line(1) + huge + line(3)));
    QVERIFY(!read.error);
    QCOMPARE(read.problems(), std::vector<Problem>(3, Problem::None));
    QCOMPARE(read.events[1].line.size() + 1, static_cast<std::size_t>(huge.size()));
    QCOMPARE(read.events[1].kind, core::EventKind::ToolStarted);
}

void TestTraceReader::aStopEndsReading()
{
    QByteArray content = header;
    for (int seq = 1; seq <= 20000; ++seq)
        content += line(seq);
    const std::string path = write(content).toStdString();
    std::stop_source source;
    std::size_t seen = 0;
    const auto result = tools::readTrace(
        path, source.get_token(), [](std::string) {},
        [&](std::vector<core::Event> batch) {
            seen += batch.size();
            source.request_stop();
        });
    QVERIFY(result.has_value());
    QCOMPARE(seen, 256u);
    const Read nothing(QString::fromStdString(path), source.get_token());
    QVERIFY(!nothing.error);
    QVERIFY(nothing.events.empty());
}

void TestTraceReader::whatIsNoTraceIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << QByteArray() << "the file is empty";
    QTest::newRow("no JSON") << QByteArray("hello\n")
                             << "this is no trace: its first line is not a JSON object";
    QTest::newRow("cut header") << header.chopped(10)
                                << "the first line is cut, so there is nothing to read";
    QTest::newRow("some JSON") << QByteArray("{\"a\":1}\n")
                               << "this is no trace of Emend: expected \"emend\": \"trace\" in its "
                                  "first line";
    QTest::newRow("a task") << QByteArray("{\"emend\":\"task\",\"version\":1}\n")
                            << "expected a trace, found a file of kind \"task\"";
    QTest::newRow("a later version") << QByteArray("{\"emend\":\"trace\",\"version\":2}\n")
                                     << "expected a trace of version 1, found version 2";
    QTest::newRow("no version") << QByteArray("{\"emend\":\"trace\"}\n")
                                << "expected a trace of version 1, found version (none)";
}

void TestTraceReader::whatIsNoTraceIsRefused()
{
    QFETCH(QByteArray, content);
    const QString path = write(content);
    const Read read(path);
    QVERIFY(read.error.has_value());
    QTEST(QString::fromStdString(read.error->message), "message");
    QCOMPARE(read.error->file, path.toStdString());
    QCOMPARE(read.error->line, 1);
    QVERIFY(read.headers.empty() && read.events.empty());
}

void TestTraceReader::whatCannotBeReadIsRefused()
{
    const QString missing = m_folder->filePath(QStringLiteral("missing"));
    QCOMPARE(Read(missing).error->code, core::ErrorCode::NotFound);
    QCOMPARE(Read(missing).error->message,
             std::string("cannot read the trace: No such file or directory"));
    QCOMPARE(Read(m_folder->path()).error->message,
             std::string("cannot read the trace: Is a directory"));
    const QString pipe = m_folder->filePath(QStringLiteral("pipe"));
    QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QCOMPARE(Read(pipe).error->message, std::string("cannot read the trace: not a regular file"));
    const QString below = write(header) + QStringLiteral("/x");
    QCOMPARE(Read(below).error->code, core::ErrorCode::Unreadable);
}

QTEST_GUILESS_MAIN(TestTraceReader)
#include "tst_tracereader.moc"
