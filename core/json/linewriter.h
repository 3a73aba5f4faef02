// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace emend::core {

// Appends the members of one JSON object to a string, for trace lines: what a library does by
// building a tree first costs more here than the rest of the loop (tests/bench). Text that is not
// UTF-8 is written with U+FFFD. Any thread, one object a thread.
class LineWriter {
public:
    LineWriter &text(std::string_view key, std::string_view value);
    LineWriter &number(std::string_view key, std::int64_t value);
    LineWriter &number(std::string_view key,
                       const std::optional<std::int64_t> &value); // null if absent
    LineWriter &real(std::string_view key, double value); // shortest form that reads back equal
    LineWriter &flag(std::string_view key, bool value);
    LineWriter &null(std::string_view key);
    LineWriter &json(std::string_view key, const nlohmann::json &value);
    // `value` is JSON text already; it is not checked.
    LineWriter &raw(std::string_view key, std::string_view value);

    // `"a":1,"b":"x"`: members without the braces.
    const std::string &members() const { return m_out; }
    std::string takeMembers() { return std::move(m_out); }

private:
    void key(std::string_view name);
    std::string m_out;
};

// Appends `value` as a JSON string, quotes included.
void appendJsonString(std::string &out, std::string_view value);

} // namespace emend::core
