// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/run/control.h"

namespace emend::app {

namespace {

std::array<int, 2> pipeEnds = {-1, -1}; // a signal handler can reach nothing else

void tell(char what)
{
    const int saved = errno;
    [[maybe_unused]] const auto written = write(pipeEnds[1], &what, 1);
    errno = saved;
}

extern "C" void onSignal(int)
{
    tell('k');
}

void install(void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGHUP, &action, nullptr);
}

void maskSignals(int how)
{
    sigset_t ours;
    sigemptyset(&ours);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaddset(&ours, signal);
    pthread_sigmask(how, &ours, nullptr);
}

} // namespace

void holdSignals()
{
    maskSignals(SIG_BLOCK);
}

void releaseSignals()
{
    maskSignals(SIG_UNBLOCK);
}

KillOnSignal::KillOnSignal(core::RunControl &control)
{
    if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0) {
        releaseSignals();
        return;
    }
    m_thread = std::thread([&control] {
        char what = 0;
        for (;;) {
            const auto got = read(pipeEnds[0], &what, 1);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0 || what == 'q')
                return;
            control.kill();
        }
    });
    install(onSignal);
    releaseSignals();
}

KillOnSignal::~KillOnSignal()
{
    if (!m_thread.joinable())
        return;
    install(SIG_DFL);
    tell('q');
    m_thread.join();
    close(pipeEnds[0]);
    close(pipeEnds[1]);
}

} // namespace emend::app
