// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>

#include "tools/http/httpclient.h"

namespace emend::tools {

// One request on its way, shared by the caller that waits and the network thread. It has exactly
// one ending, the first that comes; everything after it is dropped. Thread-safe.
class Exchange {
public:
    Exchange(HttpRequest request, bool streaming);

    const HttpRequest &request() const { return m_request; }

    // ---- the network thread ----
    void setSent();                  // the connection stands, the request is on its way
    void setHead(HttpResponse head); // once, before any data
    void addData(std::string piece);
    void succeed();
    void fail(HttpError error);
    void cancel();
    bool ended();

    // ---- the caller ----
    // Waits for the ending, or makes it.
    HttpOutcome wait(std::stop_token stop, const HttpClient::OnData &onData);

private:
    enum class State : std::uint8_t { Running, Replied, Failed, Cancelled };
    using Lock = std::unique_lock<std::mutex>;

    void end(State state, HttpError error = {});
    std::pair<std::chrono::microseconds, const char *> patience() const;
    void awaitProgress(Lock &lock, std::stop_token stop,
                       std::chrono::steady_clock::time_point deadline);
    void deliver(Lock &lock, std::stop_token stop, const HttpClient::OnData &onData);
    HttpOutcome takeOutcome();

    const HttpRequest m_request;
    const bool m_streaming;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    State m_state = State::Running;
    bool m_sent = false;
    bool m_begun = false;         // the head is there
    std::uint64_t m_progress = 0; // counts what came from the network
    HttpResponse m_response;
    HttpError m_error;
    std::deque<std::string> m_pieces; // for onData; at most maxBodyBytes together
};

} // namespace emend::tools
