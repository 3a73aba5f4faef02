// SPDX-License-Identifier: GPL-3.0-or-later
// The stories of model calls and accepted decisions.
#include "ui/run/storybuilder.h"

#include <algorithm>

#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

void StoryBuilder::modelCall()
{
    const core::Event &e = event(m_row);
    const int requested = find(EventKind::ModelRequested, e.step, e.attempt, m_row, Way::Back);
    if (e.kind == EventKind::ModelWaiting) {
        const LineFields f = fields(m_row);
        StorySection &section = add({});
        section.verdict =
            Term{tr("Waiting %1").arg(durationText(f.number("wait_ms").value_or(0) * 1000)),
                 Shape::Hourglass, ColorRole::Warn};
        section.verdictText = tr("Retry %1 of %2, %3. A transport error costs no correction.")
                                  .arg(f.number("retry").value_or(0))
                                  .arg(f.number("of").value_or(0))
                                  .arg(Vocabulary::waitReason(f.text("why", 60)));
    }
    const bool asked = e.kind == EventKind::ModelRequested;
    if (!asked)
        modelAnswer(m_row);
    if (requested >= 0) {
        modelContext(requested);
        modelPrompt(requested);
    }
    if (asked)
        modelAnswer(m_row);
}

void StoryBuilder::modelContext(int requested)
{
    const LineFields f = fields(requested);
    const LineFields context = f.object("context");
    StorySection &section = add(tr("Request"));
    fact(section, tr("Stage"), f.text("stage", 200));
    if (const auto call = f.number("call"))
        fact(section, tr("Call"),
             f.number("request").value_or(*call) == *call
                 ? countText(*call)
                 : tr("%1 (request %2, with retries)")
                       .arg(countText(*call), countText(f.number("request").value_or(0))));
    if (context.has("tokens")) {
        QString usage = tr("%1 of %2 tokens")
                            .arg(countText(context.number("tokens").value_or(0)),
                                 countText(context.number("limit").value_or(0)));
        if (const auto percent = context.real("percent"))
            usage += tr(" (%1 %)").arg(qRound(*percent));
        fact(section, tr("Context"), usage);
    }
    bool whole = true;
    for (const char *key : {"compressed", "shortened", "dropped"}) {
        const auto elements = context.elements(key);
        if (elements.empty())
            continue;
        whole = false;
        QStringList names;
        for (std::size_t n = 0; n < std::min<std::size_t>(elements.size(), 12); ++n)
            names += QString::fromStdString(jsonBytes(elements[n], 80));
        fact(section, Vocabulary::contextMeasure(QString::fromLatin1(key)),
             Vocabulary::messages(qint64(elements.size())) + u": "_s + names.join(u", "_s));
    }
    if (whole && context.has("tokens"))
        fact(section, tr("Kept"), tr("everything"));
    QString reserved;
    if (const auto tokens = f.number("reserved_tokens"))
        reserved = tr("%1 tokens").arg(countText(*tokens));
    if (const auto cost = f.real("reserved_cost_usd"))
        reserved += u", "_s + costText(*cost);
    fact(section, tr("Reserved"), reserved);
}

void StoryBuilder::modelPrompt(int requested)
{
    const LineFields f = fields(requested);
    const auto elements = f.elements("messages");
    constexpr std::size_t most = 60; // newest; the rest is in the line below
    const std::size_t first = elements.size() > most ? elements.size() - most : 0;
    StorySection &head = add(tr("Prompt as sent"));
    head.note = Vocabulary::messages(qint64(elements.size()));
    if (first > 0)
        head.note += tr(", the newest %1 are shown").arg(most);
    for (std::size_t n = first; n < elements.size(); ++n)
        modelMessage(elements[n], int(n) + 1, n + 2 < elements.size());
}

void StoryBuilder::modelMessage(const std::string_view element, int number, bool collapsed)
{
    // A message that was sent before is only its number; its text is in the line that sent it
    // first.
    std::string copy;
    if (element.front() != '{') {
        qint64 id = QByteArray(element.data(), qsizetype(element.size())).toLongLong();
        const int row = m_model.messageRow(id);
        if (row < 0 || row >= m_model.rowCount()) {
            add(tr("%1 · Message %2").arg(number).arg(id)).note =
                tr("Its text is not in this trace");
            return;
        }
        const LineFields origin = fields(row);
        for (const std::string_view candidate : origin.elements("messages")) {
            if (candidate.front() == '{' && LineFields(candidate).number("id") == id)
                copy = candidate;
        }
    } else {
        copy = element;
    }
    const LineFields message(copy);
    StorySection &section =
        add(tr("%1 · %2").arg(number).arg(Vocabulary::role(message.text("role", 40))));
    section.collapsed = collapsed;
    const std::string bytes = message.bytes("text", storyTextShown + 4);
    StoryText text;
    text.bytes = qint64(message.raw("text").size());
    text.shown = markText(bytes, -1, storyTextShown);
    if (text.shown.cutAfter) {
        text.whole = [copy = std::move(copy)](std::size_t limit) {
            return visible(LineFields(copy).text("text", limit));
        };
    }
    section.text = std::move(text);
}

void StoryBuilder::modelAnswer(int row)
{
    const core::Event &e = event(row);
    int answer = row;
    if (e.kind == EventKind::ModelRequested) {
        const int replied = find(EventKind::ModelReplied, e.step, e.attempt, row, Way::Forth);
        const int failed = find(EventKind::ModelFailed, e.step, e.attempt, row, Way::Forth);
        answer = failed >= 0 && (replied < 0 || failed < replied) ? failed : replied;
    }
    if (answer < 0) {
        if (!m_live)
            return;
        m_story.pending = true;
        m_story.liveStep = e.step;
        m_story.liveAttempt = e.attempt;
        add(tr("Reply, arriving")).live = true;
        return;
    }
    const LineFields f = fields(answer);
    if (event(answer).kind == EventKind::ModelReplied) {
        StorySection &section = addText(tr("Reply as received"), answer, "text");
        if (section.text->bytes == 0)
            section.note = tr("The reply was empty");
        modelCost(section, answer);
        fact(section, tr("Ended with"), f.text("finish_reason", 200));
        if (f.flag("truncated"))
            fact(section, tr("Cut"), tr("by the token limit"));
        modelDecision(answer);
    } else if (event(answer).kind == EventKind::ModelFailed) {
        StorySection &section = add(tr("Failure"));
        section.verdict = Term{oneLine(Vocabulary::transportClass(f.text("class", 60)), 80),
                               Shape::Cross, ColorRole::Bad};
        section.verdictText = visible(f.text("message", 4000));
        if (const auto status = f.number("http_status"))
            fact(section, tr("HTTP status"), QString::number(*status));
        fact(section, tr("Provider's code"), f.text("detail", 400));
        fact(section, tr("Tried again"), f.flag("will_retry") ? tr("yes") : tr("no"));
        if (const auto wait = f.number("retry_after_ms"))
            fact(section, tr("Asked to wait"), durationText(*wait * 1000));
        fact(section, tr("Took"), durationText(f.number("duration_us").value_or(0)));
        if (f.has("partial") && f.raw("partial").size() > 2)
            addText(tr("Text before the failure"), answer, "partial");
    }
}

void StoryBuilder::modelDecision(int replied)
{
    const core::Event &e = event(replied);
    const int yes = find(EventKind::DecisionAccepted, e.step, e.attempt, replied, Way::Forth);
    const int no = find(EventKind::DecisionRejected, e.step, e.attempt, replied, Way::Forth);
    const int decision = yes >= 0 ? yes : no;
    if (decision < 0)
        return;
    StorySection &section = add(tr("What became of it"));
    section.verdict = Vocabulary::event(event(decision).kind);
    section.verdictText = m_model.text(decision).what;
}

void StoryBuilder::accepted()
{
    const LineFields f = fields(m_row);
    const core::Event &e = event(m_row);
    StorySection &section = add({});
    if (f.text("state", 40) == "action"_L1) {
        m_story.title = tr("Action accepted");
        section.verdict = Term{oneLine(f.text("tool", 200), 80), Shape::Check, ColorRole::Good};
        section.verdictText = visible(f.text("reason", 4000));
        addJson(tr("Input"), m_row, "tool_input");
    } else {
        m_story.title = tr("Final decision accepted");
        const bool satisfied = f.flag("satisfied");
        section.verdict = satisfied ? Term{tr("Satisfied"), Shape::Check, ColorRole::Good}
                                    : Term{tr("Not satisfied"), Shape::Slash, ColorRole::Warn};
        addText(tr("Summary"), m_row, "final_summary");
    }
    StorySection &read = add(tr("How it was read"));
    fact(read, tr("Leniently"), normalisations(f).join(u", "_s));
    fact(read, tr("Ignored keys"), f.texts("extra_keys").join(u", "_s));
    fact(read, tr("Warnings"), f.texts("warnings").join(u'\n'));
    for (const std::string_view element : f.elements("references")) {
        const LineFields reference(element);
        fact(read, tr("Reference"),
             tr("%1 stands for %2, from step %3")
                 .arg(reference.text("pointer", 200), reference.text("value", 200))
                 .arg(reference.number("step").value_or(0)));
    }
    if (read.facts.empty())
        read.note = tr("Strictly; nothing had to be repaired or ignored");
    const int replied = find(EventKind::ModelReplied, e.step, e.attempt, m_row, Way::Back);
    if (replied >= 0)
        addText(tr("Reply as received"), replied, "text").note = costs(fields(replied));
}

} // namespace emend::ui
