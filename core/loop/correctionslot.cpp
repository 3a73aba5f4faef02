// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/correctionslot.h"

#include "core/json/linewriter.h"

namespace emend::core {

namespace {

void writeCost(LineWriter &line, const AttemptCost &cost)
{
    line.number("tokens_in", cost.tokensIn).number("tokens_out", cost.tokensOut);
    line.number("duration_us", cost.durationUs);
    cost.usd ? line.real("cost_usd", *cost.usd) : line.null("cost_usd");
}

} // namespace

CorrectionSlot::CorrectionSlot(std::string unit, int step, int maxCorrections)
    : m_unit(std::move(unit))
    , m_step(step)
    , m_max(maxCorrections)
{}

std::string CorrectionSlot::stage() const
{
    std::string name = m_unit + "_" + std::to_string(m_step);
    return m_attempt == 0 ? name : name + "_correction_" + std::to_string(m_attempt);
}

void CorrectionSlot::resolved(const Finding *still, const AttemptCost &cost,
                              std::vector<EventDraft> &events)
{
    if (m_attempt == 0)
        return;
    LineWriter line;
    line.number("correction", m_attempt).text("category", m_category);
    line.flag("resolved", still == nullptr);
    if (still != nullptr)
        line.text("result_category", still->category).text("result_error", still->error);
    else
        line.null("result_category").null("result_error");
    writeCost(line, cost);
    events.push_back({EventKind::CorrectionResolved, m_step, static_cast<std::int16_t>(m_attempt),
                      line.takeMembers()});
}

void CorrectionSlot::accept(const AttemptCost &cost, std::vector<EventDraft> &events)
{
    resolved(nullptr, cost, events);
}

bool CorrectionSlot::reject(const Finding &finding, const std::string &feedback,
                            const AttemptCost &cost, std::vector<EventDraft> &events)
{
    resolved(&finding, cost, events);
    if (!mayCorrect())
        return false;
    LineWriter line;
    line.number("correction", m_attempt + 1).number("of", m_max);
    line.text("category", finding.category).text("error", finding.error);
    finding.pointer ? line.text("pointer", *finding.pointer) : line.null("pointer");
    if (finding.place)
        line.number("line", finding.place->line).number("column", finding.place->column);
    else
        line.null("line").null("column");
    line.text("feedback", feedback);
    writeCost(line, cost);
    events.push_back({EventKind::CorrectionRequested, m_step, static_cast<std::int16_t>(m_attempt),
                      line.takeMembers()});
    m_category = finding.category;
    ++m_attempt;
    return true;
}

} // namespace emend::core
