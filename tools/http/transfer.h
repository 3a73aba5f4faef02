// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "tools/http/httpclient.h"

namespace emend::tools {

// The connections that one call at a time may use, and use again; all made in the same way, so
// that none that was made with other settings is taken. Used by one thread, but for wake().
class Connections {
public:
    explicit Connections(std::string way);
    ~Connections();
    Connections(const Connections &) = delete;
    Connections &operator=(const Connections &) = delete;

    // What a request asks of its connection: proxy, CA file, whether it is verified.
    static std::string wayOf(const HttpRequest &request);
    const std::string &way() const { return m_way; }

    void *handle() const { return m_multi; } // a CURLM
    void close();                            // all of them
    void wake();                             // ends a wait; any thread

private:
    std::string m_way;
    void *m_multi;
};

// Sends the request and takes the reply, on this thread. Has ended its connection when it returns,
// unless the reply was complete.
HttpOutcome perform(const HttpRequest &request, Connections &connections, std::stop_token stop,
                    const HttpClient::OnData &onData);

} // namespace emend::tools
