// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/networkworker.h"

#include <QHostAddress>
#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QNetworkRequest>

#include <algorithm>

namespace emend::tools {

namespace {

// The system's proxies, but never for this machine: a local model server is not behind a proxy.
class ProxyFactory : public QNetworkProxyFactory {
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        const QString host = query.peerHostName();
        if (host == QLatin1String("localhost") || QHostAddress(host).isLoopback())
            return {QNetworkProxy(QNetworkProxy::NoProxy)};
        return systemProxyForQuery(query);
    }
};

// Header parts must not be able to add a line to the request.
bool isOneLine(const std::string &text)
{
    return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos;
}

std::string whyNotSendable(const HttpRequest &request, const QUrl &url)
{
    const QString scheme = url.scheme();
    if (!url.isValid() || url.host().isEmpty())
        return "the address is not a URL";
    if (scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        return "the address does not begin with http:// or https://";
    const bool clean = std::ranges::all_of(request.headers, [](const HttpHeader &header) {
        return !header.first.empty() && isOneLine(header.first) && isOneLine(header.second);
    });
    return clean ? std::string() : "a header holds a line break";
}

QNetworkRequest toQt(const HttpRequest &request, const QUrl &url)
{
    QNetworkRequest result(url);
    result.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                        QNetworkRequest::ManualRedirectPolicy);
    result.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    // One connection carries one exchange at a time, so that to abort is to close the socket.
    result.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    if (request.method == HttpRequest::Method::Post)
        result.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray("application/json"));
    for (const auto &[name, value] : request.headers)
        result.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    return result;
}

HttpError tooLarge(std::int64_t limit)
{
    return {HttpError::Kind::TooLarge,
            "the reply is larger than " + std::to_string(limit) + " bytes"};
}

HttpError describe(const QNetworkReply &reply)
{
    HttpError error;
    if (reply.error() == QNetworkReply::SslHandshakeFailedError)
        error.kind = HttpError::Kind::Tls;
    else if (reply.error() == QNetworkReply::TimeoutError)
        error.kind = HttpError::Kind::Timeout;
    QString message = reply.errorString();
    // A key may stand in the query.
    if (const QString query = reply.url().query(QUrl::FullyEncoded); !query.isEmpty())
        message.replace(query, QStringLiteral("…"));
    error.message = message.toStdString();
    return error;
}

// Qt reports a status of 400 and above as an error of its own kind; for us it is a reply. Errors
// below 100 are the network's: the reply is then cut, whatever its status.
bool isComplete(const QNetworkReply &reply)
{
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (reply.error() == QNetworkReply::NoError)
        return status > 0;
    return status >= 400 && reply.error() > QNetworkReply::UnknownNetworkError;
}

} // namespace

void NetworkWorker::start(const std::shared_ptr<Exchange> &exchange)
{
    if (exchange->ended())
        return;
    if (!m_manager) {
        m_manager = new QNetworkAccessManager(this);
        m_manager->setProxyFactory(new ProxyFactory);
    }
    const HttpRequest &request = exchange->request();
    const QUrl url = QUrl::fromEncoded(QByteArray::fromStdString(request.url), QUrl::StrictMode);
    if (std::string reason = whyNotSendable(request, url); !reason.empty()) {
        exchange->fail({HttpError::Kind::BadRequest, std::move(reason)});
        return;
    }
    QNetworkReply *reply =
        request.method == HttpRequest::Method::Post
            ? m_manager->post(toQt(request, url), QByteArray::fromStdString(request.body))
            : m_manager->get(toQt(request, url));
    m_running.insert(reply, Running{exchange});
    connect(reply, &QNetworkReply::readyRead, this, [this, reply] { readData(reply); });
    connect(reply, &QNetworkReply::metaDataChanged, this, [this, reply] { readHead(reply); });
    connect(reply, &QNetworkReply::finished, this, [this, reply] { finish(reply); });
}

void NetworkWorker::abort(const std::shared_ptr<Exchange> &exchange)
{
    const auto found = std::find_if(m_running.cbegin(), m_running.cend(),
                                    [&](const Running &r) { return r.exchange == exchange; });
    if (found != m_running.cend())
        drop(found.key());
}

void NetworkWorker::cancelAll()
{
    const QList<QNetworkReply *> replies = m_running.keys();
    for (QNetworkReply *reply : replies) {
        m_running[reply].exchange->cancel();
        drop(reply);
    }
}

void NetworkWorker::readHead(QNetworkReply *reply)
{
    Running &running = m_running[reply];
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (running.hasHead || status == 0)
        return;
    running.hasHead = true;
    HttpResponse head;
    head.status = status;
    for (const auto &[name, value] : reply->rawHeaderPairs())
        head.headers.emplace_back(name.toStdString(), value.toStdString());
    running.exchange->setHead(std::move(head));
}

void NetworkWorker::readData(QNetworkReply *reply)
{
    readHead(reply);
    Running &running = m_running[reply];
    const QByteArray data = reply->readAll();
    if (data.isEmpty())
        return;
    running.bytes += data.size();
    const std::int64_t limit = running.exchange->request().maxBodyBytes;
    if (running.bytes > limit) {
        running.exchange->fail(tooLarge(limit));
        drop(reply);
        return;
    }
    running.exchange->addData(data.toStdString());
}

void NetworkWorker::finish(QNetworkReply *reply)
{
    readData(reply);
    const auto found = m_running.constFind(reply);
    if (found == m_running.cend())
        return; // was too large
    if (isComplete(*reply))
        found->exchange->succeed();
    else
        found->exchange->fail(describe(*reply));
    drop(reply);
}

void NetworkWorker::drop(QNetworkReply *reply)
{
    m_running.remove(reply);
    reply->disconnect(this);
    reply->deleteLater(); // which aborts what is not finished
}

} // namespace emend::tools
