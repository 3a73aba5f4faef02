// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/shell/settings.h"
#include "ui/theme/style.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QScopedValueRollback>
#include <QSettings>
#include <QStandardPaths>
#include <QToolTip>

namespace emend::ui {

namespace {

struct Colours {
    QRgb window, base, alternate, button, midlight, mid, dark, shadow;
    QRgb text, secondary, disabled;
    QRgb highlight, highlightedText, link, visited, bright;
    QRgb tip, tipText;
};

QPalette paletteOf(const Colours &c)
{
    QPalette p;
    p.setColor(QPalette::Window, QColor(c.window));
    p.setColor(QPalette::WindowText, QColor(c.text));
    p.setColor(QPalette::Base, QColor(c.base));
    p.setColor(QPalette::AlternateBase, QColor(c.alternate));
    p.setColor(QPalette::Text, QColor(c.text));
    p.setColor(QPalette::PlaceholderText, QColor(c.secondary));
    p.setColor(QPalette::Button, QColor(c.button));
    p.setColor(QPalette::ButtonText, QColor(c.text));
    p.setColor(QPalette::BrightText, QColor(c.bright));
    p.setColor(QPalette::Light, QColor(c.base));
    p.setColor(QPalette::Midlight, QColor(c.midlight));
    p.setColor(QPalette::Mid, QColor(c.mid));
    p.setColor(QPalette::Dark, QColor(c.dark));
    p.setColor(QPalette::Shadow, QColor(c.shadow));
    p.setColor(QPalette::Highlight, QColor(c.highlight));
    p.setColor(QPalette::HighlightedText, QColor(c.highlightedText));
    p.setColor(QPalette::Link, QColor(c.link));
    p.setColor(QPalette::LinkVisited, QColor(c.visited));
    p.setColor(QPalette::ToolTipBase, QColor(c.tip));
    p.setColor(QPalette::ToolTipText, QColor(c.tipText));
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        p.setColor(QPalette::Disabled, role, QColor(c.disabled));
    p.setColor(QPalette::Disabled, QPalette::Base, QColor(c.window));
    p.setColor(QPalette::Disabled, QPalette::Highlight, QColor(c.mid));
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, QColor(c.disabled));
    return p;
}

// Qt 6.4 has no word for "the desktop is dark": the palette that the platform brings says it on KDE
// and Windows, the GTK settings elsewhere.
bool systemPrefersDark()
{
    if (isDark(QApplication::palette()))
        return true;
    const QString gtkTheme = qEnvironmentVariable("GTK_THEME");
    if (!gtkTheme.isEmpty())
        return gtkTheme.endsWith(QLatin1String(":dark")) ||
               gtkTheme.endsWith(QLatin1String("-dark"));
    const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    for (const char *file : {"/gtk-4.0/settings.ini", "/gtk-3.0/settings.ini"}) {
        const QSettings gtk(config + QLatin1String(file), QSettings::IniFormat);
        if (gtk.value(QStringLiteral("Settings/gtk-application-prefer-dark-theme")).toBool())
            return true;
    }
    return false;
}

QString nameOf(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

ThemeChoice choiceFrom(const QString &name)
{
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark})
        if (nameOf(choice) == name)
            return choice;
    return ThemeChoice::System;
}

} // namespace

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() <
           palette.color(QPalette::WindowText).lightness();
}

QPalette lightPalette()
{
    Colours c{};
    c.window = 0xfff6f6f3;
    c.base = 0xffffffff;
    c.alternate = 0xfff0f0ec;
    c.button = 0xffffffff;
    c.midlight = 0xffebebe6;
    c.mid = 0xffdad9d3;
    c.dark = 0xff868b93;
    c.shadow = 0xff6b7078;
    c.text = 0xff1e2227;
    c.secondary = 0xff5c636d;
    c.disabled = 0xff8f949b;
    c.highlight = 0xff3552c7;
    c.highlightedText = 0xffffffff;
    c.link = 0xff2f4bbf;
    c.visited = 0xff6b46a8;
    c.bright = 0xffb3261e;
    c.tip = 0xff26292f;
    c.tipText = 0xfff3f3f0;
    return paletteOf(c);
}

QPalette darkPalette()
{
    Colours c{};
    c.window = 0xff1a1c20;
    c.base = 0xff22252b;
    c.alternate = 0xff282b32;
    c.button = 0xff2b2f36;
    c.midlight = 0xff343840;
    c.mid = 0xff3a3e46;
    c.dark = 0xff757b85;
    c.shadow = 0xff0e0f12;
    c.text = 0xffe8e8e4;
    c.secondary = 0xffa3a9b3;
    c.disabled = 0xff7b808a;
    c.highlight = 0xff4263eb;
    c.highlightedText = 0xffffffff;
    c.link = 0xff9db2ff;
    c.visited = 0xffc9a8f5;
    c.bright = 0xffff8a80;
    c.tip = 0xff3a3e46;
    c.tipText = 0xfff3f3f0;
    return paletteOf(c);
}

QFont scaledFont(double scale, QFont::Weight weight)
{
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * scale);
    else
        font.setPixelSize(qRound(font.pixelSize() * scale));
    font.setWeight(weight);
    return font;
}

QFont fixedFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (QApplication::font().pointSizeF() > 0)
        font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

Theme::Theme(QObject *parent)
    : QObject(parent)
    , m_systemDark(systemPrefersDark())
{
    m_choice = choiceFrom(settings().value(QStringLiteral("view/theme")).toString());
    QApplication::setStyle(new Style);
    qApp->installEventFilter(this);
    apply();
}

void Theme::setChoice(ThemeChoice choice)
{
    if (m_choice == choice)
        return;
    m_choice = choice;
    settings().setValue(QStringLiteral("view/theme"), nameOf(choice));
    apply();
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ThemeChange && watched == qApp && !m_applying) {
        QApplication::setPalette(QPalette()); // back to the platform's, to look at it
        m_systemDark = systemPrefersDark();
        apply();
    }
    return QObject::eventFilter(watched, event);
}

void Theme::apply()
{
    const QScopedValueRollback guard(m_applying, true);
    const bool dark =
        m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_systemDark);
    const QPalette palette = dark ? darkPalette() : lightPalette();
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    Q_EMIT changed();
}

} // namespace emend::ui
