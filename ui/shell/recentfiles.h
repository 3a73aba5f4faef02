// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

namespace emend::ui {

struct RecentFile {
    QString path; // absolute
    QString title;
    bool isTrace = false;
    QDateTime opened;
};

// The files that were opened or saved last, newest first; kept in the settings. GUI thread.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 8;

    explicit RecentFiles(QObject *parent = nullptr);

    const QList<RecentFile> &files() const { return m_files; }
    void add(RecentFile file);
    void remove(const QString &path);
    void clear();

Q_SIGNALS:
    void changed();

private:
    void store();

    QList<RecentFile> m_files;
};

} // namespace emend::ui
