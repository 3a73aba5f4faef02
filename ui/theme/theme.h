// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

class QWidget;

namespace emend::ui {

// Distances in device independent pixels; everything sits on a grid of 8.
namespace space {
inline constexpr int half = 4;
inline constexpr int one = 8;
inline constexpr int two = 16;
inline constexpr int three = 24;
inline constexpr int four = 32;
inline constexpr int five = 40;
inline constexpr int control = 32; // height of a field or a button
inline constexpr int radius = 6;
} // namespace space

enum class ThemeChoice { System, Light, Dark };

bool isDark(const QPalette &palette);
QPalette lightPalette();
QPalette darkPalette();

// The application's font, `scale` times as large.
QFont scaledFont(double scale, QFont::Weight weight = QFont::Normal);
QFont fixedFont();

// Puts the chosen palette and the style on the application and keeps them as the system's changes.
// One for the program, owned by the main window; GUI thread.
class Theme : public QObject {
    Q_OBJECT
public:
    explicit Theme(QObject *parent = nullptr);

    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice); // kept in the settings

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void apply();

    ThemeChoice m_choice = ThemeChoice::System;
    bool m_systemDark = false;
    bool m_applying = false;
};

} // namespace emend::ui
