// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace emend::core {
struct Error;
}

namespace emend::ui {

class RecentFiles;
class TaskPage;

// Asks for file names without a nested event loop, saves task pages, and remembers what was used.
// GUI thread.
class TaskFiles : public QObject {
    Q_OBJECT
public:
    TaskFiles(QWidget *window, RecentFiles &recent);

    void chooseToOpen(std::function<void(const QStringList &)> chosen);
    // Asks for a name if `as` or if there is none. `done` says whether the page is saved; it is not
    // called if the page goes away meanwhile.
    void save(TaskPage *page, bool as, std::function<void(bool)> done);
    void remember(const QString &path, const QString &title, bool isTrace);

Q_SIGNALS:
    void failed(const QString &what, const core::Error &error, const QString &path);

private:
    bool write(TaskPage *page, const QString &path);

    QWidget *m_window;
    RecentFiles &m_recent;
};

} // namespace emend::ui
