// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/escalation/escalations.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <set>
#include <vector>

namespace emend::ui {

class Background;

// The list of escalations as it is on the disk, whichever program changes it. Reads on a thread of
// its own, when something has changed; at its start it lets the inbox look at the traces once.
// GUI thread.
class InboxWatch : public QObject {
    Q_OBJECT
public:
    // The inbox must outlive it.
    explicit InboxWatch(core::Escalations &inbox, QObject *parent = nullptr);

    const std::vector<core::Escalation> &list() const { return m_list; }
    QString problem() const { return m_problem; } // why the list may be old; empty: it is not
    bool isLoaded() const { return m_loaded; }
    core::Escalations &inbox() { return m_inbox; }

public Q_SLOTS:
    void refresh(); // soon, and only if something has changed

Q_SIGNALS:
    void changed();
    // Escalations that were not there before, but for those there at the start.
    void arrived(const QStringList &ids);

private:
    struct Found;
    void look();
    void take(Found found);
    void watch();

    core::Escalations &m_inbox;
    Background *m_reading;
    QFileSystemWatcher m_files;
    QTimer m_soon;
    QTimer m_slow;
    std::vector<core::Escalation> m_list;
    std::set<std::string> m_known;
    QString m_problem;
    std::string m_stamp;
    bool m_loaded = false;
    bool m_again = false; // something changed while it was read
};

} // namespace emend::ui
