// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"

namespace emend::core {

class FileReader;

// Reads the members of one JSON object of an Emend file with types and ranges; whatever does not
// fit is reported to its FileReader with the pointer. Members that nobody asked for are an error
// (finish()), because a misspelt bound would otherwise silently not bound anything.
class ObjectReader {
public:
    ObjectReader(FileReader &file, const nlohmann::json *object, std::string pointer);

    // Each leaves `out` alone when the member is absent. `null` counts as absent for optionals
    // only.
    void text(const char *key, std::string &out);
    void required(const char *key, std::string &out); // a text that must be there and not be empty
    void flag(const char *key, bool &out);
    void integer(const char *key, int &out, std::int64_t low, std::int64_t high);
    void integer(const char *key, std::int64_t &out, std::int64_t low, std::int64_t high);
    void optionalInteger(const char *key, std::optional<std::int64_t> &out, std::int64_t low,
                         std::int64_t high);
    void real(const char *key, double &out, double low, double high);
    void optionalReal(const char *key, std::optional<double> &out, double low, double high);
    // The index of a text among `names`, or nothing if absent or unknown (then reported).
    std::optional<std::size_t> choice(const char *key, const std::vector<std::string> &names);
    // The raw member, counted as known; nullptr if absent.
    const nlohmann::json *take(const char *key);
    // An object member; reads nothing if absent, reports any other type.
    ObjectReader object(const char *key);

    bool present() const { return m_object != nullptr; }
    std::string pointerTo(const char *key) const;
    // Reports members that were not asked for, with the nearest known name.
    void finish();

private:
    void wrong(const char *key, const std::string &wanted, const nlohmann::json &value);

    FileReader &m_file;
    const nlohmann::json *m_object; // nullptr: absent
    std::string m_pointer;
    std::vector<std::string> m_known;
};

// One Emend file: `{"emend":kind,"version":n,…}`. Keeps the first fault with line and column.
class FileReader {
public:
    // `headOptional`: a file may leave the head out, but not have another one.
    FileReader(std::string_view text, std::string kind, int version, bool headOptional = false);

    ObjectReader root();
    void fault(const std::string &pointer, std::string message,
               ErrorCode code = ErrorCode::BadValue);
    const std::optional<Error> &error() const { return m_error; }

private:
    void checkHead(const std::string &kind, int version, bool optional);

    std::string m_text;
    nlohmann::json m_json;
    std::optional<Error> m_error;
};

} // namespace emend::core
