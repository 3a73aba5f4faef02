// SPDX-License-Identifier: GPL-3.0-or-later
// The verifiers that prove the port to be general: any command, JSON Schema, SQL.
#include "tools/clock/steadyclock.h"
#include "tools/verify/registry.h"
#include "tools/verify/verdict.h"

#include <QTest>

using namespace emend;

using Kind = core::VerifyOutcome::Kind;

namespace {

const char *const cppTests = R"(
#include "solution.h"
#include <cstdio>

int main()
{
    std::FILE *report = std::fopen("report.xml", "w");
    std::fputs("<testsuite name='cpp'>", report);
    int failed = 0;
    const auto check = [&](const char *name, bool holds) {
        std::fprintf(report, "<testcase classname='Gcd' name='%s'>%s</testcase>", name,
                     holds ? "" : "<failure message='wrong'/>");
        failed += holds ? 0 : 1;
    };
    check("of_equal", gcd(7, 7) == 7);
    check("of_zero", gcd(0, 5) == 5);
    check("of_others", gcd(12, 18) == 6);
    std::fputs("</testsuite>", report);
    std::fclose(report);
    return failed;
}
)";

const char *const sqlTests = R"x({
  "setup": ["CREATE TABLE t (name TEXT, amount REAL)"],
  "cases": [
    {"name": "none", "rows": []},
    {"name": "some", "setup": ["INSERT INTO t VALUES ('b', 1.5), ('a', 2), ('b', 1)"],
     "rows": [["a", 2.0], ["b", 2.5]]},
    {"name": "nothing known", "setup": ["INSERT INTO t VALUES (NULL, 1)"], "rows": [[null, 1]]}
  ]})x";

} // namespace

class TestVerifyOthers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCommandJudgesCpp_data();
    void aCommandJudgesCpp();
    void aCommandNeedsWhatItNames();
    void aReportIsOfTheKindThatIsAsked_data();
    void aReportIsOfTheKindThatIsAsked();
    void aSchemaListsWhatDoesNotFit_data();
    void aSchemaListsWhatDoesNotFit();
    void aQueryHasToReturnTheRows_data();
    void aQueryHasToReturnTheRows();
    void sqlTestsAreJudgedFirst_data();
    void sqlTestsAreJudgedFirst();

private:
    core::VerifyOutcome verify(const std::string &solution, const std::string &tests)
    {
        const auto verifier = tools::makeVerifier(m_settings, {&m_clock, &m_sandbox});
        if (!verifier)
            return tools::cannotVerify("bad_settings", verifier.error().message);
        return (*verifier)->verify({"tests", solution, tests, &m_settings}, {}, {});
    }
    void compare(const core::VerifyOutcome &outcome, Kind kind, const QByteArray &cause)
    {
        QVERIFY2(outcome.kind == kind && outcome.cause == cause.toStdString(),
                 (outcome.cause + ": " + outcome.message + "\n" + outcome.output).c_str());
    }

    tools::SteadyClock m_clock;
    tools::Sandbox m_sandbox;
    core::CodeSettings m_settings;
};

void TestVerifyOthers::aCommandJudgesCpp_data()
{
    QTest::addColumn<QByteArray>("solution");
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<int>("tests");
    QTest::newRow("right")
        << QByteArray("inline int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }")
        << QByteArray() << 3;
    QTest::newRow("wrong") << QByteArray("inline int gcd(int a, int) { return a; }")
                           << QByteArray("tests_failed") << 3;
    QTest::newRow("no C++") << QByteArray("def gcd(a, b): pass") << QByteArray("no_report") << 0;
    QTest::newRow("leaves early")
        << QByteArray("#include <cstdlib>\ninline int gcd(int, int) { std::_Exit(0); }")
        << QByteArray("no_report") << 0;
    QTest::newRow("crashes")
        << QByteArray("#include <cstdlib>\ninline int gcd(int, int) { std::abort(); }")
        << QByteArray("crashed") << 0;
}

void TestVerifyOthers::aCommandJudgesCpp()
{
    QFETCH(QByteArray, solution);
    QFETCH(QByteArray, cause);
    QFETCH(int, tests);
    m_settings = {};
    m_settings.verifier = "command";
    m_settings.language = "cpp";
    m_settings.solutionName = "solution.h";
    m_settings.command = {"sh", "-c", "g++ -std=c++20 -o tests test_solution.cpp && ./tests"};
    m_settings.timeoutSeconds = 60; // a compiler on a busy machine
    const auto outcome = verify(solution.toStdString(), cppTests);
    compare(outcome, cause.isEmpty() ? Kind::Passed : Kind::Failed, cause);
    QCOMPARE(int(outcome.tests.size()), tests);
    QCOMPARE(outcome.collected, -1);
    if (tests > 0) {
        QCOMPARE(outcome.tests[0].name, std::string("Gcd::of_equal"));
        QCOMPARE(outcome.runs, 2);
    }
}

void TestVerifyOthers::aCommandNeedsWhatItNames()
{
    m_settings = {};
    m_settings.verifier = "command";
    compare(verify("x", "y"), Kind::CannotVerify, "bad_settings");
    m_settings.command = {"no-such-program-anywhere"};
    compare(verify("x", "y"), Kind::CannotVerify, "not_installed");
}

void TestVerifyOthers::aReportIsOfTheKindThatIsAsked_data()
{
    QTest::addColumn<QByteArray>("report");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("cause");
    const QByteArray junit = "printf '<testsuite><testcase name=\"a\"/></testsuite>' > report.xml;";
    QTest::newRow("junit") << QByteArray("junit") << junit << QByteArray();
    QTest::newRow("junit and a bad exit")
        << QByteArray("junit") << QByteArray(junit + "exit 3") << QByteArray("exit_code");
    QTest::newRow("junit without a test")
        << QByteArray("junit") << QByteArray("printf '<testsuite/>' > report.xml")
        << QByteArray("no_tests_ran");
    QTest::newRow("no junit") << QByteArray("junit") << QByteArray("true")
                              << QByteArray("no_report");
    QTest::newRow("junit that flips")
        << QByteArray("junit")
        << QByteArray("printf '<testsuite><testcase name=\"%s\"/></testsuite>' "
                      "$(cat /proc/sys/kernel/random/uuid) > report.xml")
        << QByteArray("flipped");
    QTest::newRow("tap") << QByteArray("tap") << QByteArray("echo 1..1; echo ok 1") << QByteArray();
    QTest::newRow("tap that fails") << QByteArray("tap") << QByteArray("echo 1..1; echo not ok 1")
                                    << QByteArray("tests_failed");
    QTest::newRow("tap that stops")
        << QByteArray("tap") << QByteArray("echo 1..2; echo ok 1") << QByteArray("no_report");
    QTest::newRow("exit code") << QByteArray("exit_code") << QByteArray("true") << QByteArray();
    QTest::newRow("exit code 1") << QByteArray("exit_code") << QByteArray("false")
                                 << QByteArray("exit_code");
    QTest::newRow("tests written over")
        << QByteArray("exit_code") << QByteArray("echo x > test_solution.sh || exit 9")
        << QByteArray("exit_code");
}

void TestVerifyOthers::aReportIsOfTheKindThatIsAsked()
{
    QFETCH(QByteArray, report);
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, cause);
    m_settings = {};
    m_settings.verifier = "command";
    m_settings.language = "bash";
    m_settings.command = {"sh", "solution.sh"};
    m_settings.options = {{"report", report.toStdString()}};
    const auto outcome = verify(script.toStdString(), "tests");
    compare(outcome, cause.isEmpty() ? Kind::Passed : Kind::Failed, cause);
}

void TestVerifyOthers::aSchemaListsWhatDoesNotFit_data()
{
    QTest::addColumn<QByteArray>("solution");
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<int>("count");
    const QByteArray schema = R"({"type":"object","required":["a","b"],"properties":{)"
                              R"("a":{"type":"integer"},"b":{"type":"string"}}})";
    QTest::newRow("fits") << QByteArray(R"({"a":1,"b":"x"})") << schema << QByteArray() << 1;
    QTest::newRow("two faults") << QByteArray(R"({"a":"1","b":2})") << schema
                                << QByteArray("not_accepted") << 2;
    QTest::newRow("no JSON") << QByteArray("{'a':1}") << schema << QByteArray("not_accepted") << 1;
    QTest::newRow("no schema") << QByteArray("{}") << QByteArray("{") << QByteArray("bad_tests")
                               << 0;
    QTest::newRow("an unknown keyword")
        << QByteArray("{}") << QByteArray(R"({"$ref":"#"})") << QByteArray("bad_tests") << 0;
}

void TestVerifyOthers::aSchemaListsWhatDoesNotFit()
{
    QFETCH(QByteArray, solution);
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, cause);
    QFETCH(int, count);
    m_settings = {};
    m_settings.verifier = "json_schema";
    const auto outcome = verify(solution.toStdString(), schema.toStdString());
    const Kind kind = cause.isEmpty()        ? Kind::Passed
                      : cause == "bad_tests" ? Kind::CannotVerify
                                             : Kind::Failed;
    compare(outcome, kind, cause);
    QCOMPARE(int(outcome.tests.size()), count);
}

void TestVerifyOthers::aQueryHasToReturnTheRows_data()
{
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QByteArray>("cause");
    QTest::addColumn<QByteArray>("words"); // in the message of a case
    const auto row = [](const char *name, const char *query, const char *cause,
                        const char *words = "") {
        QTest::newRow(name) << QByteArray(query) << QByteArray(cause) << QByteArray(words);
    };
    row("right", "SELECT name, SUM(amount) FROM t GROUP BY name;", "");
    row("right, and a comment", "-- sums\nSELECT name, SUM(amount) FROM t GROUP BY name -- end",
        "");
    row("wrong", "SELECT name, MAX(amount) FROM t GROUP BY name", "not_accepted",
        "expected [\"b\", 2.5], got [\"b\", 1.5]");
    row("too many", "SELECT name, amount FROM t", "not_accepted", "expected 2 rows, got 3");
    row("columns", "SELECT name FROM t GROUP BY name", "not_accepted", "expected 2 columns");
    row("no SQL", "SELEKT 1", "not_accepted", "syntax error");
    row("two", "SELECT 1; SELECT 2", "not_accepted", "one statement");
    row("nothing", "  ", "not_accepted", "write one SELECT");
    row("writes", "INSERT INTO t VALUES ('a', 1)", "not_accepted", "not authorized");
    row("drops", "DROP TABLE t", "not_accepted", "not authorized");
    row("attaches", "ATTACH '/tmp/x.db' AS x", "not_accepted", "not authorized");
    row("a pragma", "PRAGMA query_only = OFF", "not_accepted", "not authorized");
    row("a file", "SELECT readfile('/etc/passwd')", "not_accepted", "");
    row("chance", "SELECT name, SUM(amount) + random() % 2 FROM t GROUP BY name", "not_accepted");
    row("endless",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
        "SELECT COUNT(*), 1 FROM r",
        "timeout");
    row("memory", "SELECT hex(zeroblob(900000000)), 1", "not_accepted");
}

void TestVerifyOthers::aQueryHasToReturnTheRows()
{
    QFETCH(QByteArray, query);
    QFETCH(QByteArray, cause);
    QFETCH(QByteArray, words);
    m_settings = {};
    m_settings.verifier = "sql";
    m_settings.timeoutSeconds = 3;
    const auto outcome = verify(query.toStdString(), sqlTests);
    if (query.contains("random")) {
        QCOMPARE(outcome.kind, Kind::Failed);
        return;
    }
    compare(outcome, cause.isEmpty() ? Kind::Passed : Kind::Failed, cause);
    std::string all;
    for (const core::TestResult &test : outcome.tests)
        all += test.message + "\n";
    QVERIFY2(all.find(words.toStdString()) != std::string::npos, all.c_str());
    QCOMPARE(outcome.runs, 1);
    if (cause.isEmpty())
        QCOMPARE(outcome.tests.size(), std::size_t(3));
}

void TestVerifyOthers::sqlTestsAreJudgedFirst_data()
{
    QTest::addColumn<QByteArray>("tests");
    QTest::addColumn<QByteArray>("cause");
    QTest::newRow("no JSON") << QByteArray("{") << QByteArray("bad_tests");
    QTest::newRow("another shape")
        << QByteArray(R"({"cases":[{"rows":[[1]]}]})") << QByteArray("bad_tests");
    QTest::newRow("no case") << QByteArray(R"({"cases":[]})") << QByteArray("no_tests");
    QTest::newRow("a setup that fails")
        << QByteArray(R"({"setup":["NO SQL"],"cases":[{"name":"a","rows":[]}]})")
        << QByteArray("bad_tests");
}

void TestVerifyOthers::sqlTestsAreJudgedFirst()
{
    QFETCH(QByteArray, tests);
    QFETCH(QByteArray, cause);
    m_settings = {};
    m_settings.verifier = "sql";
    compare(verify("SELECT 1", tests.toStdString()), Kind::CannotVerify, cause);
}

QTEST_GUILESS_MAIN(TestVerifyOthers)
#include "tst_verifyothers.moc"
