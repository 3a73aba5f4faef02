// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

namespace emend::ui {

// What the window remembers between two starts: geometry, theme, recent files. Never a secret.
inline QSettings settings()
{
    return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("emend"),
                     QStringLiteral("emend"));
}

} // namespace emend::ui
