// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forkpage.h"

#include "core/trace/spread.h"
#include "ui/run/killbutton.h"
#include "ui/run/runsession.h"
#include "ui/shell/background.h"
#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

enum Column {
    Number,
    Outcome,
    Decision,
    Actions,
    Corrections,
    Tokens,
    Cost,
    Time,
    Answer,
    Columns
};

QTableWidgetItem *item(const QString &text, bool number = false)
{
    auto *out = new QTableWidgetItem(oneLine(text, 300));
    out->setToolTip(plainToolTip(text.left(2000)));
    if (number)
        out->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return out;
}

QString textOf(const nlohmann::json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? QString::fromStdString(it->get<std::string>())
                                                 : QString();
}

// A median of whole numbers may be half a one.
QString numberText(double value)
{
    return QLocale().toString(value, 'f', value == std::floor(value) ? 0 : 1);
}

QString spanText(const core::Span &span, const std::function<QString(double)> &words = numberText)
{
    if (span.known == 0)
        return ForkPage::tr("unknown");
    if (span.least == span.most)
        return words(span.least);
    return ForkPage::tr("%1 … %2 … %3")
        .arg(words(span.least), words(span.median), words(span.most));
}

QString counted(const std::map<std::string, int> &counts,
                const std::function<QString(const std::string &)> &words)
{
    QStringList parts;
    for (const auto &[what, count] : counts)
        parts << ForkPage::tr("%1 × %2").arg(QString::number(count), words(what));
    constexpr qsizetype most = 6;
    if (parts.size() > most)
        parts = parts.mid(0, most) << u"…"_s;
    return parts.join(u"\n"_s);
}

} // namespace

ForkPage::ForkPage(core::Engine &engine, core::Fork fork, core::Task task, int times,
                   QWidget *parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_fork(std::move(fork))
    , m_task(std::move(task))
    , m_times(times)
    , m_headline(headingLabel({}))
    , m_kill(new KillButton)
    , m_table(new QTableWidget(times + 1, Columns))
    , m_outcomes(new QLabel)
    , m_decisions(new QLabel)
    , m_answers(new QLabel)
    , m_numbers(new QLabel)
    , m_session(new RunSession(engine, this))
    , m_original(new Background(this))
{
    build();
    connect(m_session, &RunSession::finished, this, &ForkPage::runEnded);
    connect(m_session, &RunSession::factsChanged, this, &ForkPage::showProgress);
    readOriginal();
    startNext();
}

ForkPage::~ForkPage()
{
    m_session->disconnect(this); // its end comes too late
}

QString ForkPage::title() const
{
    return tr("Fork at step %1, %2 times").arg(m_fork.step).arg(m_times);
}

void ForkPage::build()
{
    setObjectName(u"forkPage"_s);
    m_headline->setObjectName(u"forkHeadline"_s);
    m_kill->setObjectName(u"forkKill"_s);
    m_kill->setToolTip(tr("Kill the run that is going on; the others are not started"));
    connect(m_kill, &QPushButton::clicked, this, &ForkPage::kill);
    buildTable();
    auto *top = new QHBoxLayout;
    top->addWidget(m_headline, 1);
    top->addWidget(m_kill);
    auto *spread = new Section(tr("Spread"));
    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    const std::pair<QString, QLabel *> parts[] = {
        {tr("Outcomes"), m_outcomes},
        {tr("Decision in step %1").arg(m_fork.step), m_decisions},
        {tr("Answers"), m_answers}};
    for (const auto &[words, label] : parts) {
        auto *column = new QVBoxLayout;
        column->addWidget(quietLabel(words));
        column->addWidget(label);
        column->addStretch(1);
        columns->addLayout(column, label == m_outcomes ? 1 : 2);
    }
    spread->body()->addLayout(columns);
    spread->body()->addWidget(quietLabel(tr("Least … median … most")));
    spread->body()->addWidget(m_numbers);
    for (QLabel *label : {m_outcomes, m_decisions, m_answers, m_numbers}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
    }
    m_outcomes->setObjectName(u"forkOutcomes"_s);
    m_numbers->setObjectName(u"forkNumbers"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(top);
    layout->addWidget(m_table, 1);
    layout->addWidget(spread);
    m_table->setItem(0, Number, item(tr("recorded")));
    for (int run = 1; run <= m_times; ++run)
        m_table->setItem(run, Number, item(QString::number(run), true));
    setFocusProxy(m_table);
}

void ForkPage::buildTable()
{
    m_table->setObjectName(u"forkTable"_s);
    m_table->setAccessibleName(tr("Runs"));
    m_table->setHorizontalHeaderLabels(
        {tr("Run"), tr("Outcome"), tr("Decision in step %1").arg(m_fork.step), tr("Actions"),
         tr("Corrections"), tr("Tokens"), tr("Cost"), tr("Took"), tr("Answer")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const std::pair<int, int> widths[] = {{Number, 90},  {Outcome, 120},    {Decision, 260},
                                          {Actions, 70}, {Corrections, 95}, {Tokens, 110},
                                          {Cost, 90},    {Time, 90}};
    for (const auto &[column, width] : widths)
        m_table->setColumnWidth(column, width);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
        const QString file = row == 0 ? QString::fromStdString(m_fork.traceFile)
                             : row <= int(m_traces.size()) ? m_traces[std::size_t(row - 1)]
                                                           : QString();
        if (!file.isEmpty())
            Q_EMIT openRequested(file);
    });
}

void ForkPage::startNext()
{
    const int run = int(m_runs.size()) + 1;
    m_table->setItem(run, Outcome, item(tr("running…")));
    m_session->fork(m_fork, m_task);
    showProgress();
}

// The recorded run stands beside the new ones.
void ForkPage::readOriginal()
{
    m_original->start([this, &engine = m_engine, file = m_fork.traceFile](std::stop_token stop) {
        auto summary = std::make_shared<core::RunSummary>();
        const auto read = engine.readTrace(
            file, stop, [](const std::string &) {},
            [&](const std::vector<core::Event> &events) {
                for (const core::Event &event : events)
                    summary->add(event);
            });
        const bool good = read.has_value();
        return Background::Done([this, summary, good] {
            if (good)
                addRow(0, *summary, {});
        });
    });
}

void ForkPage::runEnded()
{
    core::RunSummary summary;
    for (int row = 0; row < m_session->model()->rowCount(); ++row)
        summary.add(m_session->model()->event(row));
    QString problem = m_session->error();
    if (const auto &difference = m_session->difference())
        problem = QString::fromStdString(difference->what);
    m_traces.push_back(m_session->traceFile());
    m_runs.push_back(std::move(summary));
    const int run = int(m_runs.size());
    addRow(run, m_runs.back(), problem);
    m_killed = m_killed || m_session->isKillRequested();
    m_live = !m_killed && run < m_times && m_session->error().isEmpty();
    for (int rest = run + 1; !m_live && rest <= m_times; ++rest)
        m_table->setItem(rest, Outcome, item(tr("not started")));
    showSpread();
    if (m_live)
        startNext();
    showProgress();
    Q_EMIT stateChanged();
}

void ForkPage::kill()
{
    m_killed = true;
    m_session->kill();
    showProgress();
}

void ForkPage::addRow(int row, const core::RunSummary &summary, const QString &problem)
{
    const nlohmann::json json = summary.toJson();
    const auto count = [&](const char *key) {
        return QString::number(json[key].is_array() ? json[key].size() : 0);
    };
    const nlohmann::json &tokens = json["tokens"];
    const auto whole = [](const nlohmann::json &value) {
        return value.is_number_integer() ? countText(value.get<std::int64_t>()) : u"?"_s;
    };
    QString outcome =
        summary.finished() ? Vocabulary::outcome(textOf(json, "outcome")).word : tr("no outcome");
    m_table->setItem(row, Outcome, item(outcome));
    m_table->setItem(row, Decision,
                     item(QString::fromStdString(core::decisionAt(json, m_fork.step))));
    m_table->setItem(row, Actions, item(count("actions"), true));
    m_table->setItem(row, Corrections, item(count("corrections"), true));
    m_table->setItem(row, Tokens,
                     item(tr("%1 + %2").arg(whole(tokens["in"]), whole(tokens["out"])), true));
    m_table->setItem(row, Cost,
                     item(json["cost_usd"].is_number() ? costText(json["cost_usd"].get<double>())
                                                       : tr("unknown"),
                          true));
    m_table->setItem(row, Time,
                     item(json["duration_ms"].is_number()
                              ? durationText(qint64(json["duration_ms"].get<double>() * 1000))
                              : QString(),
                          true));
    m_table->setItem(row, Answer,
                     item(problem.isEmpty() ? textOf(json, "final_summary") : problem));
}

void ForkPage::showProgress()
{
    const int run = int(m_runs.size());
    m_kill->setEnabled(m_live && !m_session->isKillRequested());
    m_headline->setText(
        m_live ? tr("Going on from step %1: run %2 of %3")
                     .arg(m_fork.step)
                     .arg(std::min(run + 1, m_times))
                     .arg(m_times)
               : tr("Gone on from step %1: %2 of %3 runs").arg(m_fork.step).arg(run).arg(m_times));
}

void ForkPage::showSpread()
{
    const core::Spread spread = core::spreadOf(m_runs, m_fork.step);
    const auto plain = [](const std::string &text) {
        return text.empty() ? tr("none") : oneLine(QString::fromStdString(text), 160);
    };
    m_outcomes->setText(counted(spread.outcomes, [](const std::string &name) {
        return name == "unfinished" ? tr("no outcome")
                                    : Vocabulary::outcome(QString::fromStdString(name)).word;
    }));
    m_decisions->setText(counted(spread.firstSteps, plain));
    m_answers->setText(counted(spread.answers, plain));
    const auto time = [](double ms) { return durationText(qint64(ms * 1000)); };
    m_numbers->setText(
        tr("Corrections %1 · actions %2 · model calls %3 · tokens in %4 · tokens out %5 · cost %6 "
           "· time %7")
            .arg(spanText(spread.corrections), spanText(spread.actions),
                 spanText(spread.modelCalls), spanText(spread.tokensIn), spanText(spread.tokensOut),
                 spanText(spread.costUsd, costText), spanText(spread.durationMs, time)));
}

} // namespace emend::ui
