// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emend::tools {

using HttpHeader = std::pair<std::string, std::string>;

struct HttpRequest {
    enum class Method : std::uint8_t { Get, Post } method = Method::Get;
    std::string url; // http or https, already percent-encoded
    std::vector<HttpHeader> headers = {};
    // Of a POST; application/json unless a Content-Type header says otherwise.
    std::string body = {};
    std::int64_t maxBodyBytes = 16 << 20; // of the reply, after decompression
    std::chrono::microseconds timeout = std::chrono::seconds(60); // for the whole exchange
    std::chrono::microseconds idleTimeout{0};      // between two pieces of the reply; 0: none
    std::chrono::microseconds connectTimeout{0};   // until the request is sent; 0: none
    std::chrono::microseconds firstByteTimeout{0}; // from then until the reply begins; 0: none
    // "": the system's, "none", "http://host:port" or "socks5://host:port". A loopback address is
    // reached without a proxy unless one is named here.
    std::string proxy = {};
    std::string caFile = {}; // PEM, trusted besides the system's
    bool tlsVerify = true;   // only a task that says so in so many words may switch it off
    std::string secret = {}; // never repeated in an error; not sent by itself
};

struct HttpResponse {
    int status = 0;
    std::vector<HttpHeader> headers;
    std::string body; // empty if it went to onData

    // The first header of that name, in any case, or "".
    std::string_view header(std::string_view name) const;
};

struct HttpError {
    enum class Kind : std::uint8_t {
        BadRequest, // cannot be sent: the URL, or a line break in a header
        Connection,
        Tls,
        Timeout,
        TooLarge,
    } kind = Kind::Connection;
    std::string message; // a sentence; never holds the query, a header or a body of the request
};

struct HttpOutcome {
    enum class Kind : std::uint8_t { Replied, Failed, Cancelled } kind = Kind::Cancelled;
    HttpResponse response; // of whatever status, complete
    HttpError error;
};

// HTTP/1.1 for callers that block: send() hands the request to one network thread and sleeps until
// the reply is complete, the time is over, or the stop token is triggered; then it returns within
// milliseconds, the connection is closed, and what still arrives is dropped.
//
// send() may be called on any threads at once, with a QCoreApplication alive.
// The network thread starts with the first call and ends with the client, which cancels the calls
// that are still waiting.
//
// Redirects are not followed (a 3xx is a reply like any other), so that a key in a header never
// travels to another host. TLS is verified, cookies are neither kept nor sent, and loopback
// addresses are reached without a proxy. A body that ends before its Content-Length is a failure,
// but Qt cannot tell a chunked body that was cut from a complete one: a stream needs an end mark of
// its own.
class HttpClient {
public:
    HttpClient();
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    // The body of a 2xx reply piece by piece, on the caller's thread; `head` is the reply without
    // its body. Other replies keep their body, because it says what went wrong.
    using OnData = std::function<void(const HttpResponse &head, std::string_view piece)>;

    HttpOutcome send(const HttpRequest &request, std::stop_token stop, const OnData &onData = {});

private:
    class Network;
    std::shared_ptr<Network> network();

    std::mutex m_mutex;
    std::shared_ptr<Network> m_network; // shared with the callers that wait
};

} // namespace emend::tools
