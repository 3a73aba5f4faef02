// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/vocabulary.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;
using core::LineProblem;

namespace {

Term term(const QString &word, Shape shape, ColorRole color)
{
    return {word, shape, color};
}

} // namespace

Term Vocabulary::event(EventKind kind)
{
    switch (kind) {
    case EventKind::RunStarted:
        return term(tr("Run started"), Shape::Play, ColorRole::Neutral);
    case EventKind::RunFinished:
        return term(tr("Run finished"), Shape::Flag, ColorRole::Neutral);
    case EventKind::ModelRequested:
        return term(tr("Model asked"), Shape::ArrowOut, ColorRole::Model);
    case EventKind::ModelReplied:
        return term(tr("Model replied"), Shape::ArrowIn, ColorRole::Model);
    case EventKind::ModelFailed:
        return term(tr("Model call failed"), Shape::Cross, ColorRole::Bad);
    case EventKind::ModelWaiting:
        return term(tr("Waiting to retry"), Shape::Hourglass, ColorRole::Warn);
    case EventKind::DecisionAccepted:
        return term(tr("Accepted"), Shape::Check, ColorRole::Good);
    case EventKind::DecisionRejected:
        return term(tr("Rejected"), Shape::Cross, ColorRole::Bad);
    case EventKind::CorrectionRequested:
        return term(tr("Correction"), Shape::Loop, ColorRole::Correction);
    case EventKind::CorrectionResolved:
        return term(tr("Correction result"), Shape::Loop, ColorRole::Correction);
    case EventKind::ToolStarted:
        return term(tr("Tool started"), Shape::Play, ColorRole::Tool);
    case EventKind::ToolSucceeded:
        return term(tr("Tool succeeded"), Shape::Check, ColorRole::Tool);
    case EventKind::ToolFailed:
        return term(tr("Tool failed"), Shape::Cross, ColorRole::Bad);
    case EventKind::ToolSkipped:
        return term(tr("Tool refused"), Shape::Slash, ColorRole::Warn);
    case EventKind::BreakerChanged:
        return term(tr("Breaker changed"), Shape::Diamond, ColorRole::Warn);
    case EventKind::VerifyStarted:
        return term(tr("Tests started"), Shape::Play, ColorRole::Tool);
    case EventKind::VerifyFinished:
        return term(tr("Tests finished"), Shape::Square, ColorRole::Tool);
    case EventKind::GateFinished:
        return term(tr("Gate decided"), Shape::Diamond, ColorRole::Tool);
    case EventKind::CheckFinished:
        return term(tr("Check finished"), Shape::Square, ColorRole::Tool);
    case EventKind::CheckpointSaved:
        return term(tr("Checkpoint saved"), Shape::Flag, ColorRole::Muted);
    case EventKind::CheckpointRestored:
        return term(tr("Checkpoint restored"), Shape::Flag, ColorRole::Warn);
    case EventKind::PolicyChanged:
        return term(tr("Policy changed"), Shape::HalfDot, ColorRole::Muted);
    case EventKind::BudgetExhausted:
        return term(tr("Bound reached"), Shape::Stop, ColorRole::Warn);
    case EventKind::ControlPaused:
        return term(tr("Paused"), Shape::Pause, ColorRole::Warn);
    case EventKind::ControlResumed:
        return term(tr("Resumed"), Shape::Play, ColorRole::Neutral);
    case EventKind::ControlStepped:
        return term(tr("Stepped"), Shape::Step, ColorRole::Neutral);
    case EventKind::ControlKilled:
        return term(tr("Killed"), Shape::Stop, ColorRole::Bad);
    case EventKind::ControlEscalated:
        return term(tr("Escalated"), Shape::Person, ColorRole::Correction);
    case EventKind::ControlAnswered:
        return term(tr("Answered"), Shape::Person, ColorRole::Good);
    case EventKind::ControlEdited:
        return term(tr("Edited"), Shape::Person, ColorRole::Warn);
    case EventKind::EscalationOpened:
        return term(tr("Escalation opened"), Shape::Person, ColorRole::Correction);
    case EventKind::EscalationClosed:
        return term(tr("Escalation closed"), Shape::Person, ColorRole::Muted);
    case EventKind::Unknown:
        break;
    }
    return term(tr("Unknown event"), Shape::Ring, ColorRole::Muted);
}

Term Vocabulary::problem(LineProblem problem)
{
    switch (problem) {
    case LineProblem::None:
        return term(tr("Intact"), Shape::Check, ColorRole::Good);
    case LineProblem::Gap:
        return term(tr("Gap in the trace"), Shape::Triangle, ColorRole::Bad);
    case LineProblem::NotJson:
        return term(tr("Unreadable line"), Shape::Triangle, ColorRole::Bad);
    case LineProblem::Torn:
        return term(tr("Torn last line"), Shape::Triangle, ColorRole::Warn);
    case LineProblem::WrongHash:
        return term(tr("Wrong hash"), Shape::Triangle, ColorRole::Bad);
    case LineProblem::AfterEnd:
        return term(tr("After the end"), Shape::Triangle, ColorRole::Bad);
    }
    return term(tr("Unknown problem"), Shape::Triangle, ColorRole::Bad);
}

QString Vocabulary::problemText(LineProblem problem)
{
    switch (problem) {
    case LineProblem::None:
        return tr("This line is as it was written.");
    case LineProblem::Gap:
        return tr("Lines are missing before this one: its number does not follow the line before.");
    case LineProblem::NotJson:
        return tr("This line is not a JSON object. The other lines are not affected.");
    case LineProblem::Torn:
        return tr("The last line has no end: the program stopped while it was writing it.");
    case LineProblem::WrongHash:
        return tr("The file was changed after the run: its SHA-256 is not the one recorded here.");
    case LineProblem::AfterEnd:
        return tr("This line stands after the end of the run. Emend writes nothing there.");
    }
    return {};
}

Term Vocabulary::state(RunState state)
{
    switch (state) {
    case RunState::Idle:
        return term(tr("Idle"), Shape::Ring, ColorRole::Muted);
    case RunState::Loading:
        return term(tr("Loading"), Shape::Hourglass, ColorRole::Muted);
    case RunState::Running:
        return term(tr("Running"), Shape::Play, ColorRole::Model);
    case RunState::Pausing:
        return term(tr("Pausing"), Shape::HalfDot, ColorRole::Warn);
    case RunState::Paused:
        return term(tr("Paused"), Shape::Pause, ColorRole::Warn);
    case RunState::Stopping:
        return term(tr("Stopping"), Shape::Hourglass, ColorRole::Bad);
    case RunState::Satisfied:
        return term(tr("Satisfied"), Shape::Check, ColorRole::Good);
    case RunState::Unsatisfied:
        return term(tr("Unsatisfied"), Shape::Slash, ColorRole::Warn);
    case RunState::Escalated:
        return term(tr("Escalated"), Shape::Person, ColorRole::Correction);
    case RunState::Killed:
        return term(tr("Killed"), Shape::Stop, ColorRole::Bad);
    case RunState::Failed:
        return term(tr("Failed"), Shape::Cross, ColorRole::Bad);
    case RunState::NoOutcome:
        return term(tr("No outcome"), Shape::Triangle, ColorRole::Warn);
    }
    return {};
}

QString Vocabulary::stateHint(RunState state)
{
    switch (state) {
    case RunState::Idle:
        return tr("Nothing has been run or opened here yet");
    case RunState::Loading:
        return tr("Reading the trace");
    case RunState::Running:
        return tr("The run is going on");
    case RunState::Pausing:
        return tr("What is in flight finishes, then the run pauses");
    case RunState::Paused:
        return tr("Nothing new is started. Step lets one effect through");
    case RunState::Stopping:
        return tr("What is in flight is being aborted");
    case RunState::Satisfied:
        return tr("The run reached its goal");
    case RunState::Unsatisfied:
        return tr("The run ended without reaching its goal");
    case RunState::Escalated:
        return tr("The run was handed to a person");
    case RunState::Killed:
        return tr("The run was killed by a person");
    case RunState::Failed:
        return tr("The run could not go on");
    case RunState::NoOutcome:
        return tr("The trace ends before the run did");
    }
    return {};
}

RunState Vocabulary::outcomeState(QStringView code)
{
    if (code == "satisfied"_L1)
        return RunState::Satisfied;
    if (code == "unsatisfied"_L1)
        return RunState::Unsatisfied;
    if (code == "escalated"_L1)
        return RunState::Escalated;
    if (code == "killed"_L1)
        return RunState::Killed;
    return RunState::Failed;
}

Term Vocabulary::outcome(QStringView code)
{
    const RunState known = outcomeState(code);
    Term result = state(known);
    if (known == RunState::Failed && code != "failed"_L1 && !code.isEmpty())
        result.word = code.toString();
    return result;
}

Term Vocabulary::breakerState(QStringView code)
{
    if (code == "closed"_L1)
        return term(tr("Closed"), Shape::Check, ColorRole::Good);
    if (code == "open"_L1)
        return term(tr("Open"), Shape::Cross, ColorRole::Bad);
    if (code == "half_open"_L1)
        return term(tr("Half-open"), Shape::HalfDot, ColorRole::Warn);
    if (code == "forced_open"_L1)
        return term(tr("Forced open"), Shape::Stop, ColorRole::Bad);
    if (code == "disabled"_L1)
        return term(tr("Disabled"), Shape::Slash, ColorRole::Muted);
    return term(code.toString(), Shape::Ring, ColorRole::Muted);
}

QString Vocabulary::lane(Lane lane)
{
    switch (lane) {
    case Lane::Model:
        return tr("Model");
    case Lane::Corrections:
        return tr("Corrections");
    case Lane::Tools:
        return tr("Tools");
    case Lane::Breakers:
        return tr("Breakers");
    case Lane::Control:
        return tr("Control");
    }
    return {};
}

QString Vocabulary::modelCalls(qint64 n)
{
    return n == 1 ? tr("1 model call") : tr("%Ln model calls", nullptr, int(n));
}

QString Vocabulary::actions(qint64 n)
{
    return n == 1 ? tr("1 action") : tr("%Ln actions", nullptr, int(n));
}

QString Vocabulary::corrections(qint64 n)
{
    return n == 1 ? tr("1 correction") : tr("%Ln corrections", nullptr, int(n));
}

QString Vocabulary::tokens(qint64 n)
{
    return n == 1 ? tr("1 token") : tr("%Ln tokens", nullptr, int(n));
}

QString Vocabulary::events(qint64 n)
{
    return n == 1 ? tr("1 event") : tr("%Ln events", nullptr, int(n));
}

QString Vocabulary::messages(qint64 n)
{
    return n == 1 ? tr("1 message") : tr("%Ln messages", nullptr, int(n));
}

QString Vocabulary::failures(qint64 n)
{
    return n == 1 ? tr("1 failure") : tr("%Ln failures", nullptr, int(n));
}

QString Vocabulary::callsInFlight(qint64 n)
{
    return tr("%Ln in flight", nullptr, int(n));
}

QString Vocabulary::attempt(int attempt)
{
    return attempt <= 0 ? tr("First attempt") : tr("Correction %1").arg(attempt);
}

} // namespace emend::ui
