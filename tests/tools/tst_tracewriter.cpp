// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

#include <random>
#include <set>

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/run/engine.h"
#include "tools/trace/sha256.h"
#include "tools/trace/tracewriter.h"

using namespace emend;

namespace {

const nlohmann::json header = {{"emend", "trace"}, {"version", 1}, {"run_id", "r1"}};

core::Event eventOf(core::EventKind kind, std::uint64_t seq, const std::string &members = {})
{
    return core::stamp({kind, 1, 0, members}, seq, static_cast<std::int64_t>(seq) * 10);
}

QByteArray contentOf(const std::string &path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Keeps what it is told, and how long the file was then.
struct Listener : core::RunListener {
    void began(const std::string &headerLine) override { lines.push_back(headerLine); }
    void arrived(const core::Event &event) override
    {
        lines.push_back(event.line);
        const QByteArray line = QByteArray::fromStdString(event.line) + '\n';
        onDisk &= contentOf(path).endsWith(line);
    }
    void partialText(int, int, std::string_view text) override { partial += text; }

    std::string path;
    std::vector<std::string> lines;
    std::string partial;
    bool onDisk = true;
};

} // namespace

class TestTraceWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void linesAreWrittenAsTheyAre();
    void theFileIsPrivateAndItsFoldersAreMade();
    void anExistingFileIsKeptUnlessToldOtherwise();
    void overwritingLeavesNothingOfTheOldFile();
    void twoRunsCannotWriteOneTrace();
    void runFinishedCarriesTheHashOfAllEarlierBytes();
    void theListenerHearsOfLinesThatAreOnDisk();
    void aSecretIsInNoPieceOfAReply();
    void aFullDiskIsAnError();
    void aShortWriteLeavesNoTornLine();
    void afterAFailureNothingMoreIsWritten();
    void aFolderThatCannotBeIsAnErrorWithItsReason_data();
    void aFolderThatCannotBeIsAnErrorWithItsReason();
    void writingWithoutABeginningIsAnError();
    void aKilledRunLosesNothingThatWasReported();
    void theHashIsSha256_data();
    void theHashIsSha256();
    void aTracePathIsASafeNewName_data();
    void aTracePathIsASafeNewName();
    void tracePathsDiffer();

private:
    std::string path(const char *name = "a.trace.jsonl") const
    {
        return m_folder->filePath(QString::fromUtf8(name)).toStdString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestTraceWriter::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestTraceWriter::linesAreWrittenAsTheyAre()
{
    tools::TraceWriter writer(path());
    QVERIFY(writer.begin(header).has_value());
    auto event = eventOf(core::EventKind::RunStarted, 1, R"("goal":"ä")");
    QVERIFY(writer.write(event).has_value());
    QCOMPARE(
        contentOf(path()),
        QByteArray(R"({"emend":"trace","run_id":"r1","version":1})"
                   "\n"
                   R"({"seq":1,"t_us":10,"kind":"run.started","step":1,"attempt":0,"goal":"ä"})"
                   "\n"));
    QVERIFY(!event.line.ends_with('\n'));
}

void TestTraceWriter::theFileIsPrivateAndItsFoldersAreMade()
{
    const std::string file = path("some/new/folder/a.trace.jsonl");
    tools::TraceWriter writer(file);
    QVERIFY(writer.begin(header).has_value());
    const auto access = QFileInfo(QString::fromStdString(file)).permissions();
    QVERIFY(access.testFlag(QFile::ReadOwner) && access.testFlag(QFile::WriteOwner));
    QVERIFY(
        !(access & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther)));
}

void TestTraceWriter::anExistingFileIsKeptUnlessToldOtherwise()
{
    QFile old(QString::fromStdString(path()));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("precious") == 8);
    old.close();
    tools::TraceWriter writer(path());
    const auto begun = writer.begin(header);
    QVERIFY(!begun);
    QCOMPARE(begun.error().code, core::ErrorCode::Unwritable);
    QCOMPARE(begun.error().file, path());
    QVERIFY(begun.error().message.find("File exists") != std::string::npos);
    QCOMPARE(contentOf(path()), QByteArray("precious"));
}

void TestTraceWriter::overwritingLeavesNothingOfTheOldFile()
{
    QFile old(QString::fromStdString(path()));
    QVERIFY(old.open(QIODevice::WriteOnly) &&
            old.write("{\"emend\":\"trace\"" + QByteArray(100000, 'x')) > 0);
    old.close();
    tools::TraceWriter writer(path(), {true, nullptr});
    QVERIFY(writer.begin(header).has_value());
    QVERIFY(!contentOf(path()).contains('x'));
    QVERIFY(!QFileInfo(old).permissions().testFlag(QFile::ReadOther));
}

void TestTraceWriter::twoRunsCannotWriteOneTrace()
{
    tools::TraceWriter first(path());
    QVERIFY(first.begin(header).has_value());
    tools::TraceWriter second(path(), {true, nullptr});
    const auto begun = second.begin(header);
    QVERIFY(!begun);
    QVERIFY(begun.error().message.find("another run") != std::string::npos);
    QVERIFY(!contentOf(path()).isEmpty());
}

void TestTraceWriter::runFinishedCarriesTheHashOfAllEarlierBytes()
{
    tools::TraceWriter writer(path());
    QVERIFY(writer.begin(header).has_value());
    auto started = eventOf(core::EventKind::RunStarted, 1);
    QVERIFY(writer.write(started).has_value());
    const QByteArray earlier = contentOf(path());
    auto finished = eventOf(core::EventKind::RunFinished, 2, R"("outcome":"satisfied")");
    QVERIFY(writer.write(finished).has_value());
    const auto hash = QCryptographicHash::hash(earlier, QCryptographicHash::Sha256).toHex();
    const QByteArray end = ",\"sha256\":\"" + hash + "\"}";
    QVERIFY(QByteArray::fromStdString(finished.line).endsWith(end));
    QCOMPARE(contentOf(path()), earlier + QByteArray::fromStdString(finished.line) + '\n');
    QVERIFY(core::eventBody(finished).is_object());
}

void TestTraceWriter::theListenerHearsOfLinesThatAreOnDisk()
{
    Listener listener;
    listener.path = path();
    tools::TraceWriter writer(path(), {false, &listener});
    QVERIFY(writer.begin(header).has_value());
    auto finished = eventOf(core::EventKind::RunFinished, 1);
    QVERIFY(writer.write(finished).has_value());
    writer.partialText(1, 0, "hel");
    writer.partialText(1, 0, "lo");
    QCOMPARE(listener.lines, (std::vector<std::string>{header.dump(), finished.line}));
    QVERIFY(finished.line.find("sha256") != std::string::npos);
    QVERIFY(listener.onDisk);
    QCOMPARE(listener.partial, std::string("hello"));
}

void TestTraceWriter::aFullDiskIsAnError()
{
    if (!QFileInfo::exists(QStringLiteral("/dev/full")))
        QSKIP("there is no /dev/full here");
    tools::TraceWriter writer("/dev/full", {true, nullptr});
    const auto begun = writer.begin(header);
    QVERIFY(!begun);
    QCOMPARE(begun.error().message, std::string("cannot write the trace: No space left on device"));
    QCOMPARE(begun.error().file, std::string("/dev/full"));
}

void TestTraceWriter::aShortWriteLeavesNoTornLine()
{
    Listener listener;
    listener.path = path();
    tools::TraceWriter writer(path(), {false, &listener});
    QVERIFY(writer.begin(header).has_value());
    // A file may not grow beyond 10,000 bytes: the write that crosses the limit is a short one.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{10000, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::uint64_t seq = 1;
    core::Result<void> written;
    while (written && seq < 1000) {
        auto event =
            eventOf(core::EventKind::ToolStarted, seq++, "\"x\":\"" + std::string(700, 'y') + '"');
        written = writer.write(event);
    }
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(!written);
    QCOMPARE(written.error().message, std::string("cannot write the trace: File too large"));
    QByteArray expected;
    for (const std::string &line : listener.lines)
        expected += QByteArray::fromStdString(line) + '\n';
    QVERIFY(listener.lines.size() > 10);
    QCOMPARE(contentOf(path()), expected);
}

void TestTraceWriter::afterAFailureNothingMoreIsWritten()
{
    std::signal(SIGXFSZ, SIG_IGN);
    tools::TraceWriter writer(path());
    QVERIFY(writer.begin(header).has_value());
    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{100, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    auto large = eventOf(core::EventKind::ToolStarted, 1, "\"x\":\"" + std::string(200, 'y') + '"');
    const auto first = writer.write(large);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
    QVERIFY(!first);
    auto fits = eventOf(core::EventKind::RunFinished, 2);
    const auto second = writer.write(fits); // there is room again, but there would be a hole
    QVERIFY(!second);
    QCOMPARE(second.error().message, first.error().message);
    QCOMPARE(contentOf(path()), QByteArray::fromStdString(header.dump()) + '\n');
}

void TestTraceWriter::aFolderThatCannotBeIsAnErrorWithItsReason_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("message");
    QTest::newRow("below a file") << "plain/sub/a.jsonl"
                                  << "cannot create the folder of the trace: Not a directory";
    QTest::newRow("a folder itself") << "folder"
                                     << "cannot create the trace: File exists";
    QTest::newRow("a name too long")
        << QString(300, QLatin1Char('n')) << "cannot create the trace: File name too long";
}

void TestTraceWriter::aFolderThatCannotBeIsAnErrorWithItsReason()
{
    QFETCH(QString, file);
    QFile plain(m_folder->filePath(QStringLiteral("plain")));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("folder")));
    const std::string target = m_folder->filePath(file).toStdString();
    tools::TraceWriter writer(target);
    const auto begun = writer.begin(header);
    QVERIFY(!begun);
    QTEST(QString::fromStdString(begun.error().message), "message");
    QCOMPARE(begun.error().file, target);
}

void TestTraceWriter::writingWithoutABeginningIsAnError()
{
    tools::TraceWriter writer(path());
    auto event = eventOf(core::EventKind::RunStarted, 1);
    QVERIFY(!writer.write(event));
}

// The child reports each seq on a pipe after it was written; the parent kills it at any moment.
void TestTraceWriter::aKilledRunLosesNothingThatWasReported()
{
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        const std::string file = path(("kill" + std::to_string(round)).c_str());
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            tools::TraceWriter writer(file);
            bool good = writer.begin(header).has_value();
            for (std::uint64_t seq = 1; good; ++seq) {
                auto event = eventOf(core::EventKind::ToolStarted, seq,
                                     "\"x\":\"" + std::string(seq * 37 % 5000, 'y') + '"');
                good = writer.write(event).has_value() &&
                       ::write(ends[1], &seq, sizeof seq) == sizeof seq;
            }
            ::_exit(1);
        }
        ::close(ends[1]);
        const std::uint64_t last = 1 + random() % 300;
        std::uint64_t reported = 0;
        std::uint64_t seq = 0;
        while (::read(ends[0], &seq, sizeof seq) == sizeof seq) {
            reported = seq;
            if (seq == last)
                ::kill(child, SIGKILL); // what is still in the pipe counts too
        }
        ::close(ends[0]);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        QVERIFY(reported >= last);

        const QByteArray content = contentOf(file);
        QList<QByteArray> lines = content.split('\n');
        lines.removeLast(); // empty, or the line the kill cut
        QVERIFY(lines.size() > static_cast<qsizetype>(reported));
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const auto event = core::parseEventLine(lines.at(i).toStdString());
            QCOMPARE(event.problem, core::LineProblem::None);
            QCOMPARE(event.seq, static_cast<std::uint64_t>(i));
        }
    }
}

void TestTraceWriter::theHashIsSha256_data()
{
    QTest::addColumn<int>("chunk");
    for (const int chunk : {1, 3, 55, 56, 63, 64, 65, 128, 1000, 100000})
        QTest::addRow("%d bytes at a time", chunk) << chunk;
}

void TestTraceWriter::theHashIsSha256()
{
    QFETCH(int, chunk);
    std::string text;
    for (int i = 0; i < 1500; ++i)
        text += static_cast<char>(i * 7919 >> 3);
    tools::Sha256 hash;
    std::string_view rest = text;
    std::size_t done = 0;
    do {
        const auto expected = QCryptographicHash::hash(
            QByteArray(text.data(), static_cast<qsizetype>(done)), QCryptographicHash::Sha256);
        QCOMPARE(hash.hex(), expected.toHex().toStdString());
        const auto piece = rest.substr(0, static_cast<std::size_t>(chunk));
        hash.add(piece);
        rest.remove_prefix(piece.size());
        done += piece.size();
    } while (!rest.empty());
    QCOMPARE(hash.hex(),
             QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha256)
                 .toHex()
                 .toStdString());
}

void TestTraceWriter::aTracePathIsASafeNewName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("slug");
    QTest::newRow("words") << "Weather in Oslo"
                           << "weather-in-oslo";
    QTest::newRow("a path") << "../../etc/passwd"
                            << "etc-passwd";
    QTest::newRow("only signs") << "…/\\\n"
                                << "run";
    QTest::newRow("empty") << ""
                           << "run";
    QTest::newRow("long") << QString(200, QLatin1Char('a')) << QString(40, QLatin1Char('a'));
    QTest::newRow("cut at a hyphen")
        << QString(39, QLatin1Char('a')) + QStringLiteral(" b") << QString(39, QLatin1Char('a'));
    QTest::newRow("other scripts") << "Wetter für Zürich"
                                   << "wetter-f-r-z-rich";
}

void TestTraceWriter::aTracePathIsASafeNewName()
{
    QFETCH(QString, name);
    QFETCH(QString, slug);
    const auto made = tools::makeTracePath(m_folder->path().toStdString(), name.toStdString(),
                                           "2026-01-31T12:00:00.000Z");
    QVERIFY(made.has_value());
    const QFileInfo info(QString::fromStdString(*made));
    QCOMPARE(info.path(), m_folder->path());
    const QRegularExpression wanted(
        QStringLiteral("^20260131-120000-%1-[0-9a-f]{4}\\.trace\\.jsonl$").arg(slug));
    QVERIFY2(wanted.match(info.fileName()).hasMatch(), qPrintable(info.fileName()));
}

void TestTraceWriter::tracePathsDiffer()
{
    const std::string folder = path("not/yet/there");
    QVERIFY(tools::makeTracePath(folder, "a", "2026").has_value());
    std::set<std::string> names;
    for (int i = 0; i < 20; ++i) {
        const auto made = tools::makeTracePath(m_folder->path().toStdString(), "a", "2026");
        QVERIFY(made.has_value());
        QFile taken(QString::fromStdString(*made));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        QVERIFY(names.insert(*made).second);
    }
}

void TestTraceWriter::aSecretIsInNoPieceOfAReply()
{
    struct Pieces : core::RunListener {
        std::string all;
        void began(const std::string &) override {}
        void arrived(const core::Event &) override {}
        void partialText(int, int, std::string_view text) override { all += text; }
        void partialOutput(int, int, std::string_view text) override { output += text; }
        std::string output;
    } listener;
    tools::TraceOptions options;
    options.listener = &listener;
    options.redactor = core::Redactor::make({"abcdefgh-12345"}, {}).value();
    tools::TraceWriter writer(path(), options);
    for (const char c : std::string("the key abcdefgh-12345 and abcde end"))
        writer.partialText(1, 0, std::string_view(&c, 1));
    QCOMPARE(listener.all, std::string("the key [redacted] and abcde end"));
    // nor of the output of tests; what began in a reply does not end there
    writer.partialText(1, 0, "abcdefgh");
    for (const char c : std::string("-12345 abcdefgh-12345\n"))
        writer.partialOutput(1, 0, std::string_view(&c, 1));
    QCOMPARE(listener.output, std::string("-12345 [redacted]\n"));
}

QTEST_GUILESS_MAIN(TestTraceWriter)
#include "tst_tracewriter.moc"
