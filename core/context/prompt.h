// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/runner.h"

namespace emend::core {

// Reads a built-in prompt: {"emend":"prompt","version":1,"id":…,"revision":n,"system":[lines]}.
// Errors carry line, column and pointer.
Result<Prompt> parsePrompt(std::string_view text);

// The system prompt as sent: `{{tools}}` and `{{max_actions}}` filled in; a prompt without
// `{{tools}}` gets the tools at its end, because a model cannot name what it has not been told.
std::string renderSystemPrompt(const Prompt &prompt, const std::vector<ToolSpec> &tools,
                               int maxActions);

// The system prompt of mode code as sent: `{{language}}` and `{{file}}` (a sentence about the
// file's name) filled in. Nothing of the tests is in it.
std::string renderCodePrompt(const Prompt &prompt, const CodeSettings &settings);

} // namespace emend::core
