// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/loop/bound.h"

namespace emend::core {

// Tokens of a text, as an estimate: four ASCII bytes a token, every other code point one.
std::int64_t estimateTokens(std::string_view text);

// What a run may still spend (design section 5). Before a model call its worst case is reserved;
// what would break a bound is not sent. A value; the loop owns it.
class Budget {
public:
    struct Exhausted {
        std::string bound; // "max_tokens" …
        double limit = 0, used = 0, needed = 0;
    };
    struct Reservation {
        std::int64_t tokensIn = 0, tokensOut = 0;
        std::optional<double> costUsd;
    };

    Budget(const Bounds &bounds, const std::optional<Price> &price);

    // Counts the request and sets its worst case aside, or says which bound it would break.
    std::optional<Exhausted> reserve(std::int64_t tokensIn, std::int64_t maxTokensOut);
    // The reserved call was never sent after all.
    void cancel();
    // The reserved call replied: what it really used takes the place of the reservation. Returns
    // its cost.
    // `cachedIn` of the tokens in came from the provider's cache; 0 where nobody knows. What is not
    // `charged` counts as tokens and costs nothing.
    std::optional<double> settle(std::int64_t tokensIn, std::int64_t tokensOut,
                                 std::int64_t cachedIn = 0, bool charged = true);
    // The reserved call failed. `mayHaveCost`: nobody knows what the provider counted, so the
    // reservation stands as spent.
    void settleFailed(bool mayHaveCost);

    const Reservation &reservation() const { return m_reserved; }
    std::int64_t requests() const { return m_requests; }
    std::int64_t tokensIn() const { return m_tokensIn; }
    std::int64_t tokensOut() const { return m_tokensOut; }
    std::optional<double> costUsd() const;
    // What the cost is made of: tokens of calls that are paid now.
    std::int64_t chargedIn() const { return m_chargedIn; }
    std::int64_t chargedCached() const { return m_chargedCached; } // of them
    std::int64_t chargedOut() const { return m_chargedOut; }

private:
    std::optional<double> cost(std::int64_t tokensIn, std::int64_t tokensOut,
                               std::int64_t cachedIn = 0) const;

    Bounds m_bounds;
    std::optional<Price> m_price;
    Reservation m_reserved;
    std::int64_t m_requests = 0;
    std::int64_t m_tokensIn = 0, m_tokensOut = 0;
    std::int64_t m_chargedIn = 0, m_chargedOut = 0, m_chargedCached = 0;
};

} // namespace emend::core
