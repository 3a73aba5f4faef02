// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretfinder.h"

#include <algorithm>
#include <utility>

#include <re2/re2.h>

#include "core/base/text.h"
#include "core/trace/redactor.h"
#include "core/trace/secretvalue.h"

namespace emend::core {

namespace {

// Formats that the services document for their keys.
constexpr const char *formats =
    R"((\bsk-[A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}|\bgh[pousr]_[A-Za-z0-9]{20,})"
    R"(|\bgithub_pat_[A-Za-z0-9_]{20,}|\bxox[abeprs]-[A-Za-z0-9-]{10,})"
    R"(|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bhf_[A-Za-z0-9]{20,}|\bglpat-[A-Za-z0-9_-]{16,})"
    R"(|\bnpm_[A-Za-z0-9]{30,}|\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,})"
    R"(|-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)))";
// name, sign, value in double quotes, in single quotes, bare.
constexpr const char *fields =
    R"(([A-Za-z0-9_.-]+)["']?\s*(:|=)\s*(?:"((?:[^"\\]|\\.)*)(?:"|\z)|'((?:[^'\\]|\\.)*)(?:'|\z))"
    R"(|((?:(?i:bearer|basic|token|digest)\s+)?(?:\[redacted\]|[^\s"',;&#}\])<>\\\[{])+)))";
constexpr const char *userInfo = R"(://([^\s/?#"'<>\\]+)@)";
constexpr const char *bearer = R"((?i:\bbearer\s+)([A-Za-z0-9._~+/=-]{16,}))";

std::unique_ptr<re2::RE2> compiled(const char *pattern)
{
    return std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
}

// Whether the hit is nothing but words that stand for what was taken out earlier, or part of one.
bool isRedactedAlready(std::string_view text, std::size_t begin, std::size_t end)
{
    const std::size_t from = begin < redactedText.size() ? 0 : begin - redactedText.size() + 1;
    for (std::size_t at = text.find(redactedText, from); at <= begin && at != text.npos;
         at = text.find(redactedText, at + 1))
        if (end <= at + redactedText.size())
            return true;
    std::string_view rest = text.substr(begin, end - begin);
    while (!rest.empty())
        if (rest.starts_with(redactedText))
            rest.remove_prefix(redactedText.size());
        else if (rest[0] == ' ')
            rest.remove_prefix(1);
        else
            return false;
    return true;
}

void addHit(const SecretView &view, std::size_t begin, std::size_t end, SecretRule rule,
            std::vector<SecretHit> &hits)
{
    if (begin < end && !isRedactedAlready(view.text, begin, end))
        hits.push_back({view.beginOf(begin), view.endOf(end - 1), rule});
}

bool never(std::string_view)
{
    return false;
}

// Each match of the first group of `regex`, but those that are `innocent`.
void searchFor(const re2::RE2 &regex, const SecretView &view, SecretRule rule,
               bool (*innocent)(std::string_view), std::vector<SecretHit> &hits)
{
    const re2::StringPiece text(view.text);
    const int groups =
        regex.NumberOfCapturingGroups() > 0 && rule != SecretRule::OwnPattern ? 2 : 1;
    re2::StringPiece found[2];
    std::size_t at = 0;
    while (at <= text.size() &&
           regex.Match(text, at, text.size(), re2::RE2::UNANCHORED, found, groups)) {
        const auto begin = static_cast<std::size_t>(found[groups - 1].data() - text.data());
        if (!innocent({found[groups - 1].data(), found[groups - 1].size()}))
            addHit(view, begin, begin + found[groups - 1].size(), rule, hits);
        const auto end = static_cast<std::size_t>(found[0].data() - text.data()) + found[0].size();
        at = std::max(end, at + 1);
    }
}

} // namespace

std::string secretRuleName(SecretRule rule)
{
    switch (rule) {
    case SecretRule::KnownValue:
        return "known_value";
    case SecretRule::FieldName:
        return "field_name";
    case SecretRule::KeyFormat:
        return "key_format";
    default:
        return "pattern " + std::to_string(static_cast<int>(rule) -
                                           static_cast<int>(SecretRule::OwnPattern) + 1);
    }
}

SecretFinder::SecretFinder()
    : m_formats(compiled(formats))
    , m_fields(compiled(fields))
    , m_userInfo(compiled(userInfo))
    , m_bearer(compiled(bearer))
{}

SecretFinder::~SecretFinder() = default;

Result<std::unique_ptr<const SecretFinder>>
SecretFinder::make(const std::vector<std::string> &secrets,
                   const std::vector<std::string> &patterns)
{
    std::unique_ptr<SecretFinder> finder(new SecretFinder);
    auto &needles = finder->m_needles;
    for (const std::string &secret : secrets) {
        const auto forms = needlesOf(secret);
        needles.insert(needles.end(), forms.begin(), forms.end());
    }
    std::sort(needles.begin(), needles.end());
    needles.erase(std::unique(needles.begin(), needles.end()), needles.end());
    finder->m_scan = std::make_unique<SecretScan>(needles);
    Error error;
    if (!finder->addPatterns(patterns, error))
        return tl::unexpected<Error>(std::move(error));
    return finder;
}

bool SecretFinder::addPatterns(const std::vector<std::string> &patterns, Error &error)
{
    for (const std::string &pattern : patterns) {
        auto regex = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
        std::string problem;
        if (!regex->ok())
            problem = regex->error();
        else if (re2::RE2::PartialMatch("", *regex))
            problem = "it matches the empty text, so it would match everywhere";
        if (!problem.empty()) {
            error.message =
                "the redaction pattern " + inQuotes(pattern) + " cannot be used: " + problem;
            return false;
        }
        m_own.push_back(std::move(regex));
    }
    return true;
}

void SecretFinder::searchFields(const SecretView &view, std::vector<SecretHit> &hits) const
{
    const re2::StringPiece text(view.text);
    re2::StringPiece found[6];
    std::size_t at = 0;
    while (at < text.size() &&
           m_fields->Match(text, at, text.size(), re2::RE2::UNANCHORED, found, 6)) {
        const auto place = [&](const re2::StringPiece &piece) {
            return static_cast<std::size_t>(piece.data() - text.data());
        };
        const std::string_view name(found[1].data(), found[1].size());
        const std::size_t nameAt = place(found[1]);
        const bool query = name == "key" && nameAt > 0 && found[2] == "=" &&
                           (text[nameAt - 1] == '?' || text[nameAt - 1] == '&');
        at = place(found[2]) + 1; // a value can be the next name
        if (!query && !isSecretName(name))
            continue;
        for (int group = 3; group < 6; ++group) {
            if (found[group].data() == nullptr)
                continue;
            const std::string_view value(found[group].data(), found[group].size());
            const std::size_t begin = place(found[group]), end = begin + value.size();
            const std::string_view all = view.text;
            const std::size_t behindSign = place(found[2]) + 1;
            if (!looksSecret({name, value, all.substr(end), group < 5, found[2] == ":",
                              group == 5 && behindSign < begin}))
                continue;
            addHit(view, begin, end, SecretRule::FieldName, hits);
            at = std::max(at, end);
        }
    }
}

void SecretFinder::search(const SecretView &view, bool isName, std::vector<SecretHit> &hits) const
{
    for (const Span &span : findNeedles(m_needles, view.text))
        addHit(view, span.begin, span.end, SecretRule::KnownValue, hits);
    searchFor(*m_formats, view, SecretRule::KeyFormat, isPlainWords, hits);
    if (isName)
        return;
    searchFields(view, hits);
    searchFor(
        *m_userInfo, view, SecretRule::FieldName,
        [](std::string_view user) { return !isSecretUserInfo(user); }, hits);
    searchFor(*m_bearer, view, SecretRule::FieldName, isPlainWords, hits);
    for (std::size_t i = 0; i < m_own.size(); ++i) {
        std::vector<SecretHit> own;
        searchFor(*m_own[i], view, SecretRule::OwnPattern, never, own);
        for (SecretHit &hit : own) {
            hit.rule = static_cast<SecretRule>(static_cast<int>(SecretRule::OwnPattern) +
                                               static_cast<int>(i));
            hits.push_back(hit);
        }
    }
}

std::vector<SecretHit> SecretFinder::find(SecretView view, bool isName) const
{
    constexpr int deepest = 6; // JSON in JSON in JSON …
    std::vector<SecretHit> all;
    for (int depth = 0; depth < deepest; ++depth) {
        search(view, isName, all);
        for (const auto decode : {withoutPercents, withoutEntities}) {
            auto plain = decode(view);
            for (int times = 0; plain && times < 4; ++times) {
                search(*plain, isName, all);
                plain = decode(*plain);
            }
        }
        auto inner = withoutEscapes(view);
        if (!inner)
            break;
        view = std::move(*inner);
    }
    std::sort(all.begin(), all.end(), [](const SecretHit &a, const SecretHit &b) {
        return std::pair(a.begin, a.rule) < std::pair(b.begin, b.rule);
    });
    std::vector<SecretHit> hits;
    for (const SecretHit &hit : all) {
        if (hits.empty() || hit.begin >= hits.back().end) {
            hits.push_back(hit);
            continue;
        }
        hits.back().end = std::max(hits.back().end, hit.end);
        hits.back().rule = std::min(hits.back().rule, hit.rule);
    }
    return hits;
}

std::size_t SecretFinder::heldBack(std::string_view text) const
{
    return begunNeedle(m_needles, text);
}

} // namespace emend::core
