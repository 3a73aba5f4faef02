// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "core/contract/decision.h"
#include "tests/fakes/faketool.h"
#include "tools/provider/practice.h"
#include "tools/provider/practice/mistakes.h"

using namespace emend;
using nlohmann::json;

namespace {

const std::vector<core::ToolSpec> &builtIn()
{
    static const auto tools = tests::weatherTools();
    return tools;
}

QStringList texts(std::initializer_list<const char *> utf8)
{
    QStringList list;
    for (const char *text : utf8)
        list.append(QString::fromUtf8(text));
    return list;
}

// A run against tools that always answer, without the loop: the calls and the final decision.
struct Rehearsal {
    explicit Rehearsal(const QString &goalText, std::initializer_list<const char *> failing = {},
                       const std::vector<core::ToolSpec> &tools = builtIn())
        : goal(goalText.toStdString())
    {
        core::ModelRequest request;
        request.goal = goal;
        request.tools = &tools;
        request.observations = &observations;
        for (int step = 1; step <= 20; ++step) {
            request.step = step;
            const auto decision = tools::practiceDecision(request);
            const auto read = core::readReply(decision.dump(), tools);
            if (!read.decision)
                qFatal("%s", read.rejection->error.c_str());
            if (read.decision->kind == core::Decision::Kind::Final) {
                final = *read.decision;
                return;
            }
            const std::string call = read.decision->tool + " " +
                                     read.decision->toolInput.begin().value().get<std::string>();
            const bool fails = texts(failing).contains(QString::fromStdString(call)) ||
                               texts(failing).contains(QString::fromStdString(read.decision->tool));
            calls.append(QString::fromStdString(call));
            observations.push_back({step, read.decision->tool, read.decision->toolInput, !fails,
                                    fails ? "service down" : "result " + std::to_string(step)});
        }
        qFatal("the planner never ends");
    }

    QString summary() const { return QString::fromStdString(final.finalSummary); }

    std::string goal;
    std::vector<core::Observation> observations;
    QStringList calls;
    core::Decision final;
};

} // namespace

class TestPractice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGoalBecomesToolCalls_data();
    void aGoalBecomesToolCalls();
    void theSummaryIsMadeOfTheRealOutputs();
    void whatCannotBePlannedIsSaidHonestly_data();
    void whatCannotBePlannedIsSaidHonestly();
    void aFailedPartMakesTheFinalUnsatisfied();
    void aToolThatFailedTwiceIsGivenUp();
    void aRefusedToolIsGivenUpAtOnce();
    void whatNeedsAFailedResultIsNotTried();
    void finalOnlyEndsTheRun();
    void aMissingToolIsNamed();
    void resultsAreFoundBehindDefaultsAndResolvedReferences();
    void hostileGoalsAreHarmless_data();
    void hostileGoalsAreHarmless();
    void mistakesHaveTheCategoryTheyAreMeantToHave_data();
    void mistakesHaveTheCategoryTheyAreMeantToHave();
    void mistakesThatCannotBeMadeAreNotMade();
    void theSameSeedMakesTheSameMistakes();
    void theRateIsKept();
    void onlyListedCategoriesAreUsed();
    void theReplyIsStreamedAndStops();
};

void TestPractice::aGoalBecomesToolCalls_data()
{
    QTest::addColumn<QString>("goal");
    QTest::addColumn<QStringList>("calls");
    const auto row = [](const char *goal, std::initializer_list<const char *> calls) {
        QTest::newRow(goal) << QString::fromUtf8(goal) << texts(calls);
    };
    // arithmetic
    row("What is 17 * 23?", {"calculator 17 * 23"});
    row("17*23+4", {"calculator 17 * 23 + 4"});
    row("Compute (3 + 4) * 2.", {"calculator (3 + 4) * 2"});
    row("What is 6 times 7?", {"calculator 6 * 7"});
    row("What is 15 percent of 80?", {"calculator 80 * 15 / 100"});
    row("What is 15% of 1,200?", {"calculator 1200 * 15 / 100"});
    row("17 % 5", {"calculator 17 % 5"});
    row("2^10 and 3 x 4", {"calculator 2 ** 10", "calculator 3 * 4"});
    row("100 divided by 8 minus 2", {"calculator 100 / 8 - 2"});
    row("7 × 6 − 2 ÷ 1", {"calculator 7 * 6 - 2 / 1"});
    row("the square root of 144", {"calculator 144 ** 0.5"});
    row("What's the square of 12, and 5 cubed?", {"calculator 12 ** 2", "calculator 5 ** 3"});
    row("Add 3 to 4, then multiply the result by 5", {"calculator 4 + 3", "calculator [1] * 5"});
    row("Subtract 3 from 10 and double it", {"calculator 10 - 3", "calculator [1] * 2"});
    row("the sum of 1, 2 and 3", {"calculator 1 + 2 + 3"});
    row("average of 10, 20 and 60", {"calculator (10 + 20 + 60) / 3"});
    row("What is the difference between 9 and 4?", {"calculator 9 - 4"});
    row("Divide 84 by 2, then add 8", {"calculator 84 / 2", "calculator [1] + 8"});
    row("half of 90", {"calculator 90 / 2"});
    row("10 percent of the sum of 30 and 20", {"calculator (30 + 20) * 10 / 100"});
    row("Convert 20 °C to Fahrenheit", {"calculator 20 * 9 / 5 + 32"});
    row("What is 68 degrees Fahrenheit in Celsius?", {"calculator (68 - 32) * 5 / 9"});
    row("-5 + 3", {"calculator -5 + 3"});
    // weather
    row("What is the weather in Oslo?", {"weather Oslo"});
    row("weather in oslo and bergen", {"weather oslo", "weather bergen"});
    row("How warm is it in New York, San Francisco and Rome today?",
        {"weather New York", "weather San Francisco", "weather Rome"});
    row("temperature in Paris, France please", {"weather Paris"});
    row("Oslo's weather", {"weather Oslo"});
    row("weather for são paulo", {"weather são paulo"});
    row("What is the weather in Delhi, in Fahrenheit?",
        {"weather Delhi", "calculator [1] * 9 / 5 + 32"});
    row("Get the weather in Oslo and Bergen and convert to Fahrenheit",
        {"weather Oslo", "weather Bergen", "calculator [1] * 9 / 5 + 32",
         "calculator [2] * 9 / 5 + 32"});
    row("Is it warmer in Oslo or Bergen?",
        {"weather Oslo", "weather Bergen", "calculator [1] - [2]"});
    row("What is the average temperature of Oslo and Rome?",
        {"weather Oslo", "weather Rome", "calculator ([1] + [2]) / 2"});
    // time
    row("What time is it in Tokyo?", {"get_time Asia/Tokyo"});
    row("current time in UTC", {"get_time UTC"});
    row("What time is it?", {"get_time UTC"});
    row("the time in Europe/Oslo", {"get_time Europe/Oslo"});
    row("time in new york and London", {"get_time America/New_York", "get_time Europe/London"});
    // all of them
    row("What is the weather in Oslo, the time in Tokyo, and 17 times 23?",
        {"weather Oslo", "get_time Asia/Tokyo", "calculator 17 * 23"});
    row("Weather and time in Berlin", {"weather Berlin", "get_time Europe/Berlin"});
    row("Take the temperature in Delhi and multiply it by 2",
        {"weather Delhi", "calculator [1] * 2"});
}

void TestPractice::aGoalBecomesToolCalls()
{
    QFETCH(QString, goal);
    const Rehearsal first(goal);
    QTEST(first.calls, "calls");
    QVERIFY(first.final.satisfied);
    QCOMPARE(Rehearsal(goal).calls, first.calls);
    QCOMPARE(Rehearsal(goal).summary(), first.summary());
}

void TestPractice::theSummaryIsMadeOfTheRealOutputs()
{
    const Rehearsal run(QStringLiteral("What is 6 times 7 and the weather in Oslo?"));
    QCOMPARE(run.summary(), QStringLiteral("6 * 7 = result 1; the weather in Oslo = result 2"));
}

void TestPractice::whatCannotBePlannedIsSaidHonestly_data()
{
    QTest::addColumn<QString>("goal");
    QTest::addColumn<int>("calls");
    QTest::newRow("nothing it knows") << "Who wrote Hamlet?" << 0;
    QTest::newRow("empty") << "" << 0;
    QTest::newRow("no place") << "How is the weather?" << 0;
    QTest::newRow("a date is no subtraction") << "What happened on 2026-01-31?" << 0;
    QTest::newRow("a part is beyond it") << "Write a poem about 6 times 7" << 1;
}

void TestPractice::whatCannotBePlannedIsSaidHonestly()
{
    QFETCH(QString, goal);
    QFETCH(int, calls);
    const Rehearsal run(goal);
    QCOMPARE(run.calls.size(), calls);
    QVERIFY(!run.final.satisfied);
    QVERIFY(run.summary().contains(QStringLiteral("practice model")));
}

void TestPractice::aFailedPartMakesTheFinalUnsatisfied()
{
    const Rehearsal run(QStringLiteral("weather in Oslo and Bergen"), {"weather Oslo"});
    QCOMPARE(run.calls, texts({"weather Oslo", "weather Bergen"}));
    QVERIFY(!run.final.satisfied);
    QCOMPARE(run.summary(), QStringLiteral("the weather in Oslo failed: service down; "
                                           "the weather in Bergen = result 2"));
}

void TestPractice::aToolThatFailedTwiceIsGivenUp()
{
    const Rehearsal run(QStringLiteral("weather in Oslo, Bergen and Rome, and 2 + 2"), {"weather"});
    QCOMPARE(run.calls, texts({"weather Oslo", "weather Bergen", "calculator 2 + 2"}));
    QVERIFY(!run.final.satisfied);
    QVERIFY(run.summary().contains(QStringLiteral("the weather in Rome: not tried")));
}

void TestPractice::aRefusedToolIsGivenUpAtOnce()
{
    core::ModelRequest request;
    request.goal = "weather in Oslo and Bergen";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations = {
        {1,
         "weather",
         {{"city", "Oslo"}},
         false,
         "Not executed: the circuit breaker of weather is open; try again in 30 s."}};
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    QCOMPARE(decision["state"].get<std::string>(), std::string("final"));
    QCOMPARE(decision["satisfied"].get<bool>(), false);
}

void TestPractice::whatNeedsAFailedResultIsNotTried()
{
    const Rehearsal run(QStringLiteral("weather in Delhi in Fahrenheit"), {"weather"});
    QCOMPARE(run.calls, texts({"weather Delhi"}));
    QVERIFY(run.summary().contains(QStringLiteral("not possible without the result it needs")));
}

void TestPractice::finalOnlyEndsTheRun()
{
    core::ModelRequest request;
    request.goal = "What is 6 times 7?";
    request.tools = &builtIn();
    request.finalOnly = true;
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    QCOMPARE(decision["satisfied"].get<bool>(), false);
    QCOMPARE(decision["final_summary"].get<std::string>(),
             std::string("6 * 7: no action is left for it"));
}

void TestPractice::aMissingToolIsNamed()
{
    const Rehearsal run(QStringLiteral("weather in Oslo and 2 + 2"), {},
                        {tests::weatherTools().front()});
    QCOMPARE(run.calls, texts({"calculator 2 + 2"}));
    QVERIFY(!run.final.satisfied);
    QVERIFY(run.summary().contains(QStringLiteral("this task has no tool for it")));
}

void TestPractice::resultsAreFoundBehindDefaultsAndResolvedReferences()
{
    core::ModelRequest request;
    request.goal = "weather in Delhi in Fahrenheit";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations = {
        {1, "weather", {{"city", "Delhi"}, {"unit", "celsius"}}, true, "Delhi: 31 °C"},
        {3, "calculator", {{"expression", "31 * 9 / 5 + 32"}}, true, "87.8"}};
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    QCOMPARE(decision["satisfied"].get<bool>(), true);
    QCOMPARE(decision["final_summary"].get<std::string>(),
             std::string("the weather in Delhi = Delhi: 31 °C; "
                         "the weather in Delhi in Fahrenheit = 87.8"));
}

void TestPractice::hostileGoalsAreHarmless_data()
{
    QTest::addColumn<QString>("goal");
    QTest::newRow("deep parentheses") << QString(100000, QLatin1Char('('));
    QTest::newRow("deep minus") << QString(100000, QLatin1Char('-'));
    QTest::newRow("nested percent") << QStringLiteral("1 percent of ").repeated(20000);
    QTest::newRow("nested square root") << QStringLiteral("square root of ").repeated(20000);
    QTest::newRow("nested sums") << QStringLiteral("the sum of 1 and ").repeated(20000);
    QTest::newRow("a long sum") << QStringLiteral("1 + ").repeated(20000) + QLatin1Char('1');
    QTest::newRow("many calls") << QStringLiteral("2 + 2. ").repeated(20000);
    QTest::newRow("quotes and controls") << QStringLiteral("weather in \"O\\slo\"\n\x01 {}");
    QTest::newRow("keyword at the end") << QStringLiteral("weather in");
    QTest::newRow("only a joint") << QStringLiteral("weather in Paris, France");
}

void TestPractice::hostileGoalsAreHarmless()
{
    QFETCH(QString, goal);
    core::ModelRequest request;
    request.goal = goal.toStdString();
    request.tools = &builtIn();
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    QVERIFY(tools::practiceDecision(request).contains("state"));
}

void TestPractice::mistakesHaveTheCategoryTheyAreMeantToHave_data()
{
    QTest::addColumn<int>("category");
    QTest::addColumn<bool>("onAction");
    for (int i = 0; i <= static_cast<int>(core::Category::InvalidToolInput); ++i) {
        const auto name = std::string(core::categoryName(static_cast<core::Category>(i)));
        const bool actionOnly = i >= static_cast<int>(core::Category::UnknownTool);
        QTest::newRow((name + " instead of an action").c_str()) << i << true;
        if (!actionOnly)
            QTest::newRow((name + " instead of a final").c_str()) << i << false;
    }
}

void TestPractice::mistakesHaveTheCategoryTheyAreMeantToHave()
{
    QFETCH(int, category);
    QFETCH(bool, onAction);
    core::ModelRequest request;
    request.goal = "What is the weather in Oslo and Bergen?";
    request.tools = &builtIn();
    request.finalOnly = !onAction;
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    std::set<std::string> kinds;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        tools::Dice dice(seed);
        const auto wanted = static_cast<core::Category>(category);
        const auto reply = tools::spoiltReply(wanted, decision, request, dice);
        QVERIFY(reply.has_value());
        const auto read = core::readReply(*reply, builtIn());
        QVERIFY2(read.rejection.has_value(), reply->c_str());
        QVERIFY2(
            read.rejection->category == wanted,
            (*reply + " is " + std::string(core::categoryName(read.rejection->category))).c_str());
        kinds.insert(*reply);
    }
    QVERIFY(kinds.size() >= 3); // not always the same
}

void TestPractice::mistakesThatCannotBeMadeAreNotMade()
{
    core::ModelRequest request;
    request.goal = "What is the weather in Oslo?";
    request.tools = &builtIn();
    std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    tools::Dice dice(1);
    using core::Category;
    const auto made = [&](Category category) {
        return tools::spoiltReply(category, decision, request, dice).has_value();
    };
    QVERIFY(!made(Category::RepeatedFailedAction));
    QVERIFY(!made(Category::UnsupportedSuccess));
    observations.push_back({1, "weather", {{"city", "Oslo"}}, false, "down"});
    const auto again = tools::spoiltReply(Category::RepeatedFailedAction, decision, request, dice);
    QVERIFY(again.has_value());
    const json action = json::parse(*again);
    QCOMPARE(action["tool_input"], observations.front().input);
    QVERIFY(made(Category::UnsupportedSuccess));
    request.finalOnly = true; // an action would end the run
    QVERIFY(!made(Category::RepeatedFailedAction));
    observations.push_back({2, "calculator", {{"expression", "1"}}, true, "1"});
    QVERIFY(!made(Category::UnsupportedSuccess));
}

void TestPractice::theSameSeedMakesTheSameMistakes()
{
    core::ModelRequest request;
    request.goal = "What is 6 times 7?";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto repliesOf = [&](std::uint64_t seed) {
        tools::PracticeProvider provider({0.5, {}, seed});
        std::vector<std::string> replies;
        for (request.step = 1; request.step <= 20; ++request.step) {
            for (request.attempt = 0; request.attempt < 3; ++request.attempt)
                replies.push_back(provider.generate(request, {}, nullptr).reply.text);
        }
        return replies;
    };
    QCOMPARE(repliesOf(7), repliesOf(7));
    QVERIFY(repliesOf(7) != repliesOf(8));
}

void TestPractice::theRateIsKept()
{
    core::ModelRequest request;
    request.goal = "What is 6 times 7?";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    const auto spoilt = [&](double rate, int attempt) {
        int count = 0;
        request.attempt = attempt;
        for (request.step = 1; request.step <= 1000; ++request.step)
            count += tools::mistakeFor({rate, {}, 42}, decision, request) ? 1 : 0;
        return count;
    };
    QCOMPARE(spoilt(0.0, 0), 0);
    QCOMPARE(spoilt(1.0, 0), 1000);
    QVERIFY(qAbs(spoilt(0.4, 0) - 400) < 60);
    QVERIFY(qAbs(spoilt(1.0, 1) - 300) < 60);
    QVERIFY(qAbs(spoilt(1.0, 2) - 90) < 40);
}

void TestPractice::onlyListedCategoriesAreUsed()
{
    core::ModelRequest request;
    request.goal = "What is 6 times 7?";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    const auto decision = tools::practiceDecision(request);
    std::set<std::string> seen;
    for (request.step = 1; request.step <= 100; ++request.step) {
        const auto reply =
            tools::mistakeFor({1.0, {"unknown_tool", "invalid_json"}, 3}, decision, request);
        QVERIFY(reply.has_value());
        const auto read = core::readReply(*reply, builtIn());
        seen.insert(std::string(core::categoryName(read.rejection->category)));
    }
    QCOMPARE(seen, (std::set<std::string>{"unknown_tool", "invalid_json"}));
    // Nothing has failed, so there is nothing to repeat: the attempt goes well.
    QVERIFY(!tools::mistakeFor({1.0, {"repeated_failed_action"}, 3}, decision, request));
}

void TestPractice::theReplyIsStreamedAndStops()
{
    core::ModelRequest request;
    request.goal = "What is 6 times 7?";
    request.tools = &builtIn();
    const std::vector<core::Observation> observations;
    request.observations = &observations;
    tools::PracticeProvider provider({});
    std::string streamed;
    int pieces = 0;
    const auto outcome = provider.generate(request, {}, [&](std::string_view piece) {
        streamed += piece;
        ++pieces;
    });
    QCOMPARE(streamed, outcome.reply.text);
    QVERIFY(pieces > 2);
    QVERIFY(!outcome.reply.usage.out);
    std::stop_source source;
    core::CallContext context;
    context.stop = source.get_token();
    const auto stopped =
        provider.generate(request, context, [&](std::string_view) { source.request_stop(); });
    QCOMPARE(stopped.kind, core::ModelOutcome::Kind::Cancelled);
}

QTEST_GUILESS_MAIN(TestPractice)
#include "tst_practice.moc"
