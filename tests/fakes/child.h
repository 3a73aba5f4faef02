// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace emend::tests {

// The widget of that name below `parent`. Without one a test has nothing left to say.
template<typename T>
T *child(const QWidget *parent, const QString &name)
{
    T *found = parent->findChild<T *>(name);
    if (found == nullptr)
        qFatal("no %s", qPrintable(name));
    return found;
}

template<typename T>
T *child(const QWidget &parent, const QString &name)
{
    return child<T>(&parent, name);
}

template<typename T>
T *child(const QWidget &parent, const char *name)
{
    return child<T>(&parent, QString::fromLatin1(name));
}

} // namespace emend::tests
