// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QLatin1String>
#include <QPalette>

namespace emend::ui {

// One of the drawn icons in resources/icons ("play", "kill" …), painted in the colour of the
// palette it is shown with: it follows a change of theme by itself. `role` picks the colour; a
// button in the accent colour wants HighlightedText. GUI thread.
QIcon icon(QLatin1String name, QPalette::ColorRole role = QPalette::ButtonText);
QIcon icon(QLatin1String name, const QColor &colour);
QIcon applicationIcon();

} // namespace emend::ui
