// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/retryafter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace emend::tools {

namespace {

constexpr std::int64_t longestMs = 365LL * 24 * 3600 * 1000;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Digits only; what is too large for the type counts as the largest.
std::optional<std::int64_t> whole(std::string_view text)
{
    if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? value : INT64_MAX;
}

// "7" or "7.25" in thousandths, rounded up.
std::optional<std::int64_t> thousandths(std::string_view text)
{
    const std::size_t dot = text.find('.');
    const auto units = whole(text.substr(0, dot));
    if (!units)
        return std::nullopt;
    if (*units > longestMs / 1000)
        return longestMs;
    std::int64_t ms = *units * 1000;
    if (dot == std::string_view::npos)
        return ms;
    const std::string_view digits = text.substr(dot + 1);
    if (!whole(digits))
        return std::nullopt;
    int scale = 100;
    bool more = false;
    for (const char c : digits) {
        ms += (c - '0') * scale;
        more = more || (scale == 0 && c != '0');
        scale /= 10;
    }
    return ms + (more ? 1 : 0);
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const std::size_t begin = text.find_first_not_of(" ,-");
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = std::min(text.find_first_of(" ,-", begin), text.size());
        out.push_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
    return out;
}

std::optional<unsigned> monthOf(std::string_view name)
{
    constexpr std::array<std::string_view, 12> names = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end())
        return std::nullopt;
    return static_cast<unsigned>(it - names.begin()) + 1;
}

std::optional<std::int64_t> timeOfDay(std::string_view text)
{
    if (text.size() != 8 || text[2] != ':' || text[5] != ':')
        return std::nullopt;
    const auto h = whole(text.substr(0, 2)), m = whole(text.substr(3, 2)),
               s = whole(text.substr(6));
    if (!h || !m || !s || *h > 23 || *m > 59 || *s > 60)
        return std::nullopt;
    return *h * 3600 + *m * 60 + *s;
}

std::optional<WallTime> moment(std::string_view day, std::string_view month, std::string_view year,
                               std::string_view time, WallTime now)
{
    const auto d = whole(day), y = whole(year), t = timeOfDay(time);
    const auto m = monthOf(month);
    if (!d || !y || !t || !m || *d > 31 || *y > 9999)
        return std::nullopt;
    using namespace std::chrono;
    auto fullYear = static_cast<int>(*y);
    if (year.size() == 2) { // RFC 850: more than 50 years ahead means the century before
        const int current = static_cast<int>(year_month_day(floor<days>(now)).year());
        fullYear += current / 100 * 100;
        if (fullYear > current + 50)
            fullYear -= 100;
    }
    const year_month_day date{std::chrono::year(fullYear), std::chrono::month(*m),
                              std::chrono::day(static_cast<unsigned>(*d))};
    if (!date.ok())
        return std::nullopt;
    return sys_days(date) + seconds(*t);
}

std::optional<WallTime> dateOf(std::string_view text, WallTime now)
{
    const auto w = words(text);
    if (w.size() == 6 && w[5] == "GMT") // "Sun, 06 Nov 1994 …" and "Sunday, 06-Nov-94 …"
        return moment(w[1], w[2], w[3], w[4], now);
    if (w.size() == 5 && w[4].size() == 4) // asctime: "Sun Nov  6 08:49:37 1994"
        return moment(w[2], w[1], w[4], w[3], now);
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> retryAfterMs(std::string_view value, WallTime now)
{
    const std::string_view text = trimmed(value);
    if (const auto ms = thousandths(text))
        return std::min(*ms, longestMs);
    const auto date = dateOf(text, now);
    if (!date)
        return std::nullopt;
    const std::int64_t ms = (*date - now).count() * 1000;
    return std::clamp<std::int64_t>(ms, 0, longestMs);
}

std::optional<std::int64_t> wholeMs(std::string_view value)
{
    const std::string_view text = trimmed(value);
    const std::size_t dot = text.find('.');
    const auto ms = whole(text.substr(0, dot));
    if (!ms || (dot != std::string_view::npos && !whole(text.substr(dot + 1))))
        return std::nullopt;
    return std::min(*ms, longestMs);
}

std::optional<std::int64_t> durationMs(std::string_view value)
{
    std::string_view text = trimmed(value);
    if (!text.ends_with('s'))
        return std::nullopt;
    text.remove_suffix(1);
    const auto ms = thousandths(text);
    return ms ? std::optional(std::min(*ms, longestMs)) : std::nullopt;
}

} // namespace emend::tools
