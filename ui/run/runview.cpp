// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/runview.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

#include "ui/code/codepanel.h"
#include "ui/run/breakerpanel.h"
#include "ui/run/differencepanel.h"
#include "ui/run/escalatebar.h"
#include "ui/run/eventtable.h"
#include "ui/run/lanestrip.h"
#include "ui/run/noticestrip.h"
#include "ui/run/outcomebanner.h"
#include "ui/run/runheader.h"
#include "ui/run/storypanel.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int tickMs = 50;
constexpr int roomyHeight = 640; // below it the table of events needs the room of the breakers
constexpr int storyLiveMs = 150; // a story that goes on is laid out this often at most

} // namespace

RunView::RunView(core::Engine &engine, QWidget *parent)
    : QWidget(parent)
    , m_session(new RunSession(engine, this))
    , m_header(new RunHeader(this))
    , m_escalateBar(new EscalateBar(this))
    , m_tlsStrip(new NoticeStrip(Shape::Triangle, ColorRole::Bad, this))
    , m_damageStrip(new NoticeStrip(Shape::Triangle, ColorRole::Warn, this))
    , m_difference(new DifferencePanel(this))
    , m_banner(new OutcomeBanner(this))
    , m_lanes(new LaneStrip(*m_session->model(), this))
    , m_table(new EventTable(*m_session->model(), this))
    , m_breakers(new BreakerPanel([this] { return m_session->elapsedUs(); }, this))
    , m_story(new StoryPanel(this))
    , m_columns(new QSplitter(Qt::Horizontal, this))
    , m_pages(new QTabWidget(this))
    , m_code(new CodePanel(this))
{
    setObjectName(u"runView"_s);
    m_ticker.setInterval(tickMs);
    m_storyTimer.setSingleShot(true);
    build();
    connectSession();
    connectViews();
    updateState();
    m_table->setFocus(); // where the focus is when nobody has chosen yet
}

RunView::~RunView()
{
    // Views look at the session's model until they go: they go first, and hear nothing of the end.
    m_session->disconnect(this);
    delete m_columns;
    delete m_lanes;
    delete m_session;
}

void RunView::build()
{
    auto *left = new QWidget(m_columns);
    auto *stack = new QVBoxLayout(left);
    stack->setContentsMargins({});
    stack->setSpacing(0);
    stack->addWidget(m_table, 1);
    stack->addWidget(m_breakers);
    m_tlsStrip->setObjectName(u"tlsStrip"_s);
    m_damageStrip->setObjectName(u"damageStrip"_s);
    m_columns->setObjectName(u"columnSplitter"_s);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(left);
    m_columns->addWidget(m_story);
    m_columns->setStretchFactor(0, 4);
    m_columns->setStretchFactor(1, 3);
    m_columns->setSizes({580, 420});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_escalateBar);
    layout->addWidget(m_tlsStrip);
    layout->addWidget(m_damageStrip);
    layout->addWidget(m_difference);
    layout->addWidget(m_banner);
    layout->addWidget(m_lanes);
    layout->addWidget(m_pages, 1);
    m_pages->setObjectName(u"runPages"_s);
    m_pages->setDocumentMode(true);
    m_pages->setTabBarAutoHide(true);
    m_pages->tabBar()->setExpanding(false);
    m_pages->addTab(m_columns, tr("Events"));
    m_code->hide();
    setFocusProxy(m_table);
}

void RunView::connectSession()
{
    connect(m_session, &RunSession::stateChanged, this, &RunView::updateState);
    connect(m_session, &RunSession::factsChanged, this, &RunView::updateFacts);
    connect(m_session, &RunSession::finished, this, &RunView::runEnded);
    connect(m_session, &RunSession::eventsArrived, this, [this] {
        if (m_shownRow < 0 || m_story->story().pending)
            refreshStorySoon(storyLiveMs);
    });
    connect(m_session, &RunSession::eventsArrived, this, &RunView::showCode);
    connect(m_session, &RunSession::factsChanged, this, &RunView::showCode);
    connect(m_session, &RunSession::outputArrived, this, [this](const QByteArray &bytes) {
        m_code->addOutput({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    });
    connect(m_session, &RunSession::partialChanged, this, [this] { showPartial(); });
}

void RunView::connectViews()
{
    connect(m_header, &RunHeader::pauseClicked, this, &RunView::pauseOrResume);
    connect(m_header, &RunHeader::stepClicked, this, &RunView::step);
    connect(m_header, &RunHeader::escalateClicked, this, &RunView::askEscalate);
    connect(m_header, &RunHeader::killClicked, this, &RunView::kill);
    connect(m_header, &RunHeader::replayClicked, this, &RunView::replayRequested);
    connect(m_header, &RunHeader::forkClicked, this, &RunView::forkRequested);
    connect(m_damageStrip->addButton(u"showDamage"_s, tr("Show the first")), &QPushButton::clicked,
            this, [this] { m_table->chooseRow(int(m_session->facts().firstProblemRow)); });
    connect(m_escalateBar, &EscalateBar::confirmed, this, &RunView::escalate);
    connect(m_escalateBar, &EscalateBar::cancelled, this, &RunView::closeEscalateBar);
    connect(m_table, &EventTable::rowChosen, this, &RunView::rowChosen);
    connect(m_lanes, &LaneStrip::rowClicked, m_table, &EventTable::chooseRow);
    connect(m_breakers, &BreakerPanel::commandGiven, m_session, &RunSession::breaker);
    connect(&m_ticker, &QTimer::timeout, this, &RunView::tick);
    connect(&m_storyTimer, &QTimer::timeout, this, &RunView::refreshStory);
}

// ---- starting ----

void RunView::prepare()
{
    m_codeFacts = {};
    m_codeRows = 0;
    m_banner->hide();
    m_difference->hide();
    m_escalateBar->hide();
    m_shownRow = -2;
    m_table->setFocus();
}

void RunView::startRun(core::Task task)
{
    m_fromTrace = false;
    prepare();
    m_session->run(std::move(task));
    m_table->setFollowing(true);
    refreshStory();
}

void RunView::startReplay(const QString &recording)
{
    m_fromTrace = false;
    m_replay = true;
    prepare();
    m_session->replay(recording);
    m_table->setFollowing(true);
    refreshStory();
}

void RunView::startFork(core::Fork fork, core::Task task)
{
    m_fromTrace = false;
    prepare();
    m_session->fork(std::move(fork), std::move(task));
    m_table->setFollowing(true);
    refreshStory();
}

void RunView::startAnswer(const QString &escalation, const core::Answer &answer)
{
    m_fromTrace = false;
    prepare();
    m_session->answer(escalation, answer);
    m_table->setFollowing(true);
    refreshStory();
}

int RunView::chosenStep() const
{
    const int row = chosenRow();
    return row < 0 || row >= m_session->model()->rowCount() ? 0
                                                            : m_session->model()->event(row).step;
}

int RunView::lastStep() const
{
    for (int row = m_session->model()->rowCount() - 1; row >= 0; --row)
        if (const int step = m_session->model()->event(row).step; step > 0)
            return step;
    return 0;
}

void RunView::openTrace(const QString &path)
{
    m_fromTrace = true;
    prepare();
    m_session->open(path);
    m_table->setFollowing(false);
    m_title = QFileInfo(path).fileName();
    Q_EMIT titleChanged(m_title);
    refreshStory();
}

// ---- what happens ----

QString RunView::stateDetail() const
{
    return Vocabulary::stateHint(m_session->state());
}

// Folds what has come into the picture of the attempts; other modes have none.
void RunView::showCode()
{
    if (m_session->facts().mode != "code"_L1)
        return;
    if (m_pages->count() == 1) {
        m_pages->insertTab(0, m_code, tr("Attempts"));
        m_pages->setCurrentIndex(0);
    }
    bool changed = m_codeRows == 0;
    m_codeFacts.language = m_session->facts().language;
    for (; m_codeRows < m_session->model()->rowCount(); ++m_codeRows)
        changed = m_codeFacts.add(m_session->model()->event(m_codeRows)) || changed;
    if (changed)
        m_code->setFacts(m_codeFacts);
}

void RunView::updateState()
{
    const RunState state = m_session->state();
    const bool live = isLive(state);
    const bool paused = state == RunState::Paused || state == RunState::Pausing;
    m_header->setState(state, stateDetail());
    m_header->setControls(live, live && state != RunState::Stopping, paused,
                          m_session->isKillRequested());
    const bool ended = state > RunState::Stopping && !traceFile().isEmpty();
    m_header->setRecorded(ended, ended && lastStep() > 0);
    showWaiting();
    m_breakers->setLive(live && state != RunState::Stopping);
    m_breakers->setBreakers(m_session->facts().breakers);
    m_table->setLive(live);
    m_table->setPlaceholder(
        state == RunState::Idle ? tr("Run a task or open a trace to see its events here.")
        : live || state == RunState::Loading ? tr("Waiting for the first event…")
                                             : tr("There are no events."));
    if (live && !m_ticker.isActive())
        m_ticker.start();
    else if (!live)
        m_ticker.stop();
    if (!live || state == RunState::Stopping)
        closeEscalateBar();
    if (m_shownRow < 0)
        refreshStorySoon(0);
    Q_EMIT stateChanged(state);
}

void RunView::updateFacts()
{
    const RunFacts &facts = m_session->facts();
    m_header->setFacts(facts);
    m_header->setElapsed(m_session->elapsedUs());
    m_breakers->setBreakers(facts.breakers);
    showWaiting();
    m_tlsStrip->setText(facts.tlsNotVerified
                            ? tr("TLS is not verified in this run. Anybody between "
                                 "here and the server can read and change it.")
                            : QString());
    m_damageStrip->setText(
        Vocabulary::damage(facts.problems, facts.firstProblem, facts.firstProblemRow));
    if (m_fromTrace) // its title is the file
        return;
    const QString title = runName();
    if (title == m_title)
        return;
    m_title = title;
    setWindowTitle(title);
    Q_EMIT titleChanged(title);
}

QString RunView::runName() const
{
    const RunFacts &facts = m_session->facts();
    const QString name = oneLine((facts.name.isEmpty() ? facts.goal : facts.name).simplified(), 80);
    return facts.replay         ? tr("Replay: %1").arg(name)
           : facts.forkStep > 0 ? tr("Fork at %1: %2").arg(facts.forkStep).arg(name)
                                : name;
}

// Text must be on screen as it arrives: a story that is still of the event before is not waited
// for.
void RunView::showPartial()
{
    const PartialText &partial = m_session->partial();
    const auto shown = [&] {
        const Story &story = m_story->story();
        return partial.step == story.liveStep && partial.attempt == story.liveAttempt;
    };
    if (!shown() && !partial.text.isEmpty() && m_table->chosenRow() < 0)
        refreshStory();
    if (shown())
        m_story->setLiveText(partial.text);
}

void RunView::showWaiting()
{
    const CurrentFacts &current = m_session->facts().current;
    const bool waits =
        m_session->state() == RunState::Running && current.kind == core::EventKind::ModelWaiting;
    const qint64 leftUs = current.sinceUs + current.waitUs - m_session->elapsedUs();
    m_header->setWaiting(waits ? Vocabulary::waiting(leftUs, current.retry, current.retriesOf,
                                                     current.why, current.failure)
                               : QString());
}

void RunView::tick()
{
    showWaiting();
    const qint64 elapsed = m_session->elapsedUs();
    m_header->setElapsed(elapsed);
    m_lanes->setNow(elapsed);
}

void RunView::runEnded()
{
    const RunFacts &facts = m_session->facts();
    m_header->setElapsed(m_session->elapsedUs());
    m_banner->showOutcome(m_session->state(), facts, m_session->error());
    if (const auto &difference = m_session->difference())
        m_difference->showDifference(*difference);
    else if (m_replay && m_session->error().isEmpty())
        m_difference->showSame();
    const int last = m_session->model()->rowCount() - 1;
    if (m_table->chosenRow() < 0 && last >= 0) {
        if (m_fromTrace)
            m_table->chooseRow(0);
        else if (m_table->isFollowing())
            m_table->chooseRow(last);
    }
    refreshStorySoon(0);
    Q_EMIT finished();
}

// ---- the story ----

int RunView::chosenRow() const
{
    return m_table->chosenRow();
}

void RunView::chooseRow(int row)
{
    m_table->chooseRow(row);
}

void RunView::rowChosen(int row)
{
    m_lanes->setCurrentRow(row);
    refreshStorySoon(0);
}

void RunView::refreshStorySoon(int milliseconds)
{
    if (!m_storyTimer.isActive() || milliseconds < m_storyTimer.remainingTime())
        m_storyTimer.start(milliseconds);
}

void RunView::refreshStory()
{
    const RunState state = m_session->state();
    const int row = m_table->chosenRow();
    const bool same = row == m_shownRow;
    m_shownRow = row;
    if (row >= 0) {
        m_story->setStory(buildStory(*m_session->model(), row, isLive(state)), same);
    } else if (isLive(state)) {
        const Story now = buildNowStory(m_session->facts(), state);
        const Story &shown = m_story->story();
        if (!same || now.title != shown.title || now.subtitle != shown.subtitle)
            m_story->setStory(now);
    } else if (state == RunState::Idle) {
        m_story->setMessage(tr("No run yet"),
                            tr("Run a task, or open a trace. Choose an event and its "
                               "whole story stands here."));
    } else {
        m_story->setMessage(tr("No event chosen"),
                            tr("Choose a row, or a mark in the lanes, to see "
                               "its whole story."));
    }
    const PartialText &partial = m_session->partial();
    const Story &story = m_story->story();
    const bool mine = partial.step == story.liveStep && partial.attempt == story.liveAttempt;
    m_story->setLiveText(mine ? partial.text : QString());
}

// ---- control ----

void RunView::pauseOrResume()
{
    if (state() == RunState::Paused || state() == RunState::Pausing)
        m_session->resume();
    else
        m_session->pause();
}

void RunView::step()
{
    m_session->step();
}

void RunView::askEscalate()
{
    if (isLive(state()) && state() != RunState::Stopping)
        m_escalateBar->ask();
}

void RunView::escalate(const QString &reason)
{
    m_session->escalate(reason);
    closeEscalateBar();
}

void RunView::closeEscalateBar()
{
    if (m_escalateBar->isHidden())
        return;
    const bool hadFocus = m_escalateBar->isAncestorOf(focusWidget());
    m_escalateBar->hide();
    if (hadFocus)
        m_table->setFocus();
}

void RunView::kill()
{
    m_session->kill();
}

// Not shortcuts: the main window's menu has some of the same keys, and two shortcuts with one key
// are none. What the menu does not take arrives here.
void RunView::keyPressEvent(QKeyEvent *event)
{
    const QKeyCombination keys = event->keyCombination();
    if (keys == (Qt::CTRL | Qt::SHIFT | Qt::Key_K))
        return kill();
    if (keys == (Qt::CTRL | Qt::SHIFT | Qt::Key_E))
        return askEscalate();
    if (keys == QKeyCombination(Qt::Key_F6))
        return pauseOrResume();
    if (keys == QKeyCombination(Qt::Key_F10))
        return step();
    QWidget::keyPressEvent(event);
}

void RunView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_breakers->setCramped(height() < roomyHeight);
}

void RunView::closeEvent(QCloseEvent *event)
{
    m_session->stopAndWait();
    QWidget::closeEvent(event);
}

} // namespace emend::ui
