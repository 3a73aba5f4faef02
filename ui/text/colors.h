// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QPalette;

// The colours that carry meaning, in a light and a dark set after Okabe and Ito, so that they stay
// apart for colour-blind eyes. Every role is readable as text (WCAG AA, 4.5:1) on Base and Window.
// Nothing is said by colour alone: a shape and a word always go with it.
namespace emend::ui {

enum class ColorRole : quint8 {
    Neutral, // the palette's text
    Muted,   // secondary text
    Model,
    Correction,
    Tool,
    Good,
    Warn,
    Bad,
};
inline constexpr int colorRoleCount = 8;

QColor roleColor(ColorRole role, const QPalette &palette);
// The role as a quiet background, opaque, on the palette's Window.
QColor roleTint(ColorRole role, const QPalette &palette);
// Lines that separate without drawing attention.
QColor hairline(const QPalette &palette);
// `a` with `part` of `b` mixed in (0–1).
QColor mixed(const QColor &a, const QColor &b, double part);
// WCAG 2.1 contrast ratio, 1–21.
double contrastRatio(const QColor &a, const QColor &b);

} // namespace emend::ui
