// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/runheader.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/run/killbutton.h"
#include "ui/text/elidedlabel.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapelabel.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

RunHeader::RunHeader(QWidget *parent)
    : QWidget(parent)
    , m_shape(new ShapeLabel(Shape::Ring, ColorRole::Muted, 16, this))
    , m_state(new QLabel(this))
    , m_goal(new ElidedLabel(this))
    , m_counters(new ElidedLabel(this))
    , m_buttons(new QWidget(this))
    , m_recorded(new QWidget(this))
{
    setObjectName(u"runHeader"_s);
    m_state->setObjectName(u"stateLabel"_s);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setFont(scaledFont(1.15, QFont::DemiBold));
    m_goal->setObjectName(u"goalLabel"_s);
    m_goal->setFont(scaledFont(1.15));
    m_counters->setObjectName(u"countersLabel"_s);
    m_counters->setColor(ColorRole::Muted);
    buildButtons();
    buildRecorded();

    auto *first = new QHBoxLayout;
    first->setSpacing(space::one);
    first->addWidget(m_shape, 0, Qt::AlignVCenter);
    first->addWidget(m_state);
    first->addSpacing(space::one);
    first->addWidget(m_goal, 1);
    auto *words = new QVBoxLayout;
    words->setSpacing(space::half);
    words->addLayout(first);
    words->addWidget(m_counters);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::two, space::one + 2, space::two, space::one + 2);
    layout->setSpacing(space::three);
    layout->addLayout(words, 1);
    layout->addWidget(m_buttons, 0, Qt::AlignVCenter);
    layout->addWidget(m_recorded, 0, Qt::AlignVCenter);
    setState(RunState::Idle, {});
    setControls(false, false, false, false);
    setRecorded(false, false);
}

QPushButton *RunHeader::addButton(QWidget *row, const QString &objectName)
{
    auto *button = new QPushButton(row);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    row->layout()->addWidget(button);
    return button;
}

void RunHeader::buildRecorded()
{
    auto *row = new QHBoxLayout(m_recorded);
    row->setContentsMargins({});
    row->setSpacing(space::one);
    m_replay = addButton(m_recorded, u"replayButton"_s);
    m_replay->setText(tr("Replay"));
    m_replay->setAccessibleName(tr("Replay this run"));
    m_replay->setToolTip(tr(
        "Run it again from the recording, with no network, up to the first difference (Ctrl+L)"));
    m_replay->setIcon(icon("play"_L1));
    m_fork = addButton(m_recorded, u"forkRunButton"_s);
    m_fork->setText(tr("Fork…"));
    m_fork->setAccessibleName(tr("Fork this run from a step"));
    m_fork->setToolTip(
        tr("Keep what came before a step, change something, and go on (Ctrl+Shift+F)"));
    connect(m_replay, &QPushButton::clicked, this, &RunHeader::replayClicked);
    connect(m_fork, &QPushButton::clicked, this, &RunHeader::forkClicked);
}

void RunHeader::setRecorded(bool replay, bool fork)
{
    m_recorded->setVisible(replay);
    m_replay->setEnabled(replay);
    m_fork->setEnabled(fork);
}

void RunHeader::buildButtons()
{
    auto *row = new QHBoxLayout(m_buttons);
    row->setContentsMargins({});
    row->setSpacing(space::one);
    m_pause = addButton(m_buttons, u"pauseButton"_s);
    m_pause->setText(tr("Resume"));
    m_pause->setIcon(icon("play"_L1));
    m_pause->setMinimumWidth(m_pause->sizeHint().width()); // its other word is shorter
    m_step = addButton(m_buttons, u"stepButton"_s);
    m_step->setText(tr("Step"));
    m_step->setAccessibleName(tr("Step: let one effect through"));
    m_step->setToolTip(tr("Let one effect through, then pause (F10)"));
    m_step->setIcon(icon("step"_L1));
    m_escalate = addButton(m_buttons, u"escalateButton"_s);
    m_escalate->setText(tr("Escalate…"));
    m_escalate->setAccessibleName(tr("Escalate: hand the run to a person"));
    m_escalate->setToolTip(tr("End the run and hand it to a person, with a reason (Ctrl+Shift+E)"));
    m_escalate->setIcon(icon("escalate"_L1));
    row->addSpacing(space::one);
    m_kill = new KillButton(m_buttons);
    m_kill->setText(tr("Kill"));
    m_kill->setAccessibleName(tr("Kill the run"));
    m_kill->setToolTip(tr("Abort everything at once and end the run (Ctrl+Shift+K)"));
    m_kill->setAutoDefault(false);
    row->addWidget(m_kill);
    connect(m_pause, &QPushButton::clicked, this, &RunHeader::pauseClicked);
    connect(m_step, &QPushButton::clicked, this, &RunHeader::stepClicked);
    connect(m_escalate, &QPushButton::clicked, this, &RunHeader::escalateClicked);
    connect(m_kill, &QPushButton::clicked, this, &RunHeader::killClicked);
}

void RunHeader::setState(RunState state, const QString &detail)
{
    m_shown = state;
    const Term term = Vocabulary::state(state);
    m_shape->setShape(term.shape, term.color);
    m_state->setText(term.word);
    m_state->setToolTip(plainToolTip(detail));
    m_state->setAccessibleName(tr("State: %1").arg(term.word));
    m_state->setAccessibleDescription(detail);
    updateColors();
    updateCounters();
}

QString RunHeader::stateWord() const
{
    return m_state->text();
}

void RunHeader::setControls(bool visible, bool running, bool paused, bool killed)
{
    m_buttons->setVisible(visible);
    m_pauseResumes = paused;
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(paused ? "play"_L1 : "pause"_L1));
    m_pause->setAccessibleName(paused ? tr("Resume the run") : tr("Pause the run"));
    m_pause->setToolTip(paused ? tr("Let the run go on (F6)")
                               : tr("Start nothing new; what is in flight finishes (F6)"));
    m_pause->setEnabled(running);
    m_step->setEnabled(running);
    m_escalate->setEnabled(running);
    m_kill->setEnabled(visible && !killed);
}

void RunHeader::setFacts(const RunFacts &facts)
{
    m_facts = facts;
    const QString goal = facts.goal.isEmpty() ? facts.name : facts.goal;
    m_goal->setText(oneLine(goal.simplified(), 400));
    updateCounters();
}

void RunHeader::setElapsed(qint64 us)
{
    m_elapsedUs = us;
    updateCounters();
}

void RunHeader::setWaiting(const QString &text)
{
    if (text == m_waiting)
        return;
    m_waiting = text;
    m_counters->setColor(text.isEmpty() ? ColorRole::Muted : ColorRole::Warn);
    updateCounters();
}

// "1,234 in, 210 out", and whether all of them were counted by the provider.
QString RunHeader::tokensPart() const
{
    const QString tokens =
        tr("%1 in, %2 out").arg(Vocabulary::tokens(m_facts.tokensIn), countText(m_facts.tokensOut));
    if (m_facts.reservedTokens > 0)
        return u"%1 (%2)"_s.arg(tokens,
                                Vocabulary::reserved(m_facts.reservedTokens, m_facts.callAborted));
    return m_facts.estimatedReplies > 0 ? tr("%1 (estimated)").arg(tokens) : tokens;
}

QString RunHeader::costPart() const
{
    if (!m_facts.costKnown)
        return m_facts.repliesWithoutCost > 0 ? tr("cost unknown") : QString();
    const QString cost = costText(m_facts.costUsd);
    return m_facts.repliesWithoutCost > 0 ? tr("at least %1").arg(cost) : cost;
}

void RunHeader::updateCounters()
{
    if (!m_waiting.isEmpty()) {
        m_counters->setText(m_waiting);
        return;
    }
    if (m_facts.events == 0 && m_shown != RunState::Running) {
        m_counters->setText(Vocabulary::stateHint(m_shown));
        return;
    }
    QStringList parts{clockText(m_elapsedUs).chopped(2), Vocabulary::modelCalls(m_facts.modelCalls),
                      Vocabulary::actions(m_facts.actions),
                      Vocabulary::corrections(m_facts.corrections), tokensPart()};
    if (const QString cost = costPart(); !cost.isEmpty())
        parts += cost;
    parts += Vocabulary::events(m_facts.events);
    if (m_facts.problems > 0)
        parts += m_facts.problems == 1 ? tr("1 damaged line")
                                       : tr("%Ln damaged lines", nullptr, m_facts.problems);
    if (m_facts.recordedReplies > 0)
        parts += tr("%1 recorded").arg(countText(m_facts.recordedReplies));
    if (m_facts.redactions > 0)
        parts += tr("%1 redacted").arg(countText(m_facts.redactions));
    m_counters->setText(parts.join(u"  ·  "_s));
    m_counters->setHint(m_facts.reservedTokens > 0
                            ? tr("A call that never replied may have cost something: what was "
                                 "reserved for it before it was sent stands as used.")
                            : QString());
}

void RunHeader::updateColors()
{
    QPalette colored = m_state->palette();
    colored.setColor(QPalette::WindowText, roleColor(Vocabulary::state(m_shown).color, palette()));
    m_state->setPalette(colored);
}

void RunHeader::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateColors();
}

void RunHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), hairline(palette()));
}

} // namespace emend::ui
