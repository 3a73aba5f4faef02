// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/httprules.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/json/strictreader.h"
#include "core/trace/redactor.h"
#include "core/trace/secretfinder.h"

namespace emend::core {

namespace {

constexpr std::string_view alphanumeric =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

std::string lower(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return out;
}

bool consistsOf(std::string_view text, std::string_view allowed)
{
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

// Of a name or an IPv4 address; other alphabets are encoded by the client.
bool isHostName(std::string_view host)
{
    return !host.empty() && host.size() <= 253 && host.front() != '.' && host.front() != '-' &&
           host.find("..") == std::string_view::npos &&
           std::all_of(host.begin(), host.end(), [](char c) {
               return static_cast<unsigned char>(c) >= 0x80 || c == '-' || c == '.' || c == '_' ||
                      alphanumeric.find(c) != std::string_view::npos;
           });
}

std::string problemOfPort(std::string_view port)
{
    const bool number = consistsOf(port, "0123456789") && port.size() <= 5;
    const int value = number ? std::stoi(std::string(port)) : 0;
    return value >= 1 && value <= 65535
               ? std::string()
               : "the port is a number from 1 to 65535, not " + inQuotes(port, 40);
}

// "host", "host:port", "[::1]:port".
std::string problemOfAuthority(std::string_view authority, bool portNeeded)
{
    std::string_view host = authority, rest;
    if (authority.starts_with('[')) {
        const std::size_t end = authority.find(']');
        host = authority.substr(1, end == std::string_view::npos ? end : end - 1);
        rest = end == std::string_view::npos ? std::string_view() : authority.substr(end + 1);
        if (end == std::string_view::npos || !consistsOf(host, "0123456789abcdefABCDEF:.") ||
            host.find(':') == std::string_view::npos)
            return "there is no IPv6 address in " + inQuotes(authority);
        if (!rest.empty() && rest.front() != ':')
            return "after the address a port is expected, as in [::1]:8080";
    } else {
        const std::size_t colon = authority.find(':');
        host = authority.substr(0, colon);
        rest = colon == std::string_view::npos ? std::string_view() : authority.substr(colon);
        if (host.empty())
            return "the host is missing";
        if (!isHostName(host))
            return inQuotes(host) + " is no host name";
    }
    if (!rest.empty())
        return problemOfPort(rest.substr(1));
    return portNeeded ? "the port is missing" : std::string();
}

bool holdsBlank(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](unsigned char c) {
        return c <= 0x20 || c == 0x7F || c == '\\' || c == '"' || c == '<' || c == '>';
    });
}

// What the client says itself, and what would make one request two.
bool isReserved(const std::string &lowerName)
{
    static constexpr std::array<std::string_view, 10> names = {"content-length",
                                                               "transfer-encoding",
                                                               "host",
                                                               "connection",
                                                               "upgrade",
                                                               "te",
                                                               "trailer",
                                                               "expect",
                                                               "accept-encoding",
                                                               "keep-alive"};
    return lowerName.starts_with("proxy-") ||
           std::find(names.begin(), names.end(), lowerName) != names.end();
}

bool isFieldValue(std::string_view value)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    return (value.empty() || (!blank(value.front()) && !blank(value.back()))) &&
           std::all_of(value.begin(), value.end(),
                       [](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7F); });
}

} // namespace

std::string problemOfBaseUrl(std::string_view url)
{
    if (url.empty())
        return {};
    if (url.find_first_of("@?#") != std::string_view::npos) // where secrets hide in an address
        return "an address without user name, query and fragment is wanted: keys do not belong in "
               "a task";
    const std::size_t colon = url.find("://");
    const std::string scheme =
        colon == std::string_view::npos ? std::string() : lower(url.substr(0, colon));
    if (scheme != "http" && scheme != "https")
        return "expected an address that begins with http:// or https://";
    if (holdsBlank(url))
        return "an address holds no spaces, quotes, backslashes and control characters";
    const std::string_view rest = url.substr(colon + 3);
    return problemOfAuthority(rest.substr(0, rest.find('/')), false);
}

std::string problemOfProxy(std::string_view proxy)
{
    if (proxy.empty() || proxy == "none")
        return {};
    if (proxy.find('@') != std::string_view::npos)
        return "a proxy without user name and password is wanted: they do not belong in a task";
    const std::string wanted =
        "expected \"none\", http://host:port or socks5://host:port, or nothing for the system's";
    for (const std::string_view scheme : {"http://", "socks5://"}) {
        if (!lower(proxy).starts_with(scheme))
            continue;
        const std::string wrong = problemOfAuthority(proxy.substr(scheme.size()), true);
        return wrong.empty() ? wrong : wanted + ": " + wrong;
    }
    return wanted;
}

std::string problemOfHeader(std::string_view name, std::string_view value)
{
    if (isSecretName(name))
        return "keys do not belong in a task: put it into the environment or the keychain";
    if (!consistsOf(name, std::string(alphanumeric) + "!#$%&'*+-.^_`|~"))
        return "not the name of a header: letters, digits and - are wanted";
    if (isReserved(lower(name)))
        return "this header is made by the program itself and cannot be set by a task";
    if (!isFieldValue(value))
        return "not the text of a header: one line is wanted, with no blanks around it";
    return {};
}

Result<void> checkHttp(const ModelSettings &model, bool recorded)
{
    const auto passed = [&](std::string_view text) {
        return recorded && text.find(redactedText) != std::string_view::npos;
    };
    std::string problem = passed(model.baseUrl) ? std::string() : problemOfBaseUrl(model.baseUrl);
    if (!problem.empty())
        return fail(ErrorCode::BadValue, std::move(problem), "/model/base_url");
    for (const auto &[name, value] : model.headers) {
        problem = passed(name) ? std::string() : problemOfHeader(name, value);
        if (!problem.empty())
            return fail(ErrorCode::BadValue, std::move(problem),
                        joinPointer("/model/headers", name));
    }
    const std::string &proxy = model.transport.proxy;
    problem = passed(proxy) ? std::string() : problemOfProxy(proxy);
    if (!problem.empty())
        return fail(ErrorCode::BadValue, std::move(problem), "/model/transport/proxy");
    return {};
}

} // namespace emend::core
