// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recentfiles.h"

#include "ui/shell/settings.h"

using namespace Qt::StringLiterals;

namespace emend::ui {

RecentFiles::RecentFiles(QObject *parent)
    : QObject(parent)
{
    QSettings s = settings();
    const int count = qMin(s.beginReadArray(u"recent"_s), most);
    for (int i = 0; i < count; ++i) {
        s.setArrayIndex(i);
        RecentFile file{s.value(u"path"_s).toString(), s.value(u"title"_s).toString(),
                        s.value(u"trace"_s).toBool(), s.value(u"opened"_s).toDateTime()};
        if (!file.path.isEmpty())
            m_files << file;
    }
}

void RecentFiles::add(RecentFile file)
{
    m_files.removeIf([&](const RecentFile &other) { return other.path == file.path; });
    m_files.prepend(std::move(file));
    while (m_files.size() > most)
        m_files.removeLast();
    store();
}

void RecentFiles::remove(const QString &path)
{
    if (m_files.removeIf([&](const RecentFile &file) { return file.path == path; }) > 0)
        store();
}

void RecentFiles::clear()
{
    m_files.clear();
    store();
}

void RecentFiles::store()
{
    QSettings s = settings();
    s.remove(u"recent"_s);
    s.beginWriteArray(u"recent"_s, int(m_files.size()));
    for (int i = 0; i < m_files.size(); ++i) {
        s.setArrayIndex(i);
        s.setValue(u"path"_s, m_files[i].path);
        s.setValue(u"title"_s, m_files[i].title);
        s.setValue(u"trace"_s, m_files[i].isTrace);
        s.setValue(u"opened"_s, m_files[i].opened);
    }
    s.endArray();
    Q_EMIT changed();
}

} // namespace emend::ui
