// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/trace/redactor.h"

namespace emend::core {

namespace {

constexpr std::array<std::string_view, 9> whole = {"token",      "bearer",     "pwd",
                                                   "passphrase", "credential", "credentials",
                                                   "cookie",     "setcookie",  "sessionkey"};
constexpr std::array<std::string_view, 19> endings = {
    "apikey",       "apikeys",     "password",      "passwords",    "passwd",
    "secret",       "secrets",     "secretkey",     "accesskey",    "privatekey",
    "signingkey",   "accesstoken", "authtoken",     "refreshtoken", "idtoken",
    "sessiontoken", "bearertoken", "authorization", "passphrase"};

bool isSeparator(char c)
{
    return c == '-' || c == '_' || c == ' ' || c == '.';
}

} // namespace

bool isSecretName(std::string_view name)
{
    std::string plain;
    std::size_t lastPart = 0; // where the last part of several begins in `plain`
    for (const char c : name) {
        if (isSeparator(c))
            lastPart = plain.size();
        else
            plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const std::string_view last = std::string_view(plain).substr(lastPart);
    return std::find(whole.begin(), whole.end(), plain) != whole.end() || last == "token" ||
           last == "pwd" || std::any_of(endings.begin(), endings.end(), [&](std::string_view end) {
               return plain.ends_with(end);
           });
}

} // namespace emend::core
