// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/loopbackserver.h"
#include "tools/agent/registry.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"

#include <QRegularExpression>
#include <QTest>

#include <atomic>
#include <set>
#include <thread>

using namespace emend;
using namespace std::chrono_literals;

using Json = nlohmann::json;
using Kind = core::ToolOutcome::Kind;

// What holds for every tool in the registry, now and later: one data row a tool.
class TestToolContract : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void namesAreDifferent();
    void theSpecIsComplete_data() { rows(); }
    void theSpecIsComplete();
    void everyParameterIsDescribed_data() { rows(); }
    void everyParameterIsDescribed();
    void inputOfAWrongShapeIsRefused_data() { rows(); }
    void inputOfAWrongShapeIsRefused();
    void inputThatSlippedThroughDoesNoHarm_data() { rows(); }
    void inputThatSlippedThroughDoesNoHarm();
    void aStoppedTokenCancelsBeforeAnythingHappens_data() { rows(); }
    void aStoppedTokenCancelsBeforeAnythingHappens();
    void aPassedDeadlineIsATimeout_data() { rows(); }
    void aPassedDeadlineIsATimeout();
    void aStopDuringACallReturnsAtOnce_data() { rows(); }
    void aStopDuringACallReturnsAtOnce();

private:
    void rows() const
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_tools.size(); ++i)
            QTest::newRow(m_tools[i]->spec().name.c_str()) << static_cast<int>(i);
    }
    core::Tool &current() const
    {
        QFETCH(int, index);
        return *m_tools[static_cast<std::size_t>(index)];
    }
    static const Json &properties(const core::Tool &tool)
    {
        return tool.spec().inputSchema.at("properties");
    }
    // Something that fits the schema: every tool so far takes a "1" wherever it wants text.
    static Json fittingInput(const core::Tool &tool)
    {
        Json input = Json::object();
        for (const auto &[name, property] : properties(tool).items()) {
            if (property.contains("default"))
                input[name] = property.at("default");
            else
                input[name] = property.at("type") == "string" ? Json("1") : Json(1);
        }
        return input;
    }

    tools::SteadyClock m_clock;
    tools::HttpClient m_http;
    LoopbackServer m_server; // takes requests and never answers
    std::vector<std::unique_ptr<core::Tool>> m_tools;
};

void TestToolContract::initTestCase()
{
    m_server.answer("/v1/search", "", LoopbackServer::Then::Stay);
    m_tools = tools::makeBuiltInTools({m_clock, &m_http, m_server.url()});
    QVERIFY(m_tools.size() >= 3);
}

void TestToolContract::namesAreDifferent()
{
    std::set<std::string> names;
    for (const auto &tool : m_tools)
        QVERIFY2(names.insert(tool->spec().name).second, tool->spec().name.c_str());
}

void TestToolContract::theSpecIsComplete()
{
    const core::ToolSpec &spec = current().spec();
    static const QRegularExpression identifier(QStringLiteral("^[a-z][a-z0-9_]{0,63}$"));
    QVERIFY(identifier.match(QString::fromStdString(spec.name)).hasMatch());
    QVERIFY(spec.description.size() >= 10);
    QVERIFY(spec.idempotent);
    QVERIFY(spec.schema);
    const auto compiled = core::Schema::compile(spec.inputSchema);
    QVERIFY2(compiled, compiled ? "" : compiled.error().message.c_str());
    Json input = fittingInput(current());
    QVERIFY(spec.schema->apply(input));
}

void TestToolContract::everyParameterIsDescribed()
{
    QCOMPARE(current().spec().inputSchema.at("type"), Json("object"));
    for (const auto &[name, property] : properties(current()).items()) {
        QVERIFY2(property.contains("type"), name.c_str());
        QVERIFY2(property.contains("description"), name.c_str());
    }
}

void TestToolContract::inputOfAWrongShapeIsRefused()
{
    const core::ToolSpec &spec = current().spec();
    const auto refuses = [&](Json input) { return !spec.schema->apply(input); };
    for (const Json &value : {Json(), Json(true), Json(1), Json("text"), Json::array()})
        QVERIFY2(refuses(value), value.dump().c_str());

    Json extra = fittingInput(current());
    extra["surprise"] = 1;
    QVERIFY(refuses(extra));

    for (const auto &[name, property] : properties(current()).items()) {
        const Json type = property.at("type");
        for (const Json &value : {Json(), Json(true), Json(7), Json(1.5), Json("text"),
                                  Json::array({"1"}), Json::object({{"a", 1}})}) {
            const bool fits = (type == "string" && value.is_string()) ||
                              (type == "number" && value.is_number()) ||
                              (type == "integer" && value.is_number_integer()) ||
                              (type == "boolean" && value.is_boolean());
            Json input = fittingInput(current());
            input[name] = value;
            if (!fits)
                QVERIFY2(refuses(input), input.dump().c_str());
        }
    }
    for (const Json &required : spec.inputSchema.value("required", Json::array())) {
        Json input = fittingInput(current());
        input.erase(required.get<std::string>());
        QVERIFY2(refuses(input), input.dump().c_str());
    }
}

void TestToolContract::inputThatSlippedThroughDoesNoHarm()
{
    const std::int64_t soon = m_clock.nowUs() + 10'000'000;
    Json longText = fittingInput(current());
    for (auto &value : longText)
        value = std::string(5'000, '\xff');
    Json nulls = fittingInput(current());
    for (auto &value : nulls)
        value = nullptr;
    for (const Json &input :
         {Json(), Json(3), Json("text"), Json::array({1}), Json::object(), nulls}) {
        const core::ToolOutcome outcome = current().execute(input, {{}, soon});
        QCOMPARE(outcome.kind, Kind::Failed);
        QVERIFY(!outcome.text.empty());
    }
    // May reach the server, which does not answer.
    current().execute(longText, {{}, m_clock.nowUs() + 50'000});
}

void TestToolContract::aStoppedTokenCancelsBeforeAnythingHappens()
{
    const qsizetype before = m_server.requests().size();
    std::stop_source source;
    source.request_stop();
    const auto start = std::chrono::steady_clock::now();
    const core::ToolOutcome outcome =
        current().execute(fittingInput(current()), {source.get_token(), INT64_MAX});
    QVERIFY(std::chrono::steady_clock::now() - start < 100ms);
    QCOMPARE(outcome.kind, Kind::Cancelled);
    QCOMPARE(m_server.requests().size(), before);
}

void TestToolContract::aPassedDeadlineIsATimeout()
{
    const core::ToolOutcome outcome =
        current().execute(fittingInput(current()), {{}, m_clock.nowUs() - 1});
    QCOMPARE(outcome.kind, Kind::Failed);
    QVERIFY(outcome.timedOut);
}

void TestToolContract::aStopDuringACallReturnsAtOnce()
{
    LoopbackServer server;
    server.answer("/v1/search", "", LoopbackServer::Then::Stay);
    const auto all = tools::makeBuiltInTools({m_clock, &m_http, server.url()});
    QFETCH(int, index);
    core::Tool &tool = *all[static_cast<std::size_t>(index)];

    // The stop comes when the tool waits for the server; one that asks no server is simply done.
    std::stop_source source;
    std::atomic<bool> returned = false;
    bool wasWaiting = false;
    std::chrono::steady_clock::time_point stopped;
    std::jthread stopper([&] {
        while (!returned && !wasWaiting)
            wasWaiting = server.waitForRequest(5ms);
        stopped = std::chrono::steady_clock::now();
        source.request_stop();
    });
    const core::ToolOutcome outcome =
        tool.execute(fittingInput(tool), {source.get_token(), INT64_MAX});
    const auto end = std::chrono::steady_clock::now();
    returned = true;
    stopper.join();
    QVERIFY(end - stopped < 100ms);
    QVERIFY(!wasWaiting || outcome.kind == Kind::Cancelled);
}

QTEST_GUILESS_MAIN(TestToolContract)
#include "tst_toolcontract.moc"
