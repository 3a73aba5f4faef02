// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/replay/recording.h"
#include "core/trace/redactor.h"

// What two runs are compared by: all that an event says apart from times, and apart from what a
// replay plays from the recording anyway. Pure, any thread.
namespace emend::core {

// JSON Pointers into an event of this kind.
const std::vector<const char *> &membersCompared(EventKind kind);

struct EventDifference {
    std::string what; // a sentence that names the member, recorded against now
    std::string diff; // unified, of texts of several lines
};

// Nothing: they say the same. Both are redacted by `redactor` (may be null) first: a pattern that
// was added since is no difference. `placesShifted`: text before was redacted when it was recorded,
// so offsets and columns may be others.
std::optional<EventDifference> differenceOf(const RecordedEvent &then, const Event &now,
                                            const Redactor *redactor, bool placesShifted);

// "decision.rejected in step 2 (invalid_json)"
std::string shownEvent(EventKind kind, int step, const std::string &line);

} // namespace emend::core
