// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/provider/net/classify.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "core/trace/redactor.h"

namespace emend::tools {

using core::TransportClass;
using core::TransportError;
using nlohmann::json;

namespace {

// What an error object says, in whatever form.
struct Told {
    std::string message;
    std::string code; // the most telling of code, type and status
    std::string all;  // codes, types, reasons and the message, in small letters, for looking up
    int status = 0;   // a number among them
    std::optional<std::int64_t> retryAfterMs;
};

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

void readDetails(const json &details, Told &told)
{
    if (!details.is_array())
        return;
    for (const json &detail : details) {
        if (!detail.is_object())
            continue;
        if (const auto delay = detail.find("retryDelay");
            delay != detail.end() && delay->is_string())
            told.retryAfterMs = durationMs(delay->get_ref<const std::string &>());
        told.all += ' ' + detail.dump(-1, ' ', false, json::error_handler_t::replace);
    }
}

Told read(const json &error)
{
    Told told;
    if (error.is_string()) {
        told.message = error.get<std::string>();
    } else if (error.is_object()) {
        for (const char *key : {"message", "detail", "error"})
            if (const auto it = error.find(key);
                told.message.empty() && it != error.end() && it->is_string())
                told.message = it->get<std::string>();
        for (const char *key : {"code", "type", "status"}) {
            const auto it = error.find(key);
            if (it == error.end())
                continue;
            if (it->is_number_integer() && told.status == 0)
                told.status =
                    static_cast<int>(std::clamp<std::int64_t>(it->get<std::int64_t>(), 0, 999));
            if (!it->is_string())
                continue;
            const std::string text = it->get<std::string>();
            if (told.code.empty())
                told.code = text;
            int number = 0;
            const auto [end, problem] =
                std::from_chars(text.data(), text.data() + text.size(), number);
            if (told.status == 0 && problem == std::errc() && end == text.data() + text.size())
                told.status = std::clamp(number, 0, 999);
            told.all += ' ' + text;
        }
        if (const auto it = error.find("details"); it != error.end())
            readDetails(*it, told);
        if (const auto it = error.find("innererror"); it != error.end())
            told.all += ' ' + it->dump(-1, ' ', false, json::error_handler_t::replace);
    }
    told.all = lower(told.all + ' ' + told.message);
    return told;
}

bool tells(const Told &told, std::initializer_list<std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return told.all.find(part) != std::string::npos;
    });
}

bool blocked(const Told &told)
{
    return tells(told, {"content_filter", "responsibleaipolicy", "content_policy"});
}

bool contextFull(const Told &told)
{
    return tells(told,
                 {"context_length_exceeded", "maximum context length", "context length",
                  "context window", "prompt is too long", "too many tokens", "exceed_context_size",
                  "exceeds the maximum number of tokens", "input token count"});
}

bool keyRefused(const Told &told)
{
    return tells(told,
                 {"invalid_api_key", "api_key_invalid", "api key not valid", "authentication_error",
                  "unauthenticated", "incorrect api key", "invalid x-api-key"});
}

bool quotaUsedUp(const Told &told)
{
    return tells(told, {"insufficient_quota", "billing_hard_limit", "billing_not_active", "perday",
                        "per day", "credit balance", "out of credit", "insufficient credits",
                        "payment required"});
}

TransportClass classOf(int status, const Told &told)
{
    if (blocked(told))
        return TransportClass::ContentBlocked;
    if (keyRefused(told))
        return TransportClass::Auth;
    if (status == 429 || status == 402)
        return status == 402 || quotaUsedUp(told) ? TransportClass::QuotaExhausted
                                                  : TransportClass::RateLimited;
    if (status >= 400 && status < 500 && contextFull(told))
        return TransportClass::ContextOverflow;
    switch (status) {
    case 401:
    case 403:
    case 407:
        return TransportClass::Auth;
    case 404:
    case 410:
        return TransportClass::NotFound;
    case 408:
        return TransportClass::Timeout;
    case 409:
    case 425:
        return TransportClass::ServerError;
    case 413:
        return TransportClass::ContextOverflow;
    case 503:
    case 529:
        return TransportClass::Overloaded;
    default:
        break;
    }
    if (tells(told, {"model_not_found"}))
        return TransportClass::NotFound;
    if (tells(told, {"overloaded_error"}))
        return TransportClass::Overloaded;
    return status >= 500 ? TransportClass::ServerError : TransportClass::BadRequest;
}

bool isRetryable(TransportClass cls, int status)
{
    switch (cls) {
    case TransportClass::RateLimited:
    case TransportClass::Overloaded:
    case TransportClass::StreamError:
    case TransportClass::StreamTruncated:
    case TransportClass::Timeout:
    case TransportClass::Connection:
    case TransportClass::NoChoices:
        return true;
    case TransportClass::ServerError:
        return status != 501 && status != 505;
    default:
        return false;
    }
}

std::string whereTheKeyIs(const Asked &asked)
{
    if (asked.keyVariable.empty())
        return "see what the server at " + asked.baseUrl + " wants";
    return "check " + asked.keyVariable + ", or the key in the settings";
}

// What happened and what to do about it.
std::string sentence(TransportClass cls, const Asked &asked, int status)
{
    const std::string code = status > 0 ? " (HTTP " + std::to_string(status) + ")" : std::string();
    const std::string who = asked.provider;
    switch (cls) {
    case TransportClass::Auth:
        if (status == 407)
            return "the proxy asks for a password" + code + ": use one that needs none";
        if (status == 403)
            return who + " does not allow this" + code +
                   ": the key may lack the right to use the model; " + whereTheKeyIs(asked);
        return who + " does not accept the key" + code + ": " + whereTheKeyIs(asked);
    case TransportClass::NotFound:
        return who + " has no model " + core::inQuotes(asked.model) + " at " + asked.baseUrl +
               code + ": check the model's name and the base URL";
    case TransportClass::RateLimited:
        return who + " asks to slow down" + code;
    case TransportClass::QuotaExhausted:
        return "the quota of this account at " + who + " is used up" + code +
               ": waiting does not help; see the account's plan and billing";
    case TransportClass::Overloaded:
        return who + " is overloaded" + code + ": try again later";
    case TransportClass::ServerError:
        return who + " failed on its side" + code + ": try again later";
    case TransportClass::ContextOverflow:
        return "the prompt is too long for " + core::inQuotes(asked.model) + code +
               ": shorten it or take a model with a larger context";
    case TransportClass::ContentBlocked:
        return who + "'s content filter refused the prompt" + code + ": change the prompt";
    case TransportClass::Timeout:
        return who + " gave up waiting" + code + ": try again";
    case TransportClass::StreamError:
        return who + " broke off with an error: try again";
    default:
        return who + " does not understand the request" + code +
               ": check model and settings; if they are right this is a fault of Emend";
    }
}

TransportError make(TransportClass cls, const Asked &asked, int status, const Told &told)
{
    TransportError error;
    error.cls = cls;
    error.retryable = isRetryable(cls, status);
    error.message = sentence(cls, asked, status);
    if (const std::string words = serverWords(asked, told.message); !words.empty())
        error.message += ". It says: " + words;
    error.detail = cls == TransportClass::ContentBlocked ? "content_filter" : told.code;
    error.retryAfterMs = error.retryable ? told.retryAfterMs : std::nullopt;
    return error;
}

std::string titleOf(std::string_view page)
{
    const std::string small = lower(std::string(page.substr(0, 65536)));
    const std::size_t open = small.find("<title");
    const std::size_t begin = open == std::string::npos ? open : small.find('>', open);
    if (begin == std::string::npos)
        return {};
    const std::size_t end = small.find('<', begin);
    return std::string(page.substr(begin + 1, end == std::string::npos ? 0 : end - begin - 1));
}

TransportError redirected(const Asked &asked, const HttpResponse &response)
{
    TransportError error;
    error.cls = TransportClass::BadBody;
    error.httpStatus = response.status;
    error.message = asked.provider + " at " + asked.baseUrl + " redirects (HTTP " +
                    std::to_string(response.status) + ")";
    if (const std::string to = serverWords(asked, response.header("location")); !to.empty())
        error.message += " to " + to;
    error.message += "; Emend does not follow, so that the key stays where it belongs. If that is "
                     "the right place, set base_url to it";
    return error;
}

} // namespace

void hideSecret(std::string &text, const std::string &key)
{
    constexpr std::string_view instead = "[redacted]";
    constexpr std::size_t shortest = 4, shortestForRedactor = 8;
    if (key.size() < shortest || text.empty())
        return;
    if (key.size() >= shortestForRedactor) {
        // Made anew each time: only what goes wrong comes here, and a key can change.
        if (const auto redactor = core::Redactor::make({key}, {}))
            text = (*redactor)->redactText(text);
        return;
    }
    for (std::size_t at = text.find(key); at != std::string::npos;
         at = text.find(key, at + instead.size()))
        text.replace(at, key.size(), instead);
}

std::string serverWords(const Asked &asked, std::string_view text)
{
    // Far more than is shown, so that a key at this end is never seen.
    constexpr std::size_t looked = 64 << 10, shown = 300;
    const std::string valid = core::toValidUtf8(text);
    std::string words(core::trimBlank(valid).substr(0, looked));
    hideSecret(words, asked.key);
    words = core::toValidUtf8(words);
    return words.empty() ? std::string() : "\"" + core::visibleLine(words, shown) + "\"";
}

json parseForeign(std::string_view text)
{
    constexpr int deepest = 100;
    int depth = 0;
    bool inString = false, escaped = false;
    for (const char c : text) {
        if (inString) {
            inString = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest)
                return json(json::value_t::discarded);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return json::parse(text, nullptr, false);
}

json errorIn(const json &all)
{
    const json &body = all.is_array() && !all.empty() ? all[0] : all;
    if (!body.is_object())
        return {};
    const auto error = body.find("error");
    if (error != body.end() && !error->is_null() && (error->is_object() || error->is_string()))
        return *error;
    const auto type = body.find("type");
    return type != body.end() && *type == "error" ? body : json();
}

TransportError classifyStatus(const Asked &asked, const HttpResponse &response, WallTime now)
{
    if (response.status / 100 == 3 && !response.header("location").empty())
        return redirected(asked, response);
    const json body = parseForeign(response.body);
    json error = errorIn(body);
    if (error.is_null() && body.is_object())
        error = body; // {"detail":…}, {"message":…}
    Told told = read(error);
    if (body.is_discarded() && response.body.find('<') == std::string::npos)
        told.message = response.body;
    TransportError out = make(classOf(response.status, told), asked, response.status, told);
    out.httpStatus = response.status;
    if (out.cls == TransportClass::ContextOverflow && response.status == 413)
        out.detail = "too_large";
    if (!out.retryable)
        return out;
    if (const auto ms = wholeMs(response.header("retry-after-ms")))
        out.retryAfterMs = ms;
    else if (const auto after = retryAfterMs(response.header("retry-after"), now))
        out.retryAfterMs = after;
    return out;
}

TransportError classifyError(const Asked &asked, const json &error, bool begun)
{
    const Told told = read(error);
    TransportClass cls = TransportClass::ServerError;
    if (tells(told, {"rate_limit"}))
        cls = quotaUsedUp(told) ? TransportClass::QuotaExhausted : TransportClass::RateLimited;
    else if (told.status > 0 || tells(told, {"invalid_request", "not_found", "overloaded"}) ||
             blocked(told) || keyRefused(told) || contextFull(told))
        cls = classOf(told.status > 0 ? told.status : contextFull(told) ? 400 : 0, told);
    if (quotaUsedUp(told))
        cls = TransportClass::QuotaExhausted;
    if (begun && cls == TransportClass::ServerError)
        cls = TransportClass::StreamError;
    TransportError out = make(cls, asked, 0, told);
    out.httpStatus = 200;
    return out;
}

TransportError classifyFailure(const Asked &asked, const HttpError &error, bool begun)
{
    TransportError out;
    out.message = error.message;
    switch (error.kind) {
    case HttpError::Kind::BadRequest:
        out.cls = TransportClass::BadRequest;
        out.message = "the request to " + asked.provider + " cannot be sent: " + error.message;
        return out;
    case HttpError::Kind::Tls:
        out.cls = TransportClass::Connection;
        out.message = "no secure connection to " + asked.baseUrl + ": " + error.message;
        return out;
    case HttpError::Kind::TooLarge:
        out.cls = TransportClass::BadBody;
        out.message = asked.provider +
                      " sent far more than a reply can be, and was cut off: " + error.message;
        return out;
    case HttpError::Kind::Timeout:
        out.cls = TransportClass::Timeout;
        out.message = asked.provider + " at " + asked.baseUrl + ": " + error.message;
        break;
    case HttpError::Kind::Connection:
        out.cls = begun ? TransportClass::StreamTruncated : TransportClass::Connection;
        out.message = begun ? asked.provider + "'s reply broke off: " + error.message
                            : asked.provider + " cannot be reached: " + error.message;
        break;
    }
    out.retryable = true;
    return out;
}

TransportError notAReply(const Asked &asked, std::string_view body)
{
    TransportError out;
    out.cls = TransportClass::BadBody;
    out.httpStatus = 200;
    const bool page = core::trimBlank(core::toValidUtf8(body.substr(0, 256))).starts_with('<');
    if (body.empty()) {
        out.message = asked.provider + " at " + asked.baseUrl + " answered with nothing";
        out.retryable = true;
    } else if (page) {
        out.message = asked.baseUrl + " answered with a web page instead of a model's reply";
        if (const std::string title = serverWords(asked, titleOf(body)); !title.empty())
            out.message += " (its title: " + title + ")";
        out.message += ": check the base URL, and whether this network asks you to sign in first";
    } else {
        out.message =
            asked.provider + " at " + asked.baseUrl +
            " answered with something that is no reply of a model: " + serverWords(asked, body) +
            ". Check the base URL";
    }
    return out;
}

} // namespace emend::tools
