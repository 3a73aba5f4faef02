// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/secretvalue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "core/trace/redactor.h"

namespace emend::core {

namespace {

bool isLower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isIdentifierByte(char c)
{
    return isLower(c) || isUpper(c) || isDigit(c) || c == '_';
}

bool isIdentifier(std::string_view text)
{
    return !text.empty() && !isDigit(text[0]) &&
           std::all_of(text.begin(), text.end(), isIdentifierByte);
}

std::string_view trimmed(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

template<std::size_t Count>
bool isOneOf(std::string_view text, const std::array<std::string_view, Count> &list)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool isMask(std::string_view value)
{
    while (value.size() > 1 && value.ends_with('.'))
        value.remove_suffix(1);
    for (const std::string_view sign : {"*", "•", "●"}) {
        std::string_view rest = value;
        while (rest.starts_with(sign))
            rest.remove_prefix(sign.size());
        if (rest.empty())
            return true;
    }
    constexpr std::size_t fewest = 4;
    return value.size() >= fewest && value.find_first_not_of("xX") == value.npos;
}

// $PASSWORD, $password; a password can begin with the sign, so other names do not count.
bool isVariable(std::string_view name)
{
    return isIdentifier(name) &&
           (isSecretName(name) || std::none_of(name.begin(), name.end(), isLower));
}

bool isEnclosed(std::string_view value, std::string_view open, std::string_view close)
{
    if (value.size() <= open.size() + close.size() || !value.starts_with(open) ||
        !value.ends_with(close))
        return false;
    value = value.substr(open.size(), value.size() - open.size() - close.size());
    return std::all_of(value.begin(), value.end(), [](char c) {
        return isIdentifierByte(c) || c == ' ' || c == '.' || c == '-';
    });
}

std::string_view withoutScheme(std::string_view value)
{
    constexpr std::array<std::string_view, 4> schemes = {"bearer", "basic", "token", "digest"};
    const std::size_t blank = value.find(' ');
    const bool scheme = blank != value.npos &&
                        std::any_of(schemes.begin(), schemes.end(), [&](std::string_view one) {
                            return std::equal(one.begin(), one.end(), value.begin(),
                                              value.begin() + static_cast<std::ptrdiff_t>(blank),
                                              [](char a, char b) { return a == (b | 0x20); });
                        });
    return scheme ? trimmed(value.substr(blank)) : value;
}

// A bare `$` that was cut from ${PASSWORD} or ${{ secrets.PASSWORD }}.
bool opensVariable(std::string_view value, std::string_view rest)
{
    const std::size_t close = rest.find('}');
    if (value != "$" || !rest.starts_with('{') || close == rest.npos)
        return false;
    return isIdentifier(rest.substr(1, close - 1)) ||
           isEnclosed(rest.substr(0, close + 2), "{{", "}}");
}

// Nothing but its own name, or the type of that name: `password=password`, `token: Token`.
bool isNamedAlike(std::string_view name, std::string_view value)
{
    name = name.substr(name.rfind('.') + 1); // of `self.password`, too
    for (;; name.remove_prefix(1), value.remove_prefix(1)) {
        while (name.starts_with('_') || name.starts_with('-'))
            name.remove_prefix(1);
        while (value.starts_with('_'))
            value.remove_prefix(1);
        if (name.empty() || value.empty())
            return name.empty() && value.empty();
        if ((name[0] | 0x20) != (value[0] | 0x20))
            return false;
    }
}

// A call, an element, or a member that has the name of a secret: `lexer.nextToken()`,
// `os.environ["X"]`, `config.password`.
bool isCode(std::string_view value, std::string_view rest)
{
    std::size_t at = 0, name = 0;
    bool path = false;
    for (;;) {
        name = at;
        while (at < value.size() && (isIdentifierByte(value[at]) || value[at] == '$'))
            ++at;
        if (at == name || isDigit(value[name]))
            return false;
        std::size_t link = 0;
        for (const std::string_view one : {".", "->", "::", "?."})
            if (value.substr(at).starts_with(one))
                link = one.size();
        if (link == 0)
            break;
        path = true;
        at += link;
    }
    if (at < value.size())
        return value[at] == '(';
    return path && (rest.starts_with('[') || isSecretName(value.substr(name)));
}

bool isNumberOrLiteral(std::string_view text)
{
    return text == "true" || text == "false" || text == "null" ||
           text.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

bool isKeyword(std::string_view value)
{
    constexpr std::array<std::string_view, 12> words = {"None",      "none", "null",  "nil",
                                                        "undefined", "true", "True",  "false",
                                                        "False",     "new",  "await", "lambda"};
    return isOneOf(value, words);
}

bool isType(std::string_view value)
{
    constexpr std::array<std::string_view, 14> types = {
        "string", "String", "str",  "bool",      "boolean",     "number",           "bytes",
        "any",    "object", "text", "SecretStr", "std::string", "std::string_view", "QString"};
    return isOneOf(value, types);
}

bool isPasswordName(std::string_view name)
{
    constexpr std::string_view pass = "pass";
    return std::search(name.begin(), name.end(), pass.begin(), pass.end(),
                       [](char a, char b) { return (a | 0x20) == b; }) != name.end();
}

} // namespace

bool isPlaceholder(std::string_view value)
{
    value = trimmed(withoutScheme(value));
    if (value.empty())
        return false;
    return isMask(value) || (value.starts_with('$') && isVariable(value.substr(1))) ||
           value.starts_with("$(") || isEnclosed(value, "${", "}") ||
           isEnclosed(value, "{{", "}}") || isEnclosed(value, "{", "}") ||
           isEnclosed(value, "<", ">") || isEnclosed(value, "%", "%");
}

bool isPlainWords(std::string_view text)
{
    constexpr std::size_t longestWord = 15;
    std::size_t letters = 0;
    for (const char c : text) {
        if (c == '-' || c == '.' || c == '\'') {
            letters = 0;
            continue;
        }
        if (!isLower(c) && !(isUpper(c) && letters == 0))
            return false;
        if (++letters > longestWord)
            return false;
    }
    return !text.empty();
}

bool canBeAWord(std::string_view name)
{
    return name == "token" || name == "Token";
}

bool looksSecret(const FieldValue &field)
{
    const std::string_view value = field.value;
    if (isPlaceholder(value))
        return false;
    const bool word = canBeAWord(field.name) && isPlainWords(value);
    if (field.quoted)
        return !word;
    if (opensVariable(withoutScheme(value), field.rest) || isKeyword(value) ||
        isCode(value, field.rest) || isNamedAlike(field.name, value))
        return false;
    if (!field.colon) // a comparison is no assignment
        return !(word && field.spaced) && !value.starts_with('=');
    constexpr std::size_t shortest = 6;
    if (isNumberOrLiteral(value) || isType(value) || value.size() < shortest)
        return false;
    return isPasswordName(field.name) || !isPlainWords(value);
}

bool isSecretUserInfo(std::string_view userInfo)
{
    const std::size_t colon = userInfo.find(':');
    if (colon != userInfo.npos)
        return !isPlaceholder(userInfo.substr(colon + 1));
    constexpr std::size_t mostDigits = 4, longest = 20;
    std::string user(userInfo);
    while (!user.empty() && isDigit(user.back()))
        user.pop_back();
    std::replace(user.begin(), user.end(), '_', '-');
    return isPlaceholder(userInfo)
               ? false
               : userInfo.size() > longest || userInfo.size() - user.size() > mostDigits ||
                     !isPlainWords(user);
}

} // namespace emend::core
