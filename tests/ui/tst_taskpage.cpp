// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/child.h"
#include "tests/ui/fakeshellengine.h"
#include "ui/shell/boundsform.h"
#include "ui/shell/boundtext.h"
#include "ui/shell/mistakesform.h"
#include "ui/shell/modelform.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/promptform.h"
#include "ui/shell/safetyform.h"
#include "ui/shell/taskpage.h"
#include "ui/shell/toolsform.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace emend;
using namespace emend::ui;
using emend::tests::child;
using namespace Qt::StringLiterals;

namespace {

// Replaces what is in a field, as a person would.
void type(QWidget *field, const QString &text)
{
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
}

QString worstCase(QWidget &page)
{
    return child<QLabel>(page, u"worstCase"_s)->text();
}

// Everything a file may hold, and much that no field shows.
core::Task richTask()
{
    core::Task task;
    task.name = "Rich";
    task.goal = "Line one\nno\u00a0break and tab\t.";
    task.model.provider = "scripted";
    task.model.model = "m";
    task.model.baseUrl = "http://localhost:1";
    task.model.temperature = 0.12345;
    task.model.stream = false;
    task.model.transport.maxRetries = 5;
    task.model.transport.timeoutSeconds = 7;
    task.model.transport.connectSeconds = 3;
    task.model.transport.firstByteSeconds = 4;
    task.model.transport.idleSeconds = 5;
    task.model.transport.proxy = "none";
    task.model.transport.caFile = "ca.pem";
    task.model.transport.tlsVerify = false;
    task.model.structuredOutput = core::StructuredOutput::Tools;
    task.model.headers = {{"X-Team", "a: b"}, {"X-Empty", ""}};
    task.model.recording = "old.trace.jsonl";
    task.model.mistakes = {0.123, {"unknown_tool", "invalid_json"}, 99};
    task.scenarioFile = "x.scenario.json";
    task.systemPrompt = "Own prompt\u00a0here";
    core::ToolReference declared;
    declared.name = "book";
    declared.declared = true;
    declared.description = "Books.";
    declared.inputSchema = nlohmann::json{{"type", "object"}};
    core::ToolReference weather, unknown;
    weather.name = "weather";
    unknown.name = "of_another_version";
    task.tools = {weather, declared, unknown};
    task.toolFiles = {"my.tools.json"};
    task.repeatGuard = core::RepeatGuard::UntilChange;
    task.acceptWrappers = false;
    task.bounds.maxCostUsd = 0.001;
    task.bounds.maxTokens = 0;
    task.bounds.maxSeconds = std::nullopt;
    task.breaker = {3, 31, core::BreakerScope::Session};
    return task;
}

} // namespace

class TestTaskPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWorstCaseIsSaidInWords()
    {
        core::Bound bound;
        bound.modelCalls = 27;
        bound.toolExecutions = 16;
        bound.tokens = 648000;
        bound.seconds = 600;
        core::ModelSettings model;
        model.provider = "openai";
        model.model = "gpt-x";
        QCOMPARE(boundSentence(bound, model),
                 u"At most 27 model calls, 16 tool executions, 648,000 tokens, 10 min, cost "
                 "unknown: no price for openai gpt-x"_s);
        bound.modelCalls = bound.toolExecutions = bound.tokens = 1;
        bound.costUsd = 0.001;
        bound.seconds.reset();
        QCOMPARE(boundSentence(bound, model),
                 u"At most 1 model call, 1 tool execution, 1 token, $0.0010, no time limit"_s);
        QCOMPARE(secondsText(5405), u"1 h 30 min 5 s"_s);
        QCOMPARE(secondsText(0), u"0 s"_s);
        QCOMPARE(moneyText(0), u"no cost"_s);
        QCOMPARE(moneyText(3.241), u"$3.25"_s); // never less than it may be
    }

    void changingALimitChangesTheWords()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.show();
        QVERIFY(worstCase(page).startsWith("At most 27 model calls, 16 tool executions"_L1));
        type(child<NumberSpin>(page, u"maxActions"_s), u"2"_s);
        QTRY_VERIFY(worstCase(page).startsWith("At most 9 model calls, 4 tool executions"_L1));
        child<QCheckBox>(page, u"maxSecondsOn"_s)->click();
        QTRY_VERIFY(worstCase(page).contains("no time limit"_L1));
        QVERIFY(!child<QDoubleSpinBox>(page, u"maxSeconds"_s)->isEnabled());
        QCOMPARE(child<QDoubleSpinBox>(page, u"maxSeconds"_s)->text(), u"off"_s);
        child<QCheckBox>(page, u"maxSecondsOn"_s)->click();
        QTRY_VERIFY(worstCase(page).contains("10 min"_L1));
    }

    void aTaskThatCannotRunSaysWhyAndDoesNotRun()
    {
        FakeShellEngine engine;
        core::Task task;
        task.goal = "x";
        TaskPage page(engine, task, {});
        page.show();
        QSignalSpy runs(&page, &TaskPage::runRequested);
        child<QCheckBox>(page, u"maxCostUsdOn"_s)->click();
        QTRY_VERIFY(worstCase(page).contains("needs a price"_L1));
        QVERIFY(!child<QPushButton>(page, u"run"_s)->isEnabled());
        page.run();
        QCOMPARE(runs.count(), 0);
        auto *provider = child<QComboBox>(page, u"provider"_s);
        provider->setCurrentIndex(provider->findData(u"gemini"_s));
        QTRY_VERIFY(worstCase(page).contains(u'$'));
        page.run();
        QCOMPARE(runs.count(), 1);
    }

    void withoutAGoalRunLeadsToTheGoal()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        QSignalSpy runs(&page, &TaskPage::runRequested);
        child<QPushButton>(page, u"run"_s)->click();
        QCOMPARE(runs.count(), 0);
        QVERIFY(child<QLabel>(page, u"goalHint"_s)->isVisible());
        auto *goal = child<QPlainTextEdit>(page, u"goal"_s);
        QVERIFY(goal->hasFocus());
        QTest::keyClicks(goal, u"What time is it?"_s);
        QVERIFY(!child<QLabel>(page, u"goalHint"_s)->isVisible());
        child<QPushButton>(page, u"run"_s)->click();
        QCOMPARE(runs.count(), 1);
        QCOMPARE(runs.at(0).at(0).value<core::Task>().goal, std::string("What time is it?"));
    }

    void whatNobodyTouchedSurvivesAnEdit()
    {
        FakeShellEngine engine;
        const core::Task task = richTask();
        TaskPage page(engine, task, {});
        QVERIFY(!page.isModified());
        type(child<QLineEdit>(page, u"taskName"_s), u"Renamed"_s);
        QVERIFY(page.isModified());
        core::Task expected = task;
        expected.name = "Renamed";
        QCOMPARE(QString::fromStdString(core::taskToFileText(page.task())),
                 QString::fromStdString(core::taskToFileText(expected)));
        type(child<QLineEdit>(page, u"taskName"_s), u"Rich"_s);
        QVERIFY(!page.isModified()); // and back again
    }

    void everyFieldReachesTheTask()
    {
        FakeShellEngine engine;
        TaskPage page(engine, richTask(), {});
        page.show();
        type(child<QWidget>(page, u"maxCorrections"_s), u"1"_s);
        type(child<QWidget>(page, u"maxToolRetries"_s), u"3"_s);
        child<QCheckBox>(page, u"maxModelCallsOn"_s)->click();
        type(child<QWidget>(page, u"maxModelCalls"_s), u"12"_s);
        type(child<QWidget>(page, u"breakerThreshold"_s), u"9"_s);
        type(child<QWidget>(page, u"breakerCooldown"_s), u"0"_s);
        child<QComboBox>(page, u"breakerScope"_s)->setCurrentIndex(0);
        child<QComboBox>(page, u"repeatGuard"_s)->setCurrentIndex(0);
        child<QCheckBox>(page, u"acceptWrappers"_s)->click();
        child<QCheckBox>(page, u"tool_calculator"_s)->click();
        child<QCheckBox>(page, u"tool_of_another_version"_s)->click();
        type(child<QWidget>(page, u"maxOutputTokens"_s), u"77"_s);
        child<QDoubleSpinBox>(page, u"temperature"_s)->setValue(0.7);
        const core::Task &task = page.task();
        QCOMPARE(task.bounds.maxCorrections, 1);
        QCOMPARE(task.bounds.maxToolRetries, 3);
        QCOMPARE(task.bounds.maxModelCalls, std::optional<std::int64_t>(12));
        QCOMPARE(task.breaker.failureThreshold, 9);
        QCOMPARE(task.breaker.cooldownSeconds, 0);
        QVERIFY(task.breaker.scope == core::BreakerScope::Run);
        QVERIFY(task.repeatGuard == core::RepeatGuard::Run);
        QVERIFY(task.acceptWrappers);
        QCOMPARE(task.model.maxOutputTokens, 77);
        QCOMPARE(task.model.temperature, 0.7);
        QCOMPARE(task.tools.size(), std::size_t(3));
        QCOMPARE(task.tools[0].name, std::string("weather"));
        QVERIFY(task.tools[1].declared);
        QCOMPARE(task.tools[2].name, std::string("calculator"));
    }

    void theBuiltInPromptIsReadOnlyUntilItIsCopied()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.show();
        auto *prompt = child<QPlainTextEdit>(page, u"prompt"_s);
        QVERIFY(prompt->isReadOnly());
        QVERIFY(page.task().systemPrompt.empty());
        child<QPushButton>(page, u"promptEdit"_s)->click();
        QVERIFY(!prompt->isReadOnly());
        QTest::keyClicks(prompt, u"!"_s);
        QVERIFY(page.task().systemPrompt.starts_with('!'));
        child<QPushButton>(page, u"promptReset"_s)->click();
        QVERIFY(prompt->isReadOnly());
        QVERIFY(page.task().systemPrompt.empty());
        QVERIFY(!page.isModified());
    }

    void aCopyAfterAResetDoesNotCostTheTextPutAside()
    {
        PromptForm form(core::Prompt{"react", 1, "built in"});
        const auto prompt = [&form] {
            core::Task stored;
            form.store(stored);
            return QString::fromStdString(stored.systemPrompt);
        };
        auto *text = child<QPlainTextEdit>(form, u"prompt"_s);
        auto *bringBack = child<QPushButton>(form, u"promptUndo"_s);
        form.editButton()->click();
        text->setPlainText(u"an hour's work"_s);
        form.resetButton()->click();
        form.editButton()->click(); // of the built-in one
        QVERIFY(!bringBack->isHidden());
        text->setPlainText(u"another"_s);
        bringBack->click();
        QCOMPARE(prompt(), u"an hour's work"_s);
        bringBack->click(); // nor has the other one gone
        QCOMPARE(prompt(), u"another"_s);
        form.resetButton()->click();
        QCOMPARE(prompt(), QString());
        QStringList seen;
        for (int i = 0; i < 3; ++i) {
            bringBack->click();
            seen += prompt();
        }
        QCOMPARE(seen, (QStringList{u"another"_s, u"an hour's work"_s, u"another"_s}));
    }

    void aPromptFromAFileStaysInItsFileUntilItIsCopied()
    {
        PromptForm form(core::Prompt{"react", 1, "built in"});
        core::Task task;
        task.systemPromptFile = "p.md";
        task.systemPrompt = "text of the file";
        form.load(task);
        core::Task stored;
        form.store(stored);
        QCOMPARE(stored.systemPromptFile, std::string("p.md"));
        form.editButton()->click();
        form.store(stored);
        QVERIFY(stored.systemPromptFile.empty());
        QCOMPARE(stored.systemPrompt, std::string("text of the file"));
    }

    void practiceMistakesKeepAtLeastOneKind()
    {
        MistakesForm form;
        core::PracticeMistakes mistakes{0.5, {"invalid_json", "unknown_tool"}, 7};
        form.load(mistakes);
        auto *json = child<QCheckBox>(form, u"mistake_invalid_json"_s);
        auto *tool = child<QCheckBox>(form, u"mistake_unknown_tool"_s);
        json->click();
        QVERIFY(!tool->isEnabled()); // the last one
        form.store(mistakes);
        QCOMPARE(mistakes.categories, std::vector<std::string>{"unknown_tool"});
        child<QSlider>(form, u"mistakeRate"_s)->setValue(0);
        QVERIFY(!json->isVisibleTo(&form)); // no mistakes, no kinds
        form.store(mistakes);
        QCOMPARE(mistakes.rate, 0.0);
    }

    void onlyTheRowsOfTheProviderAreShown()
    {
        FakeShellEngine engine;
        ModelForm form(engine.providers());
        form.load({});
        form.show();
        QVERIFY(child<QSlider>(form, u"mistakeRate"_s)->isVisible());
        QVERIFY(!child<QLineEdit>(form, u"model"_s)->isVisible());
        auto *provider = child<QComboBox>(form, u"provider"_s);
        provider->setCurrentIndex(provider->findData(u"openai"_s));
        QVERIFY(!child<QSlider>(form, u"mistakeRate"_s)->isVisible());
        QVERIFY(child<QLineEdit>(form, u"model"_s)->isVisible());
        QVERIFY(child<QLineEdit>(form, u"baseUrl"_s)->isVisible());
        provider->setCurrentIndex(provider->findData(u"scripted"_s));
        QVERIFY(child<QLineEdit>(form, u"scenario"_s)->isVisible());
    }

    void networkSettingsReachTheTask()
    {
        FakeShellEngine engine;
        ModelForm form(engine.providers(), &engine.settings());
        core::Task task;
        task.model.provider = "openai";
        form.load(task);
        form.show();
        auto *toggle = child<QToolButton>(form, u"transportToggle"_s);
        auto *tls = child<QComboBox>(form, u"tls"_s);
        QVERIFY(!tls->isVisible());
        toggle->click();
        QVERIFY(tls->isVisible());
        QVERIFY(!child<QWidget>(form, u"tlsWarning"_s)->isVisible());
        tls->setCurrentIndex(1);
        QVERIFY(child<QWidget>(form, u"tlsWarning"_s)->isVisible());
        type(child<NumberSpin>(form, u"idleSeconds"_s), u"9"_s);
        type(child<QLineEdit>(form, u"model"_s), u"m-2"_s);
        child<QPlainTextEdit>(form, u"headers"_s)->setPlainText(u"X-One: 1\nnonsense\nX-Two: 2"_s);
        QVERIFY(child<QLabel>(form, u"headerProblem"_s)->text().startsWith("Line 2 "_L1));
        child<QComboBox>(form, u"structuredOutput"_s)->setCurrentIndex(2);
        core::Task stored;
        form.store(stored);
        QVERIFY(!stored.model.transport.tlsVerify);
        QCOMPARE(stored.model.transport.idleSeconds, 9);
        QCOMPARE(stored.model.model, std::string("m-2"));
        QCOMPARE(stored.model.structuredOutput, core::StructuredOutput::Schema);
        QCOMPARE(stored.model.headers.size(), std::size_t(2));
        QCOMPARE(stored.model.headers[1].second, std::string("2"));
    }

    void modelsAreFetchedAndTheKeyIsExplained()
    {
        FakeShellEngine engine;
        core::ProviderFacts facts;
        facts.name = "openai";
        facts.keyVariable = "OPENAI_API_KEY";
        facts.keySource = core::KeySource::Environment;
        facts.defaultBaseUrl = "https://api.example.com/v1";
        engine.fakeSettings.facts = {facts};
        engine.fakeSettings.report.models = {"<b>m-1</b>", "m-2"};
        ModelForm form(engine.providers(), &engine.settings());
        core::Task task;
        task.model.provider = "openai";
        task.model.model = "typed";
        form.load(task);
        form.show();
        QTRY_COMPARE(child<QLabel>(form, u"keyStatus"_s)->text(),
                     u"Key: from the environment variable OPENAI_API_KEY"_s);
        QCOMPARE(child<QLineEdit>(form, u"baseUrl"_s)->placeholderText(),
                 u"https://api.example.com/v1"_s);
        child<QPushButton>(form, u"fetchModels"_s)->click();
        QTRY_COMPARE(child<QComboBox>(form, u"modelList"_s)->count(), 2);
        QCOMPARE(child<QLineEdit>(form, u"model"_s)->text(), u"typed"_s); // kept
        QVERIFY(child<QLabel>(form, u"fetchResult"_s)->text().startsWith("2 models"_L1));
        QSignalSpy settings(&form, &ModelForm::settingsRequested);
        child<QPushButton>(form, u"openSettings"_s)->click();
        QCOMPARE(settings.first().first().toString(), u"openai"_s);
    }

    void replayHasARecording()
    {
        FakeShellEngine engine;
        ModelForm form({{"replay", "Plays a trace."}}, &engine.settings());
        core::Task task;
        task.model.provider = "replay";
        form.load(task);
        form.show();
        QVERIFY(!child<QLineEdit>(form, u"model"_s)->isVisible());
        type(child<QLineEdit>(form, u"recording"_s), u"a.trace.jsonl"_s);
        form.store(task);
        QCOMPARE(task.model.recording, std::string("a.trace.jsonl"));
    }

    void aProviderOfAnotherVersionIsKept()
    {
        FakeShellEngine engine;
        ModelForm form(engine.providers());
        core::Task task;
        task.model.provider = "tomorrow";
        form.load(task);
        core::Task stored;
        form.store(stored);
        QCOMPARE(stored.model.provider, std::string("tomorrow"));
    }

    void theWheelOverANumberDoesNotChangeIt()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.show();
        auto *actions = child<NumberSpin>(page, u"maxActions"_s);
        child<QPlainTextEdit>(page, u"goal"_s)->setFocus();
        QWheelEvent wheel(QPointF(5, 5), actions->mapToGlobal(QPointF(5, 5)), QPoint(),
                          QPoint(0, 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(actions, &wheel);
        QCOMPARE(actions->number(), qint64(8));
    }

    void fieldsForTextGrowAndDoNotScrollBeforeTheyMust()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.resize(1200, 800);
        page.show();
        auto *goal = child<QPlainTextEdit>(page, u"goal"_s);
        const int before = goal->height();
        for (int lines : {4, 9, 12}) {
            goal->setPlainText(QString(u"line\n"_s).repeated(lines - 1) + u"end"_s);
            QTRY_COMPARE(goal->verticalScrollBar()->maximum(), 0);
        }
        QTRY_VERIFY(goal->height() > before);
        goal->setPlainText(QString(u"line\n"_s).repeated(40));
        QTRY_VERIFY(goal->verticalScrollBar()->maximum() > 0);
        QVERIFY(goal->height() < 400);
    }

    void theBoundIsNotComputedAtEveryKey()
    {
        FakeShellEngine engine;
        TaskPage page(engine, {}, {});
        page.show();
        const QString before = worstCase(page);
        type(child<NumberSpin>(page, u"maxActions"_s), u"3"_s);
        QCOMPARE(worstCase(page), before); // 100 ms later
        QTRY_VERIFY(worstCase(page) != before);
    }
};

QTEST_MAIN(TestTaskPage)
#include "tst_taskpage.moc"
