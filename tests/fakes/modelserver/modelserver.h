// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTcpServer>

#include <nlohmann/json.hpp>

#include "core/task/scenario.h"
#include "tests/fakes/modelserver/dialects.h"

QT_BEGIN_NAMESPACE
class QTcpSocket;
QT_END_NAMESPACE

namespace emend::fakes {

// A server of models on the loopback address that answers in four APIs from a scenario, the
// replies in order whatever the API, and goes wrong where the scenario says so. Paths and models
// that there are not get each API's own 404. Lives on the thread of its event loop.
class ModelServer : public QObject {
public:
    struct Options {
        std::string requireKey;                                   // empty: no key is asked for
        QList<std::string> models = {"fake-large", "fake-small"}; // others are not found
    };

    ModelServer(core::Scenario scenario, Options options);
    bool listen(quint16 port); // 0: a free one
    quint16 port() const { return m_server.serverPort(); }

private:
    struct Request {
        QByteArray method, path, head, body;
    };

    void accept();
    void read(QTcpSocket *socket);
    void respond(QTcpSocket *socket, const Request &request);
    void answer(QTcpSocket *socket, Api api, const nlohmann::json &request, bool stream);
    void fail(QTcpSocket *socket, Api api, const core::ScriptedReply &reply, const Answer &answer);
    void send(QTcpSocket *socket, const QList<QByteArray> &pieces, std::int64_t delayMs);
    bool serves(Api api, const std::string &model) const;
    bool keyIsRight(const QByteArray &head) const;
    const core::ScriptedReply *nextReply();

    core::Scenario m_scenario;
    Options m_options;
    std::size_t m_next = 0;
    QTcpServer m_server;
    std::map<QTcpSocket *, QByteArray> m_in;
};

} // namespace emend::fakes
