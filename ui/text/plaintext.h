// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

// Foreign text made safe to look at, and quantities as words. Pure, any thread.
namespace emend::ui {

// Control characters, invisible spaces and direction overrides as signs that can be seen. One
// UTF-16 unit becomes one, so that places stay what they are. Line feed and tab stay.
QString visible(QString text);
// The same on one line, at most `maxLength` units, with an ellipsis if cut.
QString oneLine(QString text, qsizetype maxLength = 400);
// Text for a tool tip that Qt will not take for markup, whatever it holds.
QString plainToolTip(const QString &text);

// "12 µs", "183 ms", "1.24 s", "3 min 05 s".
QString durationText(qint64 us);
// "0:12.345": time since the start, for columns.
QString clockText(qint64 us);
// "812 B", "4.1 kB", "97.3 MB".
QString bytesText(qint64 bytes);
QString countText(qint64 count);
QString costText(double usd);

} // namespace emend::ui
