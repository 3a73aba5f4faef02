// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/spreadpanel.h"

#include "ui/shell/numberfield.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>

#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int numberColumns = 7;
constexpr int longestList = 6;

QLabel *plainLabel(const QString &objectName)
{
    auto *label = new QLabel;
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    return label;
}

// A median of whole numbers may be half a one.
QString countWords(double value)
{
    return readableLocale().toString(value, 'f', value == std::floor(value) ? 0 : 1);
}

QString counted(const std::map<std::string, int> &counts,
                const std::function<QString(const std::string &)> &words)
{
    QStringList parts;
    for (const auto &[what, count] : counts)
        parts << SpreadPanel::tr("%1 × %2").arg(QString::number(count), words(what));
    if (parts.size() > longestList)
        parts = parts.mid(0, longestList) << u"…"_s;
    return parts.join(u"\n"_s);
}

} // namespace

SpreadPanel::SpreadPanel(int step, QWidget *parent)
    : Section(tr("Spread"), parent)
    , m_step(step)
    , m_outcomes(plainLabel(u"forkOutcomes"_s))
    , m_decisions(plainLabel(u"forkDecisions"_s))
    , m_answers(plainLabel(u"forkAnswers"_s))
    , m_counted(quietLabel({}))
    , m_numbers(new QGridLayout)
{
    m_counted->setObjectName(u"forkCounted"_s);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(space::three);
    const std::pair<QString, QLabel *> parts[] = {
        {tr("Outcomes"), m_outcomes},
        {tr("Decision in step %1").arg(step), m_decisions},
        {tr("Answers"), m_answers}};
    for (const auto &[words, label] : parts) {
        auto *column = new QVBoxLayout;
        column->setSpacing(space::half);
        column->addWidget(quietLabel(words));
        column->addWidget(label);
        column->addStretch(1);
        columns->addLayout(column, label == m_outcomes ? 1 : 2);
    }
    body()->addLayout(columns);
    buildNumbers();
    body()->addWidget(m_counted);
    showSpread({}, 0);
}

void SpreadPanel::buildNumbers()
{
    m_numbers->setHorizontalSpacing(space::three);
    m_numbers->setVerticalSpacing(2);
    const QString names[numberColumns] = {tr("Corrections"), tr("Actions"),    tr("Model calls"),
                                          tr("Tokens in"),   tr("Tokens out"), tr("Cost"),
                                          tr("Took")};
    const QString rows[] = {tr("Least"), tr("Median"), tr("Most")};
    for (int row = 0; row < 3; ++row)
        m_numbers->addWidget(quietLabel(rows[row]), row + 1, 0);
    for (int column = 0; column < numberColumns; ++column) {
        auto *name = quietLabel(names[column]);
        name->setWordWrap(false);
        name->setAlignment(Qt::AlignRight);
        m_numbers->addWidget(name, 0, column + 1);
        for (int row = 0; row < 3; ++row) {
            auto *cell = new QLabel;
            cell->setObjectName(u"spread_%1_%2"_s.arg(column).arg(row));
            cell->setAccessibleName(u"%1, %2"_s.arg(names[column], rows[row]));
            cell->setTextFormat(Qt::PlainText);
            cell->setTextInteractionFlags(Qt::TextSelectableByMouse);
            cell->setAlignment(Qt::AlignRight);
            m_numbers->addWidget(cell, row + 1, column + 1);
        }
    }
    m_numbers->setColumnStretch(numberColumns + 1, 1);
    body()->addSpacing(space::half);
    body()->addLayout(m_numbers);
}

void SpreadPanel::showSpread(const core::Spread &spread, qint64 reservedTokens)
{
    const auto plain = [](const std::string &text) {
        return text.empty() ? tr("none") : oneLine(QString::fromStdString(text), 160);
    };
    m_outcomes->setText(counted(spread.outcomes, [](const std::string &name) {
        return name == "unfinished" ? tr("no outcome")
                                    : Vocabulary::outcome(QString::fromStdString(name)).word;
    }));
    m_decisions->setText(counted(spread.firstSteps, plain));
    m_answers->setText(counted(spread.answers, plain));
    using NumberWords = std::function<QString(double)>;
    const NumberWords time = [](double ms) { return durationText(qint64(ms * 1000)); };
    const NumberWords cost = [](double usd) { return costText(usd); };
    const std::pair<const core::Span *, NumberWords> spans[numberColumns] = {
        {&spread.corrections, countWords}, {&spread.actions, countWords},
        {&spread.modelCalls, countWords},  {&spread.tokensIn, countWords},
        {&spread.tokensOut, countWords},   {&spread.costUsd, cost},
        {&spread.durationMs, time}};
    for (int column = 0; column < numberColumns; ++column) {
        const auto &[span, words] = spans[column];
        const double values[] = {span->least, span->median, span->most};
        for (int row = 0; row < 3; ++row)
            findChild<QLabel *>(u"spread_%1_%2"_s.arg(column).arg(row))
                ->setText(span->known > 0 ? words(values[row]) : u"–"_s);
    }
    m_counted->setText(countedWords(spread, reservedTokens));
}

QString SpreadPanel::countedWords(const core::Spread &spread, qint64 reservedTokens) const
{
    QStringList sentences;
    if (m_step > 1 && spread.runs > spread.killed)
        sentences << tr("Counted from step %1 on, without what was kept: %2, %3 in, %4 out, %5.")
                         .arg(m_step)
                         .arg(Vocabulary::modelCalls(spread.kept.modelCalls),
                              Vocabulary::tokens(spread.kept.tokensIn),
                              numberText(spread.kept.tokensOut),
                              durationText(qint64(spread.kept.durationMs.value_or(0) * 1000)));
    else if (m_step > 1)
        sentences << tr("Counted from step %1 on.").arg(m_step);
    if (spread.killed > 0)
        sentences << (spread.killed == 1
                          ? tr("Not counted: 1 killed run.")
                          : tr("Not counted: %Ln killed runs.", nullptr, spread.killed));
    if (reservedTokens > 0)
        sentences << tr("%1 were reserved for what a kill aborted; they are no usage.")
                         .arg(Vocabulary::tokens(reservedTokens));
    m_counted->setVisible(!sentences.isEmpty());
    return sentences.join(u' ');
}

} // namespace emend::ui
