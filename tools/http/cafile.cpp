// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/cafile.h"

#include <QFile>
#include <QFileInfo>

#include "core/base/text.h"

namespace emend::tools {

QList<QSslCertificate> certificatesIn(const std::string &path)
{
    return QSslCertificate::fromPath(QString::fromStdString(path), QSsl::Pem,
                                     QSslCertificate::PatternSyntax::FixedString);
}

core::Result<void> checkCaFile(const std::string &path)
{
    const auto refuse = [&](core::ErrorCode code, const std::string &what) {
        return core::fail(code, "the CA file " + core::inQuotes(path, 400) + what,
                          "/model/transport/ca_file");
    };
    const QFileInfo info(QString::fromStdString(path));
    if (!info.exists())
        return refuse(core::ErrorCode::NotFound, " does not exist");
    if (!info.isFile())
        return refuse(core::ErrorCode::Unreadable, " is not a regular file");
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly))
        return refuse(core::ErrorCode::Unreadable,
                      " cannot be read: " + file.errorString().toStdString());
    if (certificatesIn(path).isEmpty())
        return refuse(core::ErrorCode::BadValue, " holds no certificate in PEM form");
    return {};
}

} // namespace emend::tools
