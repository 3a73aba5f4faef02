// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
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

class Connections;

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
    // "": the environment's (http_proxy and so on), "none", "http://host:port" or
    // "socks5://host:port". A loopback address is reached without a proxy unless one is named here.
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

// HTTP/1.1 for callers that block, on libcurl: send() performs the request on the caller's thread
// until the reply is complete, the time is over, or the stop token is triggered; then it returns
// within milliseconds, with the connection closed unless the reply was complete. A request is sent
// once: whoever asked decides about the next try, because a request may cost money.
//
// send() may be called on any threads at once. The client's end cancels the calls that still wait,
// and waits for them.
class HttpClient {
public:
    HttpClient();
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    // The body of a 2xx reply piece by piece, on the caller's thread; `head` is the reply without
    // its body. Other replies keep their body, because it says what went wrong.
    // False says that the reply is complete by its own words: what is left, and the end of the
    // connection, is waited for only as long as it takes to use the connection again.
    using OnData = std::function<bool(const HttpResponse &head, std::string_view piece)>;

    HttpOutcome send(const HttpRequest &request, std::stop_token stop, const OnData &onData = {});

private:
    class Visit;

    std::mutex m_mutex;
    std::condition_variable m_left;
    int m_visitors = 0; // calls that wait
    std::stop_source m_closing;
    std::vector<std::unique_ptr<Connections>> m_idle; // one for each call at a time
};

} // namespace emend::tools
