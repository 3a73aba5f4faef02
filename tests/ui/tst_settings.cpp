// SPDX-License-Identifier: GPL-3.0-or-later
// The settings dialog through its own widgets.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
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

QTEST_MAIN(TestSettings)
#include "tst_settings.moc"
