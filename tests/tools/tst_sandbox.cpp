// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/owntemporary.h"
#include "tests/tools/processwatch.h"
#include "tools/process/folder.h"
#include "tools/process/keptoutput.h"
#include "tools/sandbox/sandbox.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

using namespace emend;
using namespace std::chrono_literals;

using tools::Sandbox;
using tools::SandboxCommand;
using tools::SandboxOutcome;
using End = SandboxOutcome::End;

namespace {

const char *const pythonDaemon = R"(
import os, signal, sys, time
for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(each, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
os.wait()
print('daemon', flush=True)
time.sleep(60)
)";

SandboxCommand shell(const std::string &script)
{
    SandboxCommand command;
    command.argv = {"/bin/sh", "-c", script};
    return command;
}

std::string newMarker()
{
    static int count = 0;
    return "emend-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

SandboxCommand daemonCommand(const std::string &marker)
{
    SandboxCommand command;
    command.argv = {"/usr/bin/python3", "-c", pythonDaemon};
    command.environment = {{"EMEND_MARKER", marker}};
    return command;
}

} // namespace

class TestSandbox : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theProbeSaysWhatHolds();
    void aCommandRunsInItsFolder_data() { ways(); }
    void aCommandRunsInItsFolder();
    void theWayACommandEndsIsKnown_data();
    void theWayACommandEndsIsKnown();
    void nothingOfEmendReachesTheCommand_data() { ways(); }
    void nothingOfEmendReachesTheCommand();
    void aReadOnlyFileCannotBeReplaced_data() { ways(); }
    void aReadOnlyFileCannotBeReplaced();
    void theHostIsOutOfReach();
    void requiredRefusesWithoutBubblewrap();
    void aStopEndsTheWholeTree_data() { ways(); }
    void aStopEndsTheWholeTree();
    void whatIsLeftBehindEndsWithTheCommand_data() { ways(); }
    void whatIsLeftBehindEndsWithTheCommand();
    void theTreeDiesWithEmend_data() { ways(); }
    void theTreeDiesWithEmend();
    void theTreesMemoryIsLimited_data() { ways(); }
    void theTreesMemoryIsLimited();
    void outputIsKeptFromBothEnds();
    void hostileFoldersAreRemoved();
    void aHundredRunsLeaveNothing_data() { ways(); }
    void aHundredRunsLeaveNothing();

private:
    OwnTemporary m_temporary;
    static void ways()
    {
        QTest::addColumn<bool>("bubblewrap");
        QTest::newRow("bubblewrap") << true;
        QTest::newRow("limits") << false;
    }
    static Sandbox current()
    {
        QFETCH(bool, bubblewrap);
        return Sandbox(bubblewrap ? Sandbox::findBubblewrap() : std::string());
    }
};

#define NEED_SANDBOX(sandbox)                                                                      \
    const Sandbox sandbox = current();                                                             \
    QFETCH(bool, bubblewrap);                                                                      \
    if (bubblewrap && !sandbox.probe().bubblewrap)                                                 \
        QSKIP(sandbox.probe().words.c_str());

void TestSandbox::theProbeSaysWhatHolds()
{
    const auto real = Sandbox().probe();
    qInfo("%s", real.words.c_str());
    QVERIFY(!real.words.empty());
    const auto none = Sandbox("").probe();
    QVERIFY(!none.bubblewrap);
    QVERIFY(none.words.find("apt install bubblewrap") != std::string::npos);
    const auto broken = Sandbox("/bin/false").probe();
    QVERIFY(!broken.bubblewrap);
    QVERIFY(broken.words.find("does not work here") != std::string::npos);
}

void TestSandbox::aCommandRunsInItsFolder()
{
    NEED_SANDBOX(sandbox);
    SandboxCommand command = shell("cat a; cat b; echo made > made; echo err >&2; exit 3");
    command.files = {{"a", "one\n", false}, {"b", "two\n", true}};
    command.report = "made";
    std::string heard;
    const auto outcome =
        sandbox.run(command, {}, [&](std::string_view text) { heard.append(text); });
    QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
    QCOMPARE(outcome.end, End::Exited);
    QCOMPARE(outcome.exitCode, 3);
    QCOMPARE(outcome.output, std::string("one\ntwo\nerr\n"));
    QCOMPARE(heard, outcome.output);
    QCOMPARE(outcome.report.value_or("none"), std::string("made\n"));
    QCOMPARE(outcome.heldBy, std::string(bubblewrap ? "bubblewrap" : "limits"));
    QVERIFY(outcome.commandUs > 0);
    QVERIFY(!outcome.filesChanged);
}

void TestSandbox::theWayACommandEndsIsKnown_data()
{
    QTest::addColumn<bool>("bubblewrap");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("end");
    for (const bool bubblewrap : {true, false}) {
        const auto row = [&](const char *name, const char *script, End end) {
            QTest::newRow((std::string(bubblewrap ? "bubblewrap: " : "limits: ") + name).c_str())
                << bubblewrap << QByteArray(script) << int(end);
        };
        row("an exit", "exit 7", End::Exited);
        row("a signal", "kill -SEGV $$", End::Signalled);
        row("too long", "while :; do :; done", End::TimedOut);
        row("a sleep that ignores what ends it", "trap '' TERM INT HUP; sleep 60", End::TimedOut);
        row("a flood", "exec cat /dev/zero", End::OutputFlood);
        row("too many files", "i=0; while :; do : > f$i; i=$((i+1)); done", End::TooManyFiles);
    }
}

void TestSandbox::theWayACommandEndsIsKnown()
{
    NEED_SANDBOX(sandbox);
    QFETCH(QByteArray, script);
    QFETCH(int, end);
    SandboxCommand command = shell(script.toStdString());
    command.limits.wallUs = 1'500'000;
    command.limits.entries = 500;
    const auto outcome = sandbox.run(command, {});
    QVERIFY2(outcome.problem.empty(), outcome.problem.c_str());
    QCOMPARE(int(outcome.end), end);
    QVERIFY(outcome.output.size() <= command.limits.outputKept);
    if (outcome.end == End::Signalled)
        QCOMPARE(outcome.signal, SIGSEGV);
    if (outcome.end == End::Exited)
        QCOMPARE(outcome.exitCode, 7);
}

void TestSandbox::nothingOfEmendReachesTheCommand()
{
    NEED_SANDBOX(sandbox);
    const int leaky = ::open("/dev/null", O_RDONLY); // not close-on-exec, as of a careless library
    qputenv("EMEND_TEST_SECRET", "hunter2");
    const auto outcome = sandbox.run(shell("ls -l /proc/self/fd; env; ulimit -c"), {});
    qunsetenv("EMEND_TEST_SECRET");
    ::close(leaky);
    QCOMPARE(outcome.end, End::Exited);
    QVERIFY(outcome.output.find("hunter2") == std::string::npos);
    // stdin, stdout, stderr, and the folder that ls itself reads
    const auto arrows = std::count(outcome.output.begin(), outcome.output.end(), '>');
    QVERIFY2(arrows == 4, outcome.output.c_str());
}

void TestSandbox::aReadOnlyFileCannotBeReplaced()
{
    NEED_SANDBOX(sandbox);
    SandboxCommand command = shell("exec 2> errors; chmod 777 kept; echo x > kept; rm -f kept; "
                                   "mv kept other; ln -sf /etc/passwd kept; cat kept");
    command.files = {{"kept", "kept", true}};
    const auto outcome = sandbox.run(command, {});
    if (bubblewrap || ::geteuid() == 0) {
        QCOMPARE(outcome.output, std::string("kept"));
        QVERIFY(!outcome.filesChanged);
    } else {
        QVERIFY(outcome.filesChanged); // limits cannot hold what the user may do
    }
}

void TestSandbox::theHostIsOutOfReach()
{
    const Sandbox sandbox;
    if (!sandbox.probe().bubblewrap)
        QSKIP(sandbox.probe().words.c_str());
    QTemporaryDir secret;
    QFile file(secret.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("hunter2");
    file.close();
    SandboxCommand command;
    command.argv = {"/usr/bin/python3", "-c", R"(
import os, socket, sys
for path in (sys.argv[1], '/etc/passwd', '/root', '/home', '/var', '/sys', '/work'):
    print(path, os.path.exists(path))
for path in ('/new', '/usr/new', '/dev/new', '/proc/sys/vm/swappiness', '/proc/sysrq-trigger'):
    try:
        open(path, 'w').write('1')
        print('WROTE', path)
    except OSError:
        pass
try:
    socket.create_connection(('127.0.0.1', 1), 1)
except OSError as error:
    print(type(error).__name__)
print(os.listdir('/sys/class/net') if os.path.exists('/sys/class/net') else 'no sys')
print(len([p for p in os.listdir('/proc') if p.isdigit()]))
print(open('/proc/self/status').read())
)",
                    file.fileName().toStdString()};
    const auto outcome = sandbox.run(command, {});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.output.find("True") == std::string::npos, outcome.output.c_str());
    QVERIFY2(outcome.output.find("WROTE") == std::string::npos, outcome.output.c_str());
    QVERIFY(outcome.output.find("CapEff:\t0000000000000000") != std::string::npos);
    QVERIFY(outcome.output.find("NoNewPrivs:\t1") != std::string::npos);
}

void TestSandbox::requiredRefusesWithoutBubblewrap()
{
    SandboxCommand command = shell("echo ran");
    command.required = true;
    const auto outcome = Sandbox("").run(command, {});
    QCOMPARE(outcome.end, End::Refused);
    QVERIFY(outcome.problem.find("apt install bubblewrap") != std::string::npos);
    QCOMPARE(outcome.outputBytes, 0);
}

void TestSandbox::aStopEndsTheWholeTree()
{
    NEED_SANDBOX(sandbox);
    const std::string marker = newMarker();
    std::stop_source source;
    std::chrono::steady_clock::time_point stopped;
    std::size_t running = 0;
    const auto outcome =
        sandbox.run(daemonCommand(marker), source.get_token(), [&](std::string_view text) {
            if (text.find("daemon") == std::string_view::npos)
                return;
            running = processesWith(marker).size();
            stopped = std::chrono::steady_clock::now();
            source.request_stop();
        });
    const auto quiet = std::chrono::steady_clock::now() - stopped;
    QCOMPARE(outcome.end, End::Cancelled);
    QVERIFY(running >= 2);
    const auto left = processesWith(marker);
    QVERIFY2(left.empty(), left.empty() ? "" : left[0].c_str());
    qInfo("quiet after %.1f ms", std::chrono::duration<double, std::milli>(quiet).count());
}

void TestSandbox::whatIsLeftBehindEndsWithTheCommand()
{
    NEED_SANDBOX(sandbox);
    const std::string marker = newMarker();
    SandboxCommand command = daemonCommand(marker);
    command.argv[2].replace(command.argv[2].rfind("time.sleep(60)"), 14, "sys.exit(0)");
    const auto outcome = sandbox.run(command, {});
    QCOMPARE(outcome.end, End::Exited);
    QCOMPARE(outcome.exitCode, 0);
    const auto left = processesWith(marker);
    QVERIFY2(left.empty(), left.empty() ? "" : left[0].c_str());
}

void TestSandbox::theTreeDiesWithEmend()
{
    NEED_SANDBOX(sandbox);
    const std::string marker = newMarker();
    QProcess emend;
    emend.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("--hold"), QString::fromStdString(marker),
                 QLatin1String(bubblewrap ? "bubblewrap" : "limits")});
    QVERIFY(emend.waitForReadyRead(20'000));
    QVERIFY(processesWith(marker).size() >= 2);
    emend.kill();
    QVERIFY(emend.waitForFinished());
    // The kernel ends a tree in its own time; nothing tells when.
    QTRY_VERIFY_WITH_TIMEOUT(processesWith(marker).empty(), 5000);
}

void TestSandbox::theTreesMemoryIsLimited()
{
    NEED_SANDBOX(sandbox);
    SandboxCommand command;
    command.argv = {"/usr/bin/python3", "-c", R"(
import os, time
for _ in range(8):
    if os.fork() == 0:
        block = bytearray(os.urandom(1 << 20)) * 60
        time.sleep(60)
time.sleep(60)
)"};
    command.limits.memoryMb = 200; // each has less
    const auto outcome = sandbox.run(command, {});
    QCOMPARE(outcome.end, End::OutOfMemory);
}

void TestSandbox::outputIsKeptFromBothEnds()
{
    tools::KeptOutput output(200);
    for (int i = 0; i < 1000; ++i)
        output.add("line " + std::to_string(i) + "\n");
    QCOMPARE(output.bytes(), 8890);
    const std::string kept = output.take();
    QVERIFY(kept.size() <= 200);
    QVERIFY(kept.starts_with("line 0\nline 1\n"));
    QVERIFY(kept.ends_with("line 998\nline 999\n"));
    QVERIFY(kept.find("bytes of output are left out here") != std::string::npos);
    tools::KeptOutput small(200);
    small.add("all of it");
    QCOMPARE(small.take(), std::string("all of it"));
}

void TestSandbox::hostileFoldersAreRemoved()
{
    const std::size_t before = entriesIn(m_temporary.path(), "emend-");
    QTemporaryDir outside;
    outside.setAutoRemove(true);
    QFile treasure(outside.filePath(QStringLiteral("treasure")));
    QVERIFY(treasure.open(QIODevice::WriteOnly));
    treasure.close();
    QVERIFY(QFile::setPermissions(outside.path(), QFile::Permissions(0x7777)));
    SandboxCommand command;
    command.argv = {"/usr/bin/python3", "-c", R"(
import os, sys
os.symlink(sys.argv[1], 'link')
os.mkdir('locked'); open('locked/file', 'w').close(); os.symlink(sys.argv[1], 'locked/link')
os.mkfifo('locked/pipe')
os.chmod('locked', 0)
for _ in range(3000):
    os.mkdir('d' * 200); os.chdir('d' * 200)
os.mkdir('locked'); os.chmod('.', 0)
print('done')
)",
                    outside.path().toStdString()};
    command.limits.entries = 1'000'000;
    const auto outcome = Sandbox("").run(command, {});
    QVERIFY2(outcome.end == End::TooManyFiles || outcome.output == "done\n",
             outcome.output.c_str());
    QCOMPARE(entriesIn(m_temporary.path(), "emend-"), before);
    QVERIFY(treasure.exists());
}

void TestSandbox::aHundredRunsLeaveNothing()
{
    NEED_SANDBOX(sandbox);
    const std::string marker = newMarker();
    SandboxCommand command = shell("sleep 60 & echo out; : > file");
    command.environment = {{"EMEND_MARKER", marker}};
    (void)sandbox.run(command, {}); // whatever is made once
    const std::size_t files = openFiles();
    const std::size_t folders = entriesIn(m_temporary.path(), "emend-");
    for (int i = 0; i < 100; ++i) {
        const auto outcome = sandbox.run(command, {});
        QCOMPARE(outcome.end, End::Exited);
        QVERIFY2(outcome.output == "out\n", outcome.output.c_str());
    }
    QCOMPARE(openFiles(), files);
    QCOMPARE(entriesIn(m_temporary.path(), "emend-"), folders);
    QVERIFY(processesWith(marker).empty());
}

// As `--hold MARKER WAY` the program plays an Emend that is killed while a command runs.
int main(int argc, char **argv)
{
    if (argc == 4 && std::string_view(argv[1]) == "--hold") {
        const Sandbox sandbox(std::string_view(argv[3]) == "limits" ? std::string()
                                                                    : Sandbox::findBubblewrap());
        SandboxCommand command = daemonCommand(argv[2]);
        command.limits.wallUs = 60'000'000;
        (void)sandbox.run(command, {}, [](std::string_view text) {
            std::printf("%s", std::string(text).c_str());
            std::fflush(stdout);
        });
        return 0;
    }
    const QCoreApplication application(argc, argv);
    TestSandbox test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_sandbox.moc"
