// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/boundtext.h"

#include "ui/shell/numberfield.h"
#include "ui/text/plaintext.h"

#include <QCoreApplication>
#include <QStringList>

#include <climits>
#include <cmath>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::BoundText)
};

// The plural form follows the number; the digits are grouped as the person writes them.
int pluralOf(qint64 n)
{
    return static_cast<int>(qBound(qint64(0), n, qint64(INT_MAX)));
}

QString modelCalls(qint64 n)
{
    return n == 1 ? Words::tr("1 model call")
                  : Words::tr("%1 model calls", nullptr, pluralOf(n)).arg(numberText(n));
}

QString toolExecutions(qint64 n)
{
    return n == 1 ? Words::tr("1 tool execution")
                  : Words::tr("%1 tool executions", nullptr, pluralOf(n)).arg(numberText(n));
}

QString verifierRuns(qint64 n)
{
    return n == 1 ? Words::tr("1 test run")
                  : Words::tr("%1 test runs", nullptr, pluralOf(n)).arg(numberText(n));
}

QString tokens(qint64 n)
{
    return n == 1 ? Words::tr("1 token")
                  : Words::tr("%1 tokens", nullptr, pluralOf(n)).arg(numberText(n));
}

// What the price table is asked for: "openai gpt-5".
QString pricedName(const core::ModelSettings &model)
{
    const std::string name =
        model.model.empty() ? model.provider : model.provider + " " + model.model;
    return oneLine(QString::fromStdString(name), 80);
}

QString slotsWords(const core::Bound &bound, const core::Bounds &bounds)
{
    const qint64 all = (qint64(bounds.maxActions) + 1) * (qint64(bounds.maxCorrections) + 1);
    if (bound.modelCalls != all)
        return Words::tr("the limit of this task");
    const int n = bounds.maxActions;
    const QString actions =
        n == 1 ? Words::tr("1 action") : Words::tr("%1 actions", nullptr, n).arg(numberText(n));
    const int attempts = bounds.maxCorrections + 1;
    const QString tries =
        attempts == 1 ? Words::tr("1 attempt")
                      : Words::tr("%1 attempts", nullptr, attempts).arg(numberText(attempts));
    return Words::tr("(%1 + 1 final decision) × %2").arg(actions, tries);
}

QString executionsWords(const core::Bound &bound, const core::Bounds &bounds)
{
    if (bounds.maxActions <= 0)
        return {};
    const qint64 tries = bound.toolExecutions / bounds.maxActions;
    if (tries <= 1)
        return Words::tr("one for each action");
    return Words::tr("%1 tries for each action", nullptr, pluralOf(tries)).arg(numberText(tries));
}

} // namespace

QString secondsText(qint64 seconds)
{
    const qint64 hours = seconds / 3600;
    const qint64 minutes = seconds / 60 % 60;
    const qint64 rest = seconds % 60;
    QStringList parts;
    if (hours > 0)
        parts << Words::tr("%1 h").arg(numberText(hours));
    if (minutes > 0)
        parts << Words::tr("%1 min").arg(numberText(minutes));
    if (rest > 0 || parts.isEmpty())
        parts << Words::tr("%1 s").arg(numberText(rest));
    return parts.join(u' ');
}

QString moneyText(double usd)
{
    if (usd <= 0)
        return Words::tr("no cost");
    const QLocale locale = readableLocale();
    if (usd > 0 && usd < 0.01)
        return u"$%1"_s.arg(locale.toString(std::ceil(usd * 1e4) / 1e4, 'f', 4));
    return u"$%1"_s.arg(locale.toString(std::ceil(usd * 100 - 1e-9) / 100, 'f', 2));
}

QString boundSentence(const core::Bound &bound, const core::ModelSettings &model)
{
    QStringList parts{modelCalls(bound.modelCalls), toolExecutions(bound.toolExecutions)};
    if (bound.verifierRuns > 0)
        parts << verifierRuns(bound.verifierRuns);
    parts << tokens(bound.tokens);
    if (bound.costUsd)
        parts << moneyText(*bound.costUsd);
    parts << (bound.seconds ? secondsText(*bound.seconds) : Words::tr("no time limit"));
    if (!bound.costUsd)
        parts << Words::tr("cost unknown: no price for %1").arg(pricedName(model));
    return Words::tr("At most %1").arg(parts.join(Words::tr(", ", "between the parts of a list")));
}

QList<BoundRow> boundRows(const core::Bound &bound, const core::Task &task)
{
    QList<BoundRow> rows;
    rows << BoundRow{Words::tr("Model calls"), numberText(bound.modelCalls),
                     slotsWords(bound, task.bounds)};
    rows << BoundRow{Words::tr("Requests sent"), numberText(bound.modelRequests),
                     Words::tr("with repeats after network trouble")};
    rows << BoundRow{Words::tr("Tool executions"), numberText(bound.toolExecutions),
                     executionsWords(bound, task.bounds)};
    if (bound.verifierRuns > 0)
        rows << BoundRow{Words::tr("Test runs"), numberText(bound.verifierRuns), {}};
    rows << BoundRow{
        Words::tr("Tokens"), numberText(bound.tokens),
        Words::tr("%1 in, %2 out").arg(numberText(bound.tokensIn), numberText(bound.tokensOut))};
    rows << BoundRow{Words::tr("Cost"),
                     bound.costUsd ? moneyText(*bound.costUsd) : Words::tr("unknown"),
                     bound.costUsd ? QString()
                                   : Words::tr("no price for %1: add one in Settings, Prices")
                                         .arg(pricedName(task.model))};
    rows << BoundRow{Words::tr("Time"),
                     bound.seconds ? secondsText(*bound.seconds) : Words::tr("no limit"),
                     Words::tr("waiting for a person does not count")};
    return rows;
}

} // namespace emend::ui
