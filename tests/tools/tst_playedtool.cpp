// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/fakes/fakeclock.h"
#include "tests/fakes/faketool.h"
#include "tools/http/httpclient.h"
#include "tools/provider/registry.h"
#include "tools/scenario/playedtool.h"
#include "tools/scenario/scenarioplayer.h"

using namespace emend;
using Kind = core::ToolOutcome::Kind;
using nlohmann::json;

namespace {

// Two played tools, real ones behind them, that share a scenario.
struct Stage {
    explicit Stage(const char *scenarioMembers)
    {
        const auto scenario = core::parseScenario(R"({"emend":"scenario","version":1,)" +
                                                  std::string(scenarioMembers) + "}");
        if (!scenario)
            qFatal("%s", scenario.error().text().c_str());
        player = std::make_shared<tools::ScenarioPlayer>(*scenario);
        weather =
            std::make_unique<tools::PlayedTool>(realWeather.spec(), &realWeather, player, &clock);
        calculator = std::make_unique<tools::PlayedTool>(realCalculator.spec(), &realCalculator,
                                                         player, &clock);
    }

    // What an execution gave, "!" before an error; a model call comes before each action.
    std::string run(core::Tool &tool, const json &input, bool isRetry = false,
                    const core::CallContext &context = {})
    {
        if (!isRetry)
            player->modelCalled();
        const auto outcome = tool.execute(input, context);
        return outcome.kind == Kind::Cancelled
                   ? "cancelled"
                   : (outcome.kind == Kind::Failed ? "!" : "") + outcome.text;
    }

    tests::FakeClock clock;
    tests::FakeTool realWeather{"weather", "real weather"};
    tests::FakeTool realCalculator{"calculator", "real number"};
    std::shared_ptr<tools::ScenarioPlayer> player;
    std::unique_ptr<tools::PlayedTool> weather;
    std::unique_ptr<tools::PlayedTool> calculator;
};

const json oslo = {{"city", "Oslo"}};
const json bergen = {{"city", "Bergen"}};

} // namespace

class TestPlayedTool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aToolsListReplacesItsExecutionsAndThenTheRealToolRuns();
    void aRetryTakesTheNextEntryOfATool();
    void actionsCountByExecutedActionWhateverTheTool();
    void aSecondTryIsNotTakenByTheNextAction();
    void theSameActionAgainIsANewAction();
    void anotherInputIsANewActionEvenWithoutAModelCall();
    void actionsWinOverTools();
    void aDeclaredToolWithNothingLeftFailsAndSaysSo();
    void delayTimeoutAndHangEndAsTheyShould_data();
    void delayTimeoutAndHangEndAsTheyShould();
    void aStopCancels();
    void everyProviderOfTheRegistryMarksItsCalls();
    void aDeclaredToolsSchemaIsCompiled();
};

void TestPlayedTool::aToolsListReplacesItsExecutionsAndThenTheRealToolRuns()
{
    Stage stage(R"("tools":{"weather":[{"error":"down"},{"output":"31"}]})");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("!down"));
    QCOMPARE(stage.run(*stage.calculator, {}), std::string("real number"));
    QCOMPARE(stage.run(*stage.weather, bergen), std::string("31"));
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("real weather"));
    QCOMPARE(stage.realWeather.inputs, std::vector<json>{oslo});
}

void TestPlayedTool::aRetryTakesTheNextEntryOfATool()
{
    Stage stage(R"("tools":{"weather":[{"error":"down"},{"output":"31"}]})");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("!down"));
    QCOMPARE(stage.run(*stage.weather, oslo, true), std::string("31"));
}

void TestPlayedTool::actionsCountByExecutedActionWhateverTheTool()
{
    Stage stage(R"("actions":[[{"error":"a"},{"output":"b"}],[{"output":"c"}]])");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("!a"));
    QCOMPARE(stage.run(*stage.weather, oslo, true), std::string("b"));
    QCOMPARE(stage.run(*stage.calculator, {}), std::string("c"));
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("real weather"));
}

void TestPlayedTool::aSecondTryIsNotTakenByTheNextAction()
{
    // A tool that is not idempotent is not retried: its second try stays unused.
    Stage stage(R"("actions":[[{"error":"a"},{"error":"b"}],[{"output":"c"}]])");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("!a"));
    QCOMPARE(stage.run(*stage.weather, bergen), std::string("c"));
}

void TestPlayedTool::theSameActionAgainIsANewAction()
{
    Stage stage(R"("actions":[[{"output":"a"},{"output":"never"}],[{"output":"b"}]])");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("a"));
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("b"));
}

void TestPlayedTool::anotherInputIsANewActionEvenWithoutAModelCall()
{
    Stage stage(R"("actions":[[{"output":"a"},{"output":"never"}],[{"output":"b"}]])");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("a"));
    QCOMPARE(stage.run(*stage.weather, bergen, true), std::string("b"));
}

void TestPlayedTool::actionsWinOverTools()
{
    Stage stage(
        R"("actions":[[{"error":"by action"}]],"tools":{"weather":[{"output":"by tool"}]})");
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("!by action"));
    QCOMPARE(stage.run(*stage.weather, oslo, true), std::string("by tool"));
    QCOMPARE(stage.run(*stage.weather, oslo), std::string("real weather"));
}

void TestPlayedTool::aDeclaredToolWithNothingLeftFailsAndSaysSo()
{
    Stage stage(R"("tools":{"crane":[{"output":"lifted"}]})");
    tools::PlayedTool crane(tests::toolSpec("crane"), nullptr, stage.player, &stage.clock);
    QCOMPARE(stage.run(crane, {}), std::string("lifted"));
    const std::string failure = stage.run(crane, {});
    QVERIFY(failure.starts_with("!\"crane\""));
    QVERIFY(failure.find("nothing left to play") != std::string::npos);
}

void TestPlayedTool::delayTimeoutAndHangEndAsTheyShould_data()
{
    QTest::addColumn<QString>("entry");
    QTest::addColumn<qint64>("deadlineUs");
    QTest::addColumn<QString>("result");
    QTest::addColumn<bool>("timedOut");
    QTest::addColumn<qint64>("endUs");
    const qint64 never = INT64_MAX;
    const QString late = QStringLiteral("!timed out: no answer within the tool's time limit");
    QTest::newRow("delayed") << R"({"output":"a","delay_ms":20})" << never << "a" << false
                             << qint64(20000);
    QTest::newRow("delayed error")
        << R"({"error":"a","delay_ms":20})" << never << "!a" << false << qint64(20000);
    QTest::newRow("declared timeout")
        << R"({"timeout":true,"delay_ms":20})" << never << "!timed out" << true << qint64(20000);
    QTest::newRow("longer than the deadline")
        << R"({"output":"a","delay_ms":20})" << qint64(15000) << late << true << qint64(15000);
    QTest::newRow("hang") << R"({"hang":true})" << qint64(15000) << late << true << qint64(15000);
}

void TestPlayedTool::delayTimeoutAndHangEndAsTheyShould()
{
    QFETCH(QString, entry);
    QFETCH(qint64, deadlineUs);
    QFETCH(bool, timedOut);
    QFETCH(qint64, endUs);
    Stage stage(("\"tools\":{\"weather\":[" + entry.toStdString() + "]}").c_str());
    core::CallContext context;
    context.deadlineUs = deadlineUs;
    const auto outcome = stage.weather->execute(oslo, context);
    QTEST(QString::fromStdString((outcome.kind == Kind::Failed ? "!" : "") + outcome.text),
          "result");
    QCOMPARE(outcome.timedOut, timedOut);
    QCOMPARE(stage.clock.nowUs(), endUs);
}

void TestPlayedTool::aStopCancels()
{
    Stage stage(R"("tools":{"weather":[{"hang":true},{"output":"a"}]})");
    std::stop_source source;
    stage.clock.setOnWait([&](int, std::int64_t) { source.request_stop(); });
    core::CallContext context;
    context.stop = source.get_token();
    QCOMPARE(stage.run(*stage.weather, oslo, false, context), std::string("cancelled"));
    QCOMPARE(stage.run(*stage.weather, oslo, false, context), std::string("cancelled"));
}

void TestPlayedTool::everyProviderOfTheRegistryMarksItsCalls()
{
    for (const core::NamedSpec &spec : tools::providerSpecs()) {
        Stage stage(R"("replies":[{"text":"x"}],"actions":[[{"output":"a"}],[{"output":"b"}]])");
        core::Task task;
        task.model.provider = spec.name;
        task.model.model = "m";
        task.model.baseUrl = "nowhere:"; // those over the network fail before they send anything
        if (spec.name == "replay")
            continue; // plays whole runs, tools included
        tools::HttpClient http;
        auto provider = tools::makeProvider(task, {&stage.clock, stage.player, &http});
        QVERIFY(provider.has_value());
        const std::vector<core::ToolSpec> tools = tests::weatherTools();
        const std::vector<core::Observation> observations;
        const std::vector<core::Message> messages;
        core::ModelRequest request;
        request.messages = &messages;
        request.tools = &tools;
        request.observations = &observations;
        QCOMPARE(stage.run(*stage.weather, oslo, true), std::string("a"));
        (*provider)->generate(request, {}, nullptr);
        QCOMPARE(stage.run(*stage.weather, oslo, true), std::string("b"));
    }
}

void TestPlayedTool::aDeclaredToolsSchemaIsCompiled()
{
    core::ToolReference tool{"crane", true, "Lifts", true, tests::textParameter("load")};
    const auto spec = tools::declaredToolSpec(tool);
    QVERIFY(spec.has_value());
    json input = {{"load", 3}};
    QVERIFY(!spec->schema->apply(input));
    QVERIFY(spec->idempotent);
    tool.inputSchema = {{"type", "colour"}};
    const auto bad = tools::declaredToolSpec(tool);
    QVERIFY(!bad);
    QVERIFY(bad.error().message.find("crane") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestPlayedTool)
#include "tst_playedtool.moc"
