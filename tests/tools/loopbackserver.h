// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/thread/eventthread.h"

#include <QByteArray>
#include <QList>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>

QT_BEGIN_NAMESPACE
class QTcpServer;
class QTcpSocket;
QT_END_NAMESPACE

// A real HTTP server on 127.0.0.1 and a thread of its own, that answers what the test says, byte by
// byte. It reports through semaphores, so that no test sleeps. Public functions: any thread.
class LoopbackServer {
public:
    enum class Then {
        Close,   // after the bytes
        Stay,    // keeps the connection open and says nothing more
        Trickle, // goes on with a byte every few milliseconds, for ever
        Flood,   // goes on with what flood() says as fast as it is read, for ever
        Keep,    // keeps the connection open for the next request
    };
    enum class Security { Plain, SelfSigned, Expired };

    explicit LoopbackServer(Security security = Security::Plain);
    ~LoopbackServer();

    std::string url(const std::string &path = {}) const;
    static QByteArray selfSigned(); // that certificate, PEM

    // What requests for `path` (without its query) get from now on; others get a 404.
    void answer(const QByteArray &path, const QByteArray &bytes, Then then = Then::Close);
    void flood(const QByteArray &bytes);
    // What any request gets: `head` and the first of `reads` at once, each further one when
    // sendNext() is called, and after the last the end of the connection.
    void answerInReads(const QByteArray &head, const QList<QByteArray> &reads);
    void sendNext();
    // Sends to, or closes, all open connections.
    void push(const QByteArray &bytes);
    void closeAll();

    // One more request, or one more end of a connection, within the time.
    bool waitForConnection(std::chrono::milliseconds time = std::chrono::seconds(5));
    bool waitForRequest(std::chrono::milliseconds time = std::chrono::seconds(5));
    bool waitForDisconnect(std::chrono::milliseconds time = std::chrono::seconds(5));
    // Head and body of all requests so far.
    QList<QByteArray> requests() const;

    static QByteArray reply(int status, const QByteArray &body,
                            const QByteArray &extraHeaders = {});

private:
    struct Answer {
        QByteArray bytes;
        Then then = Then::Close;
    };
    void listen(Security security);
    void accept();
    void read(QTcpSocket *socket);
    void respond(QTcpSocket *socket, const QByteArray &path);

    std::string m_base;
    mutable std::mutex m_mutex;
    std::map<QByteArray, Answer> m_answers;
    QByteArray m_flood;
    QList<QByteArray> m_reads; // of answerInReads(); the head is part of the first
    QList<QByteArray> m_requests;
    std::counting_semaphore<> m_connected{0};
    std::counting_semaphore<> m_arrived{0};
    std::counting_semaphore<> m_disconnected{0};

    // On the thread only.
    std::unique_ptr<QTcpServer> m_server;
    std::map<QTcpSocket *, QByteArray> m_in; // what came and is not yet a whole request
    QList<QByteArray> m_toSend;
    QTcpSocket *m_inReads = nullptr; // gets them

    emend::tools::EventThread m_thread; // last: it ends before the rest goes
};
