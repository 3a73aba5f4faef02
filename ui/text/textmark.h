// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace emend::ui {

// A piece of a text to look at, with the place that matters in it.
struct MarkedText {
    QString text;       // as UTF-16, what is not UTF-8 as U+FFFD, control characters made visible
    int markStart = -1; // in UTF-16 units of `text`; -1: no mark
    int markLength = 0;
    bool markAtEnd = false; // the place is after the last character
    bool cutBefore = false; // `text` does not begin where the bytes do
    bool cutAfter = false;
};

// `bytes` with the byte `offset` (counted in bytes, as in decision.rejected) marked: the string,
// word or number that begins there, or one character. Long texts are cut to about `room` bytes
// around it. An offset past the end marks the last character. Pure.
MarkedText markText(std::string_view bytes, qint64 offset, std::size_t room);

} // namespace emend::ui
