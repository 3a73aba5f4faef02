// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSslCertificate>

#include <string>

#include "core/base/result.h"

// The file of certificates that a task trusts besides the system's. Any thread.
namespace emend::tools {

// Empty: it cannot be read, or holds none.
QList<QSslCertificate> certificatesIn(const std::string &path);
// Why it cannot be used, in words, at the pointer of a task.
core::Result<void> checkCaFile(const std::string &path);

} // namespace emend::tools
