// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/replay/recording.h"

// Where a run of mode code goes on from a person's answer. Pure, any thread.
namespace emend::core {

// The place in step 1, the first solution with its corrections, that an answer takes: behind the
// last attempt if that has failed, else in its stead. Of a disagreement, and of a run that was
// stopped while the second solution was at work, it is the attempt that had passed.
struct CodePlace {
    std::size_t kept = 0; // items of the recording that come before it
    int attempt = 0;      // from 0
    std::string lastCode; // of the last attempt that can be read, for editing; may be empty
};
CodePlace codePlaceOf(const Recording &recording);

// `code` as the reply of a model that holds it.
std::string asCodeReply(const std::string &code, const std::string &language);

} // namespace emend::core
