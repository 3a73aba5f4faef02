// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

namespace emend::core {

std::string Error::text() const
{
    std::string out = file;
    if (line > 0) {
        if (!out.empty())
            out += ':';
        out += (file.empty() ? "line " : "") + std::to_string(line);
        if (column > 0)
            out += (file.empty() ? " column " : ":") + std::to_string(column);
    }
    if (!out.empty())
        out += ": ";
    if (!pointer.empty())
        out += pointer + ": ";
    return out + message;
}

} // namespace emend::core
