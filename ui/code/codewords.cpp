// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/codewords.h"

#include "ui/text/plaintext.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui::codewords {

namespace {

QString tr(const char *text, const char *comment = nullptr, int n = -1)
{
    return QCoreApplication::translate("CodeWords", text, comment, n);
}

struct Words {
    const char *code;
    const char *words;
};

constexpr Words causes[] = {
    {"tests_failed", QT_TRANSLATE_NOOP("CodeWords", "tests failed")},
    {"collection_error", QT_TRANSLATE_NOOP("CodeWords", "the tests could not be collected")},
    {"timeout", QT_TRANSLATE_NOOP("CodeWords", "it ran out of time")},
    {"crashed", QT_TRANSLATE_NOOP("CodeWords", "it crashed")},
    {"output_flood", QT_TRANSLATE_NOOP("CodeWords", "it wrote far too much output")},
    {"out_of_memory", QT_TRANSLATE_NOOP("CodeWords", "it used more memory than it may")},
    {"no_report", QT_TRANSLATE_NOOP("CodeWords", "it left no test report")},
    {"no_tests_ran", QT_TRANSLATE_NOOP("CodeWords", "no test ran")},
    {"count_mismatch", QT_TRANSLATE_NOOP("CodeWords", "not all tests of the file ran")},
    {"flipped", QT_TRANSLATE_NOOP("CodeWords", "a second run had another result")},
    {"tampered", QT_TRANSLATE_NOOP("CodeWords", "it interfered with the tests")},
    {"exit_code", QT_TRANSLATE_NOOP("CodeWords", "the command failed")},
    {"generated_inputs_differ",
     QT_TRANSLATE_NOOP("CodeWords", "the solutions differ on generated inputs")},
    {"bad_generator", QT_TRANSLATE_NOOP("CodeWords", "the generator of inputs is no use")},
    {"not_accepted", QT_TRANSLATE_NOOP("CodeWords", "it was not accepted")},
    {"not_installed", QT_TRANSLATE_NOOP("CodeWords", "a program is missing")},
    {"no_tests", QT_TRANSLATE_NOOP("CodeWords", "the test file holds no test")},
    {"bad_tests", QT_TRANSLATE_NOOP("CodeWords", "the test file is damaged")},
    {"sandbox_unavailable", QT_TRANSLATE_NOOP("CodeWords", "there is no sandbox here")},
    {"bad_settings", QT_TRANSLATE_NOOP("CodeWords", "its settings do not fit")},
    {"cancelled", QT_TRANSLATE_NOOP("CodeWords", "it was aborted")},
};

constexpr Words gateReasons[] = {
    {"second_unreadable",
     QT_TRANSLATE_NOOP("CodeWords", "the second solution is no code that could be run")},
    {"second_failed_tests",
     QT_TRANSLATE_NOOP("CodeWords", "the second solution does not pass the tests")},
    {"first_failed_edge_tests",
     QT_TRANSLATE_NOOP("CodeWords", "the first solution fails tests it had never seen")},
    {"second_failed_edge_tests",
     QT_TRANSLATE_NOOP("CodeWords", "the second solution fails tests it had never seen")},
    {"both_failed_edge_tests",
     QT_TRANSLATE_NOOP("CodeWords", "both solutions fail tests they had never seen")},
    {"generated_inputs_differ",
     QT_TRANSLATE_NOOP("CodeWords", "the two solutions differ on generated inputs")},
};

template<std::size_t N>
QString lookUp(const Words (&table)[N], const QString &code)
{
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Words &w) { return code == QLatin1String(w.code); });
    return found == std::end(table) ? code : tr(found->words); // a code of a later version
}

QString comparisonOf(const VerificationFacts &run)
{
    if (run.running)
        return tr("comparing both solutions on generated inputs …");
    const int total = run.total;
    if (run.passed)
        return total == 1 ? tr("same result on 1 generated input")
                          : tr("same results on %n generated inputs", nullptr, total);
    return total > 0 ? tr("%1 of %n generated inputs differ", nullptr, total).arg(run.notPassed)
                     : cause(run.cause);
}

QString resultOf(const VerificationFacts &run)
{
    if (run.suite == "generated"_L1)
        return comparisonOf(run);
    if (run.running)
        return run.suite == "edge_tests"_L1 ? tr("running the edge tests …")
                                            : tr("running the tests …");
    const int total = run.total;
    if (run.passed)
        return total == 1 ? tr("1 test passed") : tr("%n tests passed", nullptr, total);
    if (run.cause == "tests_failed"_L1 && total > 0)
        return total == 1 ? tr("1 test failed")
                          : tr("%1 of %n tests failed", nullptr, total).arg(run.notPassed);
    return cause(run.cause);
}

} // namespace

QString testStatus(const QString &status)
{
    if (status == "passed"_L1)
        return tr("passed");
    if (status == "failed"_L1)
        return tr("failed");
    if (status == "error"_L1)
        return tr("error");
    if (status == "skipped"_L1)
        return tr("skipped");
    return status;
}

Look statusLook(const QString &status)
{
    if (status == "passed"_L1)
        return {Shape::Check, ColorRole::Good};
    if (status == "failed"_L1)
        return {Shape::Cross, ColorRole::Bad};
    if (status == "error"_L1)
        return {Shape::Triangle, ColorRole::Bad};
    return {Shape::Ring, ColorRole::Muted};
}

QString attemptTitle(const AttemptFacts &attempt)
{
    if (attempt.candidate == "second"_L1)
        return tr("Second solution");
    return tr("Attempt %1").arg(attempt.attempt + 1);
}

QString attemptResult(const AttemptFacts &attempt)
{
    if (attempt.verifications.empty())
        return attempt.problem.isEmpty() ? tr("being written …") : tr("no code that could be run");
    QString out;
    for (const VerificationFacts &run : attempt.verifications) {
        if (!out.isEmpty())
            out += u"; "_s + (run.suite == "edge_tests"_L1 ? tr("edge tests: ") : QString());
        out += resultOf(run);
    }
    return out;
}

Look attemptLook(const AttemptFacts &attempt)
{
    if (attempt.verifications.empty())
        return attempt.problem.isEmpty() ? Look{Shape::Hourglass, ColorRole::Muted}
                                         : Look{Shape::Cross, ColorRole::Bad};
    const auto &runs = attempt.verifications;
    if (std::any_of(runs.begin(), runs.end(), [](const auto &run) { return run.running; }))
        return {Shape::Hourglass, ColorRole::Tool};
    if (std::all_of(runs.begin(), runs.end(), [](const auto &run) { return run.passed; }))
        return {Shape::Check, ColorRole::Good};
    return {Shape::Cross, ColorRole::Bad};
}

QString suite(const QString &suite)
{
    if (suite == "tests"_L1)
        return tr("Tests");
    if (suite == "edge_tests"_L1)
        return tr("Edge tests");
    if (suite == "generated"_L1)
        return tr("Generated inputs");
    return suite;
}

QString cause(const QString &cause)
{
    return lookUp(causes, cause);
}

QString sandbox(const QString &sandbox)
{
    if (sandbox == "bubblewrap"_L1)
        return tr("in a sandbox (bubblewrap)");
    if (sandbox == "limits"_L1)
        return tr("without a sandbox, with limits only");
    return sandbox;
}

QString circumstances(const VerificationFacts &run)
{
    QStringList parts;
    if (run.durationUs > 0)
        parts += durationText(run.durationUs);
    if (run.runs > 1 && run.suite != "generated"_L1)
        parts += run.runs == 2 ? tr("run twice") : tr("run %n times", nullptr, run.runs);
    if (run.suite != "generated"_L1 && run.collected >= 0 && run.collected != run.total)
        parts += run.collected == 1 ? tr("the file holds 1 test")
                                    : tr("the file holds %n tests", nullptr, run.collected);
    if (const int left = run.total - static_cast<int>(run.tests.size()); left > 0)
        parts += left == 1 ? tr("1 more test is not listed")
                           : tr("%n more tests are not listed", nullptr, left);
    if (run.signal > 0)
        parts += tr("ended by signal %1").arg(run.signal);
    else if (run.exitCode > 0)
        parts += tr("exit code %1").arg(run.exitCode);
    if (!run.running && !run.sandbox.isEmpty())
        parts += sandbox(run.sandbox);
    return parts.join(u" · "_s);
}

QString verdict(const GateFacts &gate)
{
    if (gate.verdict.isEmpty())
        return {};
    if (gate.verdict == "confirmed"_L1)
        return gate.heldOut ? tr("Confirmed: two independent solutions pass tests they never saw")
                            : tr("Confirmed by a second solution; there were no held-out tests");
    return tr("Disagreement: %1").arg(lookUp(gateReasons, gate.why));
}

QString difference(const DifferenceFacts &difference)
{
    constexpr int most = 60; // of each
    return tr("Input %1: first → %2, second → %3")
        .arg(oneLine(difference.input, most), oneLine(difference.first, most),
             oneLine(difference.second, most));
}

QString cell(const GateCell &cell)
{
    if (cell.total == 0)
        return cell.accepted ? tr("passed") : cause(cell.cause);
    if (cell.suite == "generated"_L1)
        return tr("%1 of %2 agree").arg(cell.passed).arg(cell.total);
    return tr("%1 of %2 passed").arg(cell.passed).arg(cell.total);
}

} // namespace emend::ui::codewords
