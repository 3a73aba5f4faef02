// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretfinder.h"

#include <algorithm>
#include <utility>

#include <re2/re2.h>

#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "core/trace/redactor.h"

namespace emend::core {

namespace {

constexpr std::size_t shortestSecret = 8;

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

std::string urlSafe(std::string base)
{
    std::replace(base.begin(), base.end(), '+', '-');
    std::replace(base.begin(), base.end(), '/', '_');
    return base;
}

// What of a secret is the same in the base64 of any text that holds it, for one of the three ways
// in which it can lie in groups of three bytes.
std::string base64Core(const std::string &secret, std::size_t before)
{
    const std::string encoded = base64(std::string(before, 'x') + secret);
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t last = (before + secret.size()) * 8 / 6;
    return encoded.substr(first, last - first);
}

void addForms(const std::string &secret, std::vector<std::string> &needles)
{
    std::string escaped;
    appendJsonString(escaped, secret);
    needles.push_back(secret);
    needles.push_back(escaped.substr(1, escaped.size() - 2));
    for (std::size_t before = 0; before < 3; ++before) {
        const std::string core = base64Core(secret, before);
        if (core.size() < shortestSecret)
            continue;
        needles.push_back(core);
        needles.push_back(urlSafe(core));
    }
}

bool isNumberOrLiteral(std::string_view text)
{
    return text == "true" || text == "false" || text == "null" ||
           text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

// Whether what stands after `name:` without quotes is rather a secret than the next word of a
// sentence ("an access_token: means …"). Passwords may be words, so after those any word counts.
bool looksSecret(std::string_view name, std::string_view value)
{
    constexpr std::size_t shortest = 6, longestWord = 15;
    if (isNumberOrLiteral(value) || value.size() < shortest)
        return false;
    constexpr std::string_view pass = "pass";
    const bool password = std::search(name.begin(), name.end(), pass.begin(), pass.end(),
                                      [](char a, char b) { return (a | 0x20) == b; }) != name.end();
    const bool word = std::all_of(value.begin() + 1, value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || c == '\'' || c == '.' || c == '-';
    });
    return password || !word || value.size() > longestWord;
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

// Each match of the first group of `regex`.
void searchFor(const re2::RE2 &regex, const SecretView &view, SecretRule rule,
               std::vector<SecretHit> &hits)
{
    const re2::StringPiece text(view.text);
    const int groups =
        regex.NumberOfCapturingGroups() > 0 && rule != SecretRule::OwnPattern ? 2 : 1;
    re2::StringPiece found[2];
    std::size_t at = 0;
    while (at <= text.size() &&
           regex.Match(text, at, text.size(), re2::RE2::UNANCHORED, found, groups)) {
        const auto begin = static_cast<std::size_t>(found[groups - 1].data() - text.data());
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
    for (const std::string &secret : secrets)
        if (secret.size() >= shortestSecret)
            addForms(secret, finder->m_needles);
    auto &needles = finder->m_needles;
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
            if (group == 5 && found[2] == ":" && !looksSecret(name, value))
                continue;
            addHit(view, place(found[group]), place(found[group]) + value.size(),
                   SecretRule::FieldName, hits);
            at = std::max(at, place(found[group]) + value.size());
        }
    }
}

void SecretFinder::search(const SecretView &view, bool isName, std::vector<SecretHit> &hits) const
{
    for (const std::string &needle : m_needles)
        for (std::size_t at = view.text.find(needle); at != std::string::npos;
             at = view.text.find(needle, at + 1))
            addHit(view, at, at + needle.size(), SecretRule::KnownValue, hits);
    searchFor(*m_formats, view, SecretRule::KeyFormat, hits);
    if (isName)
        return;
    searchFields(view, hits);
    searchFor(*m_userInfo, view, SecretRule::FieldName, hits);
    searchFor(*m_bearer, view, SecretRule::FieldName, hits);
    for (std::size_t i = 0; i < m_own.size(); ++i) {
        std::vector<SecretHit> own;
        searchFor(*m_own[i], view, SecretRule::OwnPattern, own);
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
        auto plain = withoutPercents(view);
        for (int twice = 0; plain && twice < 2; ++twice) {
            search(*plain, isName, all);
            plain = withoutPercents(*plain);
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
    std::size_t longest = 0;
    for (const std::string &needle : m_needles)
        for (std::size_t size = std::min(text.size(), needle.size() - 1); size > longest; --size)
            if (text.ends_with(std::string_view(needle).substr(0, size)))
                longest = size;
    return longest;
}

} // namespace emend::core
