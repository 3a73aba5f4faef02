// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include <sys/types.h>

#include "tools/process/descriptor.h"
#include "tools/process/keptoutput.h"
#include "tools/sandbox/sandbox.h"

// What both ways of holding a command share: waiting for it, and for all that may end it first.
namespace emend::tools {

std::int64_t monotonicUs();

// Becomes readable when the stop is requested.
class StopDescriptor {
public:
    explicit StopDescriptor(std::stop_token stop);
    int get() const { return m_event.get(); }

private:
    struct Notify {
        int event;
        void operator()() const;
    };
    Descriptor m_event;
    std::stop_callback<Notify> m_callback;
};

// Readable when the process has ended.
Descriptor processDescriptor(pid_t pid);
void killProcess(const Descriptor &process);

// Waits until `file` is readable, at most until `untilUs`.
bool waitReadable(int file, std::int64_t untilUs);

struct Attended {
    int output = -1; // read end of its pipe, non-blocking
    int done = -1;   // readable when all is over
    int stop = -1;
    pid_t tree = 0; // whose memory counts
    const SandboxLimits *limits = nullptr;
    std::function<bool()> tooManyFiles;
    std::function<void(std::string_view)> onOutput;
};

// Waits for the end. Nothing: it came by itself; else what it has to be ended for now.
std::optional<SandboxOutcome::End> attend(const Attended &attended, KeptOutput &output);
// Takes what is in the pipe without waiting; false: no more can come.
bool drain(int pipe, KeptOutput &output, const std::function<void(std::string_view)> &onOutput);

// fork() with all signals blocked, so that no handler of Emend runs in the child. The child is what
// `body` does; it never returns.
template<typename Body>
pid_t forkChild(const Body &body)
{
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) {
        body();
        ::_exit(127);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return pid;
}

} // namespace emend::tools
