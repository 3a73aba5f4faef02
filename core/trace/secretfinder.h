// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/secretneedle.h"
#include "core/trace/secretscan.h"
#include "core/trace/secretview.h"

namespace re2 {
class RE2;
}

namespace emend::core {

inline constexpr std::string_view redactedText = "[redacted]";

// Why something is a secret. Numbers from OwnPattern on are the person's patterns.
enum class SecretRule : int { KnownValue, FieldName, KeyFormat, OwnPattern };
std::string secretRuleName(SecretRule rule); // "known_value" … "pattern 1"

// A part of a text that must not be kept: bytes [begin, end).
struct SecretHit {
    std::size_t begin = 0;
    std::size_t end = 0;
    SecretRule rule = SecretRule::KnownValue;
};

// Finds secrets in a text. Immutable: any thread.
class SecretFinder {
public:
    static Result<std::unique_ptr<const SecretFinder>>
    make(const std::vector<std::string> &secrets, const std::vector<std::string> &patterns);
    ~SecretFinder();

    // False: there is nothing to find, neither in the text nor in anything decoded from it.
    bool suspicious(std::string_view text) const
    {
        return !m_own.empty() || m_scan->suspicious(text);
    }
    // In order, none overlapping another; places are those of the original of `view`. Texts inside
    // the text (JSON in JSON, percent-encoded addresses, HTML) are searched as well.
    std::vector<SecretHit> find(SecretView view, bool isName = false) const;
    std::size_t heldBack(std::string_view text) const;

private:
    SecretFinder();
    bool addPatterns(const std::vector<std::string> &patterns, Error &error);
    void search(const SecretView &view, bool isName, std::vector<SecretHit> &hits) const;
    void searchFields(const SecretView &view, std::vector<SecretHit> &hits) const;

    std::vector<Needle> m_needles; // the known values and their encoded forms
    std::unique_ptr<SecretScan> m_scan;
    std::unique_ptr<re2::RE2> m_formats, m_fields, m_userInfo, m_bearer;
    std::vector<std::unique_ptr<re2::RE2>> m_own;
};

} // namespace emend::core
