// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QTemporaryDir>

namespace emend {

// Temporary files of this process alone, so that what it leaves can be counted while others run.
// Others may pass through it, as a command does that root has dropped to nobody.
class OwnTemporary {
public:
    OwnTemporary()
    {
        QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755));
        qputenv("TMPDIR", QFile::encodeName(m_folder.path()));
    }
    std::string path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

} // namespace emend
