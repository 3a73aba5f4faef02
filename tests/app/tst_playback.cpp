// SPDX-License-Identifier: GPL-3.0-or-later
// What of a recorded run is played again: stops, breakers, prices, and text that was redacted.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <ctime>
#include <filesystem>

#include "tests/app/recordingtest.h"

using namespace emend::core;
using namespace emend::fakes;

class TestPlayback : public RecordingTest {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { qunsetenv("XDG_CONFIG_HOME"); }

    void aStopBetweenTwoEffectsComesAtItsPlace_data();
    void aStopBetweenTwoEffectsComesAtItsPlace();
    void redactedTextThatNoLongerFitsIsSaid();
    void redactedTextThatFitsIsReplayed();
    void aPatternAddedLaterIsNoDifference();
    void whatTheSessionBroughtIsRestored_data();
    void whatTheSessionBroughtIsRestored();
    void aRecordedPriceKeepsTheCostBound();
    void aLongReplyIsReplayedAboutAsFastAsItRan();
};

void TestPlayback::aStopBetweenTwoEffectsComesAtItsPlace_data()
{
    QTest::addColumn<bool>("killed");
    QTest::addColumn<int>("after"); // the first event of this kind
    for (const auto &[name, kind] : {std::pair("the start", EventKind::RunStarted),
                                     std::pair("a decision", EventKind::DecisionAccepted),
                                     std::pair("a tool", EventKind::ToolSucceeded),
                                     std::pair("a call", EventKind::ModelRequested),
                                     std::pair("a wait", EventKind::ModelWaiting)})
        for (const bool killed : {true, false})
            QTest::addRow("%s after %s", killed ? "kill" : "escalation", name)
                << killed << static_cast<int>(kind);
}

void TestPlayback::aStopBetweenTwoEffectsComesAtItsPlace()
{
    QFETCH(bool, killed);
    QFETCH(int, after);
    Watcher first, second;
    RunControl control(m_workbench->clock());
    bool done = false;
    first.onEvent = [&](const Event &event) {
        if (done || static_cast<int>(event.kind) != after)
            return;
        done = true;
        killed ? control.kill() : control.escalate("look at this");
    };
    const json busy = {{"error", {{"kind", "http"}, {"status", 503}, {"retry_after_s", 1}}}};
    QVERIFY(m_workbench->run(task({sum, busy, finalReply("2")}), path("a.trace.jsonl"), control,
                             first));
    QCOMPARE(first.summary.outcome(), std::string(killed ? "killed" : "escalated"));
    const auto difference = replay(second);
    QVERIFY2(!difference, difference ? difference->what.c_str() : "");
    QCOMPARE(second.events.size(), first.events.size());
}

void TestPlayback::redactedTextThatNoLongerFitsIsSaid()
{
    QVERIFY(m_workbench->settings().setRedactionPatterns({"S3CR[0-9]+"}));
    Task wanted = task({act("door", {{"pin", "S3CR12"}}), finalReply("open")},
                       {{"tools", {{"door", {{{"output", "open"}}}}}}});
    wanted.tools = {
        {"door",
         true,
         "opens it",
         false,
         {{"type", "object"}, {"properties", {{"pin", {{"type", "string"}, {"maxLength", 6}}}}}}}};
    record(wanted);
    QVERIFY(read("a.trace.jsonl").find("S3CR12") == std::string::npos);
    Watcher watcher;
    const auto difference = replay(watcher);
    QVERIFY(difference);
    QVERIFY2(difference->what.find("holds redacted text at its event 3 (/text), so it cannot be "
                                   "replayed beyond there") != std::string::npos,
             difference->what.c_str());
    QVERIFY(watcher.problems.empty()); // that is no damage
}

void TestPlayback::redactedTextThatFitsIsReplayed()
{
    QVERIFY(m_workbench->settings().setRedactionPatterns({"S3CR[0-9]+"}));
    Task wanted = task({{{"text", "So: S3CR1"}},
                        act("weather", {{"city", "S3CR12"}}),
                        finalReply("S3CR4: done", false)},
                       {{"tools", {{"weather", {{{"output", "S3CR12: rain"}}}}}}});
    wanted.goal = "what of S3CR12?";
    record(wanted);
    QVERIFY(read("a.trace.jsonl").find("S3CR") == std::string::npos);
    Watcher watcher;
    const auto difference = replay(watcher);
    QVERIFY2(!difference, difference ? difference->what.c_str() : "");
}

void TestPlayback::aPatternAddedLaterIsNoDifference()
{
    Task wanted = task(
        {{{"text", "So: S3CR1"}}, act("weather", {{"city", "S3CR12"}}), finalReply("S3CR4: done")},
        {{"tools", {{"weather", {{{"output", "S3CR12: rain"}}}}}}});
    wanted.goal = "what of S3CR12?";
    record(wanted);
    QVERIFY(m_workbench->settings().setRedactionPatterns({"S3CR[0-9]+"}));
    Watcher same, watcher;
    auto difference = replay(same);
    QVERIFY2(!difference, difference ? difference->what.c_str() : "");
    QVERIFY(read("again.trace.jsonl").find("S3CR") == std::string::npos);
    // and where there is one, it does not tell what is to be kept
    std::string text = read("a.trace.jsonl");
    const std::size_t output = text.find("\"output\":\"S3CR12: rain\"");
    QVERIFY(output != std::string::npos);
    write("a.trace.jsonl", text.insert(output + 10, "no "));
    difference = replay(watcher);
    QVERIFY(difference);
    QVERIFY2(difference->what.find("the prompt of step_2") != std::string::npos,
             difference->what.c_str());
    QVERIFY2((difference->what + difference->diff).find("S3CR") == std::string::npos,
             difference->diff.c_str());
    QVERIFY(difference->diff.find("[redacted]: rain") != std::string::npos);
}

void TestPlayback::whatTheSessionBroughtIsRestored_data()
{
    QTest::addColumn<int>("threshold");
    QTest::addColumn<int>("cooldown");
    QTest::newRow("an open breaker") << 2 << 1000;
    QTest::newRow("one whose cooldown is over") << 2 << 0;
    QTest::newRow("one short of opening") << 3 << 1000;
}

void TestPlayback::whatTheSessionBroughtIsRestored()
{
    QFETCH(int, threshold);
    QFETCH(int, cooldown);
    const json failing = {{"tools", {{"calculator", {{{"error", "down"}}, {{"error", "down"}}}}}}};
    const json other = act("calculator", {{"expression", "2+2"}});
    Task wanted = task({sum, finalReply("x", false)}, failing);
    wanted.breaker = {threshold, cooldown, BreakerScope::Session};
    record(wanted, "before.trace.jsonl");
    Task again = task({sum, other, finalReply("x", false)}, failing);
    again.breaker = wanted.breaker;
    record(again);
    QVERIFY(read("a.trace.jsonl").find("\"breakers\":[{\"name\":\"calculator\"") !=
            std::string::npos);
    m_workbench = std::make_unique<emend::app::Workbench>(); // another session
    Watcher watcher, forked;
    const auto difference = replay(watcher);
    QVERIFY2(!difference, difference ? (difference->what + difference->diff).c_str() : "");
    const auto same = m_workbench->taskOfTrace(path("a.trace.jsonl"));
    RunControl control(m_workbench->clock());
    const auto report = m_workbench->fork({path("a.trace.jsonl"), 3}, *same, path("f.trace.jsonl"),
                                          control, forked);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY2(!report->difference, report->difference ? report->difference->what.c_str() : "");
    QCOMPARE(forked.count(EventKind::ToolSkipped), watcher.count(EventKind::ToolSkipped));
    QCOMPARE(forked.count(EventKind::ToolFailed), watcher.count(EventKind::ToolFailed));
    // a run of its own does not get them
    record(again, "c.trace.jsonl");
    QVERIFY(read("c.trace.jsonl").find("\"breakers\":[{\"name\"") == std::string::npos);
}

void TestPlayback::aRecordedPriceKeepsTheCostBound()
{
    std::filesystem::create_directories(path("config/emend"));
    write(
        "config/emend/prices.json",
        R"({"emend":"prices","version":1,"models":[{"provider":"scripted","model":"*","base_url":"*","in":1,"out":2}]})");
    Task wanted = task({sum, finalReply("2")});
    wanted.bounds.maxCostUsd = 1;
    record(wanted);
    const std::string text = read("a.trace.jsonl");
    QVERIFY(text.find("\"price\":{\"in\":1") != std::string::npos);
    write("config/emend/prices.json", R"({"emend":"prices","version":1,"models":[]})");
    Watcher watcher;
    const auto difference = replay(watcher);
    QVERIFY2(!difference, difference ? difference->what.c_str() : "");
}

void TestPlayback::aLongReplyIsReplayedAboutAsFastAsItRan()
{
    std::string words(2'000'000, 'x');
    for (std::size_t i = 7; i < words.size(); i += 8)
        words[i] = ' ';
    Task wanted = task(json::array({finalReply("a" + words + "b")}));
    wanted.model.maxOutputTokens = 10'000'000;
    const std::clock_t begin = std::clock(); // of the processor: other programs do not count
    record(wanted);
    const std::clock_t ran = std::clock() - begin;
    Watcher watcher;
    const auto difference = replay(watcher);
    const std::clock_t replayed = std::clock() - begin - ran;
    QVERIFY2(!difference, difference ? difference->what.c_str() : "");
    QCOMPARE(watcher.summary.outcome(), std::string("satisfied"));
    // A ratio of one run on one machine. It was 2.2 when each line was read as a tree twice, and
    // again for each comparison.
    const double ratio = static_cast<double>(replayed) / static_cast<double>(ran);
    QVERIFY2(ratio < 1.6, qPrintable(QString::number(ratio)));
}

QTEST_GUILESS_MAIN(TestPlayback)
#include "tst_playback.moc"
