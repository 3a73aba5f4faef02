// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/loopbackserver.h"
#include "tools/agent/weather.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTest>

#include <thread>

using namespace emend;
using namespace std::chrono_literals;

using Kind = core::ToolOutcome::Kind;
using Then = LoopbackServer::Then;

namespace {

const QByteArray searchPath("/v1/search");
const QByteArray forecastPath("/v1/forecast");
const QByteArray osloFound(
    R"({"results":[{"name":"Oslo","latitude":59.91273,"longitude":10.74609,"country":"Norway"}]})");
const QByteArray osloNow(
    R"({"current_units":{"temperature_2m":"°C"},"current":{"temperature_2m":-3.4,"weather_code":71}})");

} // namespace

class TestWeather : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSampleSaysThatItIsOne();
    void theSampleDependsOnTheCityOnly_data();
    void theSampleDependsOnTheCityOnly();
    void theSampleInFahrenheitIsTheSameTemperature();
    void aGoodReplyBecomesOneLine();
    void theRequestNamesCityPlaceAndUnit();
    void aSlashAfterTheBaseUrlDoesNotMatter();
    void aBadReplyIsAFailureWithItsReason_data();
    void aBadReplyIsAFailureWithItsReason();
    void anOversizedReplyIsAFailure();
    void aRedirectIsRefused();
    void aRefusedConnectionIsAFailure();
    void aStallMeetsTheDeadline();
    void aStopEndsAStallAtOnce_data();
    void aStopEndsAStallAtOnce();
    void aBaseUrlWithoutAClientIsAFailure();

private:
    core::ToolOutcome sample(const std::string &city, const std::string &unit = "celsius")
    {
        return tools::makeWeatherTool({m_clock})->execute({{"city", city}, {"unit", unit}}, {});
    }
    core::ToolOutcome live(const std::string &baseUrl, const core::CallContext &context = {},
                           const std::string &unit = "celsius")
    {
        const auto tool = tools::makeWeatherTool({m_clock, &m_http, baseUrl});
        return tool->execute({{"city", "Oslo"}, {"unit", unit}}, context);
    }

    tools::SteadyClock m_clock;
    tools::HttpClient m_http;
};

void TestWeather::theSampleSaysThatItIsOne()
{
    const core::ToolOutcome outcome = sample("Delhi");
    QCOMPARE(outcome.kind, Kind::Succeeded);
    QVERIFY(outcome.text.starts_with("Delhi: "));
    QVERIFY(outcome.text.ends_with(" °C (sample data, not a real reading)"));
}

void TestWeather::theSampleDependsOnTheCityOnly_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<bool>("same");
    QTest::newRow("itself") << QByteArray("Delhi") << QByteArray("Delhi") << true;
    QTest::newRow("case") << QByteArray("New York") << QByteArray("NEW YORK") << true;
    QTest::newRow("space") << QByteArray(" New  York ") << QByteArray("New York") << true;
    QTest::newRow("accents") << QByteArray("Zürich") << QByteArray("Zu\xcc\x88rich") << true;
    QTest::newRow("another") << QByteArray("Delhi") << QByteArray("Oslo") << false;
}

void TestWeather::theSampleDependsOnTheCityOnly()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(bool, same);
    const auto reading = [this](const QByteArray &city) {
        const std::string text = sample(city.toStdString()).text;
        return text.substr(text.find(": "));
    };
    QCOMPARE(reading(a) == reading(b), same);
}

void TestWeather::theSampleInFahrenheitIsTheSameTemperature()
{
    static const QRegularExpression number(QStringLiteral("(-?\\d+(\\.\\d)?) °"));
    for (int i = 0; i < 200; ++i) {
        const std::string city = "City" + std::string(static_cast<std::size_t>(i), 'x');
        const auto degrees = [&](const char *unit) {
            return number.match(QString::fromStdString(sample(city, unit).text)).captured(1);
        };
        QCOMPARE(degrees("fahrenheit").toDouble(), degrees("celsius").toDouble() * 9 / 5 + 32);
    }
}

void TestWeather::aGoodReplyBecomesOneLine()
{
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(200, osloFound));
    server.answer(forecastPath, LoopbackServer::reply(200, osloNow));
    const core::ToolOutcome outcome = live(server.url());
    QCOMPARE(QString::fromStdString(outcome.text),
             QStringLiteral("Oslo, Norway: light snow, -3.4 °C"));
    QCOMPARE(outcome.kind, Kind::Succeeded);
}

void TestWeather::theRequestNamesCityPlaceAndUnit()
{
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(200, osloFound));
    server.answer(forecastPath, LoopbackServer::reply(200, R"({"current":{"temperature_2m":26}})"));
    const auto tool = tools::makeWeatherTool({m_clock, &m_http, server.url()});
    const core::ToolOutcome outcome =
        tool->execute({{"city", "Ås & co?"}, {"unit", "fahrenheit"}}, {});
    QCOMPARE(QString::fromStdString(outcome.text),
             QStringLiteral("Oslo, Norway: sky unknown, 26 °F"));
    const QList<QByteArray> requests = server.requests();
    QCOMPARE(requests.size(), 2);
    QVERIFY(requests[0].startsWith("GET /v1/search?name=%C3%85s%20%26%20co%3F&count=1&"));
    QVERIFY(requests[1].startsWith("GET /v1/forecast?latitude=59.91273&longitude=10.74609&"
                                   "current=temperature_2m,weather_code&"
                                   "temperature_unit=fahrenheit "));
}

void TestWeather::aSlashAfterTheBaseUrlDoesNotMatter()
{
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(200, osloFound));
    server.answer(forecastPath, LoopbackServer::reply(200, osloNow));
    QCOMPARE(live(server.url("/")).kind, Kind::Succeeded);
}

void TestWeather::aBadReplyIsAFailureWithItsReason_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("search");
    QTest::addColumn<QByteArray>("forecast");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *name, int status, QByteArray search, QByteArray forecast,
                        const char *words) {
        QTest::newRow(name) << status << search << forecast << QByteArray(words);
    };
    row("a broken server", 500, "oops", osloNow, "the place search failed: HTTP status 500");
    row("garbage", 200, "{\"results\":[", osloNow, "not answer with a JSON object");
    row("an array", 200, "[]", osloNow, "not answer with a JSON object");
    row("deep garbage", 200, QByteArray(100'000, '['), osloNow, "JSON object");
    row("no such place", 200, "{}", osloNow, "no place is called \"Oslo\"");
    row("an empty list", 200, "{\"results\":[]}", osloNow, "no place is called \"Oslo\"");
    row("results of a wrong type", 200, "{\"results\":7}", osloNow, "without a name");
    row("a place without a place", 200, "{\"results\":[{\"name\":\"Oslo\"}]}", osloNow, "latitude");
    row("latitude as text", 200,
        "{\"results\":[{\"name\":\"Oslo\",\"latitude\":\"1\",\"longitude\":2}]}", osloNow,
        "latitude");
    row("an empty forecast", 200, osloFound, "{}", "no current temperature");
    row("a forecast of null", 200, osloFound, "{\"current\":null}", "no current temperature");
    row("a forecast that is no JSON", 200, osloFound, "<html>", "not a JSON object");
    row("another unit", 200, osloFound,
        R"({"current_units":{"temperature_2m":"°F"},"current":{"temperature_2m":1}})",
        "another unit");
}

void TestWeather::aBadReplyIsAFailureWithItsReason()
{
    QFETCH(int, status);
    QFETCH(QByteArray, search);
    QFETCH(QByteArray, forecast);
    QFETCH(QByteArray, words);
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(status, search));
    server.answer(forecastPath, LoopbackServer::reply(200, forecast));
    const core::ToolOutcome outcome = live(server.url());
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY(!outcome.timedOut);
    QVERIFY2(outcome.text.find(words.toStdString()) != std::string::npos, outcome.text.c_str());
}

void TestWeather::anOversizedReplyIsAFailure()
{
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(200, QByteArray(300 * 1024, ' ')));
    const core::ToolOutcome outcome = live(server.url());
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY2(outcome.text.find("larger than") != std::string::npos, outcome.text.c_str());
}

void TestWeather::aRedirectIsRefused()
{
    LoopbackServer elsewhere;
    LoopbackServer server;
    const QByteArray target = QByteArray::fromStdString(elsewhere.url("/v1/search"));
    server.answer(searchPath, LoopbackServer::reply(302, "", "Location: " + target + "\r\n"));
    const core::ToolOutcome outcome = live(server.url());
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY2(outcome.text.find("redirect") != std::string::npos, outcome.text.c_str());
    QVERIFY(elsewhere.requests().isEmpty());
}

void TestWeather::aRefusedConnectionIsAFailure()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const std::string port = std::to_string(closed.serverPort());
    closed.close();
    const core::ToolOutcome outcome = live("http://127.0.0.1:" + port);
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY2(outcome.text.find("refused") != std::string::npos, outcome.text.c_str());
}

void TestWeather::aStallMeetsTheDeadline()
{
    LoopbackServer server;
    server.answer(searchPath, "", Then::Stay);
    const core::ToolOutcome outcome = live(server.url(), {{}, m_clock.nowUs() + 60'000});
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY(outcome.timedOut);
}

void TestWeather::aStopEndsAStallAtOnce_data()
{
    QTest::addColumn<QByteArray>("stalls");
    QTest::newRow("while the place is searched") << searchPath;
    QTest::newRow("while the forecast is fetched") << forecastPath;
}

void TestWeather::aStopEndsAStallAtOnce()
{
    QFETCH(QByteArray, stalls);
    LoopbackServer server;
    server.answer(searchPath, LoopbackServer::reply(200, osloFound));
    server.answer(stalls, "HTTP/1.1 200 OK\r\n\r\n{", Then::Stay);
    std::stop_source source;
    std::chrono::steady_clock::time_point stopped;
    std::jthread stopper([&] {
        server.waitForRequest();
        if (stalls == forecastPath)
            server.waitForRequest();
        stopped = std::chrono::steady_clock::now();
        source.request_stop();
    });
    const core::ToolOutcome outcome = live(server.url(), {source.get_token(), INT64_MAX});
    const auto returned = std::chrono::steady_clock::now();
    stopper.join();
    QCOMPARE(outcome.kind, Kind::Cancelled);
    QVERIFY(returned - stopped < 100ms);
}

void TestWeather::aBaseUrlWithoutAClientIsAFailure()
{
    const auto tool = tools::makeWeatherTool({m_clock, nullptr, "http://127.0.0.1"});
    QCOMPARE(tool->execute({{"city", "Oslo"}}, {}).kind, Kind::Failed);
}

QTEST_GUILESS_MAIN(TestWeather)
#include "tst_weather.moc"
