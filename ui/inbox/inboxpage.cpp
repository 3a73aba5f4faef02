// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/inboxpage.h"

#include "ui/inbox/escalationpanel.h"
#include "ui/inbox/inboxmodel.h"
#include "ui/inbox/inboxwatch.h"
#include "ui/run/noticestrip.h"
#include "ui/shell/background.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int agesMs = 20'000;

} // namespace

InboxPage::InboxPage(InboxWatch &watch, QWidget *parent)
    : QWidget(parent)
    , m_watch(watch)
    , m_model(new InboxModel(this))
    , m_filter(new InboxFilter(this))
    , m_states(new QComboBox)
    , m_problem(new NoticeStrip(Shape::Triangle, ColorRole::Warn))
    , m_table(new QTableView)
    , m_empty(new QLabel)
    , m_stack(new QStackedLayout)
    , m_panel(new EscalationPanel)
    , m_reading(new Background(this))
    , m_changing(new Background(this))
{
    m_filter->setSourceModel(m_model);
    build();
    connectPanel();
    connect(&m_watch, &InboxWatch::changed, this, &InboxPage::update);
    connect(m_states, &QComboBox::currentIndexChanged, this, [this] {
        m_filter->setChoice(static_cast<InboxFilter::Choice>(m_states->currentData().toInt()));
        updateEmpty();
        if (!m_table->currentIndex().isValid() && m_filter->rowCount() > 0)
            m_table->selectRow(0);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &InboxPage::showChosen);
    connect(m_table, &QTableView::doubleClicked, this, [this] {
        const int row = m_model->rowOf(chosenId());
        if (row >= 0)
            Q_EMIT openRequested(QString::fromStdString(m_model->at(row).traceFile));
    });
    connect(m_changing, &Background::runningChanged, m_panel, &EscalationPanel::setBusy);
    m_ages.setInterval(agesMs);
    connect(&m_ages, &QTimer::timeout, this,
            [this] { m_model->setNow(QDateTime::currentDateTimeUtc()); });
    m_ages.start();
    update();
}

void InboxPage::build()
{
    setObjectName(u"inboxPage"_s);
    auto *columns = new QSplitter(Qt::Horizontal);
    columns->setObjectName(u"inboxSplitter"_s);
    columns->setChildrenCollapsible(false);
    columns->addWidget(buildList());
    columns->addWidget(m_panel);
    columns->setStretchFactor(0, 3);
    columns->setStretchFactor(1, 2);
    columns->setSizes({720, 520});
    m_panel->setMinimumWidth(320);
    m_problem->setObjectName(u"inboxProblem"_s);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_problem);
    layout->addWidget(columns, 1);
    setFocusProxy(m_table);
}

QWidget *InboxPage::buildList()
{
    m_states->setObjectName(u"inboxFilter"_s);
    const std::pair<InboxFilter::Choice, QString> choices[] = {
        {InboxFilter::Waiting, tr("Waiting for an answer")},
        {InboxFilter::Open, tr("Open")},
        {InboxFilter::Claimed, tr("Claimed")},
        {InboxFilter::Answered, tr("Answered")},
        {InboxFilter::Dismissed, tr("Dismissed")},
        {InboxFilter::All, tr("All")}};
    for (const auto &[choice, words] : choices)
        m_states->addItem(words, choice);
    auto *label = new QLabel(tr("S&how"));
    label->setBuddy(m_states);
    m_table->setObjectName(u"inboxTable"_s);
    m_table->setAccessibleName(tr("Escalations"));
    m_table->setModel(m_filter);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setIconSize(QSize(14, 14));
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(space::control);
    QHeaderView *header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(InboxModel::Reason, QHeaderView::Stretch);
    header->resizeSection(InboxModel::State, 150);
    header->resizeSection(InboxModel::Task, 170);
    header->resizeSection(InboxModel::Age, 70);
    header->resizeSection(InboxModel::Run, 90);
    m_empty->setObjectName(u"inboxEmpty"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setWordWrap(true);
    m_empty->setMargin(space::four);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(space::two, space::one, space::two, space::one);
    bar->setSpacing(space::one);
    bar->addWidget(label);
    bar->addWidget(m_states);
    bar->addStretch(1);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto *list = new QWidget;
    auto *layout = new QVBoxLayout(list);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto *framed = new QWidget;
    framed->setLayout(m_stack);
    auto *inset = new QHBoxLayout;
    inset->setContentsMargins(space::two, 0, 0, space::two);
    inset->addWidget(framed);
    layout->addLayout(inset, 1);
    return list;
}

void InboxPage::connectPanel()
{
    connect(m_panel, &EscalationPanel::openRequested, this, &InboxPage::openRequested);
    connect(m_panel, &EscalationPanel::claimRequested, this, [this](const QString &id) {
        change(
            id, [id](core::Escalations &inbox) { return inbox.claim(id.toStdString()); }, false);
    });
    connect(m_panel, &EscalationPanel::releaseRequested, this, [this](const QString &id) {
        change(
            id, [id](core::Escalations &inbox) { return inbox.release(id.toStdString()); }, false);
    });
    connect(m_panel, &EscalationPanel::dismissed, this,
            [this](const QString &id, const QString &reason) {
                change(
                    id,
                    [id, reason](core::Escalations &inbox) {
                        return inbox.dismiss(id.toStdString(), reason.toStdString());
                    },
                    true);
            });
    connect(m_panel, &EscalationPanel::answered, this,
            [this](const QString &id, const core::Answer &answer) {
                const int row = m_model->rowOf(id);
                if (row >= 0)
                    Q_EMIT answerRequested(m_model->at(row), answer);
            });
}

QString InboxPage::title() const
{
    const int waiting = m_model->waiting();
    return waiting > 0 ? tr("Inbox (%1)").arg(waiting) : tr("Inbox");
}

QString InboxPage::chosenId() const
{
    const QModelIndex index = m_filter->mapToSource(m_table->currentIndex());
    return index.isValid() ? QString::fromStdString(m_model->at(index.row()).id) : QString();
}

void InboxPage::choose(const QString &id)
{
    const int row = m_model->rowOf(id);
    if (row < 0)
        return;
    QModelIndex index = m_filter->mapFromSource(m_model->index(row, 0));
    if (!index.isValid()) {
        m_states->setCurrentIndex(m_states->findData(InboxFilter::All));
        index = m_filter->mapFromSource(m_model->index(row, 0));
    }
    m_table->setCurrentIndex(index);
}

void InboxPage::update()
{
    m_model->setList(m_watch.list());
    m_model->setNow(QDateTime::currentDateTimeUtc());
    m_filter->invalidate(); // what has another state now may go or come
    m_problem->setText(m_watch.problem().isEmpty()
                           ? QString()
                           : tr("Runs may be missing here: %1").arg(m_watch.problem()));
    if (!m_table->currentIndex().isValid() && m_filter->rowCount() > 0)
        m_table->selectRow(0);
    updateEmpty();
    showChosen();
    Q_EMIT titleChanged();
}

void InboxPage::updateEmpty()
{
    const bool empty = m_filter->rowCount() == 0;
    m_stack->setCurrentIndex(empty ? 1 : 0);
    if (!m_watch.isLoaded())
        m_empty->setText(tr("Reading…"));
    else if (m_model->rowCount() > 0)
        m_empty->setText(
            tr("Nothing here. %n escalation(s) in other states.", nullptr, m_model->rowCount()));
    else
        m_empty->setText(tr("No run waits for you.\n\nA run comes here when you escalate it, or "
                            "when it has used up what it may try by itself."));
    if (empty)
        m_panel->showNothing({});
}

// The trace behind it may be long: it is read on another thread.
void InboxPage::showChosen()
{
    const QString id = chosenId();
    if (id.isEmpty()) {
        m_reading->cancel();
        m_panel->showNothing(m_filter->rowCount() > 0
                                 ? tr("Choose an escalation to see what was tried.")
                                 : QString());
        return;
    }
    m_reading->start([this, &inbox = m_watch.inbox(), id](const std::stop_token &) {
        const auto detail =
            std::make_shared<core::Result<core::EscalationDetail>>(inbox.detail(id.toStdString()));
        return [this, detail, id] {
            if (*detail)
                m_panel->showDetail(**detail);
            else
                m_panel->showNothing(oneLine(QString::fromStdString(detail->error().text()), 600));
        };
    });
}

void InboxPage::change(const QString &id, Change change, bool closes)
{
    m_panel->setProblem({});
    m_changing->start([this, &inbox = m_watch.inbox(), id, closes,
                       work = std::move(change)](const std::stop_token &) {
        const auto result = std::make_shared<core::Result<core::Escalation>>(work(inbox));
        return [this, result, id, closes] {
            if (!*result)
                m_panel->setProblem(oneLine(QString::fromStdString(result->error().text()), 600));
            else if (closes)
                m_panel->forget(id);
            m_watch.refresh();
        };
    });
}

} // namespace emend::ui
