// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/openmeteo.h"

#include "tools/agent/builtintool.h"

#include <QByteArray>

#include <array>

namespace emend::tools {

namespace {

using Json = nlohmann::json;

struct Sky {
    int code;
    std::string_view words;
};

constexpr std::array skies{
    Sky{0, "clear"},
    Sky{1, "mainly clear"},
    Sky{2, "partly cloudy"},
    Sky{3, "overcast"},
    Sky{45, "fog"},
    Sky{48, "freezing fog"},
    Sky{51, "light drizzle"},
    Sky{53, "drizzle"},
    Sky{55, "dense drizzle"},
    Sky{56, "light freezing drizzle"},
    Sky{57, "freezing drizzle"},
    Sky{61, "light rain"},
    Sky{63, "rain"},
    Sky{65, "heavy rain"},
    Sky{66, "light freezing rain"},
    Sky{67, "freezing rain"},
    Sky{71, "light snow"},
    Sky{73, "snow"},
    Sky{75, "heavy snow"},
    Sky{77, "snow grains"},
    Sky{80, "light showers"},
    Sky{81, "showers"},
    Sky{82, "violent showers"},
    Sky{85, "light snow showers"},
    Sky{86, "heavy snow showers"},
    Sky{95, "thunderstorm"},
    Sky{96, "thunderstorm with light hail"},
    Sky{99, "thunderstorm with heavy hail"},
};

// The value at `key`, or null if there is none.
Json valueAt(const Json &object, std::string_view key)
{
    const auto found = object.find(key);
    return found == object.end() ? Json() : *found;
}

tl::unexpected<std::string> error(const char *reason)
{
    return tl::unexpected<std::string>(reason);
}

} // namespace

std::string searchUrl(const std::string &baseUrl, const std::string &city)
{
    const QByteArray name = QByteArray::fromStdString(city).toPercentEncoding();
    return baseUrl + "/v1/search?name=" + name.toStdString() + "&count=1&language=en&format=json";
}

std::string forecastUrl(const std::string &baseUrl, const MeteoPlace &place, bool fahrenheit)
{
    const auto number = [](double value) {
        return QByteArray::number(value, 'f', 5).toStdString();
    };
    return baseUrl + "/v1/forecast?latitude=" + number(place.latitude) +
           "&longitude=" + number(place.longitude) +
           "&current=temperature_2m,weather_code&temperature_unit=" +
           (fahrenheit ? "fahrenheit" : "celsius");
}

tl::expected<std::optional<MeteoPlace>, std::string> readPlace(std::string_view body)
{
    const Json reply = Json::parse(body, nullptr, false);
    if (!reply.is_object())
        return error("the place search did not answer with a JSON object");
    const Json results = valueAt(reply, "results");
    if (results.is_null() || (results.is_array() && results.empty()))
        return std::nullopt;
    const Json first = results.is_array() ? results.front() : Json();
    const Json latitude = valueAt(first, "latitude");
    const Json longitude = valueAt(first, "longitude");
    const std::string country = textAt(first, "country");
    std::string name = textAt(first, "name");
    if (name.empty() || !latitude.is_number() || !longitude.is_number())
        return error("the place search answered without a name, latitude or longitude");
    if (!country.empty())
        name += ", " + country;
    return MeteoPlace{std::move(name), latitude.get<double>(), longitude.get<double>()};
}

tl::expected<MeteoReading, std::string> readForecast(std::string_view body, bool fahrenheit)
{
    const Json reply = Json::parse(body, nullptr, false);
    if (!reply.is_object())
        return error("the forecast is not a JSON object");
    const Json current = valueAt(reply, "current");
    const Json temperature = valueAt(current, "temperature_2m");
    if (!temperature.is_number())
        return error("the forecast has no current temperature");
    const std::string unit = textAt(valueAt(reply, "current_units"), "temperature_2m");
    if (!unit.empty() && unit != (fahrenheit ? "°F" : "°C"))
        return error("the forecast came in another unit than asked for");
    const Json code = valueAt(current, "weather_code");
    std::string_view sky = code.is_number_integer() ? skyOf(code.get<int>()) : std::string_view();
    return MeteoReading{std::string(sky.empty() ? "sky unknown" : sky), temperature.dump()};
}

std::string_view skyOf(int weatherCode)
{
    for (const Sky &sky : skies) {
        if (sky.code == weatherCode)
            return sky.words;
    }
    return {};
}

} // namespace emend::tools
