// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

// The part of the Open-Meteo API that we use (https://open-meteo.com/en/docs): addresses, and the
// meaning of replies. Pure, any thread. Errors are reasons in words.
namespace emend::tools {

struct MeteoPlace {
    std::string name; // "Oslo, Norway"
    double latitude = 0, longitude = 0;
};

struct MeteoReading {
    std::string sky;         // "light rain"
    std::string temperature; // the server's digits
};

std::string searchUrl(const std::string &baseUrl, const std::string &city);
std::string forecastUrl(const std::string &baseUrl, const MeteoPlace &place, bool fahrenheit);

// No place is no error: the first is empty then.
tl::expected<std::optional<MeteoPlace>, std::string> readPlace(std::string_view body);
tl::expected<MeteoReading, std::string> readForecast(std::string_view body, bool fahrenheit);

// The words for a WMO 4677 weather code as Open-Meteo uses it; "" if unknown.
std::string_view skyOf(int weatherCode);

} // namespace emend::tools
