// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/thread/eventthread.h"

#include <QCoreApplication>
#include <QEvent>
#include <QEventLoop>

namespace emend::tools {

class EventThread::Waker : public QObject {
public:
    explicit Waker(EventThread &thread)
        : m_thread(thread)
    {}

    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        m_thread.runJobs();
        return true;
    }

private:
    EventThread &m_thread;
};

EventThread::EventThread()
    : m_thread([this] { run(); })
{}

EventThread::~EventThread()
{
    post([this] { m_loop->quit(); });
    m_thread.join();
}

void EventThread::post(std::function<void()> job)
{
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
    if (m_waker)
        QCoreApplication::postEvent(m_waker, new QEvent(QEvent::User));
}

void EventThread::run()
{
    QEventLoop loop;
    Waker waker(*this);
    m_loop = &loop;
    {
        const std::lock_guard lock(m_mutex);
        m_waker = &waker;
        // For jobs that came earlier; they run inside the loop, so that one of them can quit it.
        QCoreApplication::postEvent(m_waker, new QEvent(QEvent::User));
    }
    loop.exec();
    const std::lock_guard lock(m_mutex);
    m_waker = nullptr;
}

void EventThread::runJobs()
{
    std::deque<std::function<void()>> jobs;
    {
        const std::lock_guard lock(m_mutex);
        jobs.swap(m_jobs);
    }
    for (const auto &job : jobs)
        job();
}

} // namespace emend::tools
