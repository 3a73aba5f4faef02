// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/child.h"

#include <array>
#include <cerrno>

#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace emend::tools {

Identity Identity::forCommands()
{
    if (::geteuid() != 0)
        return {};
    constexpr id_t kernelOverflow = 65534; // nobody, on a system that names no such user
    Identity identity{true, kernelOverflow, kernelOverflow};
    passwd entry{}, *found = nullptr;
    std::array<char, 4096> buffer{};
    if (::getpwnam_r("nobody", &entry, buffer.data(), buffer.size(), &found) == 0 &&
        found != nullptr) {
        identity.user = found->pw_uid;
        identity.group = found->pw_gid;
    }
    return identity;
}

std::vector<ResourceLimit> resourceLimits(const SandboxLimits &limits)
{
    const auto memory = static_cast<rlim_t>(limits.memoryMb) << 20;
    const auto seconds = static_cast<rlim_t>(limits.wallUs / 1'000'000);
    std::vector<ResourceLimit> all = {
        {RLIMIT_CORE, 0},
        {RLIMIT_CPU, seconds + 2}, // the wall time comes first; this is for what outlives it
        {RLIMIT_DATA, memory},
        {RLIMIT_FSIZE, static_cast<rlim_t>(limits.folderMb) << 20},
        {RLIMIT_NOFILE, 256},
        {RLIMIT_MEMLOCK, 0},
        {RLIMIT_MSGQUEUE, 0},
    };
    if (limits.addressSpace)
        all.push_back({RLIMIT_AS, memory});
    return all;
}

ChildPlan::ChildPlan(const std::string &theProgram, const std::vector<std::string> &theArgv,
                     const std::vector<std::string> &environment)
    : program(theProgram)
    , words(theArgv)
    , variables(environment)
{
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    for (std::string &variable : variables)
        envp.push_back(variable.data());
    envp.push_back(nullptr);
}

namespace {

// Straight system calls: the C library's would ask the other threads, which are not in the child.
bool becomeUser(const Identity &identity)
{
    return ::syscall(SYS_setgroups, 0, nullptr) == 0 &&
           ::syscall(SYS_setresgid, identity.group, identity.group, identity.group) == 0 &&
           ::syscall(SYS_setresuid, identity.user, identity.user, identity.user) == 0;
}

// Without close_range (Linux < 5.11) every file of Emend is close-on-exec by itself.
void closeAllBut(const std::vector<int> &kept)
{
    ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
    for (const int file : kept)
        ::fcntl(file, F_SETFD, 0);
}

void plainSignals()
{
    for (int signal = 1; signal < NSIG; ++signal)
        ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

} // namespace

int becomeCommand(const ChildPlan &plan)
{
    plainSignals();
    ::setsid();
    ::umask(022);
    if (::dup2(plan.nullInput, 0) < 0 || ::dup2(plan.output, 1) < 0 || ::dup2(plan.output, 2) < 0)
        return errno;
    closeAllBut(plan.kept);
    if ((plan.folder >= 0 ? ::fchdir(plan.folder) : ::chdir("/")) != 0)
        return errno;
    if (plan.identity.drop && !becomeUser(plan.identity))
        return errno;
    // After the change of user, which would undo it.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    if (::getppid() != plan.parent)
        return ECANCELED;
    for (const ResourceLimit &limit : plan.limits) {
        rlimit now{};
        ::getrlimit(limit.resource, &now);
        const rlim_t value = now.rlim_max < limit.value ? now.rlim_max : limit.value;
        const rlimit wanted{value, value};
        if (::setrlimit(limit.resource, &wanted) != 0)
            return errno;
    }
    ::execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
    return errno;
}

} // namespace emend::tools
