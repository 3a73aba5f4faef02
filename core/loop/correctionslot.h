// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/trace/event.h"

namespace emend::core {

// What a check found wrong with an attempt, whatever the check was.
struct Finding {
    std::string category;
    std::string error;
    std::optional<std::string> pointer;
    std::optional<Place> place;
};

// What an attempt cost.
struct AttemptCost {
    std::int64_t tokensIn = 0, tokensOut = 0, durationUs = 0;
    std::optional<double> usd;
};

// The one correction loop of all modes (design section 2): generate → check → accept | correct |
// give up, with a budget of corrections. It knows attempts and findings, not what is generated or
// checked, and writes the correction events. A value; the mode's state machine owns one a slot.
class CorrectionSlot {
public:
    // `step` counts from 1; `unit` names the stages: "step_3", "step_3_correction_1".
    CorrectionSlot(std::string unit, int step, int maxCorrections);

    int step() const { return m_step; }
    int attempt() const { return m_attempt; } // 0: the first, n: the n-th correction
    int maxCorrections() const { return m_max; }
    bool mayCorrect() const { return m_attempt < m_max; }
    std::string stage() const;

    // The attempt passed its check: the slot is solved.
    void accept(const AttemptCost &cost, std::vector<EventDraft> &events);
    // The attempt failed. Writes whether it resolved the correction before it. True: `feedback` is
    // to be sent and the next attempt made; false: the budget is used up, give up.
    bool reject(const Finding &finding, const std::string &feedback, const AttemptCost &cost,
                std::vector<EventDraft> &events);

private:
    void resolved(const Finding *still, const AttemptCost &cost, std::vector<EventDraft> &events);

    std::string m_unit;
    int m_step;
    int m_max;
    int m_attempt = 0;
    std::string m_category; // of the correction that the current attempt answers
};

} // namespace emend::core
