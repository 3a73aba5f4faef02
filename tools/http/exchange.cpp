// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/http/exchange.h"

#include <algorithm>

namespace emend::tools {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

SteadyTime after(std::chrono::microseconds time)
{
    constexpr std::chrono::microseconds longest = std::chrono::hours(24 * 365);
    return std::chrono::steady_clock::now() + std::min(time, longest);
}

} // namespace

Exchange::Exchange(HttpRequest request, bool streaming)
    : m_request(std::move(request))
    , m_streaming(streaming)
{}

void Exchange::setSent()
{
    const Lock lock(m_mutex);
    m_sent = true;
    ++m_progress;
    m_changed.notify_all();
}

void Exchange::setHead(HttpResponse head)
{
    const Lock lock(m_mutex);
    if (m_state != State::Running)
        return;
    m_response = std::move(head);
    m_sent = m_begun = true;
    ++m_progress;
    m_changed.notify_all();
}

void Exchange::addData(std::string piece)
{
    const Lock lock(m_mutex);
    if (m_state != State::Running)
        return;
    if (m_streaming && m_response.status / 100 == 2)
        m_pieces.push_back(std::move(piece));
    else
        m_response.body += piece;
    ++m_progress;
    m_changed.notify_all();
}

void Exchange::succeed()
{
    const Lock lock(m_mutex);
    end(State::Replied);
}

void Exchange::fail(HttpError error)
{
    const Lock lock(m_mutex);
    end(State::Failed, std::move(error));
}

void Exchange::cancel()
{
    const Lock lock(m_mutex);
    end(State::Cancelled);
}

bool Exchange::ended()
{
    const Lock lock(m_mutex);
    return m_state != State::Running;
}

void Exchange::end(State state, HttpError error)
{
    if (m_state != State::Running)
        return;
    m_state = state;
    m_error = std::move(error);
    m_changed.notify_all();
}

HttpOutcome Exchange::wait(std::stop_token stop, const HttpClient::OnData &onData)
{
    const SteadyTime deadline = after(m_request.timeout);
    Lock lock(m_mutex);
    for (;;) {
        awaitProgress(lock, stop, deadline);
        deliver(lock, stop, onData);
        if (stop.stop_requested()) {
            end(State::Cancelled);
            return {}; // even if the reply was there already
        }
        if (m_state != State::Running && m_pieces.empty())
            return takeOutcome();
    }
}

// How long the present phase may last without a sign of life, and what it means if it does.
std::pair<std::chrono::microseconds, const char *> Exchange::patience() const
{
    if (!m_sent)
        return {m_request.connectTimeout, "no connection in time"};
    if (!m_begun && m_request.firstByteTimeout.count() > 0)
        return {m_request.firstByteTimeout, "the connection stands, but no answer began in time"};
    return {m_request.idleTimeout, "the server fell silent"};
}

void Exchange::awaitProgress(Lock &lock, std::stop_token stop, SteadyTime deadline)
{
    const auto [longest, silent] = patience();
    const SteadyTime idle = longest.count() > 0 ? after(longest) : SteadyTime::max();
    const SteadyTime until = std::min(deadline, idle);
    const auto came = [this, seen = m_progress] {
        return m_state != State::Running || m_progress != seen || !m_pieces.empty();
    };
    const bool changed = m_changed.wait_until(lock, stop, until, came);
    if (stop.stop_requested())
        return;
    // The first condition is false for a server that always has a little more to say.
    if (!changed && idle < deadline)
        end(State::Failed, {HttpError::Kind::Timeout, silent});
    else if (std::chrono::steady_clock::now() >= deadline)
        end(State::Failed, {HttpError::Kind::Timeout, "no complete reply in time"});
}

// Hands the pieces over without the lock, so that the network thread never waits for the caller.
void Exchange::deliver(Lock &lock, std::stop_token stop, const HttpClient::OnData &onData)
{
    while (!m_pieces.empty() && !stop.stop_requested()) {
        const std::string piece = std::move(m_pieces.front());
        m_pieces.pop_front();
        lock.unlock();
        onData(m_response, piece); // the head no longer changes once there is a piece
        lock.lock();
    }
}

HttpOutcome Exchange::takeOutcome()
{
    switch (m_state) {
    case State::Replied:
        return {HttpOutcome::Kind::Replied, std::move(m_response), {}};
    case State::Failed:
        return {HttpOutcome::Kind::Failed, {}, std::move(m_error)};
    case State::Running:
    case State::Cancelled:
        break;
    }
    return {};
}

} // namespace emend::tools
