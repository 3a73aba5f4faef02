// SPDX-License-Identifier: GPL-3.0-or-later
// The story of a correction: what was wrong, where, what was sent, and what came of it.
#include "ui/run/storybuilder.h"

#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

void StoryBuilder::correction(int attempt)
{
    const int step = event(m_row).step;
    const int rejected = findEither(EventKind::DecisionRejected, step, attempt, m_row);
    const int from = rejected >= 0 ? rejected : m_row;
    const int replied = find(EventKind::ModelReplied, step, attempt, from, Way::Back);
    const int requested = find(EventKind::CorrectionRequested, step, attempt, from, Way::Forth);
    const int next = requested < 0
                         ? -1
                         : find(EventKind::ModelReplied, step, attempt + 1, requested, Way::Forth);
    const int resolved = requested < 0 ? -1
                                       : find(EventKind::CorrectionResolved, step, attempt + 1,
                                              requested, Way::Forth);
    if (requested >= 0) {
        const LineFields f = fields(requested);
        m_story.badge = Vocabulary::event(EventKind::CorrectionRequested);
        m_story.title = tr("Correction %1 of %2")
                            .arg(f.number("correction").value_or(attempt + 1))
                            .arg(f.number("of").value_or(0));
    } else {
        m_story.title = tr("Rejected reply");
    }
    correctionVerdict(rejected, requested, next, resolved, attempt);
    correctionRule(rejected >= 0 ? rejected : requested);
    correctionReply(rejected, replied);
    if (requested >= 0)
        addText(tr("Feedback sent"), requested, "feedback").note =
            tr("Sent to the model word for word, as untrusted text");
    correctionNext(next, resolved, attempt);
    correctionCost(requested, resolved);
}

void StoryBuilder::correctionVerdict(int rejected, int requested, int next, int resolved,
                                     int attempt)
{
    StorySection &section = add({});
    if (resolved >= 0) {
        const LineFields f = fields(resolved);
        if (f.flag("resolved")) {
            section.verdict =
                Term{tr("Resolved by attempt %1").arg(attempt + 1), Shape::Check, ColorRole::Good};
            section.verdictText = tr("The next reply was a valid decision.");
            return;
        }
        section.verdict =
            Term{tr("Not resolved: %1")
                     .arg(oneLine(Vocabulary::category(f.text("result_category", 200)), 80)),
                 Shape::Cross, ColorRole::Bad};
        section.verdictText = oneLine(f.text("result_error", 2000), 1000);
        return;
    }
    const bool ended =
        m_model.rowCount() > 0 && event(m_model.rowCount() - 1).kind == EventKind::RunFinished;
    if (requested < 0 && rejected >= 0 && (rejected + 1 < m_model.rowCount() || !m_live)) {
        section.verdict = Term{tr("No correction was left"), Shape::Stop, ColorRole::Bad};
        section.verdictText = tr("The step had used up its corrections, so nothing was sent back.");
        return;
    }
    if (!m_live || ended) {
        section.verdict = Term{tr("Not answered"), Shape::Slash, ColorRole::Warn};
        section.verdictText = tr("The run ended before the model replied to the correction.");
        return;
    }
    m_story.pending = true;
    section.verdict = Term{next >= 0 ? tr("Reading the reply") : tr("Waiting for the reply"),
                           Shape::Hourglass, ColorRole::Warn};
    section.verdictText = tr("The correction was sent; the verdict comes with the next reply.");
}

void StoryBuilder::correctionRule(int rejected)
{
    if (rejected < 0)
        return;
    const LineFields f = fields(rejected);
    const QString category = f.text("category", 200);
    StorySection &section = add(tr("What was wrong"));
    const QString rule = Vocabulary::categoryRule(category);
    fact(section, tr("Check"), Vocabulary::category(category));
    fact(section, tr("Rule"), rule);
    fact(section, tr("Error"), f.text("error", 4000));
    const auto line = f.number("line"), column = f.number("column");
    if (line && column) {
        QString place = tr("line %1, column %2").arg(*line).arg(*column);
        if (const auto offset = f.number("offset"))
            place += tr(" (byte %1)").arg(*offset);
        fact(section, tr("Place"), place);
    }
    if (f.has("pointer")) {
        const QString pointer = f.text("pointer", 1000);
        fact(section, tr("Pointer"), pointer.isEmpty() ? tr("the whole decision") : pointer);
    }
    if (f.has("suggest") && !f.text("suggest", 200).isEmpty())
        fact(section, tr("Suggestion"), tr("did you mean “%1”?").arg(f.text("suggest", 200)));
    fact(section, tr("Read leniently"), normalisations(f).join(u", "_s));
}

void StoryBuilder::correctionReply(int rejected, int replied)
{
    if (replied < 0)
        return;
    const LineFields f = fields(rejected);
    StorySection &section =
        addText(tr("Reply as received"), replied, "text", f.number("offset").value_or(-1));
    const auto line = f.number("line"), column = f.number("column");
    if (section.text && section.text->bytes == 0)
        section.note = tr("The reply was empty");
    else if (line && column && section.text->shown.markAtEnd)
        section.note = tr("Marked: the end, line %1 column %2").arg(*line).arg(*column);
    else if (line && column)
        section.note = tr("Marked: line %1 column %2").arg(*line).arg(*column);
    if (fields(replied).flag("truncated"))
        section.note +=
            (section.note.isEmpty() ? QString() : u". "_s) + tr("The token limit cut this reply");
}

void StoryBuilder::correctionNext(int next, int resolved, int attempt)
{
    if (next >= 0) {
        StorySection &section = addText(tr("Next reply"), next, "text");
        if (resolved >= 0)
            section.note =
                fields(resolved).flag("resolved") ? tr("Accepted") : tr("Rejected again");
    } else if (m_story.pending) {
        StorySection &section = add(tr("Next reply, arriving"));
        section.live = true;
        m_story.liveStep = event(m_row).step;
        m_story.liveAttempt = attempt + 1;
    }
}

void StoryBuilder::correctionCost(int requested, int resolved)
{
    if (requested < 0)
        return;
    StorySection &section = add(tr("What it cost"));
    fact(section, tr("Rejected attempt"), costs(fields(requested)));
    fact(section, tr("Answer to it"), costs(fields(resolved)));
}

} // namespace emend::ui
