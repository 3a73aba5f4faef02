// SPDX-License-Identifier: GPL-3.0-or-later
// What the run view shows of calls to a real model: waits, costs, failures, redactions, warnings.
#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include "fakescript.h"
#include "ui/run/eventqueue.h"
#include "ui/run/noticestrip.h"
#include "ui/run/rowtext.h"
#include "ui/run/runheader.h"
#include "ui/run/runview.h"
#include "ui/run/storypanel.h"
#include "ui/text/elidedlabel.h"
#include "ui/text/textpane.h"

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;
using core::EventKind;
using nlohmann::json;

class ModelCallsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWaitIsCountedDownUntilTheNextEvent();
    void aKillEndsTheCountdown();
    void unverifiedTlsIsSaidAndStays();
    void damageIsSaidAboveTheOutcome();
    void afterAKillThereIsOneFigureForTokens();
    void textIsShownAsItArrives();
    void endlessTextIsBounded();
    void theCostIsCalculatedInSight();
    void whatIsUnknownIsSaid();
    void aFailureSaysWhatToDo();
    void redactionsAreMarkedAndListed();
};

namespace {

std::string members(const json &object)
{
    const std::string text = object.dump();
    return text.substr(1, text.size() - 2);
}

test::FakeEffect waiting(int workMs)
{
    test::FakeEffect effect;
    effect.what = "wait";
    effect.workMs = workMs;
    effect.before = {
        test::draft(EventKind::ModelFailed, 1, 0,
                    members({{"class", "rate_limited"}, {"will_retry", true}, {"message", "m"}})),
        test::draft(EventKind::ModelWaiting, 1, 0,
                    members({{"wait_ms", 7000}, {"why", "retry_after"}, {"retry", 1}, {"of", 2}}))};
    effect.after = {test::draft(EventKind::ModelRequested, 1, 0, members({{"call", 1}}))};
    return effect;
}

test::FakeEffect hanging()
{
    test::FakeEffect effect;
    effect.workMs = 60'000;
    return effect;
}

QString counters(const RunView &view)
{
    return view.findChild<ElidedLabel *>(u"countersLabel"_s)->text();
}

core::Event eventOf(EventKind kind, std::uint64_t seq, const json &body)
{
    return core::stamp(test::draft(kind, kind == EventKind::RunStarted ? 0 : 1,
                                   kind == EventKind::RunStarted ? -1 : 0, members(body)),
                       seq, std::int64_t(seq) * 1000);
}

json priced()
{
    return {{"goal", "G"}, {"price", {{"in", 0.15}, {"out", 0.6}, {"cached_in", 0.075}}}};
}

Story storyOf(const json &started, EventKind kind, const json &body)
{
    EventModel model;
    model.append({eventOf(EventKind::RunStarted, 1, started), eventOf(kind, 2, body)}, {});
    return buildStory(model, 1, false);
}

QString fact(const Story &story, const QString &label)
{
    for (const StorySection &section : story.sections)
        for (const Fact &fact : section.facts)
            if (fact.label == label)
                return fact.value;
    return {};
}

} // namespace

void ModelCallsTest::aWaitIsCountedDownUntilTheNextEvent()
{
    test::FakeEngine engine;
    engine.script = {waiting(1500), hanging()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_COMPARE(counters(view),
                 u"Waiting 7 s before retry 1 of 2: the server asked for it (too many requests)"_s);
    QTRY_VERIFY(counters(view).startsWith("Waiting 6 s"_L1)); // the timer's doing
    QTRY_VERIFY(!counters(view).contains("Waiting"_L1));      // the next request
    view.kill();
}

void ModelCallsTest::aKillEndsTheCountdown()
{
    test::FakeEngine engine;
    engine.script = {waiting(60'000)};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    QTRY_VERIFY(counters(view).startsWith("Waiting"_L1));
    view.kill();
    QVERIFY(!counters(view).startsWith("Waiting"_L1)); // before the run has ended
    QTRY_COMPARE(view.state(), RunState::Killed);
    QVERIFY(!counters(view).startsWith("Waiting"_L1));
}

void ModelCallsTest::unverifiedTlsIsSaidAndStays()
{
    EventQueue queue;
    core::Task task = test::weatherTask();
    const auto notVerified = [&] {
        queue.begin(json{{"emend", "trace"}, {"task", core::taskToJson(task)}}.dump());
        return queue.take(10).facts->tlsNotVerified;
    };
    QVERIFY(!notVerified());
    task.model.transport.tlsVerify = false;
    QVERIFY(notVerified());

    test::FakeEngine engine;
    engine.script = {hanging()};
    RunView view(engine);
    view.show();
    auto *strip = view.findChild<NoticeStrip *>(u"tlsStrip"_s);
    view.startRun(task);
    QTRY_VERIFY(strip->isVisible());
    QVERIFY(strip->text().startsWith("TLS is not verified in this run"_L1));
    QVERIFY(strip->findChildren<QAbstractButton *>().isEmpty());
    view.kill();
    QTRY_COMPARE(view.state(), RunState::Killed);
    QVERIFY(strip->isVisible());
    view.startRun(test::weatherTask());
    QTRY_VERIFY(!strip->isVisible());
    view.kill();
}

void ModelCallsTest::damageIsSaidAboveTheOutcome()
{
    test::FakeEngine engine;
    engine.traceEvents = {eventOf(EventKind::RunStarted, 1, priced()),
                          eventOf(EventKind::ModelRequested, 3, {{"call", 1}})};
    engine.traceEvents[1].problem = core::LineProblem::Gap;
    RunView view(engine);
    view.show();
    view.openTrace(u"any"_s);
    auto *strip = view.findChild<NoticeStrip *>(u"damageStrip"_s);
    QTRY_VERIFY(strip->isVisible());
    QVERIFY2(strip->text().contains("1 line is"_L1) &&
                 strip->text().contains("Row 2: gap in the trace"_L1),
             qPrintable(strip->text()));
    QTRY_VERIFY(view.findChild<QWidget *>(u"outcomeBanner"_s)->isVisible());
    QVERIFY(strip->y() < view.findChild<QWidget *>(u"outcomeBanner"_s)->y());
    view.chooseRow(0);
    view.findChild<QPushButton *>(u"showDamage"_s)->click();
    QCOMPARE(view.chosenRow(), 1);
}

// The totals hold what was reserved for the aborted call: the header shows the same and why.
void ModelCallsTest::afterAKillThereIsOneFigureForTokens()
{
    const json totals = {{"tokens_in", 700}, {"tokens_out", 1010}, {"cost_usd", 0.5}};
    test::FakeEngine engine;
    engine.traceEvents = {
        eventOf(EventKind::RunStarted, 1, priced()),
        eventOf(EventKind::ModelReplied, 2,
                {{"tokens_in", 300}, {"tokens_out", 10}, {"cost_usd", 0.1}}),
        eventOf(EventKind::ModelRequested, 3, {{"call", 2}, {"reserved_tokens", 1400}}),
        eventOf(EventKind::ModelFailed, 4, {{"class", "cancelled"}, {"will_retry", false}}),
        eventOf(EventKind::RunFinished, 5,
                {{"outcome", "killed"}, {"reason", "killed"}, {"totals", totals}})};
    RunView view(engine);
    view.show();
    view.openTrace(u"any"_s);
    QTRY_COMPARE(view.state(), RunState::Killed);
    QVERIFY2(counters(view).contains("700 tokens in, 1,010 out (incl. 1,400 reserved for the "
                                     "aborted call)"_L1),
             qPrintable(counters(view)));
    QVERIFY(counters(view).contains("$0.5"_L1));
    QVERIFY(view.findChild<QLabel *>(u"outcomeBody"_s)
                ->text()
                .contains("1,400 reserved for the aborted call"_L1));
    EventModel model;
    model.append(std::vector(engine.traceEvents), {});
    QVERIFY(fact(buildStory(model, 4, false), u"Of these reserved"_s).startsWith("1,400"_L1));
}

void ModelCallsTest::textIsShownAsItArrives()
{
    test::FakeEngine engine;
    test::FakeEffect reply;
    reply.before = {test::draft(EventKind::ModelRequested, 1, 0, members({{"call", 1}}))};
    reply.workMs = 400;
    reply.partial = "A first word and then some more of them, one after the other.";
    engine.script = {reply, hanging()};
    RunView view(engine);
    view.show();
    view.startRun(test::weatherTask());
    const auto pane = [&] { return view.findChild<TextPane *>(u"livePane"_s); };
    QTRY_VERIFY(pane() && pane()->toPlainText().startsWith("A first"_L1));
    QTRY_VERIFY(pane() && pane()->toPlainText().endsWith("other."_L1));
    view.kill();
}

void ModelCallsTest::endlessTextIsBounded()
{
    EventQueue queue;
    queue.appendPartial(1, 0, "It began so. ");
    qsizetype longest = 0;
    for (int n = 0; n < 200'000; ++n) {
        queue.appendPartial(1, 0, "wörter und wörter ");
        if (n % 1000 == 0)
            longest = std::max(longest, queue.take(10).partial->text.size());
    }
    queue.appendPartial(1, 0, "the end");
    const QString text = queue.take(10).partial->text;
    QVERIFY(std::max(longest, text.size()) < 48 * 1024);
    QVERIFY(text.startsWith("It began so."_L1) && text.endsWith("the end"_L1));
    QVERIFY(text.contains(" left out "_L1));
}

void ModelCallsTest::theCostIsCalculatedInSight()
{
    const Story story = storyOf(priced(), EventKind::ModelReplied,
                                {{"text", "{}"},
                                 {"tokens_in", 1746},
                                 {"cached_tokens", 512},
                                 {"tokens_out", 210},
                                 {"reasoning_tokens", nullptr},
                                 {"tokens_from", "provider"},
                                 {"cost_usd", 0.0003495}});
    QCOMPARE(fact(story, u"Cost"_s), u"$0.0003495 = 1,234 in × $0.15 + 512 cached × $0.075 + "
                                     "210 out × $0.60 per million"_s);
    QCOMPARE(fact(story, u"Tokens in"_s), u"1,746 (from the cache: 512)"_s);
    QCOMPARE(fact(story, u"Tokens out"_s), u"210 (of it reasoning: unknown)"_s);
}

void ModelCallsTest::whatIsUnknownIsSaid()
{
    const json reply = {{"text", "{}"},       {"tokens_in", 10},  {"cached_tokens", nullptr},
                        {"tokens_out", 2},    {"recorded", true}, {"tokens_from", "estimate"},
                        {"cost_usd", nullptr}};
    const Story story = storyOf({{"price", nullptr}}, EventKind::ModelReplied, reply);
    QCOMPARE(fact(story, u"Cost"_s), u"unknown"_s);
    QCOMPARE(fact(story, u"Tokens in"_s), u"10 (from the cache: unknown)"_s);
    QVERIFY(fact(story, u"Tokens from"_s).contains("estimate"_L1));
    QVERIFY(fact(story, u"Source"_s).startsWith("recorded"_L1));
    QVERIFY(rowText(eventOf(EventKind::ModelReplied, 2, reply)).what.startsWith("Recorded: "_L1));

    RunFacts facts;
    facts.add(eventOf(EventKind::ModelReplied, 2, reply));
    RunHeader header;
    header.setFacts(facts);
    const QString words = header.findChild<ElidedLabel *>(u"countersLabel"_s)->text();
    QVERIFY2(words.contains("cost unknown"_L1) && words.contains("(estimated)"_L1) &&
                 words.contains("1 recorded"_L1),
             qPrintable(words));
}

void ModelCallsTest::aFailureSaysWhatToDo()
{
    const Story story = storyOf(priced(), EventKind::ModelFailed,
                                {{"class", "quota_exhausted"},
                                 {"message", "Your plan is used up. Add credit."},
                                 {"will_retry", false},
                                 {"retry_after_ms", 3000},
                                 {"http_status", 429},
                                 {"detail", "insufficient_quota"},
                                 {"duration_us", 1000}});
    const StorySection &failure = story.sections.front();
    QCOMPARE(failure.verdict->word, u"the quota is used up"_s);
    QCOMPARE(failure.verdictText, u"Your plan is used up. Add credit."_s);
    QCOMPARE(fact(story, u"HTTP status"_s), u"429"_s);
    QCOMPARE(fact(story, u"Provider's code"_s), u"insufficient_quota"_s);
    QCOMPARE(fact(story, u"Asked to wait"_s), u"3.00 s"_s);
}

void ModelCallsTest::redactionsAreMarkedAndListed()
{
    const json body = {{"tool", "weather"},
                       {"output", "[redacted]"},
                       {"redactions",
                        {{{"pointer", "/output"}, {"count", 2}, {"rule", "known_value"}},
                         {{"pointer", "/tool_input/q"}, {"count", 1}, {"rule", "pattern 3"}}}}};
    const Story story = storyOf(priced(), EventKind::ToolSucceeded, body);
    QCOMPARE(fact(story, u"/output"_s), u"2 × a key that Emend knows"_s);
    QCOMPARE(fact(story, u"/tool_input/q"_s), u"your pattern 3"_s);
    QVERIFY(rowText(eventOf(EventKind::ToolSucceeded, 2, body)).what.contains("redacted (2)"_L1));
    RunFacts facts;
    facts.add(eventOf(EventKind::ToolSucceeded, 2, body));
    QCOMPARE(facts.redactions, 3);
}

QTEST_MAIN(ModelCallsTest)
#include "tst_modelcalls.moc"
