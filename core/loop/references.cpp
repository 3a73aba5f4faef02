// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop/references.h"

#include <charconv>

#include "core/json/strictreader.h"

namespace emend::core {

namespace {

bool isDigit(std::string_view text, std::size_t i)
{
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

bool isWord(char c)
{
    return isDigit({&c, 1}, 0) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// A '-' is a sign only where a number can begin.
bool signedBefore(std::string_view text, std::size_t start)
{
    constexpr std::string_view minus = "\xE2\x88\x92"; // U+2212
    const std::string_view before = text.substr(0, start);
    const std::size_t length = before.ends_with('-') ? 1 : before.ends_with(minus) ? 3 : 0;
    if (length == 0)
        return false;
    return start == length || !isWord(text[start - length - 1]);
}

std::string resolveText(const std::string &text, const std::string &at,
                        const std::map<int, std::string> &numbers, std::vector<Reference> &found)
{
    std::string out;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t open = text.find('[', i);
        const std::size_t close = open == std::string::npos ? open : text.find(']', open);
        if (close == std::string::npos)
            break;
        out.append(text, i, open - i);
        int step = 0;
        const char *last = text.data() + close;
        const auto [end, error] = std::from_chars(text.data() + open + 1, last, step);
        const auto number =
            error == std::errc() && end == last ? numbers.find(step) : numbers.end();
        if (number == numbers.end()) {
            out += '[';
            i = open + 1;
            continue;
        }
        const bool alone = open == 0 && close + 1 == text.size();
        const bool negative = number->second.starts_with('-');
        out += negative && !alone ? "(" + number->second + ")" : number->second;
        found.push_back({at, step, number->second});
        i = close + 1;
    }
    return out.append(text, i, std::string::npos);
}

void resolve(nlohmann::json &value, const std::string &at,
             const std::map<int, std::string> &numbers, std::vector<Reference> &found)
{
    if (value.is_string()) {
        auto &text = value.get_ref<std::string &>();
        if (text.find('[') != std::string::npos)
            text = resolveText(text, at, numbers, found);
        return;
    }
    if (!value.is_structured())
        return;
    for (auto it = value.begin(); it != value.end(); ++it) {
        const std::string key =
            value.is_object() ? it.key() : std::to_string(std::distance(value.begin(), it));
        resolve(*it, joinPointer(at, key), numbers, found);
    }
}

} // namespace

std::optional<std::string> lastNumber(std::string_view text)
{
    std::size_t end = text.find_last_of("0123456789");
    if (end == std::string_view::npos)
        return std::nullopt;
    ++end;
    std::size_t start = end;
    while (start > 0 && isDigit(text, start - 1))
        --start;
    const auto digitsBefore = [&](std::size_t at) { // start of the digits that end before `at`
        while (at > 0 && isDigit(text, at - 1))
            --at;
        return at;
    };
    // exponent: 1.5e-7
    std::size_t mark = start;
    if (mark > 0 && (text[mark - 1] == '-' || text[mark - 1] == '+'))
        --mark;
    if (mark > 1 && (text[mark - 1] == 'e' || text[mark - 1] == 'E') && isDigit(text, mark - 2))
        start = digitsBefore(mark - 1);
    // fraction: the whole part stands before the point; not the dots of 1.2.3
    if (start > 1 && text[start - 1] == '.' && isDigit(text, start - 2))
        start = digitsBefore(start - 1);
    std::string number(text.substr(start, end - start));
    return signedBefore(text, start) ? "-" + number : number;
}

std::vector<Reference> resolveReferences(nlohmann::json &input,
                                         const std::map<int, std::string> &lastNumbers)
{
    std::vector<Reference> found;
    if (!lastNumbers.empty())
        resolve(input, {}, lastNumbers, found);
    return found;
}

} // namespace emend::core
