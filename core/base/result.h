// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <utility>

// Failure is a value. Nothing that core, tools or ui export throws.
namespace emend::core {

enum class ErrorCode {
    BadJson,      // not JSON, or JSON that we refuse (duplicate key, depth, bad UTF-8)
    BadVersion,   // an Emend file of a kind or version this program does not read
    BadValue,     // JSON of a wrong shape: wrong type, unknown name, out of range
    NotFound,     // no such file, tool, provider
    Unreadable,   // the file exists and cannot be read
    Unwritable,   // the file cannot be created, or the disk is full
    TooLarge,     // larger than the stated limit
    Cycle,        // files that name each other
    NotSupported, // well formed, and not something this version can do
};

// What went wrong and where. `line` and `column` count from 1 (column in code points); 0 means
// "does not apply". `pointer` is a JSON Pointer (RFC 6901), empty for the whole document.
struct Error {
    ErrorCode code = ErrorCode::BadValue;
    std::string message;
    std::string file;
    std::string pointer;
    int line = 0;
    int column = 0;

    // "file:3:7: /model/provider: message", leaving out what is not known.
    std::string text() const;
};

template<typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string pointer = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), {}, std::move(pointer), 0, 0});
}

} // namespace emend::core
