// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/practice/goalplaces.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace emend::tools {

namespace {

using Kind = GoalToken::Kind;

struct City {
    std::string_view name; // lower-case
    std::string_view zone;
};

constexpr std::array cities = {
    City{"abu dhabi", "Asia/Dubai"},
    City{"amsterdam", "Europe/Amsterdam"},
    City{"athens", "Europe/Athens"},
    City{"auckland", "Pacific/Auckland"},
    City{"bangalore", "Asia/Kolkata"},
    City{"bangkok", "Asia/Bangkok"},
    City{"barcelona", "Europe/Madrid"},
    City{"beijing", "Asia/Shanghai"},
    City{"bergen", "Europe/Oslo"},
    City{"berlin", "Europe/Berlin"},
    City{"bogota", "America/Bogota"},
    City{"boston", "America/New_York"},
    City{"brussels", "Europe/Brussels"},
    City{"budapest", "Europe/Budapest"},
    City{"buenos aires", "America/Argentina/Buenos_Aires"},
    City{"cairo", "Africa/Cairo"},
    City{"cape town", "Africa/Johannesburg"},
    City{"chicago", "America/Chicago"},
    City{"copenhagen", "Europe/Copenhagen"},
    City{"delhi", "Asia/Kolkata"},
    City{"denver", "America/Denver"},
    City{"dubai", "Asia/Dubai"},
    City{"dublin", "Europe/Dublin"},
    City{"frankfurt", "Europe/Berlin"},
    City{"geneva", "Europe/Zurich"},
    City{"hamburg", "Europe/Berlin"},
    City{"helsinki", "Europe/Helsinki"},
    City{"hong kong", "Asia/Hong_Kong"},
    City{"honolulu", "Pacific/Honolulu"},
    City{"istanbul", "Europe/Istanbul"},
    City{"jakarta", "Asia/Jakarta"},
    City{"johannesburg", "Africa/Johannesburg"},
    City{"karachi", "Asia/Karachi"},
    City{"kolkata", "Asia/Kolkata"},
    City{"kuala lumpur", "Asia/Kuala_Lumpur"},
    City{"lagos", "Africa/Lagos"},
    City{"lima", "America/Lima"},
    City{"lisbon", "Europe/Lisbon"},
    City{"london", "Europe/London"},
    City{"los angeles", "America/Los_Angeles"},
    City{"madrid", "Europe/Madrid"},
    City{"manila", "Asia/Manila"},
    City{"melbourne", "Australia/Melbourne"},
    City{"mexico city", "America/Mexico_City"},
    City{"milan", "Europe/Rome"},
    City{"montreal", "America/Toronto"},
    City{"moscow", "Europe/Moscow"},
    City{"mumbai", "Asia/Kolkata"},
    City{"munich", "Europe/Berlin"},
    City{"nairobi", "Africa/Nairobi"},
    City{"new delhi", "Asia/Kolkata"},
    City{"new york", "America/New_York"},
    City{"oslo", "Europe/Oslo"},
    City{"paris", "Europe/Paris"},
    City{"prague", "Europe/Prague"},
    City{"reykjavik", "Atlantic/Reykjavik"},
    City{"rio de janeiro", "America/Sao_Paulo"},
    City{"riyadh", "Asia/Riyadh"},
    City{"rome", "Europe/Rome"},
    City{"san francisco", "America/Los_Angeles"},
    City{"santiago", "America/Santiago"},
    City{"sao paulo", "America/Sao_Paulo"},
    City{"são paulo", "America/Sao_Paulo"},
    City{"seattle", "America/Los_Angeles"},
    City{"seoul", "Asia/Seoul"},
    City{"shanghai", "Asia/Shanghai"},
    City{"singapore", "Asia/Singapore"},
    City{"stockholm", "Europe/Stockholm"},
    City{"sydney", "Australia/Sydney"},
    City{"taipei", "Asia/Taipei"},
    City{"tehran", "Asia/Tehran"},
    City{"tel aviv", "Asia/Jerusalem"},
    City{"tokyo", "Asia/Tokyo"},
    City{"toronto", "America/Toronto"},
    City{"vancouver", "America/Vancouver"},
    City{"vienna", "Europe/Vienna"},
    City{"warsaw", "Europe/Warsaw"},
    City{"washington", "America/New_York"},
    City{"zurich", "Europe/Zurich"},
    City{"zürich", "Europe/Zurich"},
};

// Words that are no place and end a list of places.
constexpr std::string_view otherWords =
    "a about above add after again all also am an and are around as at average be because before "
    "below between both but by c calculate celsius check clock colder compare compute convert "
    "cold currently date day days degree degrees difference divide do does double each fahrenheit "
    "find first for forecast from get give half hot hotter how i if in into is it its kelvin let "
    "local me mean minus moment month morning multiply my near next night now of on or our "
    "out over percent please plus product rain report result right say second show so square "
    "subtract sum sunny take tell temperature temperatures than that the then there these they "
    "this time times to today tomorrow tonight triple twice units until using vs versus warm "
    "warmer "
    "weather week what when where which while who why will wind with year yesterday you your";

constexpr std::string_view prepositions = "in for at of between near";
constexpr std::string_view joints = "and or vs versus than";
constexpr std::string_view fillers = "the city town of both downtown either place";
constexpr std::string_view countries =
    "argentina australia austria brazil canada chile china colombia denmark egypt england finland "
    "france germany greece india indonesia ireland israel italy japan kenya malaysia mexico "
    "netherlands nigeria norway peru philippines poland portugal scotland spain sweden "
    "switzerland texas thailand turkey uk usa";

const City *cityNamed(std::string_view lower)
{
    const auto it = std::find_if(cities.begin(), cities.end(),
                                 [&](const City &city) { return city.name == lower; });
    return it == cities.end() ? nullptr : &*it;
}

bool canBePlace(const GoalToken &token)
{
    return token.kind == Kind::Word && !isOneOf(token, otherWords);
}

bool endsWithPossessive(const std::string &word)
{
    return word.size() > 2 && word.ends_with("'s");
}

// How many words from `begin` on name a city we know ("new york" is two), 0 for none.
std::size_t knownCityAt(const std::vector<GoalToken> &tokens, std::size_t begin)
{
    std::string name;
    std::size_t found = 0;
    for (std::size_t i = 0; i < 3 && tokens[begin + i].kind == Kind::Word; ++i) {
        name += (name.empty() ? "" : " ") + tokens[begin + i].lower;
        if (cityNamed(name))
            found = i + 1;
    }
    return found;
}

// The words from `begin` on that are one name, joined by spaces; moves `begin` behind them.
std::string takeName(const std::vector<GoalToken> &tokens, std::size_t &begin)
{
    const std::size_t known = knownCityAt(tokens, begin);
    const bool capitalised = tokens[begin].isCapitalised();
    std::size_t end = begin + std::max<std::size_t>(known, 1);
    while (known == 0 && capitalised && canBePlace(tokens[end]) && tokens[end].isCapitalised())
        ++end;
    std::string name = tokens[begin].text;
    while (++begin < end)
        name += " " + tokens[begin].text;
    return name;
}

// Whether the place list goes on at `next`: with a name, a city we know, or, in a goal all in small
// letters, with a word that stands alone ("oslo and bergen").
bool goesOn(const std::vector<GoalToken> &tokens, std::size_t next, bool smallLetters)
{
    if (!canBePlace(tokens[next]))
        return false;
    return tokens[next].isCapitalised() || knownCityAt(tokens, next) > 0 ||
           (smallLetters && tokens[next + 1].kind != Kind::Word);
}

// "Oslo", "Oslo and Bergen", "Paris, France, or Rome".
std::vector<std::string> takeList(const std::vector<GoalToken> &tokens, std::size_t begin)
{
    std::vector<std::string> places;
    while (isOneOf(tokens[begin], fillers))
        ++begin;
    if (!canBePlace(tokens[begin]))
        return places;
    const bool smallLetters = !tokens[begin].isCapitalised();
    for (;;) {
        places.push_back(takeName(tokens, begin));
        const bool separated = tokens[begin].kind == Kind::Comma || tokens[begin].is("in");
        if (separated && isOneOf(tokens[begin + 1], countries))
            begin += 2; // "Paris, France" is one place
        const std::size_t end = begin;
        while (tokens[begin].kind == Kind::Comma || isOneOf(tokens[begin], joints))
            ++begin;
        if (begin == end || !goesOn(tokens, begin, smallLetters))
            return places;
    }
}

} // namespace

std::vector<std::string> placesFor(const std::vector<GoalToken> &tokens, std::size_t keyword)
{
    for (std::size_t i = keyword + 1; tokens[i].kind != Kind::End && tokens[i].kind != Kind::Stop;
         ++i) {
        if (!isOneOf(tokens[i], prepositions))
            continue;
        auto places = takeList(tokens, i + 1);
        if (!places.empty())
            return places;
    }
    if (keyword > 0) {
        const GoalToken &before = tokens[keyword - 1];
        if (endsWithPossessive(before.text))
            return {before.text.substr(0, before.text.size() - 2)};
        if (cityNamed(before.lower))
            return {before.text};
    }
    const GoalToken &after = tokens[keyword + 1];
    if (canBePlace(after) && (after.isCapitalised() || cityNamed(after.lower)))
        return takeList(tokens, keyword + 1);
    return {};
}

std::string timeZoneOf(const std::string &place)
{
    std::string lower = place;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (lower == "utc" || lower == "gmt")
        return "UTC";
    const City *city = cityNamed(lower);
    return city ? std::string(city->zone) : place;
}

} // namespace emend::tools
