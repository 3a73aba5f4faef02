// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace emend::ui {

enum class FileKind { Task, Trace, Scenario, OtherEmend, Unknown };

// Looks into a file: the "emend" key decides, the name does not. An error if it cannot be read.
core::Result<FileKind> fileKind(const QString &path);

} // namespace emend::ui
