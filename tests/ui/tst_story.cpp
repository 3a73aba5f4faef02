// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "fakescript.h"
#include "ui/run/eventmodel.h"
#include "ui/run/runfacts.h"
#include "ui/run/story.h"
#include "ui/run/storypanel.h"
#include "ui/text/textpane.h"

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;
using core::EventKind;

class StoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEventOfACorrectionTellsTheSameStory();
    void aCorrectionWaitsForItsReply();
    void aRejectionWithoutCorrectionSaysSo();
    void thePlaceIsMarkedInThePane();
    void thePromptIsPutTogether();
    void toolsTellTriesAndBreaker();
    void everyKindHasAStory();
    void aHugeReplyIsCut();
    void copyTakesTheStory();
    void foreignTextIsNeverMarkup();
    void longWordsDoNotWidenThePanel();
    void thePresentMomentNamesWhatIsRun_data();
    void thePresentMomentNamesWhatIsRun();
};

namespace {

// The events of the weather script without running it.
void fill(EventModel &model, std::size_t effects = 100)
{
    std::vector<core::Event> events;
    std::vector<MessageRef> messages;
    std::uint64_t seq = 0;
    const auto write = [&](const core::EventDraft &draft) {
        ++seq;
        if (draft.kind == EventKind::ModelRequested && draft.step == 1)
            messages.push_back({draft.attempt + 1 + (draft.attempt > 0 ? 1 : 0), int(seq) - 1});
        events.push_back(core::stamp(draft, seq, std::int64_t(seq) * 1000));
    };
    const auto script = test::weatherScript(1);
    for (std::size_t n = 0; n < std::min(effects, script.size()); ++n) {
        for (const auto &draft : script[n].before)
            write(draft);
        for (const auto &draft : script[n].after)
            write(draft);
    }
    messages.push_back({2, 0});
    model.append(std::move(events), messages);
}

int rowOf(const EventModel &model, EventKind kind, int nth = 0)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.event(row).kind == kind && nth-- == 0)
            return row;
    }
    return -1;
}

const StorySection *section(const Story &story, const QString &heading)
{
    for (const StorySection &s : story.sections) {
        if (s.heading == heading)
            return &s;
    }
    return nullptr;
}

QString fact(const Story &story, const QString &label)
{
    for (const StorySection &s : story.sections) {
        for (const Fact &f : s.facts) {
            if (f.label == label)
                return f.value;
        }
    }
    return {};
}

} // namespace

void StoryTest::everyEventOfACorrectionTellsTheSameStory()
{
    EventModel model;
    fill(model);
    for (const EventKind kind : {EventKind::DecisionRejected, EventKind::CorrectionRequested,
                                 EventKind::CorrectionResolved}) {
        const Story story = buildStory(model, rowOf(model, kind), false);
        QCOMPARE(story.title, u"Correction 1 of 2"_s);
        QVERIFY(!story.pending);
        QCOMPARE(story.sections.front().verdict->word, u"Resolved by attempt 1"_s);
        QCOMPARE(fact(story, u"Check"_s), u"Not valid JSON"_s);
        QCOMPARE(fact(story, u"Place"_s), u"line 4, column 18 (byte %1)"_s.arg(test::badOffset));
        QVERIFY(fact(story, u"Rule"_s).startsWith(u"A reply must be exactly one JSON object"_s));
        const StorySection *reply = section(story, u"Reply as received"_s);
        QVERIFY(reply && reply->text);
        QCOMPARE(reply->text->shown.text, QString::fromStdString(test::badReply));
        QCOMPARE(reply->text->shown.text.mid(reply->text->shown.markStart,
                                             reply->text->shown.markLength),
                 u"'city'"_s);
        QVERIFY(section(story, u"Feedback sent"_s)
                    ->text->shown.text.contains(u"<correction trust=\"untrusted\">"_s));
        QVERIFY(section(story, u"Next reply"_s)
                    ->text->shown.text.startsWith(u"{\"state\":\"action\""_s));
        QCOMPARE(section(story, u"Next reply"_s)->note, u"Accepted"_s);
        QVERIFY(fact(story, u"Rejected attempt"_s).startsWith(u"612 tokens in, 41 out"_s));
        QVERIFY(fact(story, u"Answer to it"_s).contains(u"$0.00019"_s));
    }
}

void StoryTest::aCorrectionWaitsForItsReply()
{
    EventModel model;
    fill(model, 1);
    const Story live = buildStory(model, rowOf(model, EventKind::CorrectionRequested), true);
    QVERIFY(live.pending);
    QCOMPARE(live.sections.front().verdict->word, u"Waiting for the reply"_s);
    QCOMPARE(live.liveStep, 1);
    QCOMPARE(live.liveAttempt, 1);
    const Story dead = buildStory(model, rowOf(model, EventKind::CorrectionRequested), false);
    QVERIFY(!dead.pending);
    QCOMPARE(dead.sections.front().verdict->word, u"Not answered"_s);
}

void StoryTest::aRejectionWithoutCorrectionSaysSo()
{
    EventModel model;
    model.append({core::stamp(test::draft(EventKind::DecisionRejected, 1, 2,
                                          R"("category":"empty_response","error":"empty")"),
                              1, 0)});
    const Story story = buildStory(model, 0, false);
    QCOMPARE(story.sections.front().verdict->word, u"No correction was left"_s);
}

void StoryTest::thePlaceIsMarkedInThePane()
{
    EventModel model;
    fill(model);
    StoryPanel panel;
    panel.resize(500, 800);
    panel.setStory(buildStory(model, rowOf(model, EventKind::DecisionRejected), false));
    panel.show();
    auto *pane = panel.findChild<TextPane *>(u"markedPane"_s);
    QVERIFY(pane);
    QCOMPARE(pane->markedPart(), u"'city'"_s);
    QCOMPARE(pane->extraSelections().size(), 1);
    QCOMPARE(pane->extraSelections().first().cursor.selectedText(), u"'city'"_s);
    QVERIFY(!pane->accessibleName().isEmpty());
}

void StoryTest::thePromptIsPutTogether()
{
    EventModel model;
    fill(model);
    const Story story = buildStory(model, rowOf(model, EventKind::ModelRequested, 1), false);
    const StorySection *user = section(story, QStringLiteral("2 · User"));
    QVERIFY(user && user->text);
    QCOMPARE(user->text->shown.text, u"Weather in Delhi, in Fahrenheit, please."_s);
    QVERIFY(section(story, QStringLiteral("1 · System")));
    QVERIFY(section(story, QStringLiteral("3 · User")));
    QCOMPARE(fact(story, u"Context"_s), u"612 of 22,000 tokens (3 %)"_s);
    QCOMPARE(fact(story, u"Shortened"_s), u"1 message: tool output of step 1"_s);
}

void StoryTest::toolsTellTriesAndBreaker()
{
    EventModel model;
    fill(model);
    const Story story = buildStory(model, rowOf(model, EventKind::ToolFailed, 1), false);
    QCOMPARE(story.title, u"weather, try 2"_s);
    QVERIFY(section(story, u"Input"_s)->text->shown.text.contains(u"\"city\": \"Delhi\""_s));
    QCOMPARE(section(story, u"Error"_s)->text->shown.text, u"service down, HTTP 503"_s);
    QCOMPARE(int(section(story, u"Tries"_s)->facts.size()), 2);
    QCOMPARE(section(story, u"Effect on the breaker"_s)->verdict->word, u"Open"_s);
}

void StoryTest::everyKindHasAStory()
{
    for (std::size_t n = 0; n < core::eventKindCount; ++n) {
        EventModel model;
        core::Event event = core::stamp(test::draft(EventKind::RunStarted, 1, 0, {}), 1, 0);
        event.kind = EventKind(n);
        model.append({event});
        for (const bool live : {false, true}) {
            const Story story = buildStory(model, 0, live);
            QVERIFY(!story.title.isEmpty());
            QCOMPARE(story.sections.back().heading, u"Line in the trace"_s);
        }
    }
}

void StoryTest::aHugeReplyIsCut()
{
    EventModel model;
    model.append(
        {core::stamp(test::draft(EventKind::ModelReplied, 1, 0,
                                 R"("text":")" + std::string(20 << 20, 'y') + R"(","tokens_in":1)"),
                     1, 0)});
    QElapsedTimer timer;
    timer.start();
    const Story story = buildStory(model, 0, false);
    qInfo("story of a 20 MB reply in %lld ms", static_cast<long long>(timer.elapsed()));
    const StorySection *reply = section(story, u"Reply as received"_s);
    QCOMPARE(reply->text->shown.text.size(), qsizetype(storyTextShown));
    QVERIFY(reply->text->shown.cutAfter);
    QCOMPARE(reply->text->whole(1000).size(), 1000);
}

void StoryTest::copyTakesTheStory()
{
    EventModel model;
    fill(model);
    StoryPanel panel;
    panel.setStory(buildStory(model, rowOf(model, EventKind::CorrectionResolved), false));
    auto *copy = panel.findChild<QToolButton *>(u"copyStory"_s);
    QVERIFY(copy);
    copy->click();
    QVERIFY(QGuiApplication::clipboard()->text().contains(u"Resolved by attempt 1"_s));
    QVERIFY(QGuiApplication::clipboard()->text().contains(QString::fromStdString(test::badReply)));
}

void StoryTest::foreignTextIsNeverMarkup()
{
    EventModel model;
    model.append(
        {core::stamp(test::draft(EventKind::DecisionRejected, 1, 0,
                                 R"("category":"<b>x</b>","error":"<a href='http://x'>y</a>")"),
                     1, 0)});
    StoryPanel panel;
    panel.setStory(buildStory(model, 0, false));
    const auto labels = panel.findChildren<QLabel *>();
    QVERIFY(!labels.isEmpty());
    for (const QLabel *label : labels)
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(panel.plainText().contains(u"<a href='http://x'>y</a>"_s));
}

void StoryTest::longWordsDoNotWidenThePanel()
{
    EventModel model;
    const std::string word(500, 'w');
    model.append(
        {core::stamp(
             test::draft(EventKind::ToolFailed, 1, -1, "\"tool\":\"t\",\"error\":\"" + word + "\""),
             1, 0),
         core::stamp(test::draft(EventKind::DecisionRejected, 1, 0,
                                 "\"category\":\"" + word + "\",\"error\":\"" + word + "\""),
                     2, 0)});
    StoryPanel panel;
    panel.resize(400, 800);
    panel.show();
    for (const int row : {0, 1}) {
        panel.setStory(buildStory(model, row, false));
        QTest::qWait(20);
        QVERIFY2(panel.widget()->width() <= panel.viewport()->width(),
                 qPrintable(QString::number(panel.widget()->width())));
    }
}

void StoryTest::thePresentMomentNamesWhatIsRun_data()
{
    QTest::addColumn<QString>("suite");
    QTest::addColumn<QString>("title");
    QTest::newRow("tests") << u"tests"_s << u"The tests are running"_s;
    QTest::newRow("edge tests") << u"edge_tests"_s << u"The edge tests are running"_s;
    QTest::newRow("generated") << u"generated"_s << u"Both solutions run on generated inputs"_s;
}

void StoryTest::thePresentMomentNamesWhatIsRun()
{
    QFETCH(QString, suite);
    QFETCH(QString, title);
    RunFacts facts;
    core::EventDraft draft{EventKind::VerifyStarted, 2, 0,
                           "\"suite\":\"" + suite.toStdString() + "\""};
    facts.add(core::stamp(std::move(draft), 1, 1000));
    QCOMPARE(buildNowStory(facts, RunState::Running).title, title);
}

QTEST_MAIN(StoryTest)
#include "tst_story.moc"
