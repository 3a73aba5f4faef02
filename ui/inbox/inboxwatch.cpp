// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/inboxwatch.h"

#include "ui/shell/background.h"
#include "ui/text/plaintext.h"

#include <QDir>

#include <memory>
#include <optional>
#include <utility>

namespace emend::ui {

namespace {

constexpr int soonMs = 50;   // one reading for a burst of changes
constexpr int slowMs = 5000; // where the system tells nothing, or the folder is not there yet

} // namespace

struct InboxWatch::Found {
    std::string stamp;
    std::optional<std::vector<core::Escalation>> list; // nothing: as it was
    std::string problem;
};

InboxWatch::InboxWatch(core::Escalations &inbox, QObject *parent)
    : QObject(parent)
    , m_inbox(inbox)
    , m_reading(new Background(this))
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    m_slow.setInterval(slowMs);
    connect(&m_soon, &QTimer::timeout, this, &InboxWatch::look);
    connect(&m_slow, &QTimer::timeout, this, &InboxWatch::refresh);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, &InboxWatch::refresh);
    m_slow.start();
    m_soon.start();
}

void InboxWatch::refresh()
{
    if (!m_soon.isActive())
        m_soon.start();
}

void InboxWatch::look()
{
    if (m_reading->isRunning()) {
        m_again = true;
        return;
    }
    m_reading->start([this, &inbox = m_inbox, first = !m_loaded,
                      known = m_stamp](const std::stop_token &stop) -> Background::Done {
        auto found = std::make_shared<Found>();
        if (first)
            if (const auto scanned = inbox.rescan(stop); !scanned)
                found->problem = scanned.error().text();
        found->stamp = inbox.stamp();
        if (first || found->stamp != known) {
            auto list = inbox.list();
            if (list)
                found->list = std::move(*list);
            else
                found->problem = list.error().text();
        }
        return [this, found] { take(std::move(*found)); };
    });
}

void InboxWatch::take(Found found)
{
    const bool first = !m_loaded;
    const bool news = first || found.list || !found.problem.empty();
    QStringList ids;
    if (found.list) {
        m_list = std::move(*found.list);
        m_stamp = found.stamp;
        for (const core::Escalation &one : m_list)
            if (m_known.insert(one.id).second && !first)
                ids << QString::fromStdString(one.id);
    }
    if (news)
        m_problem = oneLine(QString::fromStdString(found.problem), 600);
    m_loaded = true;
    watch();
    if (news)
        Q_EMIT changed();
    if (!ids.isEmpty())
        Q_EMIT arrived(ids);
    if (std::exchange(m_again, false))
        refresh();
}

void InboxWatch::watch()
{
    const QString folder = QString::fromStdString(m_inbox.folder());
    if (m_files.directories().isEmpty() && QDir(folder).exists())
        m_files.addPath(folder);
}

} // namespace emend::ui
