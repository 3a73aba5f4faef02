// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/supervisor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace emend::tools {

namespace {

struct Process {
    pid_t pid, parent;
};

// Too large for a stack, and the heap may be locked by a thread that is not here.
std::array<Process, 32768> processes;
std::size_t processCount;

void report(int file, SupervisorReport::Kind kind, int value)
{
    const SupervisorReport message{kind, value};
    (void)!::write(file, &message, sizeof message);
}

int toNumber(const char *text)
{
    int number = 0;
    for (; *text >= '0' && *text <= '9'; ++text)
        number = number * 10 + (*text - '0');
    return number;
}

pid_t parentOf(const char *pid)
{
    std::array<char, 64> path{};
    char *at = std::copy_n("/proc/", 6, path.data());
    while (*pid != 0 && at < path.data() + 40)
        *at++ = *pid++;
    std::copy_n("/stat", 6, at);
    std::array<char, 512> text{};
    const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : ::read(file, text.data(), text.size() - 1);
    if (file >= 0)
        ::close(file);
    const char *end = text.data() + std::max<ssize_t>(size, 0);
    const char *name = end; // "pid (name) state parent"; the name may hold brackets
    while (name > text.data() && *name != ')')
        --name;
    return end - name > 4 ? toNumber(name + 4) : 0;
}

void listProcesses()
{
    processCount = 0;
    const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    alignas(8) std::array<char, 8192> buffer;
    constexpr std::size_t lengthAt = 16, nameAt = 19; // of struct linux_dirent64
    for (long got; (got = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;) {
        for (long at = 0; at < got && processCount < processes.size();) {
            const char *entry = buffer.data() + at;
            const char *name = entry + nameAt;
            if (*name >= '1' && *name <= '9')
                processes[processCount++] = {toNumber(name), parentOf(name)};
            at += *reinterpret_cast<const unsigned short *>(entry + lengthAt);
        }
    }
    ::close(folder);
}

// Signals all that descend from this process; says how many there are.
int signalDescendants(int signal)
{
    listProcesses();
    static std::array<bool, processes.size()> below;
    below.fill(false);
    const pid_t self = ::getpid();
    const auto isBelow = [&](pid_t parent) {
        if (parent == self)
            return true;
        for (std::size_t i = 0; i < processCount; ++i)
            if (processes[i].pid == parent)
                return below[i];
        return false;
    };
    int count = 0;
    for (bool found = true; found;) { // a child may be listed before its parent
        found = false;
        for (std::size_t i = 0; i < processCount; ++i)
            if (!below[i] && isBelow(processes[i].parent)) {
                below[i] = found = true;
                ++count;
            }
    }
    for (std::size_t i = 0; i < processCount; ++i)
        if (below[i])
            ::kill(processes[i].pid, signal);
    return count;
}

// Stops first, so that nothing forks away while the list is walked.
void endAll(pid_t command, int &status)
{
    for (int before = -1, now = 0; now != before; before = now, now = signalDescendants(SIGSTOP)) {
    }
    for (;;) {
        signalDescendants(SIGKILL);
        for (;;) {
            int each = 0;
            const pid_t ended = ::waitpid(-1, &each, WNOHANG);
            if (ended == command)
                status = each;
            if (ended < 0 && errno == ECHILD)
                return;
            if (ended <= 0)
                break;
        }
        pollfd none{-1, 0, 0};
        ::poll(&none, 1, 1);
    }
}

void becomeAlone(const SupervisorPlan &plan)
{
    ::setsid();
    for (int signal = 1; signal < NSIG; ++signal)
        if (signal != SIGCHLD)
            ::signal(signal, SIG_IGN);
    ::signal(SIGCHLD, SIG_DFL);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_DUMPABLE, 0); // it is a copy of Emend, with all that Emend knows
    // Other files of Emend must not stay open here; what is needed moves to the lowest numbers.
    std::array<int, 5> needed = {plan.control, plan.reports, plan.command->nullInput,
                                 plan.command->output, plan.command->folder};
    for (std::size_t i = 0; i < needed.size(); ++i)
        needed[i] = ::fcntl(needed[i], F_DUPFD_CLOEXEC, 100);
    ::syscall(SYS_close_range, 0U, 99U, 0U);
    for (std::size_t i = 0; i < needed.size(); ++i)
        ::dup3(needed[i], static_cast<int>(10 + i), O_CLOEXEC);
    ::syscall(SYS_close_range, 100U, ~0U, 0U);
}

} // namespace

void supervise(const SupervisorPlan &plan)
{
    becomeAlone(plan);
    constexpr int control = 10, reports = 11;
    plan.command->nullInput = 12;
    plan.command->output = 13;
    plan.command->folder = 14;
    plan.command->parent = ::getpid();
    const pid_t command = ::fork();
    if (command == 0) {
        report(reports, SupervisorReport::Kind::Failed, becomeCommand(*plan.command));
        ::_exit(127);
    }
    ::close(13);
    int status = 0;
    if (command < 0) {
        report(reports, SupervisorReport::Kind::Failed, errno);
        ::_exit(0);
    }
    report(reports, SupervisorReport::Kind::Started, command);
    pollfd files[2] = {{control, POLLIN, 0},
                       {static_cast<int>(::syscall(SYS_pidfd_open, command, 0)), POLLIN, 0}};
    while (::poll(files, 2, 50) <= 0) {
        // Takes in what was left behind and has ended, but not the command, which is waited for.
        siginfo_t info{};
        while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid > 0 &&
               info.si_pid != command)
            ::waitpid(info.si_pid, nullptr, 0);
        if (info.si_pid == command)
            break;
    }
    endAll(command, status);
    report(reports, SupervisorReport::Kind::Ended, status);
    ::_exit(0);
}

} // namespace emend::tools
