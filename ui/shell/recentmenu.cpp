// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recentmenu.h"

#include "ui/shell/recentfiles.h"
#include "ui/text/plaintext.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>

namespace emend::ui {

RecentMenu::RecentMenu(QMenu *menu, RecentFiles *files, QObject *parent)
    : QObject(parent)
    , m_menu(menu)
    , m_files(files)
{
    m_menu->setToolTipsVisible(true);
    connect(m_files, &RecentFiles::changed, this, &RecentMenu::fill);
    fill();
}

void RecentMenu::fill()
{
    m_menu->clear();
    for (const RecentFile &file : m_files->files()) {
        QString name = oneLine(QFileInfo(file.path).fileName(), 80);
        QAction *action = m_menu->addAction(name.replace(u'&', QLatin1String("&&")));
        action->setToolTip(plainToolTip(file.path));
        connect(action, &QAction::triggered, this,
                [this, path = file.path] { Q_EMIT fileChosen(path); });
    }
    m_menu->setEnabled(!m_files->files().isEmpty());
    m_menu->addSeparator();
    m_menu->addAction(tr("&Clear the list"), m_files, &RecentFiles::clear);
}

} // namespace emend::ui
