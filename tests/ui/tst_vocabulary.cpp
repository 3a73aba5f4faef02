// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPalette>
#include <QSet>
#include <QTest>

#include "core/contract/decision.h"
#include "core/loop/breaker.h"
#include "core/run/runner.h"
#include "ui/text/plaintext.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/theme.h"

using namespace emend;
using namespace emend::ui;
using namespace Qt::StringLiterals;

namespace {

QString text(std::string_view code)
{
    return QString::fromUtf8(code.data(), qsizetype(code.size()));
}

} // namespace

class VocabularyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindHasAWordOfItsOwn();
    void everyStateHasAWordOfItsOwn();
    void everyCategoryHasWordsAndARule();
    void everyOutcomeAndBreakerStateHasAWord();
    void everyReasonHasWords_data();
    void everyReasonHasWords();
    void everyTransportClassHasWords();
    void unknownCodesAreShownAsTheyAre();
    void coloursAreReadable();
    void controlCharactersAreMadeVisible();
    void toolTipsAreNeverMarkup();
    void durations_data();
    void durations();
};

void VocabularyTest::everyKindHasAWordOfItsOwn()
{
    QSet<QString> words;
    for (std::size_t n = 0; n < core::eventKindCount; ++n) {
        const Term term = Vocabulary::event(core::EventKind(n));
        QVERIFY(!term.word.isEmpty());
        QVERIFY2(!words.contains(term.word), qPrintable(term.word));
        words.insert(term.word);
        if (const std::string_view name = core::eventKindName(core::EventKind(n)); !name.empty())
            QVERIFY(term.word != text(name));
    }
    for (int n = 0; n <= int(core::LineProblem::AfterEnd); ++n) {
        QVERIFY(!Vocabulary::problem(core::LineProblem(n)).word.isEmpty());
        QVERIFY(!Vocabulary::problemText(core::LineProblem(n)).isEmpty());
    }
}

void VocabularyTest::everyStateHasAWordOfItsOwn()
{
    QSet<QString> words, shapes;
    for (int n = 0; n < runStateCount; ++n) {
        const Term term = Vocabulary::state(RunState(n));
        QVERIFY(!term.word.isEmpty());
        QVERIFY(!words.contains(term.word));
        words.insert(term.word);
        QVERIFY(!Vocabulary::stateHint(RunState(n)).isEmpty());
    }
}

void VocabularyTest::everyCategoryHasWordsAndARule()
{
    for (int n = 0; n <= int(core::Category::UnsupportedSuccess); ++n) {
        const QString code = text(core::categoryName(core::Category(n)));
        QVERIFY2(Vocabulary::category(code) != code, qPrintable(code));
        QVERIFY2(Vocabulary::categoryRule(code).endsWith(u'.'), qPrintable(code));
    }
}

void VocabularyTest::everyOutcomeAndBreakerStateHasAWord()
{
    for (int n = 0; n <= int(core::Outcome::Failed); ++n) {
        const QString code = text(core::outcomeName(core::Outcome(n)));
        QVERIFY(Vocabulary::outcome(code).word != code);
        QCOMPARE(Vocabulary::outcome(code).word.toLower(), code);
    }
    for (int n = 0; n <= int(core::BreakerState::Disabled); ++n) {
        const QString code = text(core::breakerStateName(core::BreakerState(n)));
        QVERIFY2(Vocabulary::breakerState(code).word != code, qPrintable(code));
    }
}

void VocabularyTest::everyReasonHasWords_data()
{
    QTest::addColumn<QString>("code");
    for (const char *code :
         {"final", "corrections_exhausted", "action_limit", "attempts_exhausted", "confirmed",
          "disagreement", "budget:max_tokens", "transport:timeout", "transport:breaker_open",
          "verifier_unavailable", "bad_task", "killed", "escalated_by_person", "step:fetch"})
        QTest::newRow(code) << QString::fromLatin1(code);
}

void VocabularyTest::everyReasonHasWords()
{
    QFETCH(QString, code);
    QVERIFY(Vocabulary::reason(code) != code);
    QVERIFY(!Vocabulary::reason(code).contains(u'_'));
}

void VocabularyTest::everyTransportClassHasWords()
{
    for (int n = 0; n <= int(core::TransportClass::Connection); ++n) {
        const QString code = text(core::transportClassName(core::TransportClass(n)));
        QVERIFY2(Vocabulary::transportClass(code) != code, qPrintable(code));
    }
}

void VocabularyTest::unknownCodesAreShownAsTheyAre()
{
    QCOMPARE(Vocabulary::category(u"of_tomorrow"), u"of_tomorrow"_s);
    QCOMPARE(Vocabulary::categoryRule(u"of_tomorrow"), QString());
    QCOMPARE(Vocabulary::outcome(u"of_tomorrow").word, u"of_tomorrow"_s);
    QCOMPARE(Vocabulary::breakerState(u"of_tomorrow").word, u"of_tomorrow"_s);
}

void VocabularyTest::coloursAreReadable()
{
    for (const QPalette &palette : {lightPalette(), darkPalette()}) {
        for (int n = 0; n < colorRoleCount; ++n) {
            const QColor color = roleColor(ColorRole(n), palette);
            for (const QColor &ground :
                 {palette.color(QPalette::Base), palette.color(QPalette::Window),
                  palette.color(QPalette::AlternateBase), roleTint(ColorRole(n), palette)}) {
                const double ratio = contrastRatio(color, ground);
                QVERIFY2(ratio >= 4.5,
                         qPrintable(u"role %1 on %2: %3"_s.arg(n).arg(ground.name()).arg(ratio)));
            }
        }
    }
}

void VocabularyTest::controlCharactersAreMadeVisible()
{
    QCOMPARE(visible(QStringLiteral("a\x01"
                                    "b\n\tc")),
             QStringLiteral("a\u2401b\n\tc"));
    QCOMPARE(visible(QStringLiteral("\u202egnp")), QStringLiteral("\ufffdgnp"));
    QCOMPARE(oneLine(QStringLiteral("a\nb\tc\r")), QStringLiteral("a↵b c\u240d"));
    QCOMPARE(oneLine(QStringLiteral("abcdef"), 3), QStringLiteral("abc…"));
    QCOMPARE(oneLine(QStringLiteral("ab😀"), 3), QStringLiteral("ab…"));
}

void VocabularyTest::toolTipsAreNeverMarkup()
{
    QVERIFY(plainToolTip(u"<b>x</b>"_s).contains("&lt;b&gt;"_L1));
    QVERIFY(plainToolTip({}).isEmpty());
}

void VocabularyTest::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("us") << qint64(12) << QStringLiteral("12 µs");
    QTest::newRow("ms with a digit") << qint64(1'240) << QStringLiteral("1.2 ms");
    QTest::newRow("ms") << qint64(183'201) << QStringLiteral("183 ms");
    QTest::newRow("rounds to a second") << qint64(999'700) << QStringLiteral("1.00 s");
    QTest::newRow("s") << qint64(12'345'000) << QStringLiteral("12.3 s");
    QTest::newRow("min") << qint64(185'000'000) << QStringLiteral("3 min 05 s");
}

void VocabularyTest::durations()
{
    QFETCH(qint64, us);
    QFETCH(QString, text);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(durationText(us), text);
}

QTEST_MAIN(VocabularyTest)
#include "tst_vocabulary.moc"
