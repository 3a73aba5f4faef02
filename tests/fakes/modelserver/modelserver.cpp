// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fakes/modelserver/modelserver.h"

#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <memory>

#include "core/loop/budget.h"
#include "tools/provider/replytext.h"

namespace emend::fakes {

using core::ScriptedFault;
using core::ScriptedReply;
using nlohmann::json;

namespace {

QByteArray headOf(int status, const QByteArray &type, const QByteArray &more = {})
{
    return "HTTP/1.1 " + QByteArray::number(status) + " Fake\r\nContent-Type: " + type +
           "\r\nConnection: close\r\n" + more + "\r\n";
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

constexpr const char *geminiModels = "/v1beta/models";

// Of an API's own paths: what is asked for there. The base URL is part of them, as in the real
// servers: one that is wrong leads nowhere.
enum class Asked { Nothing, Models, Reply, Stream };
struct Place {
    Api api = Api::OpenAi;
    Asked asked = Asked::Nothing;
    QByteArray model = {}; // Gemini's is in the path
};

Place placeOf(const QByteArray &path, const QByteArray &head)
{
    const bool anthropic = head.toLower().contains("\r\nanthropic-version:");
    if (path == "/v1/models")
        return {anthropic ? Api::Anthropic : Api::OpenAi, Asked::Models};
    if (path == "/v1/chat/completions")
        return {Api::OpenAi, Asked::Reply};
    if (path == "/v1/messages")
        return {Api::Anthropic, Asked::Reply};
    if (path == "/api/tags" || path == "/api/chat")
        return {Api::Ollama, path == "/api/tags" ? Asked::Models : Asked::Reply};
    if (path == geminiModels)
        return {Api::Gemini, Asked::Models};
    if (path.startsWith(geminiModels + QByteArray("/"))) {
        const qsizetype begin = qstrlen(geminiModels) + 1, end = path.lastIndexOf(':');
        const QByteArray verb = end < begin ? QByteArray() : path.mid(end + 1);
        const QByteArray model = QByteArray::fromPercentEncoding(path.mid(begin, end - begin));
        if (verb == "generateContent" || verb == "streamGenerateContent")
            return {Api::Gemini, verb == "generateContent" ? Asked::Reply : Asked::Stream, model};
    }
    // nothing is there: said in the words of whoever seems to be meant
    return {path.startsWith("/v1beta") ? Api::Gemini
            : path.startsWith("/api")  ? Api::Ollama
            : anthropic                ? Api::Anthropic
                                       : Api::OpenAi};
}

int limitIn(const json &body)
{
    for (const char *pointer : {"/max_tokens", "/max_completion_tokens", "/options/num_predict",
                                "/generationConfig/maxOutputTokens"})
        if (const json::json_pointer place(pointer);
            body.contains(place) && body[place].is_number_integer())
            return body[place].get<int>();
    return 0;
}

} // namespace

ModelServer::ModelServer(core::Scenario scenario, Options options)
    : m_scenario(std::move(scenario))
    , m_options(std::move(options))
{
    connect(&m_server, &QTcpServer::newConnection, this, [this] { accept(); });
}

bool ModelServer::listen(quint16 port)
{
    return m_server.listen(QHostAddress::LocalHost, port);
}

void ModelServer::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        m_in[socket] = {};
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_in.erase(socket);
            socket->deleteLater();
        });
        read(socket);
    }
}

void ModelServer::read(QTcpSocket *socket)
{
    QByteArray &in = m_in[socket];
    in += socket->readAll();
    const qsizetype headEnd = in.indexOf("\r\n\r\n");
    if (headEnd < 0 || in.size() < headEnd + 4 + contentLength(in.left(headEnd + 2)))
        return;
    Request request;
    request.head = in.left(headEnd + 2);
    request.body = in.mid(headEnd + 4);
    in.clear();
    const QList<QByteArray> words = request.head.left(request.head.indexOf('\r')).split(' ');
    request.method = words.value(0);
    request.path = words.value(1);
    respond(socket, request);
}

bool ModelServer::keyIsRight(const QByteArray &head) const
{
    if (m_options.requireKey.empty())
        return true;
    const QByteArray key = QByteArray::fromStdString(m_options.requireKey);
    const QByteArray lower = head.toLower();
    for (const QByteArray &name : {QByteArray("authorization: bearer "), QByteArray("x-api-key: "),
                                   QByteArray("x-goog-api-key: ")})
        if (const qsizetype at = lower.indexOf("\r\n" + name); at >= 0) {
            const qsizetype begin = at + 2 + name.size();
            return head.mid(begin, head.indexOf("\r\n", begin) - begin) == key;
        }
    return false;
}

void ModelServer::respond(QTcpSocket *socket, const Request &request)
{
    const QByteArray path = request.path.left(request.path.contains('?') ? request.path.indexOf('?')
                                                                         : request.path.size());
    const Place place = placeOf(path, request.head);
    const Api api = place.api;
    const auto reply = [&](int status, const QByteArray &body) {
        send(socket, {headOf(status, "application/json") + body}, 0);
    };
    if (place.asked == Asked::Nothing)
        return reply(404, errorOf(api, 404, "there is nothing at " + path.toStdString()));
    if (!keyIsRight(request.head))
        return reply(401, errorOf(api, 401, "this key is not known here"));
    if (request.method != (place.asked == Asked::Models ? "GET" : "POST"))
        return reply(405, errorOf(api, 405, "this method is not allowed here"));
    if (place.asked == Asked::Models)
        return reply(200, modelsOf(api, m_options.models));
    json body = json::parse(request.body.toStdString(), nullptr, false);
    if (!body.is_object())
        return reply(400, errorOf(api, 400, "the body is not a JSON object"));
    const auto named = body.find("model");
    if (api == Api::Gemini)
        body["model"] = place.model.toStdString();
    else if (named == body.end() || !named->is_string())
        return reply(400, errorOf(api, 400, "the model is missing"));
    const auto model = body["model"].get<std::string>();
    if (!serves(api, model))
        return reply(404, unknownModelOf(api, model));
    const auto stream = body.find("stream");
    answer(socket, api, body,
           place.asked == Asked::Stream || (stream != body.end() && *stream == true));
}

bool ModelServer::serves(Api api, const std::string &model) const
{
    const bool tagged = api == Api::Ollama && model.ends_with(":latest");
    return m_options.models.contains(model) ||
           (tagged && m_options.models.contains(model.substr(0, model.size() - 7)));
}

const ScriptedReply *ModelServer::nextReply()
{
    const auto &replies = m_scenario.replies;
    if (m_next < replies.size())
        return &replies[m_next++];
    return m_scenario.repeatLast && !replies.empty() ? &replies.back() : nullptr;
}

void ModelServer::answer(QTcpSocket *socket, Api api, const json &request, bool stream)
{
    const ScriptedReply *reply = nextReply();
    if (reply == nullptr) {
        send(
            socket,
            {headOf(500, "application/json") + errorOf(api, 500, "the scenario has no reply left")},
            0);
        return;
    }
    const std::string &full = reply->error ? reply->error->partial : reply->text;
    const std::size_t length = tools::lengthWithinTokens(full, limitIn(request));
    const std::string text = full.substr(0, length);
    Answer answer;
    answer.model = request["model"].get<std::string>();
    answer.truncated = length < full.size();
    answer.tokensIn = core::estimateTokens(request.dump());
    answer.tokensOut = core::estimateTokens(text);
    for (const std::string_view piece : tools::cutIntoPieces(text, reply->chunks))
        answer.pieces.append(std::string(piece));
    if (reply->hang)
        return;
    if (reply->fault != ScriptedFault::None) {
        fail(socket, api, *reply, answer);
        return;
    }
    if (!stream) {
        send(socket, {headOf(200, "application/json"), bodyOf(api, answer)}, reply->delayMs);
        return;
    }
    const Stream wanted = streamOf(api, answer);
    QList<QByteArray> pieces = wanted.pieces;
    pieces.prepend(headOf(200, wanted.contentType) + wanted.begin);
    pieces.append(wanted.end);
    send(socket, pieces, reply->delayMs);
}

void ModelServer::fail(QTcpSocket *socket, Api api, const ScriptedReply &reply,
                       const Answer &answer)
{
    const Stream stream = streamOf(api, answer);
    QList<QByteArray> begun = stream.pieces;
    begun.prepend(headOf(200, stream.contentType) + stream.begin);
    switch (reply.fault) {
    case ScriptedFault::Http: {
        QByteArray more;
        if (reply.error->retryAfterMs)
            more = "retry-after-ms: " + QByteArray::number(*reply.error->retryAfterMs) + "\r\n";
        send(socket,
             {headOf(reply.status, "application/json", more) +
              errorOf(api, reply.status, reply.error->message)},
             reply.delayMs);
        return;
    }
    case ScriptedFault::StreamCut:
        send(socket, begun, reply.delayMs);
        return;
    case ScriptedFault::Connection:
        socket->abort();
        return;
    case ScriptedFault::Garbage:
        send(socket,
             {headOf(200, stream.contentType) + "data: \x01\x02 no JSON {\n\n" +
              QByteArray(64, '\xFE') + "\n\n"},
             reply.delayMs);
        return;
    case ScriptedFault::Html:
        send(socket,
             {headOf(200, "text/html") +
              "<!doctype html><html><head><title>Sign in</title></head><body>…</body></html>"},
             reply.delayMs);
        return;
    case ScriptedFault::StreamError:
        begun.append(streamErrorOf(api, reply.error->message));
        send(socket, begun, reply.delayMs);
        return;
    case ScriptedFault::Endless: {
        socket->write(begun.join());
        const QByteArray piece =
            streamOf(api, {answer.model, {"and so on "}, 0, 0, false}).pieces[0];
        auto *timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket, piece] {
            if (socket->bytesToWrite() < (1 << 20))
                socket->write(piece.repeated(20));
        });
        timer->start(1);
        return;
    }
    case ScriptedFault::Timeout:
    case ScriptedFault::None:
        return; // and not a word
    }
}

// The pieces evenly over the time, then the end of the connection.
void ModelServer::send(QTcpSocket *socket, const QList<QByteArray> &pieces, std::int64_t delayMs)
{
    if (delayMs == 0) {
        socket->write(pieces.join());
        socket->disconnectFromHost();
        return;
    }
    const auto left = std::make_shared<QList<QByteArray>>(pieces);
    auto *timer = new QTimer(socket);
    timer->setTimerType(Qt::PreciseTimer);
    connect(timer, &QTimer::timeout, socket, [socket, left, timer] {
        socket->write(left->takeFirst());
        if (!left->isEmpty())
            return;
        timer->stop();
        socket->disconnectFromHost();
    });
    timer->start(static_cast<int>(std::max<std::int64_t>(1, delayMs / pieces.size())));
}

} // namespace emend::fakes
