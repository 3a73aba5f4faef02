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
    std::string model; // "*": any model of the provider
    Price price;
};

// Reads `resources/prices.json` or the person's own table. Errors carry line, column and pointer.
Result<std::vector<PriceEntry>> parsePrices(std::string_view text);

// The price of exactly this model, else of any model of the provider, else unknown. Unknown is
// never taken for free: a cost bound then refuses to start (design section 5).
std::optional<Price> priceOf(const std::vector<PriceEntry> &prices, const std::string &provider,
                             const std::string &model);

} // namespace emend::core
