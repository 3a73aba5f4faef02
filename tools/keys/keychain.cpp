// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/keys/keychain.h"

#include <QString>

#include <qt6keychain/keychain.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "tools/thread/eventthread.h"

namespace emend::tools {

namespace {

constexpr std::chrono::seconds longestWait{10}; // a person may have to type a password

// QtKeychain has one queue of jobs a process, which lives on the thread that used it first. So the
// thread is made once, when it is needed, and lasts as long as the process.
EventThread &thread()
{
    static EventThread *const thread = new EventThread;
    return *thread;
}

// What a job says, handed from its thread to the caller's.
struct Answer {
    std::mutex mutex;
    std::condition_variable_any arrived;
    bool done = false;
    QKeychain::Error error = QKeychain::NoError;
    std::string words; // of the error
    std::string value;
};

core::Error problem(const std::string &words)
{
    return {core::ErrorCode::NotSupported,
            "the system has no keychain to use (" + words + ")",
            {},
            {},
            0,
            0};
}

// `make` makes the job and `valueOf` reads it, both on the keychain's thread.
template<typename Make, typename ValueOf>
core::Result<std::string> await(EventThread &onThread, std::stop_token stop, Make make,
                                ValueOf valueOf)
{
    auto answer = std::make_shared<Answer>(); // outlives a caller that gave up
    onThread.post([answer, make, valueOf] {
        auto *job = make(); // deletes itself
        QObject::connect(job, &QKeychain::Job::finished, job, [answer, job, valueOf] {
            const std::lock_guard lock(answer->mutex);
            answer->error = job->error();
            answer->words = job->errorString().toStdString();
            answer->value = valueOf(*job);
            answer->done = true;
            answer->arrived.notify_all();
        });
        job->start();
    });
    std::unique_lock lock(answer->mutex);
    if (!answer->arrived.wait_for(lock, stop, longestWait, [&] { return answer->done; }))
        return tl::unexpected(
            problem(stop.stop_requested() ? "the wait was ended" : "it does not answer"));
    if (answer->error == QKeychain::EntryNotFound)
        return std::string();
    if (answer->error != QKeychain::NoError)
        return tl::unexpected(problem(answer->words));
    return std::move(answer->value);
}

} // namespace

Keychain::Keychain(std::string service)
    : m_service(std::move(service))
{}

core::Result<std::string> Keychain::read(const std::string &name, std::stop_token stop)
{
    return await(
        thread(), std::move(stop),
        [service = m_service, name] {
            auto *job = new QKeychain::ReadPasswordJob(QString::fromStdString(service));
            job->setKey(QString::fromStdString(name));
            return job;
        },
        [](const QKeychain::ReadPasswordJob &job) { return job.textData().toStdString(); });
}

core::Result<void> Keychain::write(const std::string &name, const std::string &value,
                                   std::stop_token stop)
{
    const auto written = await(
        thread(), std::move(stop),
        [service = m_service, name, value] {
            auto *job = new QKeychain::WritePasswordJob(QString::fromStdString(service));
            job->setKey(QString::fromStdString(name));
            job->setTextData(QString::fromStdString(value));
            return job;
        },
        [](const QKeychain::WritePasswordJob &) { return std::string(); });
    if (!written)
        return tl::unexpected(written.error());
    return {};
}

core::Result<void> Keychain::remove(const std::string &name, std::stop_token stop)
{
    const auto removed = await(
        thread(), std::move(stop),
        [service = m_service, name] {
            auto *job = new QKeychain::DeletePasswordJob(QString::fromStdString(service));
            job->setKey(QString::fromStdString(name));
            return job;
        },
        [](const QKeychain::DeletePasswordJob &) { return std::string(); });
    if (!removed)
        return tl::unexpected(removed.error());
    return {};
}

} // namespace emend::tools
