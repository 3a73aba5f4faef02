// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <thread>

#include "core/task/scenario.h"
#include "tests/fakes/fakeclock.h"
#include "tools/provider/registry.h"
#include "tools/provider/replytext.h"
#include "tools/provider/scripted.h"
#include "tools/scenario/scenarioplayer.h"

using namespace emend;
using Kind = core::ModelOutcome::Kind;

namespace {

core::ScriptedReply reply(const std::string &text, std::int64_t delayMs = 0, int chunks = 1)
{
    core::ScriptedReply entry;
    entry.text = text;
    entry.delayMs = delayMs;
    entry.chunks = chunks;
    return entry;
}

// A provider on a fake clock, and what it streamed.
struct Stage {
    explicit Stage(std::vector<core::ScriptedReply> replies, bool repeatLast = false)
    {
        core::Scenario scenario;
        scenario.replies = std::move(replies);
        scenario.repeatLast = repeatLast;
        player = std::make_shared<tools::ScenarioPlayer>(scenario);
        provider = std::make_unique<tools::ScriptedProvider>(player, &clock);
    }

    core::ModelOutcome call(const core::CallContext &context = {})
    {
        return provider->generate(request, context,
                                  [this](std::string_view piece) { pieces.emplace_back(piece); });
    }

    tests::FakeClock clock;
    std::shared_ptr<tools::ScenarioPlayer> player;
    std::unique_ptr<tools::ScriptedProvider> provider;
    core::ModelRequest request;
    std::vector<std::string> pieces;
};

} // namespace

class TestScriptedProvider : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repliesArePlayedInOrder();
    void usageIsUnknown();
    void aUsedUpScenarioFailsForGoodAndNamesTheCall();
    void theLastReplyIsRepeatedIfTheScenarioSaysSo();
    void textArrivesInPiecesOverItsDelay();
    void piecesAreCutAtCodePoints_data();
    void piecesAreCutAtCodePoints();
    void bytesThatAreNoUtf8ArriveAsTheyAre();
    void aLongReplyIsCutByTheTokenLimit_data();
    void aLongReplyIsCutByTheTokenLimit();
    void anErrorEntryFailsAsParsed();
    void aDeadlineEndsTheCallAsATimeout();
    void aHangingReplyEndsWithTheDeadline();
    void aStopCancels_data();
    void aStopCancels();
    void aStopFromAnotherThreadEndsAHang();
    void theRegistryListsItsProviders();
    void anUnknownProviderIsAnErrorThatNamesTheKnownOnes();
    void aScriptedTaskWithoutRepliesIsRefused();
};

void TestScriptedProvider::repliesArePlayedInOrder()
{
    Stage stage({reply("one"), reply(""), reply("three")});
    for (const char *text : {"one", "", "three"}) {
        const auto outcome = stage.call();
        QCOMPARE(outcome.kind, Kind::Replied);
        QCOMPARE(outcome.reply.text, std::string(text));
        QCOMPARE(outcome.reply.finishReason, std::string("stop"));
        QVERIFY(!outcome.reply.truncated);
    }
    QCOMPARE(stage.pieces, (std::vector<std::string>{"one", "three"}));
    QCOMPARE(stage.clock.waits(), 0);
}

void TestScriptedProvider::usageIsUnknown()
{
    Stage stage({reply("one")});
    const auto outcome = stage.call();
    QVERIFY(!outcome.reply.usage.in);
    QVERIFY(!outcome.reply.usage.out);
}

void TestScriptedProvider::aUsedUpScenarioFailsForGoodAndNamesTheCall()
{
    Stage stage({reply("one")});
    stage.call();
    for (int call = 2; call <= 3; ++call) {
        const auto outcome = stage.call();
        QCOMPARE(outcome.kind, Kind::Failed);
        QCOMPARE(outcome.error.cls, core::TransportClass::NoChoices);
        QVERIFY(!outcome.error.retryable);
        QCOMPARE(outcome.error.message,
                 "the scenario has no reply left for call " + std::to_string(call));
    }
}

void TestScriptedProvider::theLastReplyIsRepeatedIfTheScenarioSaysSo()
{
    Stage stage({reply("one"), reply("two")}, true);
    stage.call();
    for (int i = 0; i < 3; ++i)
        QCOMPARE(stage.call().reply.text, std::string("two"));
}

void TestScriptedProvider::textArrivesInPiecesOverItsDelay()
{
    Stage stage({reply("abcdefgh", 400, 4)});
    std::vector<std::int64_t> moments;
    stage.clock.setOnWait([&](int, std::int64_t until) { moments.push_back(until); });
    QCOMPARE(stage.call().reply.text, std::string("abcdefgh"));
    QCOMPARE(stage.pieces, (std::vector<std::string>{"ab", "cd", "ef", "gh"}));
    QCOMPARE(moments, (std::vector<std::int64_t>{100000, 200000, 300000, 400000}));
    QCOMPARE(stage.clock.nowUs(), 400000);
}

void TestScriptedProvider::piecesAreCutAtCodePoints_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<QList<QByteArray>>("pieces");
    QTest::newRow("two-byte letters") << QByteArray("äöü") << 2 << QList<QByteArray>{"ä", "öü"};
    QTest::newRow("an emoji is one piece") << QByteArray("😀") << 4 << QList<QByteArray>{"😀"};
    QTest::newRow("more pieces than bytes")
        << QByteArray("ab") << 100 << QList<QByteArray>{"a", "b"};
    QTest::newRow("no pieces") << QByteArray("ab") << 0 << QList<QByteArray>{"ab"};
    QTest::newRow("nothing") << QByteArray() << 3 << QList<QByteArray>{};
    QTest::newRow("mixed") << QByteArray("a€b€") << 4 << QList<QByteArray>{"a", "€", "b", "€"};
}

void TestScriptedProvider::piecesAreCutAtCodePoints()
{
    QFETCH(QByteArray, text);
    QFETCH(int, chunks);
    QList<QByteArray> pieces;
    const std::string whole = text.toStdString(); // the pieces point into it
    for (const auto piece : tools::cutIntoPieces(whole, chunks)) {
        QVERIFY(!piece.empty());
        pieces.append(QByteArray(piece.data(), static_cast<qsizetype>(piece.size())));
    }
    QCOMPARE(pieces.join(), text);
    QTEST(pieces, "pieces");
}

void TestScriptedProvider::bytesThatAreNoUtf8ArriveAsTheyAre()
{
    const std::string bytes = "\x80\xff\xc3(\x80\x80";
    Stage stage({reply(bytes, 0, 3)});
    QCOMPARE(stage.call().reply.text, bytes);
    std::string streamed;
    for (const std::string &piece : stage.pieces)
        streamed += piece;
    QCOMPARE(streamed, bytes);
}

void TestScriptedProvider::aLongReplyIsCutByTheTokenLimit_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("kept");
    QTest::newRow("exactly at the limit") << "abcdefgh" << 2 << "abcdefgh";
    QTest::newRow("one byte too many") << "abcdefghi" << 2 << "abcdefgh";
    QTest::newRow("other code points are a token each") << "äöü" << 2 << "äö";
    QTest::newRow("mixed") << "abäcd" << 2 << "abäcd";
    QTest::newRow("mixed and too long") << "abäcdef" << 2 << "abäcd";
    QTest::newRow("an emoji is not torn") << "abcd😀" << 1 << "abcd";
}

void TestScriptedProvider::aLongReplyIsCutByTheTokenLimit()
{
    QFETCH(QString, text);
    QFETCH(int, limit);
    QFETCH(QString, kept);
    Stage stage({reply(text.toStdString())});
    stage.request.maxOutputTokens = limit;
    const auto outcome = stage.call();
    QCOMPARE(QString::fromStdString(outcome.reply.text), kept);
    QCOMPARE(outcome.reply.truncated, kept != text);
    QCOMPARE(outcome.reply.finishReason, std::string(kept == text ? "stop" : "length"));
    QCOMPARE(QString::fromStdString(stage.pieces.front()), kept);
}

void TestScriptedProvider::anErrorEntryFailsAsParsed()
{
    const auto scenario = core::parseScenario(R"({"emend":"scenario","version":1,"replies":[
        {"error":{"kind":"http","status":503,"retry_after_s":1}},
        {"error":{"kind":"stream_cut","text":"{\"state\":"},"delay_ms":50}]})");
    QVERIFY(scenario.has_value());
    Stage stage(scenario->replies);
    const auto overloaded = stage.call();
    QCOMPARE(overloaded.kind, Kind::Failed);
    QCOMPARE(overloaded.error.cls, core::TransportClass::Overloaded);
    QVERIFY(overloaded.error.retryable);
    QCOMPARE(overloaded.error.retryAfterMs.value_or(0), 1000);
    const auto cut = stage.call();
    QCOMPARE(cut.error.cls, core::TransportClass::StreamTruncated);
    QCOMPARE(cut.error.partial, std::string("{\"state\":"));
    QCOMPARE(stage.pieces, (std::vector<std::string>{"{\"state\":"}));
    QCOMPARE(stage.clock.nowUs(), 50000);
}

void TestScriptedProvider::aDeadlineEndsTheCallAsATimeout()
{
    Stage stage({reply("abcd", 1000, 4)});
    core::CallContext context;
    context.deadlineUs = 600000;
    const auto outcome = stage.call(context);
    QCOMPARE(outcome.kind, Kind::Failed);
    QCOMPARE(outcome.error.cls, core::TransportClass::Timeout);
    QVERIFY(outcome.error.retryable);
    QCOMPARE(outcome.error.partial, std::string("ab"));
    QCOMPARE(stage.clock.nowUs(), 600000);
}

void TestScriptedProvider::aHangingReplyEndsWithTheDeadline()
{
    auto hanging = reply("abc");
    hanging.hang = true;
    Stage stage({hanging});
    core::CallContext context;
    context.deadlineUs = 60'000'000;
    const auto outcome = stage.call(context);
    QCOMPARE(outcome.error.cls, core::TransportClass::Timeout);
    QCOMPARE(outcome.error.partial, std::string("abc"));
    QCOMPARE(stage.clock.nowUs(), 60'000'000);
}

void TestScriptedProvider::aStopCancels_data()
{
    QTest::addColumn<int>("atWait"); // 0: before the call
    QTest::addColumn<int>("piecesSeen");
    QTest::newRow("before the call") << 0 << 0;
    QTest::newRow("during the first wait") << 1 << 0;
    QTest::newRow("during the third wait") << 3 << 2;
}

void TestScriptedProvider::aStopCancels()
{
    QFETCH(int, atWait);
    QFETCH(int, piecesSeen);
    Stage stage({reply("abcd", 400, 4)});
    std::stop_source source;
    if (atWait == 0)
        source.request_stop();
    stage.clock.setOnWait([&](int wait, std::int64_t) {
        if (wait == atWait)
            source.request_stop();
    });
    core::CallContext context;
    context.stop = source.get_token();
    QCOMPARE(stage.call(context).kind, Kind::Cancelled);
    QCOMPARE(static_cast<int>(stage.pieces.size()), piecesSeen);
}

void TestScriptedProvider::aStopFromAnotherThreadEndsAHang()
{
    auto hanging = reply("");
    hanging.hang = true;
    Stage stage({hanging});
    std::stop_source source;
    core::CallContext context;
    context.stop = source.get_token();
    std::jthread stopper([&] { source.request_stop(); });
    QCOMPARE(stage.call(context).kind, Kind::Cancelled);
}

void TestScriptedProvider::theRegistryListsItsProviders()
{
    std::vector<std::string> names;
    for (const core::NamedSpec &spec : tools::providerSpecs()) {
        names.push_back(spec.name);
        QVERIFY(!spec.description.empty());
    }
    QCOMPARE(names, (std::vector<std::string>{"practice", "openai", "anthropic", "gemini", "ollama",
                                              "replay", "scripted"}));
}

void TestScriptedProvider::anUnknownProviderIsAnErrorThatNamesTheKnownOnes()
{
    core::Task task;
    task.model.provider = "oracle";
    const auto made = tools::makeProvider(task, {});
    QVERIFY(!made);
    QCOMPARE(made.error().pointer, std::string("/model/provider"));
    QVERIFY(made.error().message.find("practice, openai") != std::string::npos);
}

void TestScriptedProvider::aScriptedTaskWithoutRepliesIsRefused()
{
    core::Task task;
    task.model.provider = "scripted";
    tests::FakeClock clock;
    const auto without = tools::makeProvider(task, {&clock, nullptr});
    QVERIFY(!without);
    QCOMPARE(without.error().pointer, std::string("/scenario"));
    const auto empty = std::make_shared<tools::ScenarioPlayer>(core::Scenario());
    QVERIFY(!tools::makeProvider(task, {&clock, empty}));
}

QTEST_GUILESS_MAIN(TestScriptedProvider)
#include "tst_scriptedprovider.moc"
