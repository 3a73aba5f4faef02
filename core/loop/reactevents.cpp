// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the react loop alone, as core/trace/FORMAT.md describes them.
#include "core/json/canonical.h"
#include "core/json/linewriter.h"
#include "core/loop/reactloop.h"

namespace emend::core {

void ReactLoop::writeRejected(const Rejection &rejection, const ReadReply &read)
{
    LineWriter line;
    line.text("stage", m_slot.stage()).text("category", categoryName(rejection.category));
    line.text("error", rejection.error);
    rejection.pointer ? line.text("pointer", *rejection.pointer) : line.null("pointer");
    if (rejection.place) {
        line.number("offset", static_cast<std::int64_t>(rejection.place->offset));
        line.number("line", rejection.place->line).number("column", rejection.place->column);
    } else {
        line.null("offset").null("line").null("column");
    }
    line.text("suggest", rejection.suggest);
    line.raw("normalisations", stringList(read.normalisations));
    add(EventKind::DecisionRejected, line.takeMembers());
}

void ReactLoop::writeAccepted(const ReadReply &read)
{
    const Decision &decision = *read.decision;
    LineWriter line;
    line.text("stage", m_slot.stage());
    if (decision.kind == Decision::Kind::Action) {
        line.text("state", "action").text("reason", decision.reason).text("tool", decision.tool);
        line.json("tool_input", decision.toolInput).text("fingerprint", shortHash(m_fingerprint));
        std::string references = "[";
        for (const Reference &reference : m_references) {
            LineWriter one;
            one.text("pointer", reference.pointer).number("step", reference.step);
            one.text("value", reference.value);
            references += (references.size() > 1 ? ",{" : "{") + one.members() + "}";
        }
        line.raw("references", references + "]");
        if (finalOnly()) // valid, and one too many: it is not executed
            line.text("beyond", "max_actions");
    } else {
        line.text("state", "final").flag("satisfied", decision.satisfied);
        line.text("final_summary", decision.finalSummary);
    }
    line.raw("normalisations", stringList(read.normalisations));
    line.raw("extra_keys", stringList(read.extraKeys)).raw("warnings", stringList(read.warnings));
    add(EventKind::DecisionAccepted, line.takeMembers());
}

void ReactLoop::writeToolEnd(const ToolDone &done, bool willRetry)
{
    const ToolOutcome &outcome = done.outcome;
    const bool succeeded = outcome.kind == ToolOutcome::Kind::Succeeded;
    LineWriter line;
    line.text("tool", m_decision.tool).number("try", m_try);
    const bool lossy = foreignText(line, succeeded ? "output" : "error", outcome.text);
    if (succeeded) {
        line.number("bytes", static_cast<std::int64_t>(outcome.text.size()));
    } else {
        const ToolSpec *spec = specOf(m_decision.tool);
        line.flag("will_retry", willRetry).flag("timed_out", outcome.timedOut);
        line.flag("effect_unknown", outcome.timedOut && !spec->idempotent);
        line.flag("cancelled", outcome.kind == ToolOutcome::Kind::Cancelled);
    }
    if (!outcome.by.empty())
        line.text("by", outcome.by);
    line.flag("lossy", lossy).number("duration_us", done.durationUs);
    add(succeeded ? EventKind::ToolSucceeded : EventKind::ToolFailed, line.takeMembers(), false);
}

} // namespace emend::core
