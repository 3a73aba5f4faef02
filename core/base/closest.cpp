// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/closest.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "core/base/text.h"

namespace emend::core {

namespace {

std::string lowered(const std::string &text)
{
    std::string out = text;
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

std::size_t editDistance(const std::string &a, const std::string &b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string closestName(const std::string &name, const std::vector<std::string> &candidates)
{
    if (name.empty() || name.size() > 200)
        return {};
    const std::string wanted = lowered(std::string(trimBlank(name)));
    std::string best;
    std::size_t bestScore = SIZE_MAX;
    for (const std::string &candidate : candidates) {
        const std::string offered = lowered(candidate);
        std::size_t score = editDistance(wanted, offered);
        // "functions.weather", "weather<|channel|>commentary", "get_weather"
        const std::size_t at = offered.size() < 3 ? std::string::npos : wanted.find(offered);
        const auto isLetter = [&](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(wanted[i])) != 0;
        };
        if (at != std::string::npos && (at == 0 || !isLetter(at - 1)) &&
            (at + offered.size() == wanted.size() || !isLetter(at + offered.size())))
            score = std::min<std::size_t>(score, 1);
        const std::size_t allowed = std::max<std::size_t>(1, offered.size() / 3);
        if (score <= allowed && score < bestScore) {
            bestScore = score;
            best = candidate;
        }
    }
    return best;
}

} // namespace emend::core
