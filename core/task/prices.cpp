// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/prices.h"

#include <array>
#include <charconv>

#include "core/task/filereader.h"

namespace emend::core {

Result<PriceTable> parsePriceTable(std::string_view text)
{
    constexpr double highest = 1e6;
    FileReader file(text, "prices", 1);
    ObjectReader root = file.root();
    std::string unit;
    root.text("unit", unit);
    root.text("note", unit);
    PriceTable table;
    root.text("as_of", table.asOf);
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
        entry.text("base_url", price.baseUrl);
        entry.real("in", price.price.in, 0, highest);
        entry.real("out", price.price.out, 0, highest);
        entry.optionalReal("cached_in", price.price.cachedIn, 0, highest);
        entry.finish();
        table.entries.push_back(std::move(price));
    }
    root.finish();
    if (file.error())
        return tl::unexpected<Error>(*file.error());
    return table;
}

Result<std::vector<PriceEntry>> parsePrices(std::string_view text)
{
    auto table = parsePriceTable(text);
    if (!table)
        return tl::unexpected<Error>(table.error());
    return std::move(table->entries);
}

std::string priceLine(const PriceEntry &entry)
{
    nlohmann::ordered_json line = {{"provider", entry.provider}, {"model", entry.model}};
    line["in"] = entry.price.in;
    if (entry.price.cachedIn)
        line["cached_in"] = *entry.price.cachedIn;
    line["out"] = entry.price.out;
    if (!entry.baseUrl.empty())
        line["base_url"] = entry.baseUrl;
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Price> priceOf(const std::vector<PriceEntry> &prices, const std::string &provider,
                             const std::string &model, const std::string &baseUrl)
{
    std::optional<Price> best;
    std::size_t bestFit = 0; // 1 + the characters that match; an exact name fits best
    for (const PriceEntry &entry : prices) {
        if (entry.provider != provider || (entry.baseUrl != "*" && entry.baseUrl != baseUrl))
            continue;
        std::size_t fit = 0;
        if (entry.model == model)
            fit = std::string::npos;
        else if (entry.model.ends_with('*') &&
                 model.starts_with(std::string_view(entry.model).substr(0, entry.model.size() - 1)))
            fit = entry.model.size();
        if (fit > bestFit) {
            best = entry.price;
            bestFit = fit;
        }
    }
    return best;
}

std::string dollars(double usd)
{
    std::array<char, 400> text{}; // the longest double
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), usd, std::chars_format::fixed, 6);
    if (error != std::errc())
        return "$?";
    std::string out(text.data(), end);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.'))
        out.pop_back();
    return "$" + out;
}

std::string costArithmetic(const Price &price, std::int64_t tokensIn, std::int64_t cachedIn,
                           std::int64_t tokensOut)
{
    const auto grouped = [](std::int64_t number) {
        std::string digits = std::to_string(number);
        for (std::size_t at = digits.size(); at > 3;)
            digits.insert(at -= 3, ",");
        return digits;
    };
    const double cachedPrice = price.cachedIn.value_or(price.in);
    std::string out = grouped(tokensIn - cachedIn) + " in × " + dollars(price.in);
    if (cachedIn > 0)
        out += " + " + grouped(cachedIn) + " cached × " + dollars(cachedPrice);
    out += " + " + grouped(tokensOut) + " out × " + dollars(price.out) + " per million";
    const double usd =
        (static_cast<double>(tokensIn - cachedIn) * price.in +
         static_cast<double>(cachedIn) * cachedPrice + static_cast<double>(tokensOut) * price.out) /
        1e6;
    return out + " = " + dollars(usd);
}

} // namespace emend::core
