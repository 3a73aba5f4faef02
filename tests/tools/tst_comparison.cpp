// SPDX-License-Identifier: GPL-3.0-or-later
// Two solutions on generated inputs, and what is found out before there is any solution.
#include "tests/tools/owntemporary.h"
#include "tests/tools/processwatch.h"
#include "tests/tools/verifycause.h"
#include "tools/clock/steadyclock.h"
#include "tools/verify/registry.h"
#include "tools/verify/verdict.h"

#include <QTest>

#include <thread>

using namespace emend;

using Kind = core::VerifyOutcome::Kind;
using Status = core::TestResult::Status;

namespace {

const char *const pythonTests = "from solution import f\n\ndef test_f():\n    assert f(1) == 1\n";
const char *const counts = "for n in range(40):\n    print(n)\n";
const char *const identity = "def f(n):\n    return n\n";

} // namespace

class TestComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void solutionsAreComparedByWhatTheyReturn_data();
    void solutionsAreComparedByWhatTheyReturn();
    void whatDiffersIsTold();
    void noTrickMakesThemAgree_data();
    void noTrickMakesThemAgree();
    void aGeneratorThatIsNoUseIsSaidSo_data();
    void aGeneratorThatIsNoUseIsSaidSo();
    void howTheyAreCalledMayBeWrong_data();
    void howTheyAreCalledMayBeWrong();
    void commandsAreComparedByTheirOutput_data();
    void commandsAreComparedByTheirOutput();
    void onlySoManyInputsAreUsed();
    void aStopIsQuiet();
    void settingsHaveToFitTheVerifier_data();
    void settingsHaveToFitTheVerifier();
    void whatCannotJudgeSaysSoBeforeAnyAttempt_data();
    void whatCannotJudgeSaysSoBeforeAnyAttempt();

private:
    core::VerifyOutcome compare(const std::string &first, const std::string &second,
                                std::stop_token stop = {})
    {
        const auto verifier = tools::makeVerifier(m_settings, {&m_clock, m_chosen});
        if (!verifier)
            return tools::cannotVerify(verifier.error().pointer, verifier.error().message);
        core::VerifyRequest request{"generated", second, m_settings.tests, &m_settings};
        request.what = core::VerifyRequest::What::Compare;
        request.other = first;
        return core::judge(**verifier, request, {std::move(stop)}, {});
    }

    OwnTemporary m_temporary;
    tools::SteadyClock m_clock;
    tools::Sandbox m_real;
    tools::Sandbox m_limits{std::string()};
    tools::Sandbox *m_chosen = &m_real;
    core::CodeSettings m_settings;
};

void TestComparison::init()
{
    m_chosen = &m_real;
    m_settings = {};
    m_settings.tests = pythonTests;
    m_settings.generator = {"python3", "generator"};
    m_settings.generatorSource = counts;
    m_settings.compareFunction = "f";
}

void TestComparison::solutionsAreComparedByWhatTheyReturn_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QByteArray>("inputs"); // lines
    QTest::addColumn<bool>("agree");
    const auto row = [](const char *name, const char *first, const char *second, const char *inputs,
                        bool agree) {
        QTest::newRow(name) << QByteArray("def f(*a):\n    ") + first
                            << QByteArray("def f(*a):\n    ") + second << QByteArray(inputs)
                            << agree;
    };
    row("equal", "return a[0] + 1", "return 1 + a[0]", "1\n2\n", true);
    row("a list holds the arguments", "return a[0] * a[1]", "return a[1] * a[0]", "[2,3]\n", true);
    row("a list in a list is one", "return len(a)", "return 1", "[[1,2,3]]\n", true);
    row("an object is one", "return a[0]['k']", "return 7", "{\"k\":7}\n", true);
    row("large numbers", "return a[0] + 1", "return 123456789012345678901234567891",
        "123456789012345678901234567890\n", true);
    row("one of them differs", "return a[0]", "return a[0] if a[0] != 2 else 3", "1\n2\n", false);
    row("another type", "return 1", "return 1.0", "1\n", false);
    row("true is no number", "return 1", "return True", "1\n", false);
    row("a tuple is no list", "return (1, 2)", "return [1, 2]", "1\n", false);
    row("the order of a set", "return {'a', 'b', 'c'}", "return set('cba')", "1\n", true);
    row("the order of a dictionary", "return {1: 2, 3: 4}", "return {3: 4, 1: 2}", "1\n", true);
    row("the order of a sum", "return 0.1 + 0.2", "return 0.3", "1\n", true);
    row("floats that differ", "return 0.3001", "return 0.3", "1\n", false);
    row("iterators by what they give", "return iter([1, 2])", "return (n for n in (1, 2))", "1\n",
        true);
    row("iterators that differ", "return iter([1, 2])", "return iter([1, 3])", "1\n", false);
    row("the same exception", "raise ValueError('a')", "raise ValueError('b')", "1\n", true);
    row("another exception", "raise ValueError", "raise KeyError", "1\n", false);
    row("an exception or a value", "raise ValueError", "return None", "1\n", false);
    row("leaving is an exception", "raise SystemExit(0)", "return 1", "1\n", false);
    row("long results that end alike", "return 'a' * 9000 + 'b' + 'a' * 9000",
        "return 'a' * 9000 + 'c' + 'a' * 9000", "1\n", false);
    row("halves of characters", "return '\\ud800'", "return '\\ud800'", "1\n", true);
    row("blank lines are none", "return a", "return a", "\n1\n\n", true);
}

void TestComparison::solutionsAreComparedByWhatTheyReturn()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    QFETCH(QByteArray, inputs);
    QFETCH(bool, agree);
    m_settings.generator = {"printf", "%s", inputs.toStdString()};
    const auto outcome = compare(first.toStdString(), second.toStdString());
    VERIFY_CAUSE(outcome, agree ? Kind::Passed : Kind::Failed,
                 agree ? "" : "generated_inputs_differ");
    QCOMPARE(outcome.differences.empty(), agree);
    QCOMPARE(outcome.runs, 2);
}

void TestComparison::whatDiffersIsTold()
{
    const auto outcome =
        compare(identity, "def f(n):\n    return n if n < 38 else [1 / 0 for _ in '1']\n");
    VERIFY_CAUSE(outcome, Kind::Failed, "generated_inputs_differ");
    QCOMPARE(outcome.message, std::string("the solutions differ on 2 of 40 generated inputs"));
    QCOMPARE(outcome.tests.size(), 40U);
    QCOMPARE(outcome.tests[37].status, Status::Passed);
    QCOMPARE(outcome.tests[38].status, Status::Failed);
    QCOMPARE(outcome.tests[38].name, std::string("39: 38"));
    QCOMPARE(outcome.tests[38].message, std::string("first: 38\nsecond: raises ZeroDivisionError"));
    QCOMPARE(outcome.differences.size(), 2U);
    QCOMPARE(outcome.differences[1].input, std::string("39"));
    QCOMPARE(outcome.differences[1].first, std::string("39"));
    QCOMPARE(outcome.differences[1].second, std::string("raises ZeroDivisionError"));
}

void TestComparison::noTrickMakesThemAgree_data()
{
    QTest::addColumn<QByteArray>("hostile");
    QTest::addColumn<QByteArray>("told"); // of its first result that is not the other's
    const auto row = [](const char *name, const QByteArray &hostile, const char *told) {
        QTest::newRow(name) << hostile << QByteArray(told);
    };
    row("an endless loop", "def f(n):\n    while n == 7:\n        pass\n    return n\n",
        "no result: it did not end within 2 s");
    row("leaves without a word", "import os\n\ndef f(n):\n    return n if n < 7 else os._exit(0)\n",
        "no result: it ended with exit code 0");
    row("is ended by a signal",
        "import os\n\ndef f(n):\n    return n if n < 7 else os.kill(os.getpid(), 11)\n",
        "no result: it ended with signal 11");
    row("forks without end",
        "import os\n\ndef f(n):\n    while n == 7:\n        try:\n            os.fork()\n"
        "        except OSError:\n            pass\n    return n\n",
        "no result: it did not end within 2 s");
    row("floods", "def f(n):\n    while n == 7:\n        print('x' * 100000)\n    return n\n",
        "no result: ");
    // Which limit ends it is not left to chance: one process asks for too much at once, or many
    // take it together.
    row("asks for too much memory", "def f(n):\n    return bytearray(10 << 30) if n == 7 else n\n",
        "raises MemoryError");
    row("takes all memory in many processes",
        "import os, time\n\ndef f(n):\n    if n == 7:\n        for _ in range(8):\n"
        "            if os.fork() == 0:\n                kept = b'x' * (100 << 20)\n"
        "                time.sleep(60)\n        time.sleep(60)\n    return n\n",
        "no result: ended because it took more than 512 MiB of memory");
    // Whatever it writes there, it has to be what the other returns.
    row("writes its own results",
        "import glob\n\ndef f(n):\n    for name in glob.glob('result*'):\n"
        "        with open(name, 'wb') as out:\n            out.write(b'0 4\\nsame\\n' * 40)\n"
        "    return n\n",
        "same");
    row("closes the results",
        "import os\n\ndef f(n):\n    if n == 7:\n        os.closerange(3, 64)\n    return n\n",
        "no result: it ended with exit code 1");
    row("replaces the inputs",
        "import os\n\ndef f(n):\n    try:\n        os.remove('inputs.jsonl')\n"
        "    except OSError:\n        pass\n    return -n\n",
        "-1");
    const QByteArray look =
        "import os\n\n"
        "def seen():\n"
        "    places = ['/box', '/tmp', '/dev/shm', '/var/tmp', '/proc']\n"
        "    for place in places:\n"
        "        for folder, below, files in os.walk(place):\n"
        "            if folder.count('/') > 3 or (place == '/proc' and folder.count('/') == 2):\n"
        "                below.clear()\n"
        "            for name in files:\n"
        "                path = os.path.join(folder, name)\n"
        "                if place == '/proc' and name not in ('cmdline', 'environ') or not "
        "os.path.isfile(path):\n"
        "                    continue\n"
        "                try:\n"
        "                    with open(path, 'rb') as file:\n"
        "                        if b'SECRET' + b'-7261' in file.read(1 << 20):\n"
        "                            return True\n"
        "                except OSError:\n"
        "                    pass\n"
        "    return False\n\n"
        "there = seen()\n\n";
    row("looks for the other solution", look + "def f(n):\n    return n if there else 'not seen'\n",
        "'not seen'");
}

void TestComparison::noTrickMakesThemAgree()
{
    QFETCH(QByteArray, hostile);
    QFETCH(QByteArray, told);
    const std::string honest = std::string("# SECRET-7261\n") + identity;
    m_settings.timeoutSeconds = 2;
    for (const bool limits : {false, true}) {
        if (!limits && !m_real.probe().bubblewrap)
            continue;
        m_chosen = limits ? &m_limits : &m_real;
        for (const bool hostileFirst : {true, false}) {
            const auto outcome = hostileFirst ? compare(hostile.toStdString(), honest)
                                              : compare(honest, hostile.toStdString());
            VERIFY_CAUSE(outcome, Kind::Failed, "generated_inputs_differ");
            QVERIFY(!outcome.differences.empty());
            const auto &difference = outcome.differences[0];
            const std::string &itsOwn = hostileFirst ? difference.first : difference.second;
            QVERIFY2(itsOwn.starts_with(told.toStdString()), itsOwn.c_str());
            QCOMPARE(outcome.sandbox, std::string(limits ? "limits" : "bubblewrap"));
            QCOMPARE(entriesIn(m_temporary.path()), 0U);
        }
    }
}

void TestComparison::aGeneratorThatIsNoUseIsSaidSo_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, const char *source, const char *words) {
        QTest::newRow(name) << QByteArray(source) << QByteArray(words);
    };
    row("fails", "print(1)\nraise ValueError('no seed')", "exit code 1: ValueError: no seed");
    row("prints nothing", "import sys\nprint('hello', file=sys.stderr)", "printed nothing");
    row("prints no JSON", "print(1)\nprint('two')", "line 2 that is no JSON: \"two\"");
    row("prints NaN", "print(float('nan'))", "no JSON");
    row("never ends", "while True: pass", "did not end within 2 s");
    row("prints for ever", "while True: print('[1,2,3,4,5,6,7,8,9,10]' * 100)", "the generator ");
    row("prints far too much", "print('\"' + 'x' * (5 << 20) + '\"')", "more than 4 MiB");
    row("crashes", "import os; os.kill(os.getpid(), 11)", "signal 11");
}

void TestComparison::aGeneratorThatIsNoUseIsSaidSo()
{
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, words);
    m_settings.timeoutSeconds = 2;
    m_settings.generatorSource = source.toStdString();
    const auto outcome = compare(identity, identity);
    VERIFY_CAUSE(outcome, Kind::CannotVerify, "bad_generator");
    QVERIFY2(outcome.message.find(words.toStdString()) != std::string::npos,
             outcome.message.c_str());
    const auto verifier = tools::makeVerifier(m_settings, {&m_clock, m_chosen});
    const auto before = (*verifier)->prepare(m_settings, {});
    VERIFY_CAUSE(before, Kind::CannotVerify, "bad_generator");
}

void TestComparison::howTheyAreCalledMayBeWrong_data()
{
    QTest::addColumn<QByteArray>("function");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArray>("cause");
    QTest::newRow("neither has the function")
        << QByteArray("g") << QByteArray("1\n2\n") << QByteArray("bad_settings");
    QTest::newRow("too many arguments on every line")
        << QByteArray("f") << QByteArray("[1,2]\n[3,4]\n") << QByteArray("bad_generator");
}

void TestComparison::howTheyAreCalledMayBeWrong()
{
    QFETCH(QByteArray, function);
    QFETCH(QByteArray, inputs);
    QFETCH(QByteArray, cause);
    m_settings.compareFunction = function.toStdString();
    m_settings.generator = {"printf", "%s", inputs.toStdString()};
    const auto both = compare(identity, identity);
    VERIFY_CAUSE(both, Kind::CannotVerify, cause.toStdString());
    // Where one of them can be called, the other is at fault.
    const auto one = compare(identity, "def g(n):\n    return n\ndef f(a, b):\n    return a\n");
    QVERIFY2(one.kind == Kind::Failed, describe(one).c_str());
}

void TestComparison::commandsAreComparedByTheirOutput_data()
{
    QTest::addColumn<QByteArray>("second"); // a shell script; the first is `cat`
    QTest::addColumn<QByteArray>("told");   // empty: they agree
    const auto row = [](const char *name, const char *second, const char *told) {
        QTest::newRow(name) << QByteArray(second) << QByteArray(told);
    };
    row("the same", "read -r line; echo \"$line\"", "");
    row("another output", "read -r line; echo \"$line!\"", "1!\n");
    row("another exit code", "cat; exit 3", "exit code 3: 1\n");
    row("a crash", "read -r line; echo \"$line\"; kill -9 $$", "exit code 137: 1\n");
    row("does not read", "echo 0", "0\n");
    row("wants the other inputs", "cat; cat <&3", "exit code 2: 1\n"); // there is no descriptor 3
    row("never ends", "cat; sleep 100", "no result: it did not end within 2 s");
    row("ends all there is", "kill -9 -1", "no result: ");
    row("more than is kept", "head -c 9000 /dev/zero | tr '\\0' x", "xxx");
}

void TestComparison::commandsAreComparedByTheirOutput()
{
    QFETCH(QByteArray, second);
    QFETCH(QByteArray, told);
    m_settings.verifier = "command";
    m_settings.language = "bash";
    m_settings.command = {"sh", "test_solution.sh"};
    m_settings.tests = "exit 0";
    m_settings.generator = {"sh", "-c", "echo 1; echo 2; echo 3"};
    m_settings.compareFunction.clear();
    m_settings.compareCommand = {"sh", "solution.sh"};
    m_settings.timeoutSeconds = 2;
    const auto outcome = compare("cat", second.toStdString());
    VERIFY_CAUSE(outcome, told.isEmpty() ? Kind::Passed : Kind::Failed,
                 told.isEmpty() ? "" : "generated_inputs_differ");
    if (!told.isEmpty())
        QVERIFY2(outcome.differences.at(0).second.starts_with(told.toStdString()),
                 outcome.differences[0].second.c_str());
}

void TestComparison::onlySoManyInputsAreUsed()
{
    m_settings.generatorSource = "for n in range(1500): print(n)";
    const auto outcome = compare(identity, identity);
    VERIFY_CAUSE(outcome, Kind::Passed, "");
    QCOMPARE(outcome.tests.size(), 1000U);
}

void TestComparison::aStopIsQuiet()
{
    std::stop_source stop;
    std::int64_t asked = 0;
    std::jthread later([&] {
        // "Cancelled" at whatever point it comes.
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        asked = m_clock.nowUs();
        stop.request_stop();
    });
    const auto outcome = compare("def f(n):\n    while True: pass\n", identity, stop.get_token());
    const std::int64_t took = m_clock.nowUs() - asked;
    QCOMPARE(outcome.kind, Kind::Cancelled);
    QVERIFY2(took < 100'000, std::to_string(took).c_str());
}

void TestComparison::settingsHaveToFitTheVerifier_data()
{
    QTest::addColumn<QByteArray>("verifier");
    QTest::addColumn<bool>("function");
    QTest::addColumn<QByteArray>("pointer");
    QTest::newRow("pytest by a command")
        << QByteArray("pytest") << false << QByteArray("/code/compare");
    QTest::newRow("a command by a function")
        << QByteArray("command") << true << QByteArray("/code/compare");
    QTest::newRow("a schema") << QByteArray("json_schema") << true << QByteArray("/code/generator");
    QTest::newRow("a query") << QByteArray("sql") << false << QByteArray("/code/generator");
}

void TestComparison::settingsHaveToFitTheVerifier()
{
    QFETCH(QByteArray, verifier);
    QFETCH(bool, function);
    QFETCH(QByteArray, pointer);
    m_settings.verifier = verifier.toStdString();
    m_settings.compareFunction = function ? "f" : "";
    m_settings.compareCommand = {function ? "" : "x"};
    if (function)
        m_settings.compareCommand.clear();
    const auto made = tools::makeVerifier(m_settings, {&m_clock, m_chosen});
    QVERIFY(!made);
    QCOMPARE(made.error().pointer, pointer.toStdString());
}

void TestComparison::whatCannotJudgeSaysSoBeforeAnyAttempt_data()
{
    QTest::addColumn<QByteArray>("setting"); // what is other than it should be
    QTest::addColumn<QByteArray>("cause");   // empty: all is well
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *setting, const char *cause, const char *words) {
        QTest::newRow(setting) << QByteArray(setting) << QByteArray(cause) << QByteArray(words);
    };
    row("nothing", "", "");
    row("no pytest program", "not_installed", "/nonexistent/pytest");
    row("sandbox required", "sandbox_unavailable", "");
    row("tests without a test", "no_tests", "test_solution.py has no test");
    row("edge tests without a test", "no_tests", "edge tests: test_solution.py has no test");
    row("edge tests that nobody runs", "", "");
    row("edge tests with a fault", "bad_tests", "edge tests: ");
    row("no generator program", "not_installed", "generator");
    row("a command that is not there", "not_installed", "no-such-program");
    row("a comparison that is not there", "not_installed", "no-such-comparison");
    row("a comparison made in the folder", "", "");
    row("a schema that is none", "bad_tests", "edge tests: the JSON Schema");
    row("a query without cases", "no_tests", "edge tests: there are no test cases");
}

void TestComparison::whatCannotJudgeSaysSoBeforeAnyAttempt()
{
    QFETCH(QByteArray, cause);
    QFETCH(QByteArray, words);
    const QByteArray setting = QTest::currentDataTag();
    m_settings.edgeTests = std::string("# edge\n") + pythonTests;
    if (setting == "no pytest program")
        m_settings.command = {"/nonexistent/pytest"};
    if (setting == "sandbox required") {
        m_settings.sandboxRequired = true;
        m_chosen = &m_limits;
    }
    if (setting == "tests without a test")
        m_settings.tests = "x = 1\n";
    if (setting.startsWith("edge tests"))
        m_settings.edgeTests = setting.endsWith("a fault") ? "def (:\n" : "x = 1\n";
    if (setting == "edge tests that nobody runs")
        m_settings.gate = false;
    if (setting == "no generator program")
        m_settings.generator = {"no-such-generator"};
    if (setting.startsWith("a co")) {
        m_settings.verifier = "command";
        m_settings.command = {setting.startsWith("a command") ? "no-such-program" : "sh"};
        m_settings.compareFunction.clear();
        m_settings.compareCommand = {setting.endsWith("folder") ? "./made" : "no-such-comparison"};
    }
    if (setting.startsWith("a schema") || setting.startsWith("a query")) {
        const bool schema = setting.startsWith("a schema");
        m_settings.verifier = schema ? "json_schema" : "sql";
        m_settings.generator.clear();
        m_settings.tests = schema ? "{}" : R"({"cases":[{"name":"a","rows":[[1]]}]})";
        m_settings.edgeTests = schema ? "{\"type\":7}" : R"({"cases":[]})";
    }
    const auto verifier = tools::makeVerifier(m_settings, {&m_clock, m_chosen});
    QVERIFY2(verifier, verifier ? "" : verifier.error().message.c_str());
    const auto outcome = (*verifier)->prepare(m_settings, {});
    VERIFY_CAUSE(outcome, cause.isEmpty() ? Kind::Passed : Kind::CannotVerify, cause.toStdString());
    QVERIFY2(outcome.message.find(words.toStdString()) != std::string::npos,
             outcome.message.c_str());
    std::stop_source stopped;
    stopped.request_stop();
    QCOMPARE((*verifier)->prepare(m_settings, {stopped.get_token()}).kind, Kind::Cancelled);
}

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
