// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/trace/event.h"
#include "ui/text/vocabulary.h"

namespace emend::ui {

// What a row of the table says about its event. Plain text on one line.
struct RowText {
    Term badge;
    QString what;
    QString took;
};

// Reads as much of the line as a row needs; a line over 256 kB is not read at all, its size is
// shown instead. Pure.
RowText rowText(const core::Event &event);

inline constexpr std::size_t maxRowLine = 256 * 1024;

} // namespace emend::ui
