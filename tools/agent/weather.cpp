// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/weather.h"

#include "core/base/text.h"
#include "tools/agent/builtintool.h"
#include "tools/agent/openmeteo.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"

#include <QString>

#include <algorithm>
#include <array>

namespace emend::tools {

namespace {

using core::ToolOutcome;

constexpr std::int64_t maxReplyBytes = 256 * 1024;
constexpr std::chrono::microseconds maxWait = std::chrono::seconds(10);

std::string_view symbolOf(bool fahrenheit)
{
    return fahrenheit ? "°F" : "°C";
}

// FNV-1a of the name without regard to case, spacing and spelling of accents, so that the sample
// is the same on every machine and in every run.
std::uint64_t hashOf(const std::string &city)
{
    const QByteArray name = QString::fromStdString(city)
                                .normalized(QString::NormalizationForm_KC)
                                .simplified()
                                .toCaseFolded()
                                .toUtf8();
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char byte : name)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    return hash;
}

// Whole degrees Celsius from -5 to 34; exact in Fahrenheit with at most one decimal.
std::string sampleTemperature(std::uint64_t hash, bool fahrenheit)
{
    const int celsius = static_cast<int>((hash >> 32) % 40) - 5;
    if (!fahrenheit)
        return std::to_string(celsius);
    const int tenths = celsius * 18 + 320;
    const std::string whole = std::to_string(tenths / 10);
    return tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10);
}

ToolOutcome sampleWeather(const std::string &city, bool fahrenheit)
{
    constexpr std::array<std::string_view, 6> skies{"clear", "partly cloudy", "overcast",
                                                    "fog",   "light rain",    "rain"};
    const std::uint64_t hash = hashOf(city);
    std::string text = city + ": ";
    text += skies[hash % skies.size()];
    text += ", " + sampleTemperature(hash, fahrenheit) + " ";
    text += symbolOf(fahrenheit);
    return ToolOutcome::succeeded(text + " (sample data, not a real reading)");
}

// The body of a 200 reply, or how the call ends without one.
tl::expected<std::string, ToolOutcome> bodyOf(HttpOutcome outcome, const std::string &what)
{
    switch (outcome.kind) {
    case HttpOutcome::Kind::Cancelled:
        return tl::unexpected(ToolOutcome::cancelled());
    case HttpOutcome::Kind::Failed: {
        const std::string message = what + " failed: " + outcome.error.message;
        const bool late = outcome.error.kind == HttpError::Kind::Timeout;
        return tl::unexpected(late ? ToolOutcome::timeout(message) : ToolOutcome::failed(message));
    }
    case HttpOutcome::Kind::Replied:
        break;
    }
    const int status = outcome.response.status;
    if (status == 200)
        return std::move(outcome.response.body);
    std::string message = what + " failed: HTTP status " + std::to_string(status);
    if (status / 100 == 3)
        message += " (a redirect, which is not followed)";
    return tl::unexpected(ToolOutcome::failed(std::move(message)));
}

constexpr std::string_view schema = R"({
    "type": "object",
    "properties": {
        "city": {
            "type": "string",
            "description": "Name of the city, for example Delhi",
            "minLength": 1,
            "maxLength": 200
        },
        "unit": {
            "type": "string",
            "description": "Unit of the temperature",
            "enum": ["celsius", "fahrenheit"],
            "default": "celsius"
        }
    },
    "required": ["city"]
})";

class WeatherTool : public BuiltInTool {
public:
    explicit WeatherTool(const ToolEnvironment &environment)
        : BuiltInTool(environment.clock, "weather",
                      "Gives the current weather and temperature of a city.", schema)
        , m_http(environment.http)
        , m_baseUrl(environment.weatherBaseUrl)
    {
        while (m_baseUrl.ends_with('/'))
            m_baseUrl.pop_back();
    }

protected:
    ToolOutcome run(const nlohmann::json &input, const core::CallContext &context) override
    {
        const std::string city(core::trimBlank(textAt(input, "city")));
        const bool fahrenheit = textAt(input, "unit") == "fahrenheit";
        if (city.empty())
            return ToolOutcome::failed("the city has no name");
        if (m_baseUrl.empty())
            return sampleWeather(city, fahrenheit);
        if (!m_http)
            return ToolOutcome::failed("the weather service needs a network, and there is none");
        return liveWeather(city, fahrenheit, context);
    }

private:
    ToolOutcome liveWeather(const std::string &city, bool fahrenheit,
                            const core::CallContext &context)
    {
        const auto found = fetch(searchUrl(m_baseUrl, city), "the place search", context);
        if (!found)
            return found.error();
        const auto place = readPlace(*found);
        if (!place)
            return ToolOutcome::failed(place.error());
        if (!*place)
            return ToolOutcome::failed("no place is called " + core::inQuotes(city));

        const auto forecast =
            fetch(forecastUrl(m_baseUrl, **place, fahrenheit), "the forecast", context);
        if (!forecast)
            return forecast.error();
        const auto reading = readForecast(*forecast, fahrenheit);
        if (!reading)
            return ToolOutcome::failed(reading.error());
        std::string text = (*place)->name + ": " + reading->sky + ", " + reading->temperature + " ";
        text += symbolOf(fahrenheit);
        return ToolOutcome::succeeded(std::move(text));
    }

    tl::expected<std::string, ToolOutcome> fetch(std::string url, const std::string &what,
                                                 const core::CallContext &context)
    {
        HttpRequest request;
        request.url = std::move(url);
        request.maxBodyBytes = maxReplyBytes;
        request.timeout = std::min(timeLeft(clock(), context), maxWait);
        return bodyOf(m_http->send(request, context.stop), what);
    }

    HttpClient *m_http;
    std::string m_baseUrl;
};

} // namespace

std::unique_ptr<core::Tool> makeWeatherTool(const ToolEnvironment &environment)
{
    return std::make_unique<WeatherTool>(environment);
}

} // namespace emend::tools
