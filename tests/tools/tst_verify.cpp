// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/owntemporary.h"
#include "tests/tools/processwatch.h"
#include "tests/tools/verifycause.h"
#include "tools/clock/steadyclock.h"
#include "tools/verify/junit.h"
#include "tools/verify/registry.h"
#include "tools/verify/verdict.h"

#include <QTest>

#include <set>
#include <thread>

using namespace emend;

using Kind = core::VerifyOutcome::Kind;
using Status = core::TestResult::Status;

namespace {

const char *const tests = R"(
import pytest
from solution import is_palindrome

@pytest.mark.parametrize("text", ["", "a", "abba", "Anna"])
def test_yes(text):
    assert is_palindrome(text)

class TestMore:
    def test_no(self):
        assert not is_palindrome("ab")
)";
const char *const right = R"(
def is_palindrome(text):
    text = text.lower()
    return text == text[::-1]
)";
const char *const wrong = R"(
def is_palindrome(text):
    return text == text[::-1]
)";

} // namespace

class TestVerify : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyVerifierIsWholeAndFound();
    void settingsThatDoNotFitAreRefused();
    void aRightSolutionPasses();
    void aWrongSolutionFailsWithItsTests();
    void theCauseFitsTheFault_data();
    void theCauseFitsTheFault();
    void testsAreJudgedFirst_data();
    void testsAreJudgedFirst();
    void testsAreCountedAsFarAsCanBeTold_data();
    void testsAreCountedAsFarAsCanBeTold();
    void testsThatSkipThemselvesMay();
    void aStopDuringARunIsQuiet();
    void aStoppedTokenCancelsBeforeAnythingHappens();
    void theTimeOfTheRunIsNoFaultOfTheAttempt();
    void requiredRefusesWithoutBubblewrap();
    void outputComesWhileItRuns();
    void manyVerificationsLeaveNothing();
    void junitIsRead_data();
    void junitIsRead();
    void tapIsRead();

private:
    core::VerifyOutcome verify(const std::string &solution, const std::string &testText,
                               const core::CallContext &context = {},
                               const std::function<void(std::string_view)> &onOutput = {})
    {
        const auto verifier = tools::makeVerifier(m_settings, {&m_clock, &m_sandbox});
        if (!verifier)
            return tools::cannotVerify("bad_settings", verifier.error().message);
        return (*verifier)->verify({"tests", solution, testText, &m_settings}, context, onOutput);
    }

    OwnTemporary m_temporary;
    tools::SteadyClock m_clock;
    tools::Sandbox m_sandbox;
    core::CodeSettings m_settings;
};

void TestVerify::everyVerifierIsWholeAndFound()
{
    std::set<std::string> names;
    for (const tools::VerifierSpec &spec : tools::verifierSpecs()) {
        QVERIFY(names.insert(spec.name).second);
        QVERIFY(spec.description.size() > 10);
        QVERIFY(!spec.language.empty());
        core::CodeSettings settings;
        settings.verifier = spec.name;
        const auto made = tools::makeVerifier(settings, {&m_clock, &m_sandbox});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        settings.options = {{"surprise", 1}};
        QVERIFY(!tools::makeVerifier(settings, {&m_clock, &m_sandbox}));
        // Without tests and without a command there is nothing to judge by.
        settings.options = {};
        const auto outcome = (*made)->verify({"tests", "x", "  \n", &settings}, {}, {});
        QCOMPARE(outcome.kind, Kind::CannotVerify);
        QVERIFY(!outcome.message.empty());
    }
    QVERIFY(names == (std::set<std::string>{"pytest", "command", "json_schema", "sql"}));
}

void TestVerify::settingsThatDoNotFitAreRefused()
{
    m_settings = {};
    const auto pointer = [this] {
        const auto made = tools::makeVerifier(m_settings, {&m_clock, &m_sandbox});
        return made ? std::string("made") : made.error().pointer;
    };
    m_settings.verifier = "nose";
    QCOMPARE(pointer(), std::string("/code/verifier"));
    m_settings = {};
    m_settings.solutionName = "../solution.py";
    QCOMPARE(pointer(), std::string("/code/solution_name"));
    m_settings.solutionName = m_settings.testsName = "same.py";
    QCOMPARE(pointer(), std::string("/code/tests_name"));
    m_settings = {};
    m_settings.report = "/etc/passwd";
    QCOMPARE(pointer(), std::string("/code/report"));
    m_settings = {};
    m_settings.options = {{"plugins", 3}};
    QCOMPARE(pointer(), std::string("/code/options/plugins"));
}

void TestVerify::aRightSolutionPasses()
{
    m_settings = {};
    const auto outcome = verify(right, tests);
    VERIFY_CAUSE(outcome, Kind::Passed, "");
    QCOMPARE(outcome.collected, 5);
    QCOMPARE(outcome.tests.size(), std::size_t(5));
    QCOMPARE(outcome.tests[4].name, std::string("TestMore::test_no"));
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(outcome.runs, 2);
    QVERIFY(outcome.commandUs > 0 && outcome.durationUs > 0);
    QVERIFY(!outcome.sandbox.empty());
    QCOMPARE(outcome.message, std::string("5 tests passed"));
    QVERIFY(outcome.output.find("generated xml") == std::string::npos);
}

void TestVerify::aWrongSolutionFailsWithItsTests()
{
    m_settings = {};
    const auto outcome = verify(wrong, tests);
    VERIFY_CAUSE(outcome, Kind::Failed, "tests_failed");
    QCOMPARE(outcome.message, std::string("1 of 5 tests failed: test_yes[Anna]"));
    const auto failed =
        std::find_if(outcome.tests.begin(), outcome.tests.end(),
                     [](const core::TestResult &test) { return test.status == Status::Failed; });
    QVERIFY(failed != outcome.tests.end());
    QVERIFY(failed->message.find("assert False") != std::string::npos);
    QVERIFY(outcome.output.find("Anna") != std::string::npos);
    QVERIFY(outcome.outputBytes >= std::int64_t(outcome.output.size()));
    QCOMPARE(outcome.exitCode, 1);
}

void TestVerify::theCauseFitsTheFault_data()
{
    QTest::addColumn<QByteArray>("solution");
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no Python") << QByteArray("def is_palindrome(:\n")
                               << QByteArray("collection_error")
                               << QByteArray("SyntaxError: invalid syntax");
    QTest::newRow("another name") << QByteArray("def palindrome(text): pass\n")
                                  << QByteArray("collection_error")
                                  << QByteArray("cannot import name 'is_palindrome'");
    QTest::newRow("nothing") << QByteArray() << QByteArray("collection_error")
                             << QByteArray("cannot import name");
    QTest::newRow("no UTF-8") << QByteArray("x = '\xff\xfe'\n") << QByteArray("collection_error")
                              << QByteArray("codec can't decode");
    QTest::newRow("crash") << QByteArray("import os\ndef is_palindrome(t): os.abort()\n")
                           << QByteArray("crashed") << QByteArray("signal 6");
    QTest::newRow("endless") << QByteArray("def is_palindrome(t):\n    while True: pass\n")
                             << QByteArray("timeout") << QByteArray("within 2 s");
    QTest::newRow("a result by chance")
        << QByteArray("import os\nR = os.urandom(64)\ndef is_palindrome(t): return t in R.hex()\n")
        << QByteArray("flipped tests_failed") << QByteArray();
}

void TestVerify::theCauseFitsTheFault()
{
    QFETCH(QByteArray, solution);
    QFETCH(QByteArray, cause);
    QFETCH(QByteArray, words);
    m_settings = {};
    m_settings.timeoutSeconds = 2;
    const auto outcome = verify(solution.toStdString(), tests);
    QVERIFY2(outcome.kind == Kind::Failed, describe(outcome).c_str());
    QVERIFY2(cause.split(' ').contains(QByteArray::fromStdString(outcome.cause)),
             describe(outcome).c_str());
    QVERIFY2(outcome.message.find(words.toStdString()) != std::string::npos,
             describe(outcome).c_str());
}

void TestVerify::testsAreJudgedFirst_data()
{
    QTest::addColumn<QByteArray>("testText");
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("empty") << QByteArray(" \n") << QByteArray("no_tests") << QByteArray("test_");
    QTest::newRow("no test") << QByteArray("def helper(): pass\n") << QByteArray("no_tests")
                             << QByteArray("has no test in it");
    QTest::newRow("no Python") << QByteArray("x = 1\ndef test_a(:\n    pass\n")
                               << QByteArray("bad_tests") << QByteArray("line 2");
    QTest::newRow("a module that is not there")
        << QByteArray("import not_installed_anywhere\ndef test_a(): pass\n")
        << QByteArray("bad_tests") << QByteArray("not_installed_anywhere");
    QTest::newRow("an error of its own") << QByteArray("1 / 0\ndef test_a(): pass\n")
                                         << QByteArray("bad_tests") << QByteArray("division");
    QTest::newRow("the end of Python") << QByteArray("import os\nos._exit(3)\n")
                                       << QByteArray("bad_tests") << QByteArray("ends Python");
}

void TestVerify::testsAreJudgedFirst()
{
    QFETCH(QByteArray, testText);
    QFETCH(QByteArray, cause);
    QFETCH(QByteArray, words);
    m_settings = {};
    for (const char *solution : {right, "import os\nos._exit(0)\n"}) {
        const auto outcome = verify(solution, testText.toStdString());
        VERIFY_CAUSE(outcome, Kind::CannotVerify, cause.toStdString());
        QVERIFY2(outcome.message.find(words.toStdString()) != std::string::npos,
                 describe(outcome).c_str());
    }
}

void TestVerify::testsAreCountedAsFarAsCanBeTold_data()
{
    QTest::addColumn<QByteArray>("testText");
    QTest::addColumn<int>("collected");
    QTest::newRow("a star") << QByteArray("from solution import *\ndef test_a(): assert f() == 1\n")
                            << -1;
    QTest::newRow("cases of the solution")
        << QByteArray("import pytest, solution\n"
                      "@pytest.mark.parametrize('x', solution.CASES)\n"
                      "def test_a(x): assert solution.f() == 1\n")
        << -1;
    QTest::newRow("a class of the solution")
        << QByteArray("import unittest, solution\n"
                      "class TestIt(solution.Base): \n"
                      "    def test_a(self): assert solution.f() == 1\n")
        << -1;
    QTest::newRow("a name only") << QByteArray("import solution\nF = solution.f\n"
                                               "def test_a(): assert F() == 1\n"
                                               "def test_b(): assert F() == 1\n")
                                 << 2;
    QTest::newRow("a fixture") << QByteArray("import pytest\nfrom solution import f\n"
                                             "@pytest.fixture\ndef test_data(): return f()\n"
                                             "def test_a(test_data): assert test_data == 1\n")
                               << 1;
}

void TestVerify::testsAreCountedAsFarAsCanBeTold()
{
    QFETCH(QByteArray, testText);
    QFETCH(int, collected);
    m_settings = {};
    const auto outcome =
        verify("CASES = [1, 2]\nclass Base: pass\ndef f(): return 1\n", testText.toStdString());
    VERIFY_CAUSE(outcome, Kind::Passed, "");
    QCOMPARE(outcome.collected, collected);
}

void TestVerify::testsThatSkipThemselvesMay()
{
    m_settings = {};
    const std::string own = "import pytest\nfrom solution import f\n"
                            "def test_a(): assert f() == 1\n";
    const std::string f = "def f(): return 1\n";
    const auto marked = verify(f, own + "@pytest.mark.skip\ndef test_b(): f()\n"
                                        "@pytest.mark.xfail\ndef test_c(): assert f() == 2\n");
    VERIFY_CAUSE(marked, Kind::Passed, "");
    QCOMPARE(marked.tests.size(), std::size_t(3));
    const auto itself = verify(f, own + "def test_b(): pytest.skip('no')\n");
    VERIFY_CAUSE(itself, Kind::Passed, "");
    // The same result, and the tests know nothing of it.
    const auto attempt = verify("import pytest\ndef f(x=1):\n    if x == 2: pytest.skip('no')\n"
                                "    return 1\n",
                                own + "def test_b(): assert f(2) == 2\n");
    VERIFY_CAUSE(attempt, Kind::Failed, "count_mismatch");
}

void TestVerify::aStopDuringARunIsQuiet()
{
    m_settings = {};
    m_settings.testsName = "test_stop_" + std::to_string(::getpid()) + ".py";
    std::stop_source source;
    std::int64_t stopped = 0;
    std::jthread stopper([&] {
        // Once both runs are there, which their command lines tell.
        while (processesWith(m_settings.testsName).size() < 4)
            std::this_thread::yield();
        stopped = m_clock.nowUs();
        source.request_stop();
    });
    const auto outcome = verify("import time\ndef is_palindrome(t): time.sleep(60)\n", tests,
                                {source.get_token(), INT64_MAX});
    const std::int64_t quiet = m_clock.nowUs() - stopped;
    stopper.join();
    QCOMPARE(outcome.kind, Kind::Cancelled);
    QVERIFY(processesWith(m_settings.testsName).empty());
    qInfo("quiet after %.1f ms", double(quiet) / 1000);
}

void TestVerify::aStoppedTokenCancelsBeforeAnythingHappens()
{
    std::stop_source source;
    source.request_stop();
    for (const tools::VerifierSpec &spec : tools::verifierSpecs()) {
        m_settings = {};
        m_settings.verifier = spec.name;
        const auto outcome = verify(right, tests, {source.get_token(), INT64_MAX});
        QCOMPARE(outcome.kind, Kind::Cancelled);
        QCOMPARE(outcome.runs, 0);
    }
}

void TestVerify::theTimeOfTheRunIsNoFaultOfTheAttempt()
{
    m_settings = {};
    (void)verify(right, tests); // finds Python, which has no deadline to keep
    const auto outcome = verify("import time\ndef is_palindrome(t): time.sleep(60)\n", tests,
                                {{}, m_clock.nowUs() + 1'000'000});
    VERIFY_CAUSE(outcome, Kind::Cancelled, "deadline");
    QVERIFY(outcome.durationUs < 5'000'000);
}

void TestVerify::requiredRefusesWithoutBubblewrap()
{
    const tools::Sandbox none("");
    for (const char *name : {"pytest", "sql", "command"}) {
        m_settings = {};
        m_settings.verifier = name;
        m_settings.command = {"true"};
        m_settings.sandboxRequired = true;
        const auto verifier = tools::makeVerifier(m_settings, {&m_clock, &none});
        QVERIFY(verifier);
        const char *const text = R"({"cases":[{"name":"a","rows":[]}]})";
        const auto outcome = (*verifier)->verify({"tests", right, text, &m_settings}, {}, {});
        VERIFY_CAUSE(outcome, Kind::CannotVerify, "sandbox_unavailable");
        QVERIFY(outcome.message.find("apt install bubblewrap") != std::string::npos);
        m_settings.sandboxRequired = false;
    }
    m_settings = {};
    const auto verifier = tools::makeVerifier(m_settings, {&m_clock, &none});
    const auto outcome = (*verifier)->verify({"tests", right, tests, &m_settings}, {}, {});
    VERIFY_CAUSE(outcome, Kind::Passed, "");
    QCOMPARE(outcome.sandbox, std::string("limits"));
}

void TestVerify::outputComesWhileItRuns()
{
    m_settings = {};
    std::stop_source source;
    bool heard = false;
    const auto outcome =
        verify("import os, time\nos.write(1, b'begun')\ndef is_palindrome(t): time.sleep(60)\n",
               tests, {source.get_token(), INT64_MAX}, [&](std::string_view text) {
                   heard = heard || text.find("begun") != std::string_view::npos;
                   if (heard)
                       source.request_stop();
               });
    // pytest keeps what a test prints; what goes past it is heard at once.
    QVERIFY(!heard || outcome.kind == Kind::Cancelled);
    std::string all;
    const auto passed = verify(right, tests, {}, [&](std::string_view text) { all += text; });
    QCOMPARE(passed.kind, Kind::Passed);
    QVERIFY(all.find("passed") != std::string::npos);
}

void TestVerify::manyVerificationsLeaveNothing()
{
    m_settings = {};
    m_settings.testsName = "test_many_" + std::to_string(::getpid()) + ".py";
    (void)verify(right, tests);
    const std::size_t files = openFiles(), folders = entriesIn(m_temporary.path());
    for (int i = 0; i < 100; ++i)
        QCOMPARE(verify(i % 2 == 0 ? right : wrong, tests).kind,
                 i % 2 == 0 ? Kind::Passed : Kind::Failed);
    QCOMPARE(openFiles(), files);
    QCOMPARE(entriesIn(m_temporary.path()), folders);
    QVERIFY(processesWith(m_settings.testsName).empty());
}

void TestVerify::junitIsRead_data()
{
    QTest::addColumn<QByteArray>("xml");
    QTest::addColumn<QByteArray>("expected"); // name=status …; "none": no report
    QTest::newRow("pytest")
        << QByteArray(
               "<testsuites><testsuite><testcase classname='m.C' name='a' time='0.5'/><testcase "
               "classname='m' name='b'><failure message='x'>text</failure></testcase></testsuite>"
               "</testsuites>")
        << QByteArray("C::a=passed b=failed");
    QTest::newRow("one suite only")
        << QByteArray(
               "<testsuite><testcase name='a'><skipped/></testcase><testcase name='b'><system-out>o"
               "</system-out><error/></testcase></testsuite>")
        << QByteArray("a=skipped b=error");
    QTest::newRow("suites in suites")
        << QByteArray(
               "<testsuites><testsuite><testsuite><testcase name='a'/></testsuite></testsuite>"
               "</testsuites>")
        << QByteArray("a=passed");
    QTest::newRow("a failure and an error")
        << QByteArray(
               "<testsuite><testcase name='a'><skipped/><failure/><error/></testcase></testsuite>")
        << QByteArray("a=failed");
    QTest::newRow("empty") << QByteArray("<testsuites/>") << QByteArray();
    QTest::newRow("cut") << QByteArray("<testsuite><testcase name='a'/>") << QByteArray("none");
    QTest::newRow("another XML") << QByteArray("<html><testcase name='a'/></html>")
                                 << QByteArray("none");
    QTest::newRow("nothing") << QByteArray() << QByteArray("none");
}

void TestVerify::junitIsRead()
{
    QFETCH(QByteArray, xml);
    QFETCH(QByteArray, expected);
    const auto read = tools::readJunit(xml.toStdString(), "m");
    std::string got = read ? "" : "none";
    if (read)
        for (const core::TestResult &test : *read)
            got += (got.empty() ? "" : " ") + test.name + "=" +
                   std::string(core::testStatusName(test.status));
    QCOMPARE(got, expected.toStdString());
}

void TestVerify::tapIsRead()
{
    const auto read = tools::readTap("TAP version 13\n1..4\nok 1 - adds\n# note\nnot ok 2 - takes\n"
                                     "ok 3 - later # SKIP no net\nok\nokay\n");
    QVERIFY(read);
    QCOMPARE(read->size(), std::size_t(4));
    QCOMPARE((*read)[0].name, std::string("adds"));
    QCOMPARE((*read)[1].status, Status::Failed);
    QCOMPARE((*read)[2].status, Status::Skipped);
    QCOMPARE((*read)[3].name, std::string("test 4"));
    QVERIFY(!tools::readTap("1..2\nok 1\n"));
    QVERIFY(!tools::readTap("ok 1\n"));
    QVERIFY(!tools::readTap("1..1\nok 1\nBail out!\n"));
}

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_verify.moc"
