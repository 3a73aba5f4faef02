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

bool isAsciiWord(char c)
{
    return isWord(c) && static_cast<unsigned char>(c) < 0x80;
}

// Digits, perhaps grouped by commas (1,234,567), a fraction, an exponent; moves `i` behind them.
// The commas are left out, and ".5" becomes "0.5", so that a calculator can read it.
std::string readNumber(std::string_view text, std::size_t &i)
{
    std::string out;
    const auto at = [&](std::size_t ahead) {
        return i + ahead < text.size() ? text[i + ahead] : '\0';
    };
    const auto digits = [&] {
        while (isDigit(text, i))
            out += text[i++];
    };
    digits();
    const auto group = [&] {
        return at(0) == ',' && isDigit(text, i + 1) && isDigit(text, i + 2) &&
               isDigit(text, i + 3) && !isDigit(text, i + 4);
    };
    bool grouped = !out.empty() && out.size() <= 3;
    while (grouped && group()) {
        ++i;
        digits();
    }
    if (at(0) == '.' && isDigit(text, i + 1)) {
        out += out.empty() ? "0." : ".";
        ++i;
        digits();
    }
    const std::size_t sign = at(1) == '-' || at(1) == '+' ? 1 : 0;
    if ((at(0) == 'e' || at(0) == 'E') && isDigit(text, i + 1 + sign)) {
        out.append(text.substr(i, 1 + sign));
        i += 1 + sign;
        digits();
    }
    return out;
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
    std::optional<std::string> last;
    for (std::size_t i = 0; i < text.size();) {
        const bool point = text[i] == '.' && isDigit(text, i + 1);
        if (!isDigit(text, i) && !point) {
            ++i;
            continue;
        }
        const std::size_t start = i;
        std::string number = readNumber(text, i);
        const bool inWord = start > 0 && (isAsciiWord(text[start - 1]) || text[start - 1] == '.');
        if (isDigit(text, i + 1) && i < text.size() && text[i] == '.') { // 1.2.3 is no number
            while (isDigit(text, i) || (i < text.size() && text[i] == '.'))
                ++i;
        } else if (!inWord) {
            last = signedBefore(text, start) ? "-" + number : std::move(number);
        }
    }
    return last;
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
