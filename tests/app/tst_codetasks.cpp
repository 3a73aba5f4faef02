// SPDX-License-Identifier: GPL-3.0-or-later
// The bundled tasks of mode code, as the program runs them: with real tests in a real sandbox.
#include <QTest>

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/workbench.h"
#include "core/trace/summary.h"

using namespace emend;
using nlohmann::json;

namespace {

struct Listener : core::RunListener {
    void began(const std::string &) override {}
    void arrived(const core::Event &event) override { summary.add(event); }
    void partialText(int, int, std::string_view) override {}
    void partialOutput(int, int, std::string_view output) override { all += output; }

    core::RunSummary summary;
    std::string all;
};

} // namespace

class TestCodeTasks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void endsAsItTells_data();
    void endsAsItTells();
};

void TestCodeTasks::endsAsItTells_data()
{
    QTest::addColumn<QString>("needs"); // a program
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QByteArray>("attempts"); // of both solutions: what came of each
    const QString python = QStringLiteral("/usr/bin/python3");
    QTest::newRow("palindrome") << python << QByteArray("confirmed")
                                << QByteArray("tests_failed passed passed");
    QTest::newRow("roman") << python << QByteArray("attempts_exhausted")
                           << QByteArray("tests_failed tests_failed tests_failed");
    QTest::newRow("rounding") << python << QByteArray("disagreement")
                              << QByteArray("passed passed");
    QTest::newRow("sales") << python << QByteArray("confirmed")
                           << QByteArray("not_accepted passed passed");
    QTest::newRow("runlength") << QStringLiteral("g++") << QByteArray("confirmed")
                               << QByteArray("tests_failed passed passed");
}

void TestCodeTasks::endsAsItTells()
{
    QFETCH(QString, needs);
    QFETCH(QByteArray, reason);
    QFETCH(QByteArray, attempts);
    if (QStandardPaths::findExecutable(needs).isEmpty())
        QSKIP("what this task needs is not installed");
    app::Workbench workbench;
    const auto task =
        workbench.loadTask(std::string(":/emend/tasks/") + QTest::currentDataTag() + ".task.json");
    QVERIFY2(task, task ? "" : task.error().text().c_str());
    const QTemporaryDir folder;
    core::RunControl control(workbench.clock());
    Listener listener;
    const auto report = workbench.run(
        *task, folder.filePath(QStringLiteral("a.trace.jsonl")).toStdString(), control, listener);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    const json summary = listener.summary.toJson();
    if (summary["failure"].is_object() && summary["failure"]["class"] == "verifier_unavailable" &&
        needs.endsWith(QStringLiteral("python3")))
        QSKIP(summary["failure"]["message"].get<std::string>().c_str());
    QCOMPARE(report->result.reason, reason.toStdString());
    std::string came;
    for (const json &attempt : summary["attempts"])
        came += (came.empty() ? "" : " ") +
                (attempt["passed"] == true ? "passed" : attempt["cause"].get<std::string>());
    QCOMPARE(came, attempts.toStdString());
    QCOMPARE(summary["solution"].is_string(), reason != "attempts_exhausted");
    const auto bound = workbench.boundOf(*task);
    QVERIFY(bound && summary["verifier_runs"].get<std::int64_t>() <= bound->verifierRuns);
}

QTEST_GUILESS_MAIN(TestCodeTasks)
#include "tst_codetasks.moc"
