// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace emend::core {

// Whether a field or header of this name holds a secret as a rule: authorization, x-api-key,
// access_token, password … In any case; `-`, `_`, `.` and spaces are alike. Counts of tokens are
// no tokens, and a key of a table is no key.
bool isSecretName(std::string_view name);

class SecretFinder;

// Takes secrets out of trace lines and other text before anybody keeps them (core/trace/FORMAT.md,
// `redactions`). Immutable: any number of threads.
//
// A line is never parsed and written anew: what is not a secret keeps its bytes, so that numbers
// keep their digits.
class Redactor {
public:
    // `secrets` shorter than 8 bytes are ignored: they would stand in every text by chance.
    // `patterns` are RE2 syntax; a bad one, or one that matches nothing at all, is an error that
    // names it.
    static Result<std::shared_ptr<const Redactor>> make(const std::vector<std::string> &secrets,
                                                        const std::vector<std::string> &patterns);
    ~Redactor();
    Redactor(const Redactor &) = delete;
    Redactor &operator=(const Redactor &) = delete;

    // One JSON object without a line feed. What was taken out is named in `"redactions"`, its last
    // member. Doing it twice changes nothing more.
    void redactLine(std::string &jsonLine) const;
    // Plain text: a file name, a message, a piece of a reply.
    std::string redactText(std::string_view text) const;
    // How many bytes at the end of `text` could be the beginning of a known secret.
    std::size_t heldBack(std::string_view text) const;

private:
    explicit Redactor(std::unique_ptr<const SecretFinder> finder);

    std::unique_ptr<const SecretFinder> m_finder;
};

} // namespace emend::core
