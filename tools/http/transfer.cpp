// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/transfer.h"

#include "tools/http/certificatewatch.h"

#include <QHostAddress>
#include <QUrl>

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

namespace emend::tools {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::size_t mostHeadBytes = 256 << 10; // all header lines together
constexpr std::chrono::milliseconds graceAfterEnough(100);
constexpr long longestIdleSeconds = 30; // of a connection that is used again

SteadyTime now()
{
    return std::chrono::steady_clock::now();
}

SteadyTime after(SteadyTime start, std::chrono::microseconds time)
{
    constexpr std::chrono::microseconds longest = std::chrono::hours(24 * 365);
    return start + std::min(time, longest);
}

HttpError tooLarge(std::int64_t limit)
{
    return {HttpError::Kind::TooLarge,
            "the reply is larger than " + std::to_string(limit) + " bytes"};
}

bool isLocal(const QUrl &url)
{
    const QString host = url.host();
    return host == QLatin1String("localhost") || QHostAddress(host).isLoopback();
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// One request and its reply. The functions named `on…` are called by libcurl inside turn(); they
// only take what came, so that a turn stays short whatever a server sends.
class Transfer {
public:
    Transfer(const HttpRequest &request, std::stop_token stop, const HttpClient::OnData &onData)
        : m_request(request)
        , m_stop(std::move(stop))
        , m_onData(onData)
        , m_url(QUrl::fromEncoded(QByteArray::fromStdString(request.url)))
        , m_easy(curl_easy_init())
    {
        setAddress();
        setRequest();
        setHandlers();
    }

    ~Transfer()
    {
        curl_slist_free_all(m_headers);
        curl_easy_cleanup(m_easy);
    }

    Transfer(const Transfer &) = delete;
    Transfer &operator=(const Transfer &) = delete;

    HttpOutcome run(CURLM *multi)
    {
        curl_multi_add_handle(multi, m_easy);
        m_deadline = after(now(), m_request.timeout);
        m_alive = now();
        while (!m_ended && !m_stop.stop_requested()) {
            turn(multi);
            deliver();
            if (!m_ended && !m_stop.stop_requested())
                wait(multi);
        }
        curl_multi_remove_handle(multi, m_easy); // closes the connection if there is more to come
        if (m_stop.stop_requested())
            return {}; // even if the reply was there already
        if (m_error && !m_enough)
            return {HttpOutcome::Kind::Failed, {}, std::move(*m_error)};
        return {HttpOutcome::Kind::Replied, std::move(m_response), {}};
    }

private:
    template<typename Value>
    void set(CURLoption option, Value value)
    {
        curl_easy_setopt(m_easy, option, value);
    }

    void setAddress()
    {
        set(CURLOPT_URL, m_request.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_HTTP_VERSION, long{CURL_HTTP_VERSION_1_1});
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_QUICK_EXIT, 1L); // does not wait for a name server when it is killed
        set(CURLOPT_MAXAGE_CONN, longestIdleSeconds);
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
        if (m_request.proxy == "none" || (m_request.proxy.empty() && isLocal(m_url)))
            set(CURLOPT_PROXY, "");
        else if (m_request.proxy.starts_with("socks5:")) // the proxy looks the name up
            set(CURLOPT_PROXY, ("socks5h" + m_request.proxy.substr(6)).c_str());
        else if (!m_request.proxy.empty())
            set(CURLOPT_PROXY, m_request.proxy.c_str());
        if (!m_request.proxy.empty())
            set(CURLOPT_NOPROXY, "");
        set(CURLOPT_SSL_VERIFYPEER, m_request.tlsVerify ? 1L : 0L);
        set(CURLOPT_SSL_VERIFYHOST, m_request.tlsVerify ? 2L : 0L);
        if (!m_request.caFile.empty())
            set(CURLOPT_CA_CACHE_TIMEOUT, 0L); // a store that is shared must not learn of it
    }

    void setRequest()
    {
        set(CURLOPT_ACCEPT_ENCODING, "identity"); // what is compressed all the same is unpacked
        bool typed = false;
        for (const auto &[name, value] : m_request.headers) {
            typed = typed || QByteArray::fromStdString(name).toLower() == "content-type";
            add(value.empty() ? name + ";" : name + ": " + value);
        }
        if (m_request.method == HttpRequest::Method::Post) {
            set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(m_request.body.size()));
            set(CURLOPT_POSTFIELDS, m_request.body.data());
            if (!typed)
                add("Content-Type: application/json");
            add("Expect:"); // not asked for: some servers never give it
        }
        set(CURLOPT_HTTPHEADER, m_headers);
    }

    void setHandlers()
    {
        set(CURLOPT_ERRORBUFFER, m_words.data());
        set(CURLOPT_WRITEDATA, this);
        set(
            CURLOPT_WRITEFUNCTION, +[](char *data, std::size_t, std::size_t size, void *self) {
                return static_cast<Transfer *>(self)->onBody({data, size});
            });
        set(CURLOPT_HEADERDATA, this);
        set(
            CURLOPT_HEADERFUNCTION, +[](char *data, std::size_t, std::size_t size, void *self) {
                return static_cast<Transfer *>(self)->onHeaderLine({data, size});
            });
        set(CURLOPT_PREREQDATA, this);
        set(
            CURLOPT_PREREQFUNCTION, +[](void *self, char *, char *, int, int) {
                return static_cast<Transfer *>(self)->onConnected();
            });
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFODATA, this);
        set(
            CURLOPT_XFERINFOFUNCTION,
            +[](void *self, curl_off_t, curl_off_t, curl_off_t, curl_off_t sent) {
                return static_cast<Transfer *>(self)->onProgress(sent);
            });
        set(CURLOPT_SSL_CTX_DATA, this);
        set(
            CURLOPT_SSL_CTX_FUNCTION, +[](CURL *, void *context, void *self) {
                const auto *transfer = static_cast<Transfer *>(self);
                return transfer->m_watch.attach(context, transfer->m_request.caFile)
                           ? CURLE_OK
                           : CURLE_SSL_CACERT_BADFILE;
            });
    }

    void add(const std::string &header)
    {
        m_headers = curl_slist_append(m_headers, header.c_str());
    }

    // Any other return than `size` ends the transfer.
    std::size_t onHeaderLine(std::string_view line)
    {
        noteAlive();
        m_headBytes += line.size();
        if (m_headBytes > mostHeadBytes) {
            m_error = HttpError{HttpError::Kind::TooLarge, "the head of the reply is too large"};
            return CURL_WRITEFUNC_ERROR;
        }
        if (line.starts_with("HTTP/")) { // also after a 103: only the last head counts
            m_response = {};
            m_headEnded = false;
            const std::size_t space = line.find(' ');
            if (space != std::string_view::npos)
                m_response.status = std::atoi(std::string(line.substr(space + 1, 3)).c_str());
        } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
            m_response.headers.emplace_back(trimmed(line.substr(0, colon)),
                                            trimmed(line.substr(colon + 1)));
        } else if (trimmed(line).empty()) {
            m_headEnded = true;
        }
        return line.size();
    }

    std::size_t onBody(std::string_view data)
    {
        noteAlive();
        m_bodyBytes += static_cast<std::int64_t>(data.size());
        if (m_bodyBytes > m_request.maxBodyBytes) {
            m_error = tooLarge(m_request.maxBodyBytes);
            return CURL_WRITEFUNC_ERROR;
        }
        (streams() ? m_piece : m_response.body) += data;
        return m_stop.stop_requested() ? std::size_t{CURL_WRITEFUNC_ERROR} : data.size();
    }

    int onConnected()
    {
        noteAlive();
        // libcurl would send a request again when a connection that it uses again turns out to be
        // closed.
        const bool again = m_sent;
        m_sent = true;
        return again ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
    }

    int onProgress(curl_off_t sent)
    {
        if (sent != m_sentBytes)
            noteAlive();
        m_sentBytes = sent;
        return m_stop.stop_requested() || now() > m_deadline ? 1 : 0;
    }

    void noteAlive() { m_alive = now(); }

    bool streams() const { return m_onData && m_response.status / 100 == 2; }

    void turn(CURLM *multi)
    {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        while (const CURLMsg *message = curl_multi_info_read(multi, &left)) {
            if (message->msg != CURLMSG_DONE || m_ended)
                continue;
            m_ended = true;
            if (m_enough || m_error)
                continue; // known already
            if (message->data.result != CURLE_OK)
                m_error = describe(message->data.result);
            else if (!m_headEnded)
                m_error = describe(CURLE_PARTIAL_FILE);
        }
        if (!m_ended)
            giveUpWhenLate();
    }

    void giveUpWhenLate()
    {
        if (m_enough) {
            m_ended = now() >= after(*m_enough, graceAfterEnough);
            return;
        }
        const auto [longest, silent] = patience();
        const bool late = now() >= m_deadline;
        if (!late && (longest.count() == 0 || now() < after(m_alive, longest)))
            return;
        m_ended = true;
        m_error = HttpError{HttpError::Kind::Timeout, late ? "no complete reply in time" : silent};
    }

    // How long the present phase may last without a sign of life, and what it means if it does.
    std::pair<std::chrono::microseconds, const char *> patience() const
    {
        if (!m_sent)
            return {m_request.connectTimeout, "no connection in time"};
        if (m_response.status == 0 && m_request.firstByteTimeout.count() > 0)
            return {m_request.firstByteTimeout,
                    "the connection stands, but no answer began in time"};
        return {m_request.idleTimeout, "the server fell silent"};
    }

    void wait(CURLM *multi) const
    {
        const auto longest = patience().first;
        SteadyTime until = m_deadline;
        if (longest.count() > 0)
            until = std::min(until, after(m_alive, longest));
        if (m_enough)
            until = std::min(until, after(*m_enough, graceAfterEnough));
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now()).count();
        curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::clamp<long>(left, 0, 60'000)),
                        nullptr);
    }

    void deliver()
    {
        if (m_piece.empty() || m_stop.stop_requested())
            return;
        const std::string piece = std::exchange(m_piece, {});
        if (m_enough) // what comes after the end is nothing
            return;
        if (!m_onData(m_response, piece)) // the head no longer changes once there is a piece
            m_enough = now();
        noteAlive(); // how long that took is not the server's fault
    }

    HttpError describe(CURLcode code) const;
    std::string place() const
    {
        const int port = m_url.port(m_url.scheme() == QLatin1String("https") ? 443 : 80);
        return m_url.host().toStdString() + ":" + std::to_string(port);
    }

    const HttpRequest &m_request;
    const std::stop_token m_stop;
    const HttpClient::OnData &m_onData;
    const QUrl m_url;
    CURL *m_easy;
    curl_slist *m_headers = nullptr;
    std::array<char, CURL_ERROR_SIZE> m_words{};
    CertificateWatch m_watch;

    SteadyTime m_deadline, m_alive;
    bool m_sent = false; // the connection stands, the request is on its way
    bool m_headEnded = false;
    std::optional<SteadyTime> m_enough; // since when no more is wanted
    bool m_ended = false;
    std::size_t m_headBytes = 0;
    std::int64_t m_bodyBytes = 0;
    curl_off_t m_sentBytes = 0;
    HttpResponse m_response;
    std::string m_piece; // for onData
    std::optional<HttpError> m_error;
};

// A sentence for what a person has to do something different about, libcurl's words for the rest.
HttpError Transfer::describe(CURLcode code) const
{
    using Kind = HttpError::Kind;
    long problem = 0;
    curl_easy_getinfo(m_easy, CURLINFO_OS_ERRNO, &problem);
    const std::string host = m_url.host().toStdString();
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return {Kind::Connection, "there is no host named " + host + ", or no network"};
    case CURLE_COULDNT_CONNECT:
        if (problem == ECONNREFUSED || problem == 0)
            return {Kind::Connection, "nothing listens at " + place() + " (connection refused)"};
        return {Kind::Connection, "no connection to " + place() + ": " +
                                      std::string(std::strerror(static_cast<int>(problem)))};
    case CURLE_ABORTED_BY_CALLBACK:
        if (now() >= m_deadline)
            return {Kind::Timeout, "no complete reply in time"};
        [[fallthrough]];
    case CURLE_GOT_NOTHING:
        return {Kind::Connection, "the server closed the connection without an answer"};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
        return {Kind::Connection, "the server closed the connection before the reply was complete"};
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
        return {Kind::Connection,
                "the proxy cannot be reached or gave up: check the proxy settings"};
    case CURLE_BAD_CONTENT_ENCODING:
        return {Kind::Connection, "the reply is compressed in a way that cannot be unpacked"};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
        return {Kind::Connection, "what answers at " + place() + " does not speak HTTP"};
    case CURLE_OUT_OF_MEMORY: // so libcurl calls a line of the head beyond its limit
        return {Kind::TooLarge, "the head of the reply is too large"};
    case CURLE_PEER_FAILED_VERIFICATION: {
        const std::string words = m_watch.words(host);
        return {Kind::Tls, words.empty() ? "the certificate of " + host +
                                               " is for another host: check the address, or who "
                                               "sits in between"
                                         : words};
    }
    case CURLE_SSL_CONNECT_ERROR:
        return {Kind::Tls, "what answers at " + place() + " does not speak TLS as it should"};
    case CURLE_SSL_CACERT_BADFILE:
        return {Kind::Tls, m_request.caFile.empty()
                               ? "this system has no list of certificate authorities: install "
                                 "ca-certificates"
                               : "the CA file " + m_request.caFile + " cannot be used"};
    default:
        return {Kind::Connection, curl_easy_strerror(code)};
    }
}

} // namespace

Connections::Connections(std::string way)
    : m_way(std::move(way))
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    m_multi = curl_multi_init();
}

Connections::~Connections()
{
    curl_multi_cleanup(m_multi);
}

std::string Connections::wayOf(const HttpRequest &request)
{
    return request.proxy + '\n' + request.caFile + '\n' + (request.tlsVerify ? "verify" : "");
}

void Connections::close()
{
    curl_multi_cleanup(std::exchange(m_multi, curl_multi_init()));
}

void Connections::wake()
{
    curl_multi_wakeup(m_multi);
}

HttpOutcome perform(const HttpRequest &request, Connections &connections, std::stop_token stop,
                    const HttpClient::OnData &onData)
{
    if (stop.stop_requested())
        return {};
    return Transfer(request, std::move(stop), onData).run(connections.handle());
}

} // namespace emend::tools
