// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include <optional>
#include <string_view>
#include <vector>

class QPalette;

namespace emend::ui {

// How a stretch of terminal output looks. Colours are indices 0–255 of the xterm palette or, above
// that, 24 bits with the bit `directColor` set.
struct AnsiStyle {
    static constexpr int directColor = 1 << 24;
    int foreground = -1; // -1: the palette's text
    int background = -1;
    bool bold = false;
    bool faint = false;
    bool italic = false;
    bool underline = false;
    bool inverse = false;

    bool operator==(const AnsiStyle &) const = default;
};

struct AnsiSpan {
    QString text;
    AnsiStyle style;
};

// What a terminal would show of `bytes`: colours by SGR (ECMA-48), a carriage return begins the
// line again, backspaces take back, other control sequences do nothing and are not shown. Foreign
// bytes: what is no UTF-8 is U+FFFD, other control characters are made visible. Pure, any thread.
std::vector<AnsiSpan> readAnsi(std::string_view bytes);

// A colour of a style on the palette's Base, moved until it can be read (WCAG AA, 4.5:1).
std::optional<QColor> ansiForeground(const AnsiStyle &style, const QPalette &palette);
std::optional<QColor> ansiBackground(const AnsiStyle &style, const QPalette &palette);

} // namespace emend::ui
