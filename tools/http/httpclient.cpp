// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/httpclient.h"

#include "tools/http/eventthread.h"
#include "tools/http/exchange.h"
#include "tools/http/networkworker.h"

#include <algorithm>

namespace emend::tools {

std::string_view HttpResponse::header(std::string_view name) const
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
    for (const auto &[key, value] : headers) {
        if (std::ranges::equal(key, name, {}, lower, lower))
            return value;
    }
    return {};
}

// The network thread and what lives on it. The last owner, the client or a caller that is still
// on its way out, ends the thread; the network thread itself is never an owner.
class HttpClient::Network {
public:
    Network()
    {
        m_thread.post([this] { m_worker = std::make_unique<NetworkWorker>(); });
    }

    ~Network()
    {
        m_thread.post([this] { m_worker.reset(); });
    }

    template<typename Job>
    void post(Job job)
    {
        m_thread.post([this, job = std::move(job)] { job(*m_worker); });
    }

private:
    std::unique_ptr<NetworkWorker> m_worker; // lives and dies on the thread
    EventThread m_thread;                    // last: it ends before the rest goes
};

HttpClient::HttpClient() = default;

HttpClient::~HttpClient()
{
    if (m_network)
        m_network->post([](NetworkWorker &worker) { worker.cancelAll(); });
}

std::shared_ptr<HttpClient::Network> HttpClient::network()
{
    const std::lock_guard lock(m_mutex);
    if (!m_network)
        m_network = std::make_shared<Network>();
    return m_network;
}

HttpOutcome HttpClient::send(const HttpRequest &request, std::stop_token stop, const OnData &onData)
{
    if (stop.stop_requested())
        return {};
    const std::shared_ptr<Network> net = network();
    const auto exchange = std::make_shared<Exchange>(request, static_cast<bool>(onData));
    net->post([exchange](NetworkWorker &worker) { worker.start(exchange); });
    HttpOutcome outcome = exchange->wait(std::move(stop), onData);
    if (outcome.kind != HttpOutcome::Kind::Replied)
        net->post([exchange](NetworkWorker &worker) { worker.abort(exchange); });
    return outcome;
}

} // namespace emend::tools
