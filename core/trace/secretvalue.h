// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Judges what stands where a secret could stand. Pure.
namespace emend::core {

// What is written in place of a secret: ********, $PASSWORD, ${PASSWORD}, <password>, {{key}}.
bool isPlaceholder(std::string_view value);

// Nothing but words, maybe with hyphens: letters, capitals at most in front, no word so long that
// it could be a key.
bool isPlainWords(std::string_view text);

// A field of which a plain word is the value as a rule: `token`, in texts about parsers.
bool canBeAWord(std::string_view name);

// `name: value` or `name = value` in a text.
struct FieldValue {
    std::string_view name;
    std::string_view value; // without its quotes
    std::string_view rest;  // of the text, behind the value
    bool quoted = false;
    bool colon = false;  // the sign between them
    bool spaced = false; // and a blank behind it
};

// Whether the value of a field with the name of a secret is one: rather than a placeholder, a piece
// of code, a type, or the next word of a sentence ("an access_token: means …"). Passwords may be
// words, so after those any word counts.
bool looksSecret(const FieldValue &field);

// Whether what stands between :// and @ is more than the name of a user.
bool isSecretUserInfo(std::string_view userInfo);

} // namespace emend::core
