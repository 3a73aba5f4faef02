// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/networkworker.h"

#include <QDateTime>
#include <QHostAddress>
#include <QNetworkAccessManager>
#include <QNetworkProxyFactory>
#include <QNetworkRequest>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>

#include <algorithm>

#include "tools/http/cafile.h"

namespace emend::tools {

namespace {

// The proxy that is named, or the system's, but then never for this machine: a local model server
// is not behind a proxy.
class ProxyFactory : public QNetworkProxyFactory {
public:
    explicit ProxyFactory(const std::string &named)
        : m_system(named.empty())
    {
        const QUrl url(QString::fromStdString(named));
        const bool socks = url.scheme().startsWith(QLatin1String("socks"));
        if (!m_system && !url.host().isEmpty())
            m_proxy =
                QNetworkProxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy,
                              url.host(), static_cast<quint16>(url.port(socks ? 1080 : 8080)));
    }

    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        const QString host = query.peerHostName();
        const bool local = host == QLatin1String("localhost") || QHostAddress(host).isLoopback();
        if (!m_system || local)
            return {m_proxy};
        return systemProxyForQuery(query);
    }

private:
    bool m_system;
    QNetworkProxy m_proxy{QNetworkProxy::NoProxy};
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
    if (!request.proxy.empty() && request.proxy != "none") {
        const QUrl proxy(QString::fromStdString(request.proxy));
        const QString kind = proxy.scheme();
        if (!proxy.isValid() || proxy.host().isEmpty() ||
            (kind != QLatin1String("http") && kind != QLatin1String("socks5")))
            return "the proxy is neither \"none\" nor http://host:port or socks5://host:port";
    }
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

// A sentence for what a person has to do something different about, Qt's words for the rest.
std::string words(const QNetworkReply &reply)
{
    const QUrl url = reply.url();
    const std::string host = url.host().toStdString();
    const int port = url.port(url.scheme() == QLatin1String("https") ? 443 : 80);
    const std::string place = host + ":" + std::to_string(port);
    switch (reply.error()) {
    case QNetworkReply::HostNotFoundError:
        return "there is no host named " + host + ", or no network";
    case QNetworkReply::ConnectionRefusedError:
        return "nothing listens at " + place + " (connection refused)";
    case QNetworkReply::RemoteHostClosedError:
        return "the server closed the connection before the reply was complete";
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
        return "the proxy cannot be reached or gave up: check the proxy settings";
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return "the proxy wants a password: use one that needs none";
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::NetworkSessionFailedError:
        return "there is no network";
    default:
        break;
    }
    QString message = reply.errorString();
    // A key may stand in the query.
    if (const QString query = url.query(QUrl::FullyEncoded); !query.isEmpty())
        message.replace(query, QStringLiteral("…"));
    return message.toStdString();
}

HttpError describe(const QNetworkReply &reply, const std::string &tlsProblem)
{
    HttpError error;
    error.message = words(reply);
    if (reply.error() == QNetworkReply::SslHandshakeFailedError) {
        error.kind = HttpError::Kind::Tls;
        if (!tlsProblem.empty())
            error.message = tlsProblem;
    } else if (reply.error() == QNetworkReply::TimeoutError) {
        error.kind = HttpError::Kind::Timeout;
    }
    return error;
}

std::string tlsWords(const QSslError &error, const QString &host)
{
    const std::string whose = "the certificate of " + host.toStdString();
    switch (error.error()) {
    case QSslError::CertificateExpired:
        return whose + " expired on " +
               error.certificate().expiryDate().toUTC().toString(Qt::ISODate).toStdString() +
               ": the server's owner has to renew it (or this machine's clock is wrong)";
    case QSslError::CertificateNotYetValid:
        return whose + " is not valid yet: check this machine's clock";
    case QSslError::HostNameMismatch:
        return whose + " is for another host: check the address, or who sits in between";
    case QSslError::SelfSignedCertificate:
    case QSslError::SelfSignedCertificateInChain:
    case QSslError::UnableToGetLocalIssuerCertificate:
    case QSslError::UnableToVerifyFirstCertificate:
    case QSslError::CertificateUntrusted:
        return whose + " comes from somebody this machine does not know; if that is right, name "
                       "its CA in ca_file";
    default:
        return whose + ": " + error.errorString().toStdString();
    }
}

QNetworkAccessManager *makeManager(const HttpRequest &request, QObject *parent)
{
    auto *manager = new QNetworkAccessManager(parent);
    manager->setProxyFactory(new ProxyFactory(request.proxy));
    return manager;
}

// The certificates of a CA file; empty if it cannot be read or holds none.
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

QNetworkAccessManager *NetworkWorker::managerFor(const HttpRequest &request)
{
    const QByteArray key = QByteArray::fromStdString(request.proxy + '\n' + request.caFile + '\n' +
                                                     (request.tlsVerify ? "verify" : ""));
    QNetworkAccessManager *&manager = m_managers[key];
    if (manager == nullptr)
        manager = makeManager(request, this);
    return manager;
}

void NetworkWorker::start(const std::shared_ptr<Exchange> &exchange)
{
    if (exchange->ended())
        return;
    const HttpRequest &request = exchange->request();
    const QUrl url = QUrl::fromEncoded(QByteArray::fromStdString(request.url), QUrl::StrictMode);
    std::string reason = whyNotSendable(request, url);
    QNetworkRequest wanted = toQt(request, url);
    if (reason.empty() && !request.caFile.empty()) {
        const QList<QSslCertificate> own = certificatesIn(request.caFile);
        QSslConfiguration tls = wanted.sslConfiguration();
        tls.addCaCertificates(own);
        wanted.setSslConfiguration(tls);
        if (own.isEmpty())
            reason = "the CA file " + request.caFile + " cannot be read or holds no certificate";
    }
    if (!reason.empty()) {
        exchange->fail({HttpError::Kind::BadRequest, std::move(reason)});
        return;
    }
    QNetworkAccessManager *manager = managerFor(request);
    QNetworkReply *reply = request.method == HttpRequest::Method::Post
                               ? manager->post(wanted, QByteArray::fromStdString(request.body))
                               : manager->get(wanted);
    Running running;
    running.exchange = exchange;
    running.manager = manager;
    m_running.insert(reply, running);
    if (!request.tlsVerify)
        reply->ignoreSslErrors();
    connect(reply, &QNetworkReply::requestSent, this, [this, reply] { noteSent(reply); });
    connect(reply, &QNetworkReply::sslErrors, this,
            [this, reply](const QList<QSslError> &errors) { noteTls(reply, errors); });
    connect(reply, &QNetworkReply::readyRead, this, [this, reply] { readData(reply); });
    connect(reply, &QNetworkReply::metaDataChanged, this, [this, reply] { readHead(reply); });
    connect(reply, &QNetworkReply::finished, this, [this, reply] { finish(reply); });
}

// Qt sends a request again by itself, three times at most, when the server closes the connection
// without an answer, and nothing can forbid it. A request may cost money, and whoever asked decides
// about the next try: so the first time that it happens is the last.
void NetworkWorker::noteSent(QNetworkReply *reply)
{
    const auto found = m_running.find(reply);
    if (found == m_running.end())
        return;
    if (!found->sent) {
        found->sent = true;
        found->exchange->setSent();
        return;
    }
    found->exchange->fail(
        {HttpError::Kind::Connection, "the server closed the connection without an answer"});
    drop(reply);
}

void NetworkWorker::noteTls(QNetworkReply *reply, const QList<QSslError> &errors)
{
    const auto found = m_running.find(reply);
    if (found == m_running.end() || errors.isEmpty())
        return;
    // An expired certificate says more than that its issuer is unknown besides.
    const auto telling = std::find_if(errors.begin(), errors.end(), [](const QSslError &error) {
        return error.error() == QSslError::CertificateExpired ||
               error.error() == QSslError::HostNameMismatch;
    });
    found->tlsProblem =
        tlsWords(telling == errors.end() ? errors.first() : *telling, reply->url().host());
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
        found->exchange->fail(describe(*reply, found->tlsProblem));
    drop(reply);
}

void NetworkWorker::drop(QNetworkReply *reply)
{
    const Running running = m_running.take(reply);
    reply->disconnect(this);
    if (!running.sent && running.manager != nullptr) {
        // Qt lets a connection that is being made go on being made, and keeps it: it ends with its
        // manager only.
        reply->abort();
        reply->setParent(nullptr);
        retire(running.manager);
    }
    reply->deleteLater(); // which aborts what is not finished
    for (QNetworkAccessManager *manager : QSet(m_retired)) {
        const bool used = std::ranges::any_of(
            m_running, [&](const Running &other) { return other.manager == manager; });
        if (used)
            continue;
        m_retired.remove(manager);
        manager->deleteLater();
    }
}

void NetworkWorker::retire(QNetworkAccessManager *manager)
{
    m_managers.removeIf([&](const auto &entry) { return entry.value() == manager; });
    m_retired.insert(manager);
}

} // namespace emend::tools
