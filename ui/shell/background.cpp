// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/background.h"

#include <QMetaObject>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace emend::ui {

// What the two threads share. `receiver` is null once nobody wants the result any more.
struct Background::Call {
    std::mutex mutex;
    Background *receiver = nullptr;
    Done done;
    std::atomic<bool> ended = false;
};

namespace {

struct Left {
    std::jthread thread;
    std::function<bool()> ended;
};

// Threads that were told to stop and have not yet; joined as they end, all of them at the end.
std::mutex leftMutex;
std::vector<Left> &left()
{
    static std::vector<Left> threads;
    return threads;
}

} // namespace

Background::Background(QObject *parent)
    : QObject(parent)
{}

Background::~Background()
{
    leave();
}

void Background::start(Work work)
{
    const bool wasRunning = isRunning();
    leave();
    m_call = std::make_shared<Call>();
    m_call->receiver = this;
    m_thread = std::jthread([call = m_call, work = std::move(work)](const std::stop_token &stop) {
        Done done = work(stop);
        {
            const std::scoped_lock lock(call->mutex);
            call->done = std::move(done);
            if (Background *receiver = call->receiver)
                QMetaObject::invokeMethod(
                    receiver, [receiver, call] { receiver->deliver(call); }, Qt::QueuedConnection);
        }
        call->ended = true;
    });
    if (!wasRunning)
        Q_EMIT runningChanged(true);
}

void Background::cancel()
{
    if (!isRunning())
        return;
    leave();
    Q_EMIT runningChanged(false);
}

void Background::leave()
{
    if (!m_call)
        return;
    {
        const std::scoped_lock lock(m_call->mutex);
        m_call->receiver = nullptr;
    }
    m_thread.request_stop();
    const std::scoped_lock lock(leftMutex);
    std::erase_if(left(), [](const Left &one) { return one.ended(); });
    left().push_back({std::move(m_thread), [call = m_call] { return call->ended.load(); }});
    m_call.reset();
}

void Background::deliver(const std::shared_ptr<Call> &call)
{
    if (call != m_call)
        return; // another one was started meanwhile
    Done done;
    {
        const std::scoped_lock lock(call->mutex);
        done = std::move(call->done);
    }
    leave(); // it has nothing left to do but to end
    Q_EMIT runningChanged(false);
    if (done)
        done();
}

void Background::waitForAll()
{
    std::vector<Left> last;
    {
        const std::scoped_lock lock(leftMutex);
        last.swap(left());
    }
}

} // namespace emend::ui
