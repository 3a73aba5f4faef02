// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QMenuBar;

namespace emend::ui {

// Lists the keys of all actions of a menu bar, so that it is never out of date. GUI thread.
class ShortcutsPage : public QWidget {
    Q_OBJECT
public:
    explicit ShortcutsPage(const QMenuBar &menus, QWidget *parent = nullptr);
};

} // namespace emend::ui
