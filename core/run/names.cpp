// SPDX-License-Identifier: GPL-3.0-or-later
// The names that the enumerations of ports.h, runner.h and decision.h have in files.
#include <array>

#include "core/contract/decision.h"
#include "core/run/ports.h"
#include "core/run/runner.h"
#include "core/run/verify.h"

namespace emend::core {

namespace {

template<typename Enum, std::size_t N>
std::string_view nameOf(const std::array<std::string_view, N> &names, Enum value)
{
    return names[static_cast<std::size_t>(value)];
}

} // namespace

std::string_view roleName(Role role)
{
    static constexpr std::array<std::string_view, 3> names = {"system", "user", "assistant"};
    return nameOf(names, role);
}

std::string_view transportClassName(TransportClass c)
{
    static constexpr std::array<std::string_view, 16> names = {
        "rate_limited",    "quota_exhausted", "overloaded",       "server_error",    "auth",
        "not_found",       "bad_request",     "context_overflow", "content_blocked", "no_choices",
        "bad_body",        "stream_error",    "stream_truncated", "timeout",         "connection",
        "unsupported_stop"};
    return nameOf(names, c);
}

std::string_view outcomeName(Outcome outcome)
{
    static constexpr std::array<std::string_view, 5> names = {"satisfied", "unsatisfied",
                                                              "escalated", "killed", "failed"};
    return nameOf(names, outcome);
}

std::string_view testStatusName(TestResult::Status status)
{
    static constexpr std::array<std::string_view, 4> names = {"passed", "failed", "error",
                                                              "skipped"};
    return nameOf(names, status);
}

std::string_view categoryName(Category category)
{
    static constexpr std::array<std::string_view, 7> names = {
        "empty_response",     "invalid_json",           "decision_schema",    "unknown_tool",
        "invalid_tool_input", "repeated_failed_action", "unsupported_success"};
    return nameOf(names, category);
}

} // namespace emend::core
