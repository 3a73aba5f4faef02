// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>
#include <functional>
#include <mutex>
#include <thread>

QT_BEGIN_NAMESPACE
class QEventLoop;
class QObject;
QT_END_NAMESPACE

namespace emend::tools {

// A thread with a Qt event loop that runs jobs in the order they were posted. Jobs are handed over
// under a std::mutex and the thread is joined as a std::thread, because the thread sanitizer sees
// neither through QMetaObject::invokeMethod nor through QThread::wait.
class EventThread {
public:
    EventThread();
    ~EventThread(); // after the jobs that were posted; not on the thread itself
    EventThread(const EventThread &) = delete;
    EventThread &operator=(const EventThread &) = delete;

    // Any thread.
    void post(std::function<void()> job);

private:
    class Waker;
    void run();
    void runJobs();

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_jobs;
    QObject *m_waker = nullptr;   // on the thread, while its loop runs
    QEventLoop *m_loop = nullptr; // used on the thread only
    std::thread m_thread;
};

} // namespace emend::tools
