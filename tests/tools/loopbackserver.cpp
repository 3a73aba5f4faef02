// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/loopbackserver.h"

#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

namespace {

// Made for this test, trusted by nobody.
constexpr char selfSignedKey[] = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgES98qGT0nnr8g1lL
mvNlLZHgmJqtI5kwACtqbE83qo+hRANCAAR2Q7OAQlCyz0wF/XzPjVWYd/LXPIY5
C9W3iuY7yzFP8P3EVgbfWgjLITHflxCatW9z3cWHaNTm+GL8sNF3Q1y3
-----END PRIVATE KEY-----
)";
constexpr char selfSignedCertificate[] = R"(-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUON/JVUIgaM/Edm1a90LhJeg2yi4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDIwMjAwMFoYDzIxMjYxMTA2
MjAyMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR2Q7OAQlCyz0wF/XzPjVWYd/LXPIY5C9W3iuY7yzFP8P3EVgbfWgjL
ITHflxCatW9z3cWHaNTm+GL8sNF3Q1y3o28wbTAdBgNVHQ4EFgQUS+vwo4CP5QuC
M/ISbXlr5qb4kLgwHwYDVR0jBBgwFoAUS+vwo4CP5QuCM/ISbXlr5qb4kLgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgS1BYu3vdaNhiPxGL/L2Wczww3bT9RxNJ5xzdZyjZEkwCIHvX
vEcXThoEioCy4i2nMJ1WOQTCYcZo9JWMAiuj0De9
-----END CERTIFICATE-----
)";

// The same, and it expired on 2021-01-01.
constexpr char expiredKey[] = R"(-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxRRWdgcNdj04QVRV
hzvvrC3WUKt9zDsNp2XZQACagV2hRANCAAQ7eNGuDZnzuw6myUIM36NHvlH/3v+4
EI71HpjOAqCPkW2+90aqSiSK/VvLnLfbngt1kTxYhS02wYaKY4msAaV3
-----END PRIVATE KEY-----
)";
constexpr char expiredCertificate[] = R"(-----BEGIN CERTIFICATE-----
MIIBZDCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7eNGuDZnzuw6myUIM
36NHvlH/3v+4EI71HpjOAqCPkW2+90aqSiSK/VvLnLfbngt1kTxYhS02wYaKY4ms
AaV3o04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUw
AwEB/zAdBgNVHQ4EFgQUGyZvRuVfFH/j91/OWa5qj1P1hW4wCgYIKoZIzj0EAwID
RwAwRAIgHdpknVHnEJcIcRTyfnRPIQu2hKHvWrvlqmcf7uH4FvcCIEH4trEGce71
XwCeFKY+iRYtreNpWi+Lm2dNNgf/0Y0G
-----END CERTIFICATE-----
)";

std::unique_ptr<QTcpServer> makeServer(LoopbackServer::Security security)
{
    if (security == LoopbackServer::Security::Plain)
        return std::make_unique<QTcpServer>();
    auto server = std::make_unique<QSslServer>();
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    const bool expired = security == LoopbackServer::Security::Expired;
    configuration.setPrivateKey(
        QSslKey(QByteArray(expired ? expiredKey : selfSignedKey), QSsl::Ec));
    configuration.setLocalCertificate(
        QSslCertificate(QByteArray(expired ? expiredCertificate : selfSignedCertificate)));
    server->setSslConfiguration(configuration);
    return server;
}

qsizetype contentLength(const QByteArray &head)
{
    const QByteArray lower = head.toLower();
    const qsizetype at = lower.indexOf("\r\ncontent-length:");
    if (at < 0)
        return 0;
    const qsizetype begin = at + 17;
    return lower.mid(begin, lower.indexOf("\r\n", begin) - begin).trimmed().toLongLong();
}

} // namespace

LoopbackServer::LoopbackServer(Security security)
{
    std::binary_semaphore listening(0);
    m_thread.post([&] {
        listen(security);
        listening.release();
    });
    listening.acquire();
}

LoopbackServer::~LoopbackServer()
{
    m_thread.post([this] { m_server.reset(); }); // and the sockets, its children
}

void LoopbackServer::listen(Security security)
{
    m_server = makeServer(security);
    QObject::connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, m_server.get(),
                     [this] { accept(); });
    m_server->listen(QHostAddress::LocalHost);
    m_base = security == Security::Plain ? "http" : "https";
    m_base += "://127.0.0.1:" + std::to_string(m_server->serverPort());
}

void LoopbackServer::accept()
{
    while (QTcpSocket *socket = m_server->nextPendingConnection()) {
        m_in[socket] = {};
        m_connected.release();
        QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(socket); });
        QObject::connect(socket, &QTcpSocket::disconnected, socket, [this, socket] {
            m_in.erase(socket);
            if (m_inReads == socket)
                m_inReads = nullptr;
            m_disconnected.release();
            socket->deleteLater();
        });
        read(socket);
    }
}

std::string LoopbackServer::url(const std::string &path) const
{
    return m_base + path;
}

QByteArray LoopbackServer::selfSigned()
{
    return selfSignedCertificate;
}

void LoopbackServer::answer(const QByteArray &path, const QByteArray &bytes, Then then)
{
    const std::lock_guard lock(m_mutex);
    m_answers[path] = {bytes, then};
}

void LoopbackServer::flood(const QByteArray &bytes)
{
    const std::lock_guard lock(m_mutex);
    m_flood = bytes;
}

void LoopbackServer::answerInReads(const QByteArray &head, const QList<QByteArray> &reads)
{
    const std::lock_guard lock(m_mutex);
    m_reads = reads.isEmpty() ? QList<QByteArray>{QByteArray()} : reads;
    m_reads.first().prepend(head);
}

void LoopbackServer::sendNext()
{
    m_thread.post([this] {
        if (m_inReads == nullptr)
            return;
        if (!m_toSend.isEmpty())
            m_inReads->write(m_toSend.takeFirst());
        if (m_toSend.isEmpty()) {
            m_inReads->disconnectFromHost();
            m_inReads = nullptr;
        }
    });
}

void LoopbackServer::push(const QByteArray &bytes)
{
    m_thread.post([this, bytes] {
        for (const auto &[socket, unread] : m_in)
            socket->write(bytes);
    });
}

void LoopbackServer::closeAll()
{
    m_thread.post([this] {
        const auto sockets = m_in; // a socket that closes leaves the map
        for (const auto &[socket, unread] : sockets)
            socket->disconnectFromHost();
    });
}

bool LoopbackServer::waitForConnection(std::chrono::milliseconds time)
{
    return m_connected.try_acquire_for(time);
}

bool LoopbackServer::waitForRequest(std::chrono::milliseconds time)
{
    return m_arrived.try_acquire_for(time);
}

bool LoopbackServer::waitForDisconnect(std::chrono::milliseconds time)
{
    return m_disconnected.try_acquire_for(time);
}

QList<QByteArray> LoopbackServer::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

QByteArray LoopbackServer::reply(int status, const QByteArray &body, const QByteArray &extraHeaders)
{
    return "HTTP/1.1 " + QByteArray::number(status) +
           " Something\r\nContent-Length: " + QByteArray::number(body.size()) +
           "\r\nConnection: close\r\n" + extraHeaders + "\r\n" + body;
}

void LoopbackServer::read(QTcpSocket *socket)
{
    QByteArray &in = m_in[socket];
    in += socket->readAll();
    const qsizetype headEnd = in.indexOf("\r\n\r\n");
    if (headEnd < 0 || in.size() < headEnd + 4 + contentLength(in.left(headEnd + 2)))
        return;
    const QByteArray request = std::exchange(in, {});
    {
        const std::lock_guard lock(m_mutex);
        m_requests.append(request);
    }
    const QByteArray target = request.split(' ').value(1);
    respond(socket, target.split('?').first());
    m_arrived.release();
}

void LoopbackServer::respond(QTcpSocket *socket, const QByteArray &path)
{
    Answer answer;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_reads.isEmpty()) {
            m_toSend = m_reads;
            m_inReads = socket;
            socket->write(m_toSend.takeFirst());
            if (m_toSend.isEmpty())
                socket->disconnectFromHost();
            return;
        }
        const auto found = m_answers.find(path);
        answer = found != m_answers.end() ? found->second : Answer{reply(404, "no such page")};
    }
    socket->write(answer.bytes);
    if (answer.then == Then::Close)
        socket->disconnectFromHost();
    if (answer.then == Then::Flood) {
        const QByteArray piece = m_flood;
        const auto more = [socket, piece] {
            if (socket->bytesToWrite() < 1 << 20)
                socket->write(piece);
        };
        QObject::connect(socket, &QTcpSocket::bytesWritten, socket, more);
        more();
    }
    if (answer.then != Then::Trickle)
        return;
    auto *timer = new QTimer(socket);
    QObject::connect(timer, &QTimer::timeout, socket, [socket] { socket->write("."); });
    timer->start(5);
}
