// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;

namespace emend::ui {

class RecentFiles;

// Keeps a menu filled with the recent files. GUI thread.
class RecentMenu : public QObject {
    Q_OBJECT
public:
    // `menu` and `files` must outlive this.
    RecentMenu(QMenu *menu, RecentFiles *files, QObject *parent);

Q_SIGNALS:
    void fileChosen(const QString &path);

private:
    void fill();

    QMenu *m_menu;
    RecentFiles *m_files;
};

} // namespace emend::ui
