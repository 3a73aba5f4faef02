// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/budget.h"

namespace emend::core {

std::int64_t estimateTokens(std::string_view text)
{
    std::int64_t ascii = 0, other = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        ascii += byte < 0x80 ? 1 : 0;
        other += byte >= 0xC0 ? 1 : 0; // lead bytes: one a code point
    }
    return (ascii + 3) / 4 + other;
}

Budget::Budget(const Bounds &bounds, const std::optional<Price> &price)
    : m_bounds(bounds)
    , m_price(price)
{}

std::optional<double> Budget::cost(std::int64_t tokensIn, std::int64_t tokensOut,
                                   std::int64_t cachedIn) const
{
    if (!m_price)
        return std::nullopt;
    return (static_cast<double>(tokensIn - cachedIn) * m_price->in +
            static_cast<double>(cachedIn) * m_price->cachedIn.value_or(m_price->in) +
            static_cast<double>(tokensOut) * m_price->out) /
           1e6;
}

std::optional<double> Budget::costUsd() const
{
    return cost(m_chargedIn, m_chargedOut, m_chargedCached);
}

std::optional<Budget::Exhausted> Budget::reserve(std::int64_t tokensIn, std::int64_t maxTokensOut)
{
    if (m_bounds.maxModelCalls && m_requests + 1 > *m_bounds.maxModelCalls)
        return Exhausted{"max_model_calls", static_cast<double>(*m_bounds.maxModelCalls),
                         static_cast<double>(m_requests), 1};
    const std::int64_t used = m_tokensIn + m_tokensOut;
    if (m_bounds.maxTokens && used + tokensIn + maxTokensOut > *m_bounds.maxTokens)
        return Exhausted{"max_tokens", static_cast<double>(*m_bounds.maxTokens),
                         static_cast<double>(used), static_cast<double>(tokensIn + maxTokensOut)};
    const auto needed = cost(tokensIn, maxTokensOut);
    if (m_bounds.maxCostUsd) {
        const double spent = costUsd().value_or(0);
        if (!needed || spent + *needed > *m_bounds.maxCostUsd)
            return Exhausted{"max_cost_usd", *m_bounds.maxCostUsd, spent, needed.value_or(0)};
    }
    ++m_requests;
    m_reserved = {tokensIn, maxTokensOut, needed};
    return std::nullopt;
}

void Budget::cancel()
{
    --m_requests;
    m_reserved = {};
}

std::optional<double> Budget::settle(std::int64_t tokensIn, std::int64_t tokensOut,
                                     std::int64_t cachedIn, bool charged)
{
    m_tokensIn += tokensIn;
    m_tokensOut += tokensOut;
    m_reserved = {};
    if (!charged)
        return m_price ? std::optional(0.0) : std::nullopt;
    m_chargedIn += tokensIn;
    m_chargedOut += tokensOut;
    m_chargedCached += cachedIn;
    return cost(tokensIn, tokensOut, cachedIn);
}

void Budget::settleFailed(bool mayHaveCost)
{
    if (mayHaveCost) {
        m_tokensIn += m_reserved.tokensIn;
        m_tokensOut += m_reserved.tokensOut;
        m_chargedIn += m_reserved.tokensIn;
        m_chargedOut += m_reserved.tokensOut;
    }
    m_reserved = {};
}

} // namespace emend::core
