// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/storybuilder.h"

#include <algorithm>

#include "core/base/text.h"
#include "ui/text/plaintext.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

using core::EventKind;

namespace {

// A step has a handful of events; this keeps a strange trace from costing a walk through all of it.
constexpr int farthest = 4096;

} // namespace

Story buildStory(const EventModel &model, int row, bool runIsLive)
{
    return StoryBuilder(model, row, runIsLive).build();
}

StoryBuilder::StoryBuilder(const EventModel &model, int row, bool runIsLive)
    : m_model(model)
    , m_row(row)
    , m_live(runIsLive)
{}

Story StoryBuilder::build()
{
    const core::Event &e = event(m_row);
    m_story.badge =
        e.line.size() <= maxRowLine ? m_model.text(m_row).badge : Vocabulary::event(e.kind);
    m_story.title = m_story.badge.word;
    QStringList where;
    if (e.step > 0)
        where += tr("Step %1").arg(e.step);
    if (e.step > 0 && e.attempt >= 0)
        where += Vocabulary::attempt(e.attempt).toLower();
    where += tr("at %1").arg(clockText(e.tUs));
    if (e.seq > 0)
        where += tr("event %1").arg(e.seq);
    m_story.subtitle = where.join(u" · "_s);
    addProblem();
    switch (e.kind) {
    case EventKind::DecisionRejected:
    case EventKind::CorrectionRequested:
        correction(e.attempt);
        break;
    case EventKind::CorrectionResolved:
        correction(e.attempt - 1);
        break;
    case EventKind::ModelRequested:
    case EventKind::ModelReplied:
    case EventKind::ModelFailed:
    case EventKind::ModelWaiting:
        modelCall();
        break;
    case EventKind::DecisionAccepted:
        accepted();
        break;
    case EventKind::ToolStarted:
    case EventKind::ToolSucceeded:
    case EventKind::ToolFailed:
        tool();
        break;
    case EventKind::ToolSkipped:
        skipped();
        break;
    case EventKind::BreakerChanged:
        breaker();
        break;
    case EventKind::BudgetExhausted:
        budget();
        break;
    case EventKind::RunStarted:
        started();
        break;
    case EventKind::RunFinished:
        finished();
        break;
    default:
        control();
    }
    redactions();
    addRaw();
    return std::move(m_story);
}

LineFields StoryBuilder::fields(int row) const
{
    return LineFields(row >= 0 ? std::string_view(event(row).line) : std::string_view());
}

int StoryBuilder::find(EventKind kind, int step, int attempt, int from, Way way) const
{
    const int direction = way == Way::Back ? -1 : 1;
    const int count = m_model.rowCount();
    for (int n = 0, row = from; n < farthest && row >= 0 && row < count; ++n, row += direction) {
        const core::Event &e = event(row);
        if (e.kind == kind && e.step == step && (attempt == -2 || e.attempt == attempt))
            return row;
        if (e.step > 0 && (way == Way::Back ? e.step < step : e.step > step))
            return -1;
    }
    return -1;
}

int StoryBuilder::findEither(EventKind kind, int step, int attempt, int from) const
{
    const int back = find(kind, step, attempt, from, Way::Back);
    return back >= 0 ? back : find(kind, step, attempt, from, Way::Forth);
}

StorySection &StoryBuilder::add(const QString &heading)
{
    m_story.sections.emplace_back().heading = heading;
    return m_story.sections.back();
}

void StoryBuilder::fact(StorySection &section, const QString &label, const QString &value)
{
    if (!value.isEmpty())
        section.facts.push_back({label, visible(value)});
}

StorySection &StoryBuilder::addText(const QString &heading, int row, const char *key, qint64 mark)
{
    StorySection &section = add(heading);
    const LineFields f = fields(row);
    const std::string_view raw = f.raw(key);
    // Bytes that were not UTF-8 stand beside the text; places are counted in them.
    std::string bytes;
    const std::string beside = std::string(key) + "_b64";
    if (!f.has(beside) || !core::fromBase64(f.bytes(beside), bytes)) {
        const std::size_t needed = storyTextShown * 2 + (mark > 0 ? std::size_t(mark) : 0);
        bytes = f.bytes(key, std::min(needed, storyTextMost));
    }
    StoryText text;
    text.bytes = qint64(std::max(raw.size(), std::size_t(2)) - 2);
    text.shown = markText(bytes, mark, storyTextShown);
    if (bytes.size() < raw.size() / 2 && bytes.size() >= storyTextShown)
        text.shown.cutAfter = true;
    if (text.shown.cutBefore || text.shown.cutAfter) {
        text.whole = [&model = m_model, row, name = std::string(key)](std::size_t most) {
            return visible(LineFields(model.event(row).line).text(name, most));
        };
    }
    section.text = std::move(text);
    return section;
}

StorySection &StoryBuilder::addJson(const QString &heading, int row, const char *key)
{
    StorySection &section = add(heading);
    const LineFields f = fields(row);
    const std::string_view raw = f.raw(key);
    StoryText text;
    text.bytes = qint64(raw.size());
    text.shown.text = visible(prettyJson(raw, storyTextShown));
    text.shown.cutAfter = raw.size() > storyTextShown;
    if (text.shown.cutAfter) {
        text.whole = [&model = m_model, row, name = std::string(key)](std::size_t most) {
            return visible(prettyJson(LineFields(model.event(row).line).raw(name), most));
        };
    }
    section.text = std::move(text);
    return section;
}

void StoryBuilder::addRaw()
{
    StorySection &section = add(tr("Line in the trace"));
    section.collapsed = true;
    const std::string &line = event(m_row).line;
    StoryText text;
    text.bytes = qint64(line.size());
    text.shown.text = visible(prettyJson(line, storyTextShown));
    text.shown.cutAfter = line.size() > storyTextShown;
    if (text.shown.cutAfter) {
        text.whole = [&model = m_model, row = m_row](std::size_t most) {
            return visible(prettyJson(model.event(row).line, most));
        };
    }
    section.text = std::move(text);
}

void StoryBuilder::addProblem()
{
    const core::LineProblem problem = event(m_row).problem;
    if (problem == core::LineProblem::None)
        return;
    StorySection &section = add({});
    section.verdict = Vocabulary::problem(problem);
    section.verdictText = Vocabulary::problemText(problem);
}

QString StoryBuilder::costs(const LineFields &f)
{
    QStringList parts;
    if (f.has("tokens_in"))
        parts += tr("%1 tokens in").arg(countText(f.number("tokens_in").value_or(0)));
    if (f.has("tokens_out"))
        parts += tr("%1 out").arg(countText(f.number("tokens_out").value_or(0)));
    if (f.has("duration_us"))
        parts += durationText(f.number("duration_us").value_or(0));
    if (const auto cost = f.real("cost_usd"))
        parts += costText(*cost);
    return parts.join(u", "_s);
}

QStringList StoryBuilder::normalisations(const LineFields &f)
{
    QStringList words;
    const QStringList codes = f.texts("normalisations");
    for (const QString &code : codes)
        words += Vocabulary::normalisation(code);
    return words;
}

} // namespace emend::ui
