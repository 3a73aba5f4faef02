// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/agent/gettime.h"

#include "core/base/closest.h"
#include "core/base/text.h"
#include "core/json/schema.h"
#include "tools/agent/builtintool.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace emend::tools {

namespace {

constexpr qsizetype maxSuggestions = 3;

// QTimeZone alone is too generous: it takes any POSIX rule ("PST" and "FOO" are then UTC), the
// machine's own zone ("", "localtime") and the leap-second tables ("right/…"). Names that IANA
// keeps for the past ("Asia/Calcutta") are in no list, but have a region and a file.
QTimeZone findZone(const QByteArray &id)
{
    if (id == "GMT" || QTimeZone::isTimeZoneIdAvailable(id))
        return QTimeZone(id);
    const bool regional = id.indexOf('/') > 0 && !id.startsWith('<') && !id.startsWith("right/") &&
                          !id.startsWith("posix/");
    return regional ? QTimeZone(id) : QTimeZone();
}

// "America/Argentina/Buenos_Aires" → "buenos_aires", "Buenos Aires" → "buenos_aires".
QByteArray cityOf(const QByteArray &name)
{
    return name.mid(name.lastIndexOf('/') + 1).trimmed().toLower().replace(' ', '_');
}

// Zones of a country, by its English name: "Japan" → Asia/Tokyo.
QList<QByteArray> zonesOfCountry(const QString &name)
{
    for (int i = 1; i <= int(QLocale::LastTerritory); ++i) {
        const auto territory = static_cast<QLocale::Territory>(i);
        if (QLocale::territoryToString(territory).compare(name, Qt::CaseInsensitive) == 0)
            return QTimeZone::availableTimeZoneIds(territory);
    }
    return {};
}

// Zones whose city is the one closest in spelling: "Tokio" → Asia/Tokyo.
QList<QByteArray> zonesOfSimilarCity(const QByteArray &city, const QList<QByteArray> &all)
{
    std::vector<std::string> cities;
    cities.reserve(static_cast<std::size_t>(all.size()));
    for (const QByteArray &id : all)
        cities.push_back(cityOf(id).toStdString());
    const QByteArray closest =
        QByteArray::fromStdString(core::closestName(city.toStdString(), cities));
    QList<QByteArray> found;
    if (!closest.isEmpty())
        std::ranges::copy_if(all, std::back_inserter(found),
                             [&](const QByteArray &id) { return cityOf(id) == closest; });
    return found;
}

// What was probably meant, best kind of match only.
QList<QByteArray> suggestionsFor(const QByteArray &name)
{
    QList<QByteArray> all = QTimeZone::availableTimeZoneIds();
    all.removeIf([](const QByteArray &id) { return !id.contains('/'); });
    const QByteArray city = cityOf(name);
    if (city.isEmpty())
        return {};

    QList<QByteArray> found;
    const auto collect = [&](auto matches) {
        if (found.isEmpty())
            std::ranges::copy_if(all, std::back_inserter(found), matches);
    };
    collect([&](const QByteArray &id) { return cityOf(id) == city; });
    if (found.isEmpty())
        found = zonesOfCountry(QString::fromUtf8(name).trimmed());
    if (city.size() >= 4)
        collect([&](const QByteArray &id) { return cityOf(id).contains(city); });
    if (found.isEmpty())
        found = zonesOfSimilarCity(city, all);
    if (found.size() > maxSuggestions)
        found.resize(maxSuggestions);
    return found;
}

std::string unknownZone(const std::string &name)
{
    std::string message = "unknown time zone " + core::inQuotes(core::toValidUtf8(name));
    const QList<QByteArray> near = suggestionsFor(QByteArray::fromStdString(name));
    if (near.isEmpty())
        return message + "; use an IANA name such as Europe/Oslo, America/New_York or UTC";
    message += "; did you mean ";
    for (qsizetype i = 0; i < near.size(); ++i) {
        if (i > 0)
            message += i + 1 < near.size() ? ", " : " or ";
        message += near[i].toStdString();
    }
    return message + "?";
}

std::string offsetText(int seconds)
{
    const int minutes = std::abs(seconds) / 60;
    return QStringLiteral("UTC%1%2:%3")
        .arg(seconds < 0 ? QLatin1Char('-') : QLatin1Char('+'))
        .arg(minutes / 60, 2, 10, QLatin1Char('0'))
        .arg(minutes % 60, 2, 10, QLatin1Char('0'))
        .toStdString();
}

constexpr std::string_view schema = R"({
    "type": "object",
    "properties": {
        "timezone": {
            "type": "string",
            "description": "IANA time zone, for example Europe/Oslo, Asia/Tokyo or UTC",
            "minLength": 1,
            "maxLength": 100,
            "default": "UTC"
        }
    }
})";

class GetTimeTool : public BuiltInTool {
public:
    explicit GetTimeTool(const ToolEnvironment &environment)
        : BuiltInTool(environment.clock, "get_time",
                      "Gives the current date and time in a time zone.", schema)
    {}

protected:
    core::ToolOutcome run(const nlohmann::json &input, const core::CallContext &) override
    {
        const std::string name = textAt(input, "timezone");
        const QTimeZone zone = findZone(QByteArray::fromStdString(name));
        if (!zone.isValid())
            return core::ToolOutcome::failed(unknownZone(name));
        const QDateTime now =
            QDateTime::fromString(QString::fromStdString(clock().utcNow()), Qt::ISODateWithMs)
                .toTimeZone(zone);
        if (!now.isValid())
            return core::ToolOutcome::failed("the clock of this computer cannot be read");
        const QString time = now.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        return core::ToolOutcome::succeeded(time.toStdString() + " " + name + " (" +
                                            offsetText(now.offsetFromUtc()) + ")");
    }
};

} // namespace

std::unique_ptr<core::Tool> makeGetTimeTool(const ToolEnvironment &environment)
{
    return std::make_unique<GetTimeTool>(environment);
}

} // namespace emend::tools
