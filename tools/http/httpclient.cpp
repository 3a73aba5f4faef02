// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/httpclient.h"

#include "tools/http/cafile.h"
#include "tools/http/transfer.h"

#include <QUrl>

#include <algorithm>

namespace emend::tools {

namespace {

constexpr std::size_t mostIdle = 8;

// Header parts must not be able to add a line to the request.
bool isOneLine(const std::string &text)
{
    return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

bool isProxy(const std::string &text)
{
    const QUrl proxy(QString::fromStdString(text));
    const QString kind = proxy.scheme();
    return proxy.isValid() && !proxy.host().isEmpty() &&
           (kind == QLatin1String("http") || kind == QLatin1String("socks5"));
}

std::string whyNotSendable(const HttpRequest &request)
{
    const QUrl url = QUrl::fromEncoded(QByteArray::fromStdString(request.url), QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (!url.isValid() || url.host().isEmpty())
        return "the address is not a URL";
    if (scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        return "the address does not begin with http:// or https://";
    if (!request.proxy.empty() && request.proxy != "none" && !isProxy(request.proxy))
        return "the proxy is neither \"none\" nor http://host:port or socks5://host:port";
    const bool clean = std::ranges::all_of(request.headers, [](const HttpHeader &header) {
        return !header.first.empty() && isOneLine(header.first) && isOneLine(header.second);
    });
    if (!clean)
        return "a header holds a line break";
    if (!request.caFile.empty() && certificatesIn(request.caFile).isEmpty())
        return "the CA file " + request.caFile + " cannot be read or holds no certificate";
    return {};
}

} // namespace

std::string_view HttpResponse::header(std::string_view name) const
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    for (const auto &[key, value] : headers) {
        if (std::ranges::equal(key, name, {}, lower, lower))
            return value;
    }
    return {};
}

// A call's stay in the client, with connections for its use alone.
class HttpClient::Visit {
public:
    Visit(HttpClient &client, const std::string &way)
        : m_client(client)
    {
        const std::lock_guard lock(client.m_mutex);
        ++client.m_visitors;
        const auto fits = std::ranges::find_if(
            client.m_idle, [&](const auto &idle) { return idle->way() == way; });
        if (fits != client.m_idle.end()) {
            m_connections = std::move(*fits);
            client.m_idle.erase(fits);
        }
    }

    ~Visit()
    {
        const std::lock_guard lock(m_client.m_mutex);
        if (m_connections) {
            if (m_client.m_idle.size() >= mostIdle)
                m_client.m_idle.pop_back();
            m_client.m_idle.insert(m_client.m_idle.begin(), std::move(m_connections));
        }
        --m_client.m_visitors;
        m_client.m_left.notify_all(); // under the lock: the client may be gone after it
    }

    std::unique_ptr<Connections> &connections() { return m_connections; }

private:
    HttpClient &m_client;
    std::unique_ptr<Connections> m_connections;
};

HttpClient::HttpClient() = default;

HttpClient::~HttpClient()
{
    m_closing.request_stop();
    std::unique_lock lock(m_mutex);
    m_left.wait(lock, [this] { return m_visitors == 0; });
}

HttpOutcome HttpClient::send(const HttpRequest &request, std::stop_token stop, const OnData &onData)
{
    if (std::string reason = whyNotSendable(request); !reason.empty())
        return {HttpOutcome::Kind::Failed, {}, {HttpError::Kind::BadRequest, std::move(reason)}};
    const std::string way = Connections::wayOf(request);
    Visit visit(*this, way);
    if (!visit.connections())
        visit.connections() = std::make_unique<Connections>(way);
    Connections &connections = *visit.connections();
    std::stop_source either;
    const auto end = [&] {
        either.request_stop();
        connections.wake();
    };
    HttpOutcome outcome;
    {
        const std::stop_callback stopped(std::move(stop), end);
        const std::stop_callback closing(m_closing.get_token(), end);
        outcome = perform(request, connections, either.get_token(), onData);
    }
    if (outcome.kind != HttpOutcome::Kind::Replied)
        connections.close();
    return outcome;
}

} // namespace emend::tools
