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

} // namespace

KillOnSignal::KillOnSignal(core::RunControl &control)
{
    if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        return;
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
