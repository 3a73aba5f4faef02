// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDirIterator>
#include <QImage>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTest>
#include <QVBoxLayout>

using namespace emend::ui;
using namespace Qt::StringLiterals;

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void textIsReadableInBothThemes_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }

    void textIsReadableInBothThemes()
    {
        QFETCH(QPalette, palette);
        const auto pairs =
            std::initializer_list<std::pair<QPalette::ColorRole, QPalette::ColorRole>>{
                {QPalette::WindowText, QPalette::Window},
                {QPalette::Text, QPalette::Base},
                {QPalette::Text, QPalette::AlternateBase},
                {QPalette::ButtonText, QPalette::Button},
                {QPalette::ButtonText, QPalette::Midlight},
                {QPalette::HighlightedText, QPalette::Highlight},
                {QPalette::PlaceholderText, QPalette::Base},
                {QPalette::PlaceholderText, QPalette::Window},
                {QPalette::PlaceholderText, QPalette::Midlight},
                {QPalette::Link, QPalette::Base},
                {QPalette::Link, QPalette::Window},
                {QPalette::ToolTipText, QPalette::ToolTipBase}};
        for (const auto &[text, ground] : pairs) {
            const double ratio = contrastRatio(palette.color(text), palette.color(ground));
            QVERIFY2(ratio >= 4.5, qPrintable(u"%1 on %2: %3"_s.arg(text).arg(ground).arg(ratio)));
        }
    }

    void bordersAndFocusAreVisibleInBothThemes_data() { textIsReadableInBothThemes_data(); }

    // WCAG 2.1, 1.4.11: what shows where a field is has 3:1.
    void bordersAndFocusAreVisibleInBothThemes()
    {
        QFETCH(QPalette, palette);
        for (const auto ground : {QPalette::Base, QPalette::Window}) {
            QVERIFY(contrastRatio(palette.color(QPalette::Dark), palette.color(ground)) >= 3.0);
            QVERIFY(contrastRatio(palette.color(QPalette::Highlight), palette.color(ground)) >=
                    3.0);
        }
    }

    void everyIconIsDrawnInTheColourOfTheTheme()
    {
        Theme theme;
        theme.setChoice(ThemeChoice::Dark);
        (void)icon("play"_L1).pixmap(16, 16); // loads the resource
        int seen = 0;
        for (QDirIterator it(u":/emend/icons"_s); it.hasNext(); ++seen) {
            const QString name = QFileInfo(it.next()).completeBaseName();
            const QByteArray latin = name.toLatin1();
            const QImage image = icon(QLatin1String(latin)).pixmap(QSize(24, 24), 1.0).toImage();
            int strong = 0;
            bool light = true;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor c = image.pixelColor(x, y);
                    strong += c.alpha() > 200 ? 1 : 0;
                    light = light && (c.alpha() < 250 || c.lightness() > 128);
                }
            }
            QVERIFY2(strong > 10, latin.constData());
            QVERIFY2(light || name == "emend"_L1, latin.constData());
        }
        QVERIFY(seen >= 9);
        theme.setChoice(ThemeChoice::System);
    }

    void theChoiceIsKeptForTheNextStart()
    {
        {
            Theme theme;
            theme.setChoice(ThemeChoice::Dark);
            QVERIFY(isDark(QApplication::palette()));
        }
        Theme next;
        QCOMPARE(next.choice(), ThemeChoice::Dark);
        next.setChoice(ThemeChoice::Light);
        QVERIFY(!isDark(QApplication::palette()));
        next.setChoice(ThemeChoice::System);
    }

    void theFieldWithTheFocusHasAnAccentBorder()
    {
        Theme theme;
        theme.setChoice(ThemeChoice::Light);
        QWidget window;
        auto *text = new QPlainTextEdit;
        auto *line = new QLineEdit;
        auto *spin = new QSpinBox;
        auto *combo = new QComboBox;
        auto *layout = new QVBoxLayout(&window);
        for (QWidget *field : std::initializer_list<QWidget *>{text, line, spin, combo})
            layout->addWidget(field);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        text->clearFocus();
        const QColor accent = lightPalette().color(QPalette::Highlight);
        for (QWidget *field : std::initializer_list<QWidget *>{text, line, spin, combo}) {
            const auto border = [&] {
                return window.grab().toImage().pixelColor(field->geometry().center().x(),
                                                          field->geometry().top());
            };
            QVERIFY(border() != accent);
            field->setFocus(Qt::TabFocusReason);
            QTRY_COMPARE(border(), accent);
            field->clearFocus();
        }
        theme.setChoice(ThemeChoice::System);
    }

    void thePrimaryButtonIsFilledWithTheAccent()
    {
        Theme theme;
        theme.setChoice(ThemeChoice::Light);
        QPushButton button(u"Run"_s);
        button.setProperty(primaryProperty, true);
        button.resize(120, 32);
        QCOMPARE(button.grab().toImage().pixelColor(12, 6),
                 lightPalette().color(QPalette::Highlight));
        theme.setChoice(ThemeChoice::System);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
