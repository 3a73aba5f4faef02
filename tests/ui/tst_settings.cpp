// SPDX-License-Identifier: GPL-3.0-or-later
// The settings dialog through its own widgets.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/stubengine.h"
#include "ui/shell/background.h"
#include "ui/shell/settingsdialog.h"

using namespace Qt::StringLiterals;
using namespace emend;
using namespace emend::ui;

namespace {

class Settings : public FakeProviderSettings {
public:
    Settings()
    {
        core::ProviderFacts practice, openai;
        practice.name = "practice";
        openai.name = "openai";
        openai.overNetwork = openai.keyRequired = true;
        openai.keyVariable = "OPENAI_API_KEY";
        openai.defaultBaseUrl = "https://api.openai.com/v1";
        facts = {practice, openai};
    }
    ~Settings() override { Background::waitForAll(); } // they use it

    core::Result<void> setRedactionPatterns(const std::vector<std::string> &wanted) override
    {
        for (const std::string &pattern : wanted)
            if (pattern == "(")
                return core::fail(core::ErrorCode::BadValue,
                                  "the pattern \"(\" is none: missing )");
        return FakeProviderSettings::setRedactionPatterns(wanted);
    }
};

} // namespace

class TestSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKeyIsStoredAndNeverShown();
    void withoutAKeychainItSaysSo();
    void aConnectionIsTested_data();
    void aConnectionIsTested();
    void patternsAreCheckedAndApplied();
    void theTaskBehindIsWhatIsTried();
    void returnPressesTheButtonWithTheFocusOnly();
    void thePricesInForceAreShown();
    void aFileThatNothingOpensIsNamed();
    void typedPatternsAreAskedAboutBeforeClosing();
    void aTypedPatternThatIsNoneKeepsTheDialogOpen();
    void aFoundServerBecomesANewTask();
    void whatNeedsNoKeySaysSo_data();
    void whatNeedsNoKeySaysSo();

private:
    template<typename T>
    static T *part(QWidget &dialog, const QString &name)
    {
        return dialog.findChild<T *>(name);
    }
    static QPushButton *button(QWidget &dialog, const QString &words)
    {
        for (auto *candidate : dialog.findChildren<QPushButton *>())
            if (candidate->text().remove(u'&') == words)
                return candidate;
        return nullptr;
    }
};

void TestSettings::aKeyIsStoredAndNeverShown()
{
    Settings settings;
    SettingsDialog dialog(settings, false);
    dialog.show();
    dialog.showProvider(u"openai"_s);
    auto *source = part<QLabel>(dialog, u"keySource"_s);
    QTRY_VERIFY(source->text().contains(u"OPENAI_API_KEY"_s));
    auto *key = part<QLineEdit>(dialog, u"newKey"_s);
    QCOMPARE(key->echoMode(), QLineEdit::Password);
    QTest::keyClicks(key, u"sk-test"_s);
    QTest::mouseClick(button(dialog, u"Store"_s), Qt::LeftButton);
    QTRY_VERIFY(source->text().contains(u"keychain"_s, Qt::CaseInsensitive));
    QCOMPARE(settings.keysSet.size(), 1U);
    QCOMPARE(settings.keysSet[0].second, std::string("sk-test"));
    QCOMPARE(key->text(), QString());
    for (const auto *label : dialog.findChildren<QLabel *>())
        QVERIFY2(!label->text().contains(u"sk-test"_s), qPrintable(label->text()));
}

void TestSettings::withoutAKeychainItSaysSo()
{
    Settings settings;
    settings.keychainTrouble = "the system has no keychain";
    SettingsDialog dialog(settings, false);
    dialog.show();
    dialog.showProvider(u"openai"_s);
    auto *problem = part<QLabel>(dialog, u"keychainProblem"_s);
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(problem->text().startsWith(u"The system has no keychain."_s));
}

void TestSettings::aConnectionIsTested_data()
{
    QTest::addColumn<bool>("ok");
    QTest::addColumn<QString>("summary");
    QTest::addColumn<QString>("advice");
    QTest::newRow("works") << true << u"It works."_s << QString();
    QTest::newRow("does not") << false << u"openai <b>refuses</b> the key"_s << u"Store another."_s;
}

void TestSettings::aConnectionIsTested()
{
    QFETCH(bool, ok);
    QFETCH(QString, summary);
    QFETCH(QString, advice);
    Settings settings;
    settings.report = {ok, summary.toStdString(), advice.toStdString(), {}};
    SettingsDialog dialog(settings, false);
    dialog.show();
    dialog.showProvider(u"openai"_s);
    QPushButton *test = nullptr;
    QTRY_VERIFY((test = button(dialog, u"Test connection"_s)) && test->isVisible());
    QTest::mouseClick(test, Qt::LeftButton);
    const auto shown = [&](const QString &text) {
        for (const auto *label : dialog.findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(text))
                return label->textFormat() != Qt::RichText;
        return false;
    };
    QTRY_VERIFY(shown(summary));
    if (!advice.isEmpty())
        QVERIFY(shown(advice));
}

void TestSettings::patternsAreCheckedAndApplied()
{
    Settings settings;
    settings.patterns = {"old"};
    SettingsDialog dialog(settings, false);
    dialog.show();
    part<QTabWidget>(dialog, u"settingsTabs"_s)->setCurrentIndex(2);
    auto *patterns = part<QPlainTextEdit>(dialog, u"patterns"_s);
    auto *apply = part<QPushButton>(dialog, u"applyPatterns"_s);
    QTRY_COMPARE(patterns->toPlainText(), u"old"_s);
    patterns->setPlainText(u"[0-9]{16}\n("_s);
    QTest::mouseClick(apply, Qt::LeftButton);
    auto *result = part<QLabel>(dialog, u"patternsResult"_s);
    QTRY_VERIFY(result->text().startsWith(u"Line 2:"_s));
    QCOMPARE(settings.patterns, std::vector<std::string>{"old"});
    patterns->setPlainText(u"[0-9]{16}"_s);
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_VERIFY(result->text().startsWith(u"Applied."_s));
    QCOMPARE(settings.patterns, std::vector<std::string>{"[0-9]{16}"});
}

void TestSettings::theTaskBehindIsWhatIsTried()
{
    Settings settings;
    SettingsDialog dialog(settings, true);
    core::ModelSettings model;
    model.provider = "openai";
    model.model = "m-1";
    model.baseUrl = "http://127.0.0.1:1/v1";
    dialog.preset(model);
    dialog.show();
    QTRY_COMPARE(part<QLineEdit>(dialog, u"testUrl"_s)->text(), u"http://127.0.0.1:1/v1"_s);
    QTRY_COMPARE(part<QComboBox>(dialog, u"testModel"_s)->currentText(), u"m-1"_s);
}

void TestSettings::returnPressesTheButtonWithTheFocusOnly()
{
    Settings settings;
    SettingsDialog dialog(settings, false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    for (const auto *each : dialog.findChildren<QPushButton *>())
        QVERIFY2(!each->autoDefault() && !each->isDefault(), qPrintable(each->text()));
    auto *look = part<QPushButton>(dialog, u"lookForServers"_s);
    look->setFocus();
    QTest::keyClick(look, Qt::Key_Return);
    QTRY_VERIFY(part<QLabel>(dialog, u"localResult"_s)->text().startsWith(u"Nothing answers"_s));
}

void TestSettings::thePricesInForceAreShown()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"prices.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"emend":"prices","version":1,"models":[
        {"provider":"openai","model":"a","in":9,"out":9}]})");
    file.close();
    Settings settings;
    settings.personsPrices = file.fileName().toStdString();
    settings.bundled = R"({"emend":"prices","version":1,"as_of":"2031-02","models":[
        {"provider":"openai","model":"a","in":1,"out":1},
        {"provider":"openai","model":"b*","in":2,"out":2,"base_url":"*"}]})";
    SettingsDialog dialog(settings, false);
    dialog.show();
    part<QTabWidget>(dialog, u"settingsTabs"_s)->setCurrentIndex(1);
    auto *table = part<QTableWidget>(dialog, u"pricesTable"_s);
    QTRY_COMPARE(table->rowCount(), 3);
    const auto row = [&](int n) {
        QStringList cells;
        for (int column = 0; column < table->columnCount(); ++column)
            cells << table->item(n, column)->text();
        return cells.join(u'|');
    };
    QCOMPARE(row(0), u"openai|a|its own service|9|as in|9|yours"_s);
    QCOMPARE(row(1), u"openai|a|its own service|1|as in|1|bundled, yours goes first"_s);
    QCOMPARE(row(2), u"openai|b*|any address|2|as in|2|bundled"_s);
    QVERIFY(part<QLabel>(dialog, u"pricesBundled"_s)->text().contains(u"2031-02"_s));
    auto *copy = part<QPushButton>(dialog, u"copyPrice"_s);
    QVERIFY(!copy->isEnabled());
    table->selectRow(2);
    copy->click();
    QCOMPARE(QApplication::clipboard()->text(),
             uR"({"provider":"openai","model":"b*","in":2.0,"out":2.0,"base_url":"*"})"_s);
}

void TestSettings::aFileThatNothingOpensIsNamed()
{
    Settings settings;
    settings.personsPrices = "/nowhere/prices.json";
    SettingsDialog dialog(settings, false);
    dialog.show();
    part<QTabWidget>(dialog, u"settingsTabs"_s)->setCurrentIndex(1);
    auto *open = part<QPushButton>(dialog, u"openPrices"_s);
    QTRY_VERIFY(part<QLabel>(dialog, u"pricesProblem"_s)->isVisible()); // there is no such file
    open->click(); // the test's platform has no program for it
    auto *notice = part<QLabel>(dialog, u"pricesNotice"_s);
    QVERIFY(notice->isVisible());
    QVERIFY(notice->text().contains(u"/nowhere/prices.json"_s));
}

void TestSettings::typedPatternsAreAskedAboutBeforeClosing()
{
    Settings settings;
    settings.patterns = {"old"};
    SettingsDialog dialog(settings, false);
    dialog.show();
    auto *patterns = part<QPlainTextEdit>(dialog, u"patterns"_s);
    auto *question = part<QWidget>(dialog, u"patternsQuestion"_s);
    QTRY_COMPARE(patterns->toPlainText(), u"old"_s);
    patterns->setPlainText(u"new"_s);
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(dialog.isVisible() && question->isVisible());
    part<QPushButton>(dialog, u"keepPatterns"_s)->click();
    QTRY_VERIFY(!dialog.isVisible());
    QCOMPARE(settings.patterns, std::vector<std::string>{"new"});
    dialog.show();
    patterns->setPlainText(u"newer"_s);
    QVERIFY(!dialog.close());
    part<QPushButton>(dialog, u"dropPatterns"_s)->click();
    QVERIFY(!dialog.isVisible());
    QCOMPARE(settings.patterns, std::vector<std::string>{"new"});
    QCOMPARE(patterns->toPlainText(), u"new"_s);
}

void TestSettings::aTypedPatternThatIsNoneKeepsTheDialogOpen()
{
    Settings settings;
    SettingsDialog dialog(settings, false);
    dialog.show();
    auto *patterns = part<QPlainTextEdit>(dialog, u"patterns"_s);
    patterns->setPlainText(u"("_s);
    QVERIFY(!dialog.close());
    part<QPushButton>(dialog, u"keepPatterns"_s)->click();
    QTRY_VERIFY(part<QLabel>(dialog, u"patternsResult"_s)->text().startsWith(u"Line 1:"_s));
    QVERIFY(dialog.isVisible());
}

void TestSettings::aFoundServerBecomesANewTask()
{
    Settings settings;
    settings.servers = {{"ollama", "http://127.0.0.1:11434", {"small", "large"}}};
    SettingsDialog dialog(settings, false);
    core::ModelSettings model;
    connect(&dialog, &SettingsDialog::newTaskRequested, this,
            [&](const core::ModelSettings &found) { model = found; });
    dialog.show();
    part<QPushButton>(dialog, u"lookForServers"_s)->click();
    QPushButton *fresh = nullptr;
    QTRY_VERIFY((fresh = part<QPushButton>(dialog, u"newTaskWithServer"_s)));
    QVERIFY(!part<QPushButton>(dialog, u"useServer"_s)); // no task is open
    fresh->click();
    QCOMPARE(model.provider, std::string("ollama"));
    QCOMPARE(model.baseUrl, std::string("http://127.0.0.1:11434"));
    QCOMPARE(model.model, std::string("small"));
}

void TestSettings::whatNeedsNoKeySaysSo_data()
{
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("words");
    QTest::newRow("its own service") << QString() << u"No key yet"_s;
    QTest::newRow("this machine") << u"http://localhost:8080/v1"_s << u"Needs no key"_s;
    QTest::newRow("by number") << u"http://127.0.0.1:8080"_s << u"Needs no key"_s;
    QTest::newRow("IPv6") << u"http://[::1]:8080"_s << u"Needs no key"_s;
    QTest::newRow("another") << u"https://vllm.example/v1"_s << u"No key. If this address"_s;
}

void TestSettings::whatNeedsNoKeySaysSo()
{
    QFETCH(QString, address);
    QFETCH(QString, words);
    Settings settings;
    SettingsDialog dialog(settings, false);
    dialog.show();
    dialog.showProvider(u"openai"_s);
    auto *source = part<QLabel>(dialog, u"keySource"_s);
    QTRY_VERIFY(source->text().startsWith(u"No key yet"_s));
    part<QLineEdit>(dialog, u"testUrl"_s)->setText(address);
    QVERIFY2(source->text().startsWith(words), qPrintable(source->text()));
}

QTEST_MAIN(TestSettings)
#include "tst_settings.moc"
