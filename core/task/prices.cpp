// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/prices.h"

#include "core/task/filereader.h"

namespace emend::core {

Result<std::vector<PriceEntry>> parsePrices(std::string_view text)
{
    constexpr double highest = 1e6;
    FileReader file(text, "prices", 1);
    ObjectReader root = file.root();
    std::string unit;
    root.text("unit", unit);
    std::vector<PriceEntry> prices;
    const nlohmann::json *list = root.take("models");
    if (list == nullptr || !list->is_array())
        file.fault("/models", "expected a list of models with their prices");
    for (std::size_t i = 0; list != nullptr && list->is_array() && i < list->size(); ++i) {
        const std::string at = "/models/" + std::to_string(i);
        if (!(*list)[i].is_object()) {
            file.fault(at, "expected an object");
            continue;
        }
        ObjectReader entry(file, &(*list)[i], at);
        PriceEntry price;
        entry.required("provider", price.provider);
        entry.required("model", price.model);
        entry.real("in", price.price.in, 0, highest);
        entry.real("out", price.price.out, 0, highest);
        entry.optionalReal("cached_in", price.price.cachedIn, 0, highest);
        entry.finish();
        prices.push_back(std::move(price));
    }
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return prices;
}

std::optional<Price> priceOf(const std::vector<PriceEntry> &prices, const std::string &provider,
                             const std::string &model)
{
    std::optional<Price> any;
    for (const PriceEntry &entry : prices) {
        if (entry.provider != provider)
            continue;
        if (entry.model == model)
            return entry.price;
        if (entry.model == "*")
            any = entry.price;
    }
    return any;
}

} // namespace emend::core
