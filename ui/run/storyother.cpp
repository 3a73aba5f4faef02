// SPDX-License-Identifier: GPL-3.0-or-later
// The stories of tools, breakers, control, bounds, and of the run as a whole.
#include "ui/run/storybuilder.h"

#include <algorithm>

#include "ui/run/runfacts.h"
#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

void StoryBuilder::tool()
{
    const core::Event &e = event(m_row);
    const LineFields f = fields(m_row);
    const qint64 number = f.number("try").value_or(1);
    const QString name = f.text("tool", 200);
    if (!name.isEmpty())
        m_story.title =
            number > 1 ? tr("%1, try %2").arg(oneLine(name, 80)).arg(number) : oneLine(name, 80);
    const int started = find(EventKind::ToolStarted, e.step, -2, m_row, Way::Back);
    int result = m_row;
    if (e.kind == EventKind::ToolStarted) {
        const int good = find(EventKind::ToolSucceeded, e.step, -2, m_row, Way::Forth);
        const int bad = find(EventKind::ToolFailed, e.step, -2, m_row, Way::Forth);
        result = bad >= 0 && (good < 0 || bad < good) ? bad : good;
    }
    StorySection &verdict = add({});
    if (result < 0) {
        m_story.pending = m_live;
        verdict.verdict = m_live ? Term{tr("Running"), Shape::Play, ColorRole::Tool}
                                 : Term{tr("No result"), Shape::Slash, ColorRole::Warn};
    } else {
        const LineFields r = fields(result);
        verdict.verdict = Vocabulary::event(event(result).kind);
        QStringList words{durationText(r.number("duration_us").value_or(0))};
        if (r.flag("timed_out"))
            words += tr("time ran out");
        if (r.flag("effect_unknown"))
            words += tr("whether it had an effect is not known");
        if (r.flag("cancelled"))
            words += tr("aborted by a person");
        if (r.flag("will_retry"))
            words += tr("will be tried again");
        if (r.flag("lossy"))
            words += tr("not UTF-8; bytes that could not be read are marked");
        verdict.verdictText = words.join(u" · "_s);
    }
    if (started >= 0)
        addJson(tr("Input"), started, "tool_input");
    if (result >= 0)
        event(result).kind == EventKind::ToolSucceeded ? addText(tr("Output"), result, "output")
                                                       : addText(tr("Error"), result, "error");
    toolTries(e.step);
    if (result >= 0)
        toolBreaker(name, result);
}

void StoryBuilder::toolTries(int step)
{
    StorySection tries;
    int row = find(EventKind::ToolStarted, step, -2, m_row, Way::Back);
    if (row < 0)
        return;
    while (row > 0 && event(row - 1).step == step &&
           (event(row - 1).kind == EventKind::ToolFailed ||
            event(row - 1).kind == EventKind::ToolStarted))
        --row;
    for (int n = 0; row < m_model.rowCount() && n < 40; ++row, ++n) {
        const core::Event &e = event(row);
        if (e.step > step)
            break;
        if (e.step == step &&
            (e.kind == EventKind::ToolSucceeded || e.kind == EventKind::ToolFailed))
            fact(tries, tr("Try %1").arg(fields(row).number("try").value_or(1)),
                 tr("%1 after %2").arg(Vocabulary::event(e.kind).word, m_model.text(row).took));
    }
    if (tries.facts.size() < 2)
        return;
    tries.heading = tr("Tries");
    m_story.sections.push_back(std::move(tries));
}

void StoryBuilder::toolBreaker(const QString &name, int from)
{
    for (int row = from + 1; row < std::min(from + 6, m_model.rowCount()); ++row) {
        const EventKind kind = event(row).kind;
        if (kind == EventKind::ToolStarted || kind == EventKind::ModelRequested)
            break;
        if (kind != EventKind::BreakerChanged || fields(row).text("name", 200) != name)
            continue;
        StorySection &section = add(tr("Effect on the breaker"));
        section.verdict = Vocabulary::breakerState(fields(row).text("to", 40));
        section.verdictText = m_model.text(row).what;
        return;
    }
}

void StoryBuilder::skipped()
{
    const LineFields f = fields(m_row);
    m_story.title = tr("%1 was not executed").arg(oneLine(f.text("tool", 200), 80));
    StorySection &section = add({});
    section.verdict = Term{tr("Refused"), Shape::Slash, ColorRole::Warn};
    section.verdictText =
        tr("Not executed, because %1. The model was told so; it counts as an action.")
            .arg(Vocabulary::skipReason(f.text("reason", 60)));
    if (const auto wait = f.number("retry_in_ms"))
        fact(section, tr("Trial call in"), durationText(*wait * 1000));
    addJson(tr("Input"), m_row, "tool_input");
}

void StoryBuilder::breaker()
{
    const LineFields f = fields(m_row);
    m_story.title =
        tr("Breaker of %1").arg(oneLine(Vocabulary::breakerName(f.text("name", 200)), 80));
    const QString to = f.text("to", 40);
    StorySection &section = add({});
    section.verdict = Vocabulary::breakerState(to);
    if (to == "open"_L1)
        section.verdictText =
            tr("Calls are refused without being executed until the cooldown is over.");
    else if (to == "half_open"_L1)
        section.verdictText =
            tr("Exactly one trial call is let through: success closes, failure opens.");
    else if (to == "closed"_L1)
        section.verdictText = tr("Calls are executed.");
    else if (to == "forced_open"_L1)
        section.verdictText =
            tr("Calls are refused until a person changes that; no timer ends it.");
    else if (to == "disabled"_L1)
        section.verdictText = tr("Calls are executed whatever happens; nothing is counted.");
    StorySection &facts = add(tr("Change"));
    fact(facts, tr("Before"), Vocabulary::breakerState(f.text("from", 40)).word);
    fact(facts, tr("Why"), Vocabulary::breakerWhy(f.text("why", 60)));
    if (f.has("failures"))
        fact(facts, tr("Failures"),
             tr("%1 in a row, opens at %2")
                 .arg(f.number("failures").value_or(0))
                 .arg(f.number("threshold").value_or(0)));
    if (const auto until = f.number("until_us"); until && *until > event(m_row).tUs)
        fact(facts, tr("Cooldown"), tr("until %1").arg(clockText(*until)));
}

void StoryBuilder::control()
{
    const LineFields f = fields(m_row);
    switch (event(m_row).kind) {
    case EventKind::ControlKilled:
    case EventKind::ControlEscalated:
        return receipt(f);
    case EventKind::ControlPaused:
        add({}).note = tr("From here on nothing new was started until a person let it go on.");
        return;
    case EventKind::ControlResumed:
        add({}).note = tr("A person let the run go on.");
        return;
    case EventKind::ControlStepped:
        add({}).note = tr("A person let exactly one effect through.");
        return;
    case EventKind::ControlAnswered: {
        StorySection &section = add({});
        const LineFields answer = f.object("answer");
        fact(section, EscalationWords::answerKind(answer.text("kind", 40)),
             answer.text("text", 20'000));
        fact(section, tr("In step"), f.text("at_step", 20));
        fact(section, tr("Escalation"), f.text("escalation", 80));
        fact(section, tr("Of the run"), f.text("run_id", 80));
        section.note = tr("What was recorded before is played again; then the run goes on.");
        return;
    }
    case EventKind::EscalationOpened: {
        StorySection &section = add({});
        fact(section, tr("Reason"), f.text("reason", 4000));
        fact(section, tr("Opened by"),
             f.text("by", 40) == "person"_L1 ? tr("a person") : tr("the run itself"));
        return;
    }
    default:
        return other();
    }
}

void StoryBuilder::receipt(const LineFields &f)
{
    const ReceiptFacts r = readReceipt(f);
    if (event(m_row).kind == EventKind::ControlEscalated)
        addText(tr("Reason"), m_row, "reason");
    StorySection &section = add(tr("Receipt"));
    if (r.quietAfterUs >= 0) {
        section.verdict = Term{tr("Quiet %1 after the click").arg(durationText(r.quietAfterUs)),
                               Shape::Check, ColorRole::Good};
        section.verdictText = tr("Nothing was started and nothing came in after that.");
    }
    if (r.inFlight.empty())
        fact(section, tr("In flight"), tr("nothing"));
    for (const InFlightFacts &call : r.inFlight)
        fact(section, Vocabulary::inFlight(call.what),
             tr("%1: %2 after %3")
                 .arg(call.name, Vocabulary::fate(call.fate), durationText(call.afterUs)));
}

void StoryBuilder::budget()
{
    const LineFields f = fields(m_row);
    StorySection &section = add({});
    section.verdict = Term{tr("Bound reached: %1").arg(Vocabulary::bound(f.text("bound", 60))),
                           Shape::Stop, ColorRole::Warn};
    section.verdictText = tr("What would have gone over it was not sent.");
    fact(section, tr("Limit"), f.text("limit", 60));
    fact(section, tr("Used"), f.text("used", 60));
    fact(section, tr("Needed"), f.text("needed", 60));
}

void StoryBuilder::started()
{
    const LineFields f = fields(m_row);
    addText(tr("Goal"), m_row, "goal");
    StorySection &section = add(tr("Set-up"));
    fact(section, tr("Mode"), Vocabulary::mode(f.text("mode", 60)));
    const QString model = f.text("model", 200);
    fact(section, tr("Model"),
         f.text("provider", 200) + (model.isEmpty() ? QString() : u" · "_s + model));
    fact(section, tr("Prompt"),
         tr("%1, version %2")
             .arg(f.text("prompt_id", 100))
             .arg(f.number("prompt_version").value_or(0)));
    fact(section, tr("Prompt SHA-256"),
         f.text(f.has("prompt_hash") ? "prompt_hash" : "prompt_sha256", 100));
    fact(section, tr("Tools"), f.texts("tools").join(u", "_s));
    if (f.has("bound"))
        addJson(tr("Worst case, known before the run"), m_row, "bound");
}

void StoryBuilder::finished()
{
    const LineFields f = fields(m_row);
    StorySection &section = add({});
    section.verdict = Vocabulary::outcome(f.text("outcome", 60));
    section.verdictText = Vocabulary::reason(f.text("reason", 200));
    fact(section, tr("Missing"), f.texts("missing").join(u", "_s));
    if (f.has("failure")) {
        const LineFields failure = f.object("failure");
        fact(section, tr("Failure"),
             Vocabulary::transportClass(failure.text("class", 60)) + u": "_s +
                 failure.text("message", 4000));
    }
    if (f.raw("final_summary").size() > 2 && f.has("final_summary"))
        addText(tr("Summary"), m_row, "final_summary");
    totals(f.object("totals"));
    StorySection &file = add(tr("File"));
    fact(file, tr("SHA-256"), f.text("sha256", 100));
}

// What the totals hold for a call that a kill or an escalation aborted; 0 if there was none.
qint64 StoryBuilder::abortedReservation() const
{
    constexpr int near = 16; // events between the end of the call and that of the run
    for (int row = m_row - 1; row >= std::max(0, m_row - near); --row) {
        if (event(row).kind != EventKind::ModelFailed)
            continue;
        const core::Event &failed = event(row);
        const int asked =
            find(EventKind::ModelRequested, failed.step, failed.attempt, row, Way::Back);
        return asked >= 0 && fields(row).text("class", 40) == "cancelled"_L1
                   ? fields(asked).number("reserved_tokens").value_or(0)
                   : 0;
    }
    return 0;
}

void StoryBuilder::totals(const LineFields &f)
{
    StorySection &section = add(tr("Totals"));
    const std::pair<const char *, QString> rows[] = {
        {"model_calls", tr("Model calls")}, {"model_requests", tr("Requests sent")},
        {"actions", tr("Actions")},         {"tool_executions", tr("Tool executions")},
        {"corrections", tr("Corrections")}, {"tokens_in", tr("Tokens in")},
        {"tokens_out", tr("Tokens out")},
    };
    for (const auto &[key, label] : rows) {
        if (const auto value = f.number(key))
            fact(section, label, countText(*value));
    }
    if (const qint64 reserved = abortedReservation(); reserved > 0)
        fact(section, tr("Of these reserved"),
             tr("%1 tokens for the aborted call; what it used nobody knows")
                 .arg(countText(reserved)));
    if (const QString sum = runArithmetic(f); !sum.isEmpty())
        fact(section, tr("Cost"), sum);
    else if (const auto cost = f.real("cost_usd"))
        fact(section, tr("Cost"), costText(*cost));
    else
        fact(section, tr("Cost"), tr("unknown"));
    if (const auto took = f.number("duration_us"))
        fact(section, tr("Duration"), durationText(*took));
}

void StoryBuilder::other()
{
    const core::Event &e = event(m_row);
    if (e.problem != core::LineProblem::None)
        return;
    StorySection &section = add({});
    section.note = tr("The line below is all that is known of this event.");
}

} // namespace emend::ui
