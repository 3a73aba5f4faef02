// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/loop/bound.h"

namespace emend::core {

struct PriceEntry {
    std::string provider;
    std::string model;   // with a * at the end: all models that begin so
    std::string baseUrl; // where it is served; empty: the provider's own service, "*": anywhere
    Price price;
};

struct PriceTable {
    std::string asOf; // "2026-11", as a person wrote it; may be empty
    std::vector<PriceEntry> entries;
};

// Reads `resources/prices.json` or the person's own table. Errors carry line, column and pointer.
Result<PriceTable> parsePriceTable(std::string_view text);
Result<std::vector<PriceEntry>> parsePrices(std::string_view text); // its entries
// The entry as a line of such a file.
std::string priceLine(const PriceEntry &entry);

// The price of exactly this model, else of the longest beginning of its name, else unknown; of two
// that fit alike the first, so a person's table goes before the bundled one. `baseUrl`: empty for
// the provider's own service. Unknown is never taken for free: a cost bound then refuses to start
// (design section 5).
std::optional<Price> priceOf(const std::vector<PriceEntry> &prices, const std::string &provider,
                             const std::string &model, const std::string &baseUrl = {});

// How a cost comes about, for people: "1,234 in × $0.15 + 512 cached × $0.075 + 210 out × $0.6 per
// million = $0.000350". `cachedIn` is part of `tokensIn`.
std::string costArithmetic(const Price &price, std::int64_t tokensIn, std::int64_t cachedIn,
                           std::int64_t tokensOut);
// US dollars without needless zeros, six places at most: "$0.00035", "$12.5".
std::string dollars(double usd);

} // namespace emend::core
