// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/colors.h"

#include <QPalette>

#include <algorithm>
#include <array>
#include <cmath>

namespace emend::ui {

namespace {

struct Pair {
    QRgb light, dark;
};

constexpr std::array<Pair, colorRoleCount> table{{
    {0, 0}, // Neutral and Muted come from the palette
    {0, 0},
    {0xff0060a0, 0xff62b0ea}, // Model: blue
    {0xff8a3f78, 0xffdc96c4}, // Correction: reddish purple
    {0xff18707e, 0xff5cc3cf}, // Tool: teal
    {0xff006e4e, 0xff43c394}, // Good: bluish green
    {0xff815a00, 0xffe0ac45}, // Warn: amber
    {0xffb23c00, 0xffff8f5a}, // Bad: vermillion
}};

double luminance(const QColor &color)
{
    const auto channel = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
           0.0722 * channel(color.blueF());
}

bool dark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

} // namespace

QColor mixed(const QColor &a, const QColor &b, double part)
{
    const auto channel = [part](double x, double y) { return float(x + (y - x) * part); };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                            channel(a.blueF(), b.blueF()));
}

QColor roleColor(ColorRole role, const QPalette &palette)
{
    if (role == ColorRole::Neutral)
        return palette.color(QPalette::WindowText);
    if (role == ColorRole::Muted)
        return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.32);
    const Pair &pair = table[std::size_t(role)];
    return QColor::fromRgb(dark(palette) ? pair.dark : pair.light);
}

QColor roleTint(ColorRole role, const QPalette &palette)
{
    const double part = dark(palette) ? 0.84 : 0.91;
    return mixed(roleColor(role, palette), palette.color(QPalette::Window), part);
}

QColor hairline(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText),
                 dark(palette) ? 0.16 : 0.14);
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace emend::ui
