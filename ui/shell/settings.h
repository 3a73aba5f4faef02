// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QSettings>

namespace emend::ui {

// What the window remembers between two starts: geometry, theme, recent files. Never a secret.
inline QSettings settings()
{
    return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("emend"),
                     QStringLiteral("emend"));
}

// Where a file was opened or saved last; the person's home before that, or if it has gone.
inline QString lastFolder()
{
    const QString folder = settings().value(QStringLiteral("window/folder")).toString();
    return !folder.isEmpty() && QDir(folder).exists() ? folder : QDir::homePath();
}

} // namespace emend::ui
