// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/attend.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

#include "tools/process/processtree.h"

namespace emend::tools {

std::int64_t monotonicUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

void StopDescriptor::Notify::operator()() const
{
    const std::uint64_t one = 1;
    (void)!::write(event, &one, sizeof one);
}

StopDescriptor::StopDescriptor(std::stop_token stop)
    : m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    , m_callback(std::move(stop), Notify{m_event.get()})
{}

Descriptor processDescriptor(pid_t pid)
{
    return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

void killProcess(const Descriptor &process)
{
    ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

namespace {

// In whole milliseconds, rounded up; poll's way.
int millisecondsUntil(std::int64_t untilUs)
{
    const std::int64_t left = (untilUs - monotonicUs() + 999) / 1000;
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

} // namespace

bool waitReadable(int file, std::int64_t untilUs)
{
    pollfd each{file, POLLIN, 0};
    for (;;) {
        const int ready = ::poll(&each, 1, millisecondsUntil(untilUs));
        if (ready >= 0 || errno != EINTR)
            return ready > 0;
    }
}

bool drain(int pipe, KeptOutput &output, const std::function<void(std::string_view)> &onOutput)
{
    std::array<char, 65536> buffer;
    for (int rounds = 0; rounds < 16;
         ++rounds) { // a pipe that is filled meanwhile must not hold us
        const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
        if (got == 0)
            return false;
        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
        output.add(text);
        if (onOutput)
            onOutput(text);
    }
    return true;
}

std::optional<SandboxOutcome::End> attend(const Attended &attended, KeptOutput &output)
{
    using End = SandboxOutcome::End;
    constexpr std::int64_t checkEveryUs = 20'000;
    const SandboxLimits &limits = *attended.limits;
    const std::int64_t memory = static_cast<std::int64_t>(limits.memoryMb) << 20;
    const std::int64_t deadline = monotonicUs() + limits.wallUs;
    std::int64_t nextCheck = monotonicUs() + checkEveryUs;
    std::array<pollfd, 3> files = {pollfd{attended.stop, POLLIN, 0},
                                   pollfd{attended.done, POLLIN, 0},
                                   pollfd{attended.output, POLLIN, 0}};
    for (;;) {
        ::poll(files.data(), files.size(), millisecondsUntil(std::min(deadline, nextCheck)));
        if (files[0].revents != 0)
            return End::Cancelled;
        if (files[2].revents != 0 && !drain(attended.output, output, attended.onOutput))
            files[2].fd = -1;
        if (output.bytes() > limits.outputMost)
            return End::OutputFlood;
        if (files[1].revents != 0)
            return std::nullopt;
        const std::int64_t now = monotonicUs();
        if (now >= deadline)
            return End::TimedOut;
        if (now < nextCheck)
            continue;
        if (useOfTree(attended.tree, memory).bytes > memory)
            return End::OutOfMemory;
        if (attended.tooManyFiles())
            return End::TooManyFiles;
        nextCheck = monotonicUs() + checkEveryUs;
    }
}

} // namespace emend::tools
