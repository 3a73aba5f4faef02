// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/loopbackserver.h"
#include "tools/http/httpclient.h"

#include <QFile>
#include <QTcpServer>
#include <QTest>
#include <QThread>

#include <atomic>
#include <chrono>
#include <thread>

using namespace emend::tools;
using namespace std::chrono_literals;

using Then = LoopbackServer::Then;
using Method = HttpRequest::Method;
using Steady = std::chrono::steady_clock;

class TestHttpClient : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReplyHasStatusHeadersAndBody();
    void aPostSendsItsHeadersAndBody();
    void anErrorStatusIsAReply_data();
    void anErrorStatusIsAReply();
    void aRedirectIsNotFollowed();
    void aCookieIsNotSentBack();
    void whatCannotBeSentIsABadRequest_data();
    void whatCannotBeSentIsABadRequest();
    void aHeaderWithALineBreakIsRefusedAndNotRepeated();
    void aRefusedConnectionFails();
    void aRequestIsSentOnce();
    void aConnectionIsUsedAgain();
    void aConnectionThatClosedMeanwhileIsNotAskedTwice();
    void aHintBeforeTheReplyIsPassedOver();
    void aFloodEnds_data();
    void aFloodEnds();
    void aStopEndsAFlood_data();
    void aStopEndsAFlood();
    void aReplyThatIsCompleteNeedsNoEndOfItsConnection();
    void aBodyCutShortFails_data();
    void aBodyCutShortFails();
    void aSelfSignedCertificateIsRefused();
    void silenceEndsWithATimeout();
    void aServerThatNeverFinishesMeetsTheDeadline();
    void aPauseLongerThanTheIdleTimeoutFails();
    void aBodyAboveTheLimitIsDropped_data();
    void aBodyAboveTheLimitIsDropped();
    void piecesArriveBeforeTheReplyIsComplete();
    void aBodyThatTellsOfAnErrorIsNotStreamed();
    void aStreamCutShortHandsOverWhatCame();
    void anAlreadyStoppedTokenSendsNothing();
    void aStopReturnsAtOnceAndClosesTheConnection();
    void aStopWhileAPieceIsHandledEndsTheCall();
    void manyThreadsShareOneClient();
    void destroyingTheClientCancelsTheCallsThatWait();

private:
    HttpOutcome get(const std::string &url) { return m_client.send({Method::Get, url}, {}); }

    HttpClient m_client;
};

void TestHttpClient::aReplyHasStatusHeadersAndBody()
{
    LoopbackServer server;
    server.answer("/a", LoopbackServer::reply(200, "body\n", "X-One: 1\r\n"));
    const HttpOutcome outcome = get(server.url("/a?q=1"));
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Replied);
    QCOMPARE(outcome.response.status, 200);
    QCOMPARE(outcome.response.body, std::string("body\n"));
    QCOMPARE(outcome.response.header("x-oNE"), std::string_view("1"));
    QCOMPARE(outcome.response.header("x-two"), std::string_view());
    QVERIFY(server.requests().value(0).startsWith("GET /a?q=1 HTTP/1.1\r\n"));
}

void TestHttpClient::aPostSendsItsHeadersAndBody()
{
    LoopbackServer server;
    server.answer("/p", LoopbackServer::reply(200, "{}"));
    HttpRequest request{Method::Post, server.url("/p"), {{"X-Key", "k1"}}, "{\"a\":1}"};
    QCOMPARE(m_client.send(request, {}).kind, HttpOutcome::Kind::Replied);
    const QByteArray sent = server.requests().value(0);
    QVERIFY(sent.startsWith("POST /p HTTP/1.1\r\n"));
    QVERIFY(sent.toLower().contains("\r\nx-key: k1\r\n"));
    QVERIFY(sent.toLower().contains("\r\ncontent-type: application/json\r\n"));
    QVERIFY(sent.endsWith("\r\n\r\n{\"a\":1}"));
}

void TestHttpClient::anErrorStatusIsAReply_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {204, 304, 400, 401, 403, 404, 407, 418, 429, 500, 503, 529})
        QTest::addRow("%d", status) << status;
}

void TestHttpClient::anErrorStatusIsAReply()
{
    QFETCH(int, status);
    const bool bare = status < 400;
    LoopbackServer server;
    server.answer("/", LoopbackServer::reply(status, bare ? "" : "why", "Retry-After: 7\r\n"));
    const HttpOutcome outcome = get(server.url("/"));
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Replied);
    QCOMPARE(outcome.response.status, status);
    QCOMPARE(outcome.response.body, std::string(bare ? "" : "why"));
    QCOMPARE(outcome.response.header("Retry-After"), std::string_view("7"));
}

void TestHttpClient::aRedirectIsNotFollowed()
{
    LoopbackServer server;
    server.answer("/new", LoopbackServer::reply(200, "moved"));
    const QByteArray target = QByteArray::fromStdString(server.url("/new"));
    server.answer("/old", LoopbackServer::reply(302, "", "Location: " + target + "\r\n"));
    const HttpOutcome outcome = get(server.url("/old"));
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Replied);
    QCOMPARE(outcome.response.status, 302);
    QCOMPARE(outcome.response.header("location"), std::string_view(target.constData()));
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpClient::aCookieIsNotSentBack()
{
    LoopbackServer server;
    server.answer("/", LoopbackServer::reply(200, "", "Set-Cookie: id=1; Path=/\r\n"));
    get(server.url("/"));
    get(server.url("/"));
    QCOMPARE(server.requests().size(), 2);
    QVERIFY(!server.requests().value(1).toLower().contains("cookie"));
}

void TestHttpClient::whatCannotBeSentIsABadRequest_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no scheme") << QByteArray("127.0.0.1/x");
    QTest::newRow("no host") << QByteArray("http:///x");
    QTest::newRow("a file") << QByteArray("file:///etc/hostname");
    QTest::newRow("another scheme") << QByteArray("ftp://127.0.0.1/x");
    QTest::newRow("a space") << QByteArray("http://127.0.0.1/a b");
    QTest::newRow("a bad port") << QByteArray("http://127.0.0.1:99999/");
}

void TestHttpClient::whatCannotBeSentIsABadRequest()
{
    QFETCH(QByteArray, url);
    const HttpOutcome outcome = get(url.toStdString());
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::BadRequest);
    QVERIFY(!outcome.error.message.empty());
}

void TestHttpClient::aHeaderWithALineBreakIsRefusedAndNotRepeated()
{
    LoopbackServer server;
    const HttpRequest request{Method::Get, server.url("/"), {{"X-Key", "secret\r\nX-Evil: 1"}}};
    const HttpOutcome outcome = m_client.send(request, {});
    QCOMPARE(outcome.error.kind, HttpError::Kind::BadRequest);
    QVERIFY(outcome.error.message.find("secret") == std::string::npos);
    QVERIFY(server.requests().isEmpty());
}

void TestHttpClient::aRefusedConnectionFails()
{
    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const std::string port = std::to_string(closed.serverPort());
    closed.close();
    const HttpOutcome outcome = get("http://127.0.0.1:" + port + "/?key=secret");
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Connection);
    QVERIFY(!outcome.error.message.empty());
    QVERIFY(outcome.error.message.find("secret") == std::string::npos);
}

void TestHttpClient::aRequestIsSentOnce()
{
    LoopbackServer server;
    server.answer("/a", {}); // closes without a word
    const auto outcome = m_client.send({Method::Post, server.url("/a"), {}, "{}"}, {});
    QVERIFY(outcome.kind == HttpOutcome::Kind::Failed);
    QVERIFY(outcome.error.kind == HttpError::Kind::Connection);
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpClient::aConnectionIsUsedAgain()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Then::Keep);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(get(server.url("/")).response.body, std::string("ok"));
    QVERIFY(server.waitForConnection());
    QVERIFY(!server.waitForConnection(0ms)); // three requests, one connection
    QCOMPARE(server.requests().size(), 3);
}

// A server may close an idle connection while the next request is on its way there: whether it was
// seen is unknown, so it is not sent again behind the caller's back.
void TestHttpClient::aConnectionThatClosedMeanwhileIsNotAskedTwice()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", Then::Keep);
    server.answer("/shut", {});
    QCOMPARE(get(server.url("/")).response.body, std::string("ok"));
    const HttpOutcome outcome = get(server.url("/shut"));
    QCOMPARE(outcome.error.kind, HttpError::Kind::Connection);
    QCOMPARE(server.requests().size(), 2);
}

void TestHttpClient::aHintBeforeTheReplyIsPassedOver()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" +
                           LoopbackServer::reply(200, "ok"));
    const HttpOutcome outcome = get(server.url("/"));
    QCOMPARE(outcome.response.status, 200);
    QCOMPARE(outcome.response.body, std::string("ok"));
    QVERIFY(outcome.response.header("link").empty());
}

namespace {

void floods()
{
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("more");
    const QByteArray chunked("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const auto many = [](const QByteArray &piece) { return piece.repeated(64 << 10); };
    QTest::newRow("chunks of one byte") << chunked << many("1\r\nx\r\n");
    QTest::newRow("a chunk's extension") << chunked + "1;" << many("x");
    QTest::newRow("a chunk's size") << chunked << many("0");
    QTest::newRow("a trailer") << chunked + "0\r\n" << many("X: y\r\n");
    QTest::newRow("a status line") << QByteArray("HTTP/1.1 200 ") << many("x");
    QTest::newRow("a header line") << QByteArray("HTTP/1.1 200 OK\r\nX: ") << many("x");
    QTest::newRow("header lines") << QByteArray("HTTP/1.1 200 OK\r\n") << many("X: y\r\n");
    QTest::newRow("hints") << QByteArray() << many("HTTP/1.1 103 Early\r\n\r\n");
    QTest::newRow("a body") << QByteArray("HTTP/1.1 200 OK\r\n\r\n") << many("x");
}

// Of this process, in bytes.
qint64 memoryInUse()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * 4096;
}

} // namespace

void TestHttpClient::aFloodEnds_data()
{
    floods();
}

void TestHttpClient::aFloodEnds()
{
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, more);
    LoopbackServer server;
    server.answer("/", begin, Then::Flood);
    server.flood(more);
    HttpRequest request{Method::Get, server.url("/")};
    request.maxBodyBytes = 1 << 20;
    request.timeout = 2s;
    const qint64 before = memoryInUse();
    const auto onData = [](const HttpResponse &, std::string_view) { return true; };
    const HttpOutcome outcome = m_client.send(request, {}, onData);
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QVERIFY(server.waitForDisconnect());
    QVERIFY2(memoryInUse() - before < 64 << 20, "a flood is not to be kept");
    QCOMPARE(server.requests().size(), 1);
}

void TestHttpClient::aStopEndsAFlood_data()
{
    floods();
}

void TestHttpClient::aStopEndsAFlood()
{
    QFETCH(QByteArray, begin);
    QFETCH(QByteArray, more);
    LoopbackServer server;
    server.answer("/", begin, Then::Flood);
    server.flood(more);
    HttpRequest request{Method::Get, server.url("/")};
    request.maxBodyBytes = INT64_MAX;
    std::stop_source source;
    Steady::time_point stopped;
    std::jthread stopper([&] {
        server.waitForRequest();
        stopped = Steady::now();
        source.request_stop();
    });
    const HttpOutcome outcome = m_client.send(request, source.get_token());
    const Steady::time_point returned = Steady::now();
    stopper.join();
    QVERIFY(outcome.kind != HttpOutcome::Kind::Replied); // some floods end by themselves
    QVERIFY(server.waitForDisconnect());                 // closed when send() returned, not later
    // what design section 9 promises, with a generous factor for a busy machine
    QVERIFY(returned - stopped < 1s);
}

void TestHttpClient::aReplyThatIsCompleteNeedsNoEndOfItsConnection()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\n\r\nall there is", Then::Stay);
    std::string text;
    const auto onData = [&](const HttpResponse &, std::string_view data) {
        text += data;
        return false;
    };
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, {}, onData);
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Replied);
    QCOMPARE(outcome.response.status, 200);
    QCOMPARE(text, std::string("all there is"));
    QVERIFY(server.waitForDisconnect());
}

void TestHttpClient::aBodyCutShortFails_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing at all") << QByteArray();
    QTest::newRow("no HTTP") << QByteArray("hello\r\n");
    QTest::newRow("half a head") << QByteArray("HTTP/1.1 200 OK\r\nContent-Le");
    QTest::newRow("the last chunk mark is missing")
        << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
    QTest::newRow("shorter than its length")
        << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
}

void TestHttpClient::aBodyCutShortFails()
{
    QFETCH(QByteArray, bytes);
    LoopbackServer server;
    server.answer("/", bytes);
    const HttpOutcome outcome = get(server.url("/"));
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Connection);
}

void TestHttpClient::aSelfSignedCertificateIsRefused()
{
    LoopbackServer server(LoopbackServer::Security::SelfSigned);
    server.answer("/", LoopbackServer::reply(200, "trust me"));
    const HttpOutcome outcome = get(server.url("/"));
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Tls);
    QVERIFY(server.requests().isEmpty());
}

void TestHttpClient::silenceEndsWithATimeout()
{
    LoopbackServer server;
    server.answer("/", "", Then::Stay);
    HttpRequest request{Method::Get, server.url("/")};
    request.timeout = 60ms;
    const HttpOutcome outcome = m_client.send(request, {});
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Timeout);
    QVERIFY(server.waitForDisconnect());
}

void TestHttpClient::aServerThatNeverFinishesMeetsTheDeadline()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\n\r\n", Then::Trickle);
    HttpRequest request{Method::Get, server.url("/")};
    request.timeout = 100ms;
    std::size_t received = 0;
    const auto onData = [&](const HttpResponse &, std::string_view data) {
        received += data.size();
        return true;
    };
    const HttpOutcome outcome = m_client.send(request, {}, onData);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Timeout);
    QVERIFY(received > 0);
    QVERIFY(server.waitForDisconnect());
}

void TestHttpClient::aPauseLongerThanTheIdleTimeoutFails()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\n\r\nfirst", Then::Stay);
    HttpRequest request{Method::Get, server.url("/")};
    request.idleTimeout = 80ms;
    const HttpOutcome outcome = m_client.send(request, {});
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Failed);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Timeout);
}

void TestHttpClient::aBodyAboveTheLimitIsDropped_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("fits");
    const QByteArray limit(10'000, 'x');
    const QByteArray open("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    const QByteArray zipped = qCompress(QByteArray(1'000'000, '\0')).mid(4);
    QTest::newRow("exactly the limit") << LoopbackServer::reply(200, limit) << true;
    QTest::newRow("one byte more") << LoopbackServer::reply(200, limit + "x") << false;
    QTest::newRow("of an error") << LoopbackServer::reply(500, limit + "x") << false;
    QTest::newRow("without a length") << open + limit + limit << false;
    QTest::newRow("small only while compressed")
        << LoopbackServer::reply(200, zipped, "Content-Encoding: deflate\r\n") << false;
}

void TestHttpClient::aBodyAboveTheLimitIsDropped()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, fits);
    LoopbackServer server;
    server.answer("/", bytes);
    HttpRequest request{Method::Get, server.url("/")};
    request.maxBodyBytes = 10'000;
    const HttpOutcome outcome = m_client.send(request, {});
    QCOMPARE(outcome.kind == HttpOutcome::Kind::Replied, fits);
    if (!fits)
        QCOMPARE(outcome.error.kind, HttpError::Kind::TooLarge);
}

void TestHttpClient::piecesArriveBeforeTheReplyIsComplete()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\none", Then::Stay);
    std::string text;
    bool here = true;
    const auto onData = [&](const HttpResponse &head, std::string_view data) {
        here = here && QThread::currentThread() == thread() && head.status == 200 &&
               head.header("x-a") == "b";
        text += data;
        // The server goes on only when the piece before has been seen.
        if (text == "one")
            server.push("two");
        else if (text == "onetwo")
            server.closeAll();
        return true;
    };
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, {}, onData);
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Replied);
    QCOMPARE(text, std::string("onetwo"));
    QCOMPARE(outcome.response.body, std::string());
    QVERIFY(here);
}

void TestHttpClient::aBodyThatTellsOfAnErrorIsNotStreamed()
{
    LoopbackServer server;
    server.answer("/", LoopbackServer::reply(429, "slow down"));
    int pieces = 0;
    const auto onData = [&](const HttpResponse &, std::string_view) { return ++pieces > 0; };
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, {}, onData);
    QCOMPARE(outcome.response.body, std::string("slow down"));
    QCOMPARE(pieces, 0);
}

void TestHttpClient::aStreamCutShortHandsOverWhatCame()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    std::string text;
    const auto onData = [&](const HttpResponse &, std::string_view data) {
        text += data;
        return true;
    };
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, {}, onData);
    QCOMPARE(outcome.error.kind, HttpError::Kind::Connection);
    QCOMPARE(text, std::string("half"));
}

void TestHttpClient::anAlreadyStoppedTokenSendsNothing()
{
    LoopbackServer server;
    std::stop_source source;
    source.request_stop();
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, source.get_token());
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Cancelled);
    QVERIFY(server.requests().isEmpty());
}

void TestHttpClient::aStopReturnsAtOnceAndClosesTheConnection()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\n\r\nfirst", Then::Stay);
    std::stop_source source;
    Steady::time_point stopped;
    std::jthread stopper([&] {
        server.waitForRequest();
        stopped = Steady::now();
        source.request_stop();
    });
    const HttpOutcome outcome = m_client.send({Method::Get, server.url("/")}, source.get_token());
    const Steady::time_point returned = Steady::now();
    stopper.join();
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Cancelled);
    QVERIFY(returned - stopped < 100ms);
    QVERIFY(server.waitForDisconnect());
}

void TestHttpClient::aStopWhileAPieceIsHandledEndsTheCall()
{
    LoopbackServer server;
    server.answer("/", "HTTP/1.1 200 OK\r\n\r\n", Then::Trickle);
    std::stop_source source;
    int afterStop = 0;
    const auto onData = [&](const HttpResponse &, std::string_view) {
        afterStop += source.stop_requested() ? 1 : 0;
        source.request_stop();
        return true;
    };
    const HttpOutcome outcome =
        m_client.send({Method::Get, server.url("/")}, source.get_token(), onData);
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Cancelled);
    QCOMPARE(afterStop, 0);
    QVERIFY(server.waitForDisconnect());
}

void TestHttpClient::manyThreadsShareOneClient()
{
    LoopbackServer server;
    for (int i = 0; i < 8; ++i) {
        const QByteArray number = QByteArray::number(i);
        server.answer("/" + number, LoopbackServer::reply(200, number));
    }
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] {
                for (int n = 0; n < 20; ++n) {
                    const HttpOutcome outcome = get(server.url("/" + std::to_string(i)));
                    right += outcome.response.body == std::to_string(i) ? 1 : 0;
                }
            });
        }
    }
    QCOMPARE(right.load(), 160);
}

void TestHttpClient::destroyingTheClientCancelsTheCallsThatWait()
{
    LoopbackServer server;
    server.answer("/", "", Then::Stay);
    auto client = std::make_unique<HttpClient>();
    HttpOutcome outcome;
    outcome.kind = HttpOutcome::Kind::Failed;
    std::jthread caller([&, raw = client.get()] {
        outcome = raw->send({Method::Get, server.url("/")}, {});
    });
    QVERIFY(server.waitForRequest());
    client.reset();
    caller.join();
    QCOMPARE(outcome.kind, HttpOutcome::Kind::Cancelled);
    QVERIFY(server.waitForDisconnect());
}

QTEST_GUILESS_MAIN(TestHttpClient)
#include "tst_httpclient.moc"
