// SPDX-License-Identifier: GPL-3.0-or-later
// Attempts that would rather win than be right. Each is a file in tests/data/hostile.
#include "tests/tools/loopbackserver.h"
#include "tests/tools/owntemporary.h"
#include "tests/tools/processwatch.h"
#include "tools/clock/steadyclock.h"
#include "tools/verify/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace emend;

using Kind = core::VerifyOutcome::Kind;

namespace {

const char *const plainTests = R"(
from solution import answer

def test_one():
    assert answer() == 42

def test_two():
    assert answer() == 42

def test_three():
    assert answer() == 42
)";

const char *const unittestTests = R"(
import unittest
from solution import answer

class Cases(unittest.TestCase):
    def test_one(self):
        self.assertEqual(answer(), 42)
    def test_two(self):
        self.assertTrue(answer() == 42)
)";

struct Hostile {
    const char *file;
    const char *causes; // one of these
    const char *tests = plainTests;
    bool bubblewrapOnly = false; // what limits alone cannot hold on this machine
};

const Hostile hostiles[] = {
    {"exit_at_import", "no_report"},
    {"sys_exit", "no_report collection_error exit_code"},
    {"exit_in_call", "no_report"},
    {"rewrite_tests", "tests_failed tampered"},
    {"delete_tests", "tests_failed no_report tampered crashed exit_code"},
    {"patch_makereport", "tampered"},
    {"patch_hook", "tampered"},
    {"patch_session", "tampered tests_failed"},
    {"patch_functions", "tampered"},
    {"patch_module", "tampered"},
    {"patch_collection", "count_mismatch"},
    {"patch_unittest", "tampered", unittestTests},
    {"skip", "no_tests_ran"},
    {"xfail", "no_tests_ran"},
    {"pytest_exit", "exit_code no_tests_ran count_mismatch no_report"},
    {"conftest_written", "tests_failed"},
    {"start_again", "tampered"},
    {"atexit_forge", "tampered flipped"},
    {"forged_report", "tampered"},
    {"broken_report", "no_report"},
    {"report_pipe", "no_report"},
    {"report_link", "no_report"},
    {"endless_loop", "timeout"},
    {"fork_bomb", "timeout"},
    {"thread_bomb", "timeout out_of_memory"},
    {"memory", "tests_failed"},
    {"memory_in_pieces", "out_of_memory"},
    {"output", "output_flood"},
    {"home", "tests_failed"},
    {"socket_out", "collection_error", plainTests, true},
    {"daemon", "tests_failed"},
    {"ignore_signals", "timeout"},
    {"fill_disk", "output_flood tests_failed timeout no_report", plainTests, true},
    {"many_files", "output_flood"},
    {"unremovable", "tests_failed no_report output_flood"},
    {"kill_all", "no_report crashed collection_error", plainTests, true},
    {"flips", "flipped"},
};

std::size_t hostileFiles()
{
    std::size_t count = 0;
    for (const char *place : {"/dev/shm", "/tmp", "/var/tmp", "/", "/dev"})
        count += entriesIn(place, "emend-hostile");
    return count;
}

} // namespace

class TestVerifyHostile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyFileIsTried();
    void noneGetsThrough_data();
    void noneGetsThrough();

private:
    OwnTemporary m_temporary;
    QTemporaryDir m_home;
    tools::SteadyClock m_clock;
};

void TestVerifyHostile::initTestCase()
{
    QFile secret(m_home.filePath(QStringLiteral(".secret")));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    secret.write("hunter2");
    secret.close();
    qputenv("HOME", m_home.path().toLocal8Bit());
    qputenv("EMEND_TEST_SECRET", "hunter2");
}

void TestVerifyHostile::everyFileIsTried()
{
    const QDir folder(QStringLiteral(EMEND_TEST_DATA "/hostile"));
    QCOMPARE(std::size_t(folder.entryList({QStringLiteral("*.py")}).size()), std::size(hostiles));
}

void TestVerifyHostile::noneGetsThrough_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("bubblewrap");
    for (const bool bubblewrap : {true, false})
        for (int i = 0; i < int(std::size(hostiles)); ++i)
            if (bubblewrap || !hostiles[i].bubblewrapOnly)
                QTest::newRow(
                    (std::string(bubblewrap ? "bubblewrap: " : "limits: ") + hostiles[i].file)
                        .c_str())
                    << i << bubblewrap;
}

void TestVerifyHostile::noneGetsThrough()
{
    QFETCH(int, index);
    QFETCH(bool, bubblewrap);
    const Hostile &hostile = hostiles[index];
    const tools::Sandbox sandbox(bubblewrap ? tools::Sandbox::findBubblewrap() : std::string());
    if (bubblewrap && !sandbox.probe().bubblewrap)
        QSKIP(sandbox.probe().words.c_str());
    QFile file(QStringLiteral(EMEND_TEST_DATA "/hostile/%1.py").arg(QLatin1String(hostile.file)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    LoopbackServer server;
    QByteArray solution = file.readAll();
    const QByteArray port = QByteArray::fromStdString(server.url()).split(':').last();
    solution.replace("@PORT@", port.split('/').first());

    // In the command line of all that the attempt starts.
    const std::string marker = "test_marker_" + std::to_string(::getpid()) + "_hostile";
    core::CodeSettings settings;
    settings.testsName = marker + ".py";
    settings.timeoutSeconds = 3;
    const auto verifier = tools::makeVerifier(settings, {&m_clock, &sandbox});
    QVERIFY(verifier);
    const std::size_t filesBefore = hostileFiles();
    const std::size_t foldersBefore = entriesIn(m_temporary.path());
    const std::size_t openBefore = openFiles();
    const std::int64_t began = m_clock.nowUs();
    const core::VerifyOutcome outcome =
        (*verifier)->verify({"tests", solution.toStdString(), hostile.tests, &settings}, {}, {});
    const std::int64_t took = m_clock.nowUs() - began;

    qInfo("%s: %s (%lld ms)", outcome.cause.c_str(), outcome.message.c_str(),
          static_cast<long long>(took / 1000));
    QVERIFY2(outcome.kind == Kind::Failed, outcome.message.c_str());
    const QStringList causes = QString::fromLatin1(hostile.causes).split(QLatin1Char(' '));
    // On a busy machine the time may be over before anything else is.
    QVERIFY2(outcome.cause == "timeout" || causes.contains(QString::fromStdString(outcome.cause)),
             outcome.output.c_str());
    QCOMPARE(outcome.sandbox, std::string(bubblewrap ? "bubblewrap" : "limits"));
    const auto left = processesWith(marker);
    QVERIFY2(left.empty(), left.empty() ? "" : left[0].c_str());
    QVERIFY(outcome.output.size() <= 1 << 20);
    QVERIFY2(outcome.output.find("hunter2") == std::string::npos, outcome.output.c_str());
    QVERIFY(server.requests().isEmpty());
    QCOMPARE(hostileFiles(), filesBefore);
    QCOMPARE(entriesIn(m_temporary.path()), foldersBefore);
    QVERIFY(openFiles() <= openBefore + 1); // a lazily opened source of random numbers
}

QTEST_GUILESS_MAIN(TestVerifyHostile)
#include "tst_verifyhostile.moc"
