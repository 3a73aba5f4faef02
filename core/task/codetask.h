// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include "core/task/codesettings.h"

// The "code" member of a task file (design section 11).
namespace emend::core {

class FileReader;
class ObjectReader;

// Spec and tests are required. Tests that stand in another file ({"file":…}) are named and not
// read here: `tests` stays empty until loadTaskFile fills it in.
void readCodeSettings(FileReader &file, ObjectReader code, CodeSettings &out);

// All members, defaults spelled out. `resolved`: tests as text wherever they came from; else files
// by reference.
nlohmann::ordered_json codeSettingsToJson(const CodeSettings &settings, bool resolved);

} // namespace emend::core
