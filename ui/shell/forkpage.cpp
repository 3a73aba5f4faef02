// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forkpage.h"

#include "core/trace/spread.h"
#include "ui/run/killbutton.h"
#include "ui/run/runsession.h"
#include "ui/shell/background.h"
#include "ui/shell/forkchanges.h"
#include "ui/shell/section.h"
#include "ui/shell/spreadpanel.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int changesHeight = 132;
constexpr int leastColumn = 40;

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
    , m_changes(new QLabel)
    , m_details(new QPlainTextEdit)
    , m_more(new QPushButton)
    , m_spread(new SpreadPanel(m_fork.step))
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
    m_kill->setText(tr("Kill"));
    m_kill->setAccessibleName(tr("Kill the runs"));
    m_kill->setToolTip(tr("Kill the run that is going on; the others are not started"));
    connect(m_kill, &QPushButton::clicked, this, &ForkPage::kill);
    buildTable();
    auto *top = new QHBoxLayout;
    top->addWidget(m_headline, 1);
    top->addWidget(m_kill);
    buildChanges();
    auto *changes = new QHBoxLayout;
    changes->setSpacing(space::two);
    changes->addWidget(m_changes, 1);
    changes->addWidget(m_more, 0, Qt::AlignTop);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::two, space::one, space::two, space::two);
    layout->setSpacing(space::one);
    layout->addLayout(top);
    layout->addLayout(changes);
    layout->addWidget(m_details);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_spread);
    m_table->setItem(0, Number, item(tr("recorded")));
    for (int run = 1; run <= m_times; ++run)
        m_table->setItem(run, Number, item(QString::number(run)));
    setFocusProxy(m_table);
}

void ForkPage::buildChanges()
{
    m_changes->setObjectName(u"forkChanges"_s);
    m_changes->setTextFormat(Qt::PlainText);
    m_changes->setWordWrap(true);
    m_changes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setObjectName(u"forkChangeDetails"_s);
    m_details->setAccessibleName(tr("What was changed, line by line"));
    m_details->setReadOnly(true);
    m_details->setFont(fixedFont());
    m_details->setMaximumHeight(changesHeight);
    m_details->setTabChangesFocus(true);
    m_details->hide();
    m_more->setObjectName(u"forkChangesMore"_s);
    m_more->setText(tr("Show line by line"));
    m_more->hide();
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_details->setVisible(m_details->isHidden());
        m_more->setText(m_details->isHidden() ? tr("Show line by line") : tr("Hide the lines"));
    });
}

void ForkPage::showChanges(const core::Result<core::Task> &before)
{
    QString words = m_fork.step == 1 ? tr("Everything is asked anew.")
                                     : tr("Steps before %1 are kept as recorded.").arg(m_fork.step);
    if (before) {
        const ForkChanges changes =
            forkChanges(*before, m_task, m_engine.builtInPrompt(m_task.mode).system);
        words = changes.sentence() + u' ' + words;
        m_details->setPlainText(changes.details.trimmed());
        m_more->setVisible(!changes.details.isEmpty());
    }
    m_changes->setText(words);
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
    QHeaderView *header = m_table->horizontalHeader();
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(leastColumn);
    const int rowHeight = fontMetrics().height() + space::one;
    m_table->verticalHeader()->setMinimumSectionSize(rowHeight);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    for (int column = 0; column < Columns; ++column) {
        const bool number = column >= Actions && column <= Time;
        const bool text = column == Decision || column == Answer;
        header->setSectionResizeMode(column,
                                     text ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            (number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
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
        const auto task = std::make_shared<core::Result<core::Task>>(engine.taskOfTrace(file));
        return Background::Done([this, summary, task, good] {
            if (good)
                addRow(0, *summary, {});
            showChanges(*task);
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
    const core::RunFigures used = core::figuresFrom(summary, m_fork.step);
    const QString outcome =
        summary.finished() ? Vocabulary::outcome(textOf(json, "outcome")).word : tr("no outcome");
    m_table->setItem(row, Outcome, item(outcome));
    m_table->setItem(row, Decision,
                     item(QString::fromStdString(core::decisionAt(json, m_fork.step))));
    m_table->setItem(row, Actions, item(countText(used.actions), true));
    m_table->setItem(row, Corrections, item(countText(used.corrections), true));
    auto *tokens =
        item(tr("%1 + %2").arg(countText(used.tokensIn), countText(used.tokensOut)), true);
    if (used.reservedTokens > 0)
        tokens->setToolTip(
            plainToolTip(tr("In and out. %1 more were reserved for calls that never replied.")
                             .arg(countText(used.reservedTokens))));
    m_table->setItem(row, Tokens, tokens);
    m_table->setItem(row, Cost, item(used.costUsd ? costText(*used.costUsd) : tr("unknown"), true));
    m_table->setItem(
        row, Time,
        item(used.durationMs ? durationText(qint64(*used.durationMs * 1000)) : QString(), true));
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
    qint64 reserved = 0;
    for (const core::RunSummary &run : m_runs)
        if (run.outcome() == "killed")
            reserved += core::figuresFrom(run, m_fork.step).reservedTokens;
    m_spread->showSpread(core::spreadOf(m_runs, m_fork.step), reserved);
}

} // namespace emend::ui
