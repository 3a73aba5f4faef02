// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/rowtext.h"

#include <QCoreApplication>

#include "ui/run/linefields.h"
#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

namespace {

constexpr std::size_t enough = 600; // bytes of one text that a row can show

struct Row {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::RowText)
public:
    static QString modelRequested(const LineFields &f, const core::Event &event);
    static QString modelReplied(const LineFields &f);
    static QString modelFailed(const LineFields &f);
    static QString modelWaiting(const LineFields &f);
    static QString accepted(const LineFields &f);
    static QString rejected(const LineFields &f);
    static QString requested(const LineFields &f);
    static QString resolved(const LineFields &f, const core::Event &event);
    static QString tool(const LineFields &f, EventKind kind);
    static QString skipped(const LineFields &f);
    static QString breaker(const LineFields &f);
    static QString control(const LineFields &f, EventKind kind);
    static QString budget(const LineFields &f);
    static QString finished(const LineFields &f);
    static QString other(const core::Event &event);
    static QString unreadTooLong(const core::Event &event);
};

// "a: b", or the one of them that there is.
QString joined(const QString &a, const QString &b)
{
    if (a.isEmpty() || b.isEmpty())
        return a + b;
    return a + ": "_L1 + b;
}

QString Row::modelRequested(const LineFields &f, const core::Event &event)
{
    const LineFields context = f.object("context");
    const int messages = int(f.elements("messages").size());
    QString text = Vocabulary::attempt(event.attempt) + u" · "_s + Vocabulary::messages(messages);
    if (const auto tokens = context.number("tokens"))
        text += u" · "_s + Vocabulary::tokens(*tokens);
    if (const auto percent = context.real("percent"))
        text += tr(", %1 % of the context").arg(qRound(*percent));
    return text;
}

QString Row::modelReplied(const LineFields &f)
{
    const QString reply = f.text("text", enough).trimmed();
    const QString shown = reply.isEmpty() ? tr("(empty)") : reply;
    const QString text = f.flag("truncated") ? tr("Cut by the token limit: %1").arg(shown) : shown;
    return f.flag("recorded") ? tr("Recorded: %1").arg(text) : text;
}

QString Row::modelFailed(const LineFields &f)
{
    QString text =
        joined(Vocabulary::transportClass(f.text("class", enough)), f.text("message", enough));
    if (f.flag("will_retry"))
        text = tr("%1 (will be tried again)").arg(text);
    return text;
}

QString Row::modelWaiting(const LineFields &f)
{
    return tr("%1, %2, retry %3 of %4")
        .arg(durationText(f.number("wait_ms").value_or(0) * 1000),
             Vocabulary::waitReason(f.text("why", enough)))
        .arg(f.number("retry").value_or(0))
        .arg(f.number("of").value_or(0));
}

QString Row::accepted(const LineFields &f)
{
    if (f.text("state", enough) == "action"_L1)
        return f.text("tool", enough) + u' ' + f.text("tool_input", enough);
    const QString verdict =
        f.flag("satisfied") ? tr("Final, satisfied") : tr("Final, not satisfied");
    return joined(verdict, f.text("final_summary", enough));
}

QString Row::rejected(const LineFields &f)
{
    return joined(Vocabulary::category(f.text("category", enough)), f.text("error", enough));
}

QString Row::requested(const LineFields &f)
{
    return tr("Correction %1 of %2 for “%3”")
        .arg(f.number("correction").value_or(0))
        .arg(f.number("of").value_or(0))
        .arg(Vocabulary::category(f.text("category", enough)));
}

QString Row::resolved(const LineFields &f, const core::Event &event)
{
    if (f.flag("resolved"))
        return tr("Resolved by attempt %1").arg(event.attempt);
    return joined(tr("Not resolved"),
                  joined(Vocabulary::category(f.text("result_category", enough)),
                         f.text("result_error", enough)));
}

QString Row::tool(const LineFields &f, EventKind kind)
{
    QString name = f.text("tool", enough);
    if (const auto attempt = f.number("try"); attempt && *attempt > 1)
        name = tr("%1 (try %2)").arg(name).arg(*attempt);
    if (kind == EventKind::ToolStarted)
        return name + u' ' + f.text("tool_input", enough);
    if (kind == EventKind::ToolSucceeded)
        return joined(name, f.text("output", enough));
    QString text = joined(name, f.flag("cancelled") ? tr("aborted") : f.text("error", enough));
    if (f.flag("will_retry"))
        text = tr("%1 (will be tried again)").arg(text);
    return text;
}

QString Row::skipped(const LineFields &f)
{
    QString text = joined(f.text("tool", enough), Vocabulary::skipReason(f.text("reason", enough)));
    if (const auto wait = f.number("retry_in_ms"))
        text = tr("%1, trial in %2").arg(text, durationText(*wait * 1000));
    return text;
}

QString Row::breaker(const LineFields &f)
{
    return tr("%1: %2 → %3, %4")
        .arg(Vocabulary::breakerName(f.text("name", enough)),
             Vocabulary::breakerState(f.text("from", enough)).word,
             Vocabulary::breakerState(f.text("to", enough)).word,
             Vocabulary::breakerWhy(f.text("why", enough)));
}

QString Row::control(const LineFields &f, EventKind kind)
{
    switch (kind) {
    case EventKind::ControlKilled: {
        const auto quiet = f.number("quiet_after_us");
        const int calls = int(f.elements("in_flight").size());
        const QString what = calls ? Vocabulary::callsInFlight(calls) : tr("nothing in flight");
        return quiet ? tr("Quiet %1 after the click, %2").arg(durationText(*quiet), what) : what;
    }
    case EventKind::ControlEscalated:
    case EventKind::EscalationOpened:
        return f.text("reason", enough);
    case EventKind::ControlAnswered:
        return joined(EscalationWords::answerKind(f.object("answer").text("kind", enough)),
                      f.object("answer").text("text", enough));
    case EventKind::EscalationClosed:
        return tr("Answered by a person; the run goes on");
    case EventKind::ControlPaused:
        return tr("Nothing new is started until it is resumed");
    case EventKind::ControlResumed:
        return tr("The run goes on");
    case EventKind::ControlStepped:
        return tr("One effect was let through");
    default:
        return {};
    }
}

QString Row::budget(const LineFields &f)
{
    return tr("%1: %2 of %3 used, %4 more needed")
        .arg(Vocabulary::bound(f.text("bound", enough)), f.text("used", enough),
             f.text("limit", enough), f.text("needed", enough));
}

QString Row::finished(const LineFields &f)
{
    return joined(Vocabulary::outcome(f.text("outcome", enough)).word,
                  Vocabulary::reason(f.text("reason", enough)));
}

QString Row::other(const core::Event &event)
{
    return QString::fromUtf8(event.line.data(), qsizetype(std::min(event.line.size(), enough)));
}

QString Row::unreadTooLong(const core::Event &event)
{
    return tr("%1 of data, shown when selected").arg(bytesText(qint64(event.line.size())));
}

QString whatHappened(const core::Event &event, const LineFields &f)
{
    switch (event.kind) {
    case EventKind::RunStarted:
        return f.text("goal", enough);
    case EventKind::ModelRequested:
        return Row::modelRequested(f, event);
    case EventKind::ModelReplied:
        return Row::modelReplied(f);
    case EventKind::ModelFailed:
        return Row::modelFailed(f);
    case EventKind::ModelWaiting:
        return Row::modelWaiting(f);
    case EventKind::DecisionAccepted:
        return Row::accepted(f);
    case EventKind::DecisionRejected:
        return Row::rejected(f);
    case EventKind::CorrectionRequested:
        return Row::requested(f);
    case EventKind::CorrectionResolved:
        return Row::resolved(f, event);
    case EventKind::ToolStarted:
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
        return Row::tool(f, event.kind);
    case EventKind::ToolSkipped:
        return Row::skipped(f);
    case EventKind::BreakerChanged:
        return Row::breaker(f);
    case EventKind::BudgetExhausted:
        return Row::budget(f);
    case EventKind::RunFinished:
        return Row::finished(f);
    case EventKind::ControlPaused:
    case EventKind::ControlResumed:
    case EventKind::ControlStepped:
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
    case EventKind::EscalationOpened:
    case EventKind::EscalationClosed:
    case EventKind::ControlAnswered:
        return Row::control(f, event.kind);
    default:
        return Row::other(event);
    }
}

// The kind's own term, made exact by what the line says.
Term badgeOf(const core::Event &event, const LineFields &f)
{
    if (event.problem != core::LineProblem::None && event.problem != core::LineProblem::AfterEnd &&
        event.kind == EventKind::Unknown)
        return Vocabulary::problem(event.problem);
    Term term = Vocabulary::event(event.kind);
    if (event.kind == EventKind::CorrectionResolved && f.flag("resolved"))
        term = {Vocabulary::tr("Resolved"), Shape::Check, ColorRole::Good};
    else if (event.kind == EventKind::CorrectionResolved && !f.isEmpty())
        term = {Vocabulary::tr("Not resolved"), Shape::Cross, ColorRole::Bad};
    else if (event.kind == EventKind::RunFinished)
        term.color = Vocabulary::outcome(f.text("outcome", enough)).color;
    else if (event.kind == EventKind::BreakerChanged && !f.isEmpty())
        term.color = Vocabulary::breakerState(f.text("to", enough)).color;
    else if ((event.kind == EventKind::ToolFailed && f.flag("cancelled")) ||
             (event.kind == EventKind::ModelFailed && f.text("class", enough) == "cancelled"_L1))
        term = {Vocabulary::tr("Aborted"), Shape::Stop, ColorRole::Muted}; // not its fault
    else if (event.kind == EventKind::Unknown && f.has("kind"))
        term.word = f.text("kind", 60);
    return term;
}

} // namespace

RowText rowText(const core::Event &event)
{
    const bool tooLong = event.line.size() > maxRowLine;
    const LineFields fields(tooLong ? std::string_view() : std::string_view(event.line));
    RowText row;
    row.badge = badgeOf(event, fields);
    row.badge.word = oneLine(row.badge.word, 60);
    row.what = tooLong ? Row::unreadTooLong(event) : whatHappened(event, fields);
    if (const std::size_t places = fields.elements("redactions").size(); places > 0)
        row.what = Row::tr("▮ redacted (%1) · %2").arg(places).arg(row.what);
    if (event.problem != core::LineProblem::None)
        row.what = joined(Vocabulary::problemText(event.problem), row.what);
    row.what = oneLine(row.what);
    if (const auto took = fields.number("duration_us");
        took && event.kind != EventKind::CorrectionRequested)
        row.took = durationText(*took);
    return row;
}

} // namespace emend::ui
