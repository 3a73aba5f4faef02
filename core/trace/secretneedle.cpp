// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretneedle.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/json/linewriter.h"

namespace emend::core {

namespace {

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

std::string hexOf(const std::string &secret, std::string_view digits)
{
    std::string out;
    for (const char c : secret) {
        out += digits[static_cast<unsigned char>(c) >> 4U];
        out += digits[static_cast<unsigned char>(c) & 0xFU];
    }
    return out;
}

// Whether a skeleton is so long and so mixed that no text has it by chance.
bool isTelling(std::string_view skeleton)
{
    constexpr std::size_t shortestMixed = 12, shortest = 20;
    const auto digits = std::count_if(skeleton.begin(), skeleton.end(),
                                      [](char c) { return c >= '0' && c <= '9'; });
    const bool mixed = digits > 0 && digits < std::ssize(skeleton);
    return skeleton.size() >= (mixed ? shortestMixed : shortest);
}

// `each`: how many bytes of the form three bytes of the secret make.
Needle needle(std::string text, bool loose, std::size_t each)
{
    // Twenty bytes are more than the services' own prefixes ("sk-ant-api03-").
    constexpr std::size_t plenty = 20, muchAtLeast = 16;
    Needle out{std::move(text), loose, 0, 0};
    const std::size_t size = out.text.size();
    out.enough = std::max(shortestNeedle * each / 3, std::min((size + 2) / 3, plenty * each / 3));
    out.much = std::max(muchAtLeast * each / 3, (size * 3 + 3) / 4);
    return out;
}

// `asItIs`: also where the skeleton is looked for, so that the signs at its ends go as well.
void addForm(const std::string &text, std::size_t each, bool asItIs, std::vector<Needle> &needles)
{
    if (text.size() < shortestNeedle)
        return;
    std::string skeleton = skeletonOf(text).text;
    const bool telling = isTelling(skeleton);
    if (telling)
        needles.push_back(needle(std::move(skeleton), true, each));
    if (asItIs || !telling)
        needles.push_back(needle(text, false, each));
}

// What a needle is looked for in: a text, or its skeleton.
struct Haystack {
    std::string_view original;
    std::string_view text;
    const std::vector<std::uint32_t> *at = nullptr;

    std::size_t beginOf(std::size_t i) const { return at != nullptr ? (*at)[i] : i; }
    std::size_t endOf(std::size_t i) const { return beginOf(i) + 1; }
    // No bytes of a needle are so far apart, not even with a line end and an indent in between.
    bool isTogether(std::size_t begin, std::size_t end) const
    {
        constexpr std::uint32_t farthest = 80;
        for (std::size_t i = begin + 1; at != nullptr && i < end; ++i)
            if ((*at)[i] - (*at)[i - 1] > farthest)
                return false;
        return true;
    }
};

// Between a needle and the place where a text was cut may stand what is left of an escape ("\u00"),
// blanks and brackets.
class Leftover {
public:
    bool takes(char c) { return ++m_bytes <= 16 && (skeletonByte(c) == 0 || ++m_letters <= 5); }

private:
    int m_bytes = 0;
    int m_letters = 0;
};

constexpr std::string_view ellipsis = "…", dots = "...";

bool isCutBehind(std::string_view text, std::size_t end)
{
    Leftover leftover;
    for (std::string_view rest = text.substr(end); !rest.empty(); rest.remove_prefix(1)) {
        if (rest.starts_with(ellipsis) || rest.starts_with(dots))
            return true;
        if (!leftover.takes(rest.front()))
            return false;
    }
    return true;
}

bool isCutBefore(std::string_view text, std::size_t begin)
{
    Leftover leftover;
    for (std::string_view rest = text.substr(0, begin); !rest.empty(); rest.remove_suffix(1)) {
        if (rest.ends_with(ellipsis) || rest.ends_with(dots))
            return true;
        if (!leftover.takes(rest.back()))
            return false;
    }
    return true;
}

void addSpan(const Haystack &hay, std::size_t begin, std::size_t end, std::vector<Span> &found)
{
    if (hay.isTogether(begin, end))
        found.push_back({hay.beginOf(begin), hay.endOf(end - 1)});
}

// Whole, or the beginning of it. What follows an ellipsis can go on like the needle by chance, so
// each length counts.
void findBeginnings(const Needle &needle, const Haystack &hay, std::vector<Span> &found)
{
    const std::string_view text = hay.text, wanted = needle.text;
    const std::string_view seed = wanted.substr(0, needle.enough);
    for (std::size_t at = text.find(seed); at != text.npos; at = text.find(seed, at + 1)) {
        std::size_t size = seed.size(), taken = 0;
        for (;; ++size) {
            if (size == wanted.size() || size >= needle.much ||
                isCutBehind(hay.original, hay.endOf(at + size - 1)))
                taken = size;
            if (size == wanted.size() || at + size == text.size() ||
                text[at + size] != wanted[size])
                break;
        }
        if (taken > 0)
            addSpan(hay, at, at + taken, found);
    }
}

void findEnds(const Needle &needle, const Haystack &hay, std::vector<Span> &found)
{
    const std::string_view text = hay.text, wanted = needle.text;
    if (needle.enough >= wanted.size())
        return;
    const std::string_view seed = wanted.substr(wanted.size() - needle.enough);
    for (std::size_t at = text.find(seed); at != text.npos; at = text.find(seed, at + 1)) {
        const std::size_t end = at + seed.size();
        std::size_t size = seed.size(), taken = 0;
        for (;; ++size) {
            if (size >= needle.much || isCutBefore(hay.original, hay.beginOf(end - size)))
                taken = size;
            if (size == wanted.size() || size == end ||
                text[end - size - 1] != wanted[wanted.size() - size - 1])
                break;
        }
        if (taken > 0)
            addSpan(hay, end - taken, end, found);
    }
}

std::size_t begunIn(const Needle &needle, std::string_view text)
{
    for (std::size_t size = std::min(text.size(), needle.text.size() - 1); size > 0; --size)
        if (text.ends_with(std::string_view(needle.text).substr(0, size)))
            return size;
    return 0;
}

} // namespace

Skeleton skeletonOf(std::string_view text)
{
    Skeleton out;
    out.text.reserve(text.size());
    out.at.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (const char c = skeletonByte(text[i]); c != 0) {
            out.text += c;
            out.at.push_back(static_cast<std::uint32_t>(i));
        }
    return out;
}

std::vector<Needle> needlesOf(const std::string &secret)
{
    std::vector<Needle> needles;
    if (secret.size() < shortestNeedle)
        return needles;
    std::string escaped;
    appendJsonString(escaped, secret);
    addForm(secret, 3, true, needles);
    addForm(escaped.substr(1, escaped.size() - 2), 3, true, needles);
    for (std::size_t before = 0; before < 3; ++before) {
        const std::string core = base64Core(secret, before);
        addForm(core, 4, false, needles);
        addForm(urlSafe(core), 4, false, needles);
    }
    addForm(hexOf(secret, "0123456789abcdef"), 6, false, needles);
    addForm(hexOf(secret, "0123456789ABCDEF"), 6, false, needles);
    std::sort(needles.begin(), needles.end());
    needles.erase(std::unique(needles.begin(), needles.end()), needles.end());
    return needles;
}

std::vector<Span> findNeedles(const std::vector<Needle> &needles, std::string_view text)
{
    std::vector<Span> found;
    if (needles.empty())
        return found;
    const Skeleton skeleton = skeletonOf(text);
    for (const Needle &needle : needles) {
        const Haystack hay = needle.loose ? Haystack{text, skeleton.text, &skeleton.at}
                                          : Haystack{text, text, nullptr};
        findBeginnings(needle, hay, found);
        findEnds(needle, hay, found);
    }
    return found;
}

std::size_t begunNeedle(const std::vector<Needle> &needles, std::string_view text)
{
    std::size_t longest = 0;
    for (const Needle &needle : needles)
        longest = std::max(longest, needle.text.size());
    constexpr std::size_t apart = 8; // bytes a letter of a skeleton, in what is worth waiting for
    const std::size_t skipped = text.size() - std::min(text.size(), longest * apart);
    const Skeleton skeleton = skeletonOf(text.substr(skipped));
    std::size_t held = 0;
    for (const Needle &needle : needles) {
        if (!needle.loose)
            held = std::max(held, begunIn(needle, text));
        else if (const std::size_t size = begunIn(needle, skeleton.text); size > 0)
            held = std::max(held, text.size() - skipped - skeleton.at[skeleton.at.size() - size]);
    }
    return held;
}

} // namespace emend::core
