// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QNetworkReply>
#include <QObject>
#include <QSet>

#include <memory>

#include "tools/http/exchange.h"

QT_BEGIN_NAMESPACE
class QNetworkAccessManager;
QT_END_NAMESPACE

namespace emend::tools {

// Performs exchanges with a QNetworkAccessManager. Lives on the network thread.
class NetworkWorker : public QObject {
public:
    void start(const std::shared_ptr<Exchange> &exchange);
    // Closes the connection of an exchange that has ended; one that is not known is ignored.
    void abort(const std::shared_ptr<Exchange> &exchange);
    void cancelAll();

private:
    void noteSent(QNetworkReply *reply);
    void noteTls(QNetworkReply *reply, const QList<QSslError> &errors);
    void readHead(QNetworkReply *reply);
    void readData(QNetworkReply *reply);
    void finish(QNetworkReply *reply);
    void drop(QNetworkReply *reply);

    struct Running {
        std::shared_ptr<Exchange> exchange;
        QNetworkAccessManager *manager = nullptr;
        bool sent = false;
        bool hasHead = false;
        std::string tlsProblem; // the first, as a sentence
        std::int64_t bytes = 0;
    };
    // One for each way to connect, so that no connection made with other settings is used again.
    QNetworkAccessManager *managerFor(const HttpRequest &request);
    void retire(QNetworkAccessManager *manager);

    QHash<QNetworkReply *, Running> m_running;
    QHash<QByteArray, QNetworkAccessManager *> m_managers; // children, of the network thread
    QSet<QNetworkAccessManager *> m_retired;               // go with their last reply
};

} // namespace emend::tools
