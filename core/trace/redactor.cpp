// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redactor.h"

#include <algorithm>
#include <array>

namespace emend::core {

bool isSecretName(std::string_view name)
{
    static constexpr std::array<std::string_view, 29> names = {
        "authorization",   "proxyauthorization",
        "apikey",          "xapikey",
        "xgoogapikey",     "token",
        "accesstoken",     "authtoken",
        "refreshtoken",    "idtoken",
        "sessiontoken",    "bearertoken",
        "bearer",          "password",
        "passwd",          "pwd",
        "passphrase",      "secret",
        "clientsecret",    "secretkey",
        "secretaccesskey", "accesskey",
        "privatekey",      "credential",
        "credentials",     "cookie",
        "setcookie",       "sessionkey",
        "signingkey"};
    std::string plain;
    for (const char c : name) {
        if (c == '-' || c == '_' || c == ' ')
            continue;
        plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const auto endsLike = [&](std::string_view end) { return plain.ends_with(end); };
    return std::find(names.begin(), names.end(), plain) != names.end() || endsLike("apikey") ||
           endsLike("password") || endsLike("secret") || endsLike("accesstoken") ||
           endsLike("authtoken") || endsLike("secretkey") || endsLike("privatekey");
}

} // namespace emend::core
