// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/limits.h"

#include <cstring>
#include <filesystem>

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tools/process/folder.h"
#include "tools/sandbox/attend.h"
#include "tools/sandbox/child.h"
#include "tools/sandbox/environment.h"
#include "tools/sandbox/supervisor.h"

namespace emend::tools {

namespace {

using End = SandboxOutcome::End;

// The limit on processes counts all of the user's, so those that there are come on top.
int tasksOf(uid_t user)
{
    int tasks = 0;
    DIR *dir = ::opendir("/proc");
    while (const dirent *entry = dir == nullptr ? nullptr : ::readdir(dir)) {
        struct stat status {};
        const std::string path = std::string(entry->d_name) + "/task";
        if (::fstatat(::dirfd(dir), path.c_str(), &status, 0) == 0 && status.st_uid == user)
            tasks += static_cast<int>(status.st_nlink) - 2;
    }
    if (dir != nullptr)
        ::closedir(dir);
    return tasks;
}

// The folder of one run: box for the command, tmp besides it. Root's own files are out of the
// command's reach, because it runs as another user in folders that are sticky.
class Box {
public:
    static core::Result<Box> make(const SandboxCommand &command, const Identity &identity);
    int folder() const { return m_box.get(); }
    std::string temporary() const { return m_root.path() + "/tmp"; }
    bool changed(const SandboxCommand &command) const;

private:
    explicit Box(TemporaryFolder root)
        : m_root(std::move(root))
    {}
    bool lay(const SandboxFile &file, const Identity &identity) const;
    bool makeFolder(int parent, const std::string &name, const Identity &identity) const;

    TemporaryFolder m_root;
    Descriptor m_box;
};

bool Box::makeFolder(int parent, const std::string &name, const Identity &identity) const
{
    if (::mkdirat(parent, name.c_str(), 0700) != 0)
        return errno == EEXIST;
    return !identity.drop || (::fchownat(parent, name.c_str(), 0, identity.group, 0) == 0 &&
                              ::fchmodat(parent, name.c_str(), 01770, 0) == 0);
}

bool Box::lay(const SandboxFile &file, const Identity &identity) const
{
    for (std::size_t slash = 0; (slash = file.path.find('/', slash)) != std::string::npos; ++slash)
        if (!makeFolder(m_box.get(), file.path.substr(0, slash), identity))
            return false;
    const Descriptor made(
        ::openat(m_box.get(), file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!made || !writeAll(made.get(), file.content))
        return false;
    if (identity.drop && !file.readOnly && ::fchown(made.get(), identity.user, identity.group) != 0)
        return false;
    return ::fchmod(made.get(), file.readOnly ? 0444 : 0644) == 0;
}

core::Result<Box> Box::make(const SandboxCommand &command, const Identity &identity)
{
    auto root = TemporaryFolder::make();
    if (!root)
        return tl::unexpected<core::Error>(root.error());
    Box box(std::move(*root));
    bool made = !identity.drop || ::fchmod(box.m_root.descriptor(), 0711) == 0;
    for (const char *name : {"box", "tmp"})
        made = made && box.makeFolder(box.m_root.descriptor(), name, identity);
    box.m_box =
        Descriptor(::openat(box.m_root.descriptor(), "box", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (const SandboxFile &file : command.files)
        made = made && box.lay(file, identity);
    if (!made)
        return core::fail(core::ErrorCode::Unwritable,
                          std::string("the folder of the command cannot be filled: ") +
                              std::strerror(errno));
    return box;
}

bool Box::changed(const SandboxCommand &command) const
{
    for (const SandboxFile &file : command.files)
        if (file.readOnly &&
            readBelow(m_box.get(), file.path, file.content.size() + 1) != file.content)
            return true;
    return false;
}

SandboxOutcome refuse(std::string problem)
{
    SandboxOutcome outcome;
    outcome.problem = std::move(problem);
    return outcome;
}

// The command below its supervisor. Its destructor leaves nothing alive.
class Supervised {
public:
    Supervised(ChildPlan &plan, int folder);
    ~Supervised() { end(); }
    Supervised(const Supervised &) = delete;
    Supervised &operator=(const Supervised &) = delete;

    bool started() const { return static_cast<bool>(m_descriptor); }
    int output() const { return m_outputPipe.read.get(); }
    int done() const { return m_descriptor.get(); }
    pid_t pid() const { return m_pid; }
    void end();
    // What it reported last; call after end().
    SupervisorReport lastReport() const;

private:
    Pipe m_outputPipe, m_control, m_reports;
    pid_t m_pid = -1;
    Descriptor m_descriptor;
};

Supervised::Supervised(ChildPlan &plan, int folder)
    : m_outputPipe(Pipe::make())
    , m_control(Pipe::make())
    , m_reports(Pipe::make())
{
    const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!m_outputPipe || !m_control || !m_reports || !null)
        return;
    ::fcntl(m_outputPipe.read.get(), F_SETFL, O_NONBLOCK);
    plan.nullInput = null.get();
    plan.output = m_outputPipe.write.get();
    plan.folder = folder;
    const SupervisorPlan supervisor{&plan, m_control.read.get(), m_reports.write.get()};
    m_pid = forkChild([&supervisor] { supervise(supervisor); });
    m_outputPipe.write.reset();
    m_reports.write.reset();
    if (m_pid > 0)
        m_descriptor = processDescriptor(m_pid);
}

void Supervised::end()
{
    m_control.write.reset();
    if (m_pid <= 0)
        return;
    if (!m_descriptor || !waitReadable(m_descriptor.get(), monotonicUs() + 10'000'000))
        ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
}

SupervisorReport Supervised::lastReport() const
{
    SupervisorReport last{}, each{};
    while (::read(m_reports.read.get(), &each, sizeof each) == sizeof each) {
        const bool failed = last.kind == SupervisorReport::Kind::Failed && last.value != 0;
        if (!failed)
            last = each;
    }
    return last;
}

} // namespace

SandboxOutcome runWithLimits(const SandboxCommand &command, std::stop_token stop,
                             const std::function<void(std::string_view)> &onOutput)
{
    const Identity identity = Identity::forCommands();
    auto box = Box::make(command, identity);
    if (!box)
        return refuse(box.error().message);
    const std::string program = command.argv.empty() ? "" : findProgram(command.argv[0]);
    if (program.empty())
        return refuse("the command was not found");
    ChildPlan plan(program, command.argv, sandboxEnvironment(command, box->temporary()));
    plan.identity = identity;
    plan.limits = resourceLimits(command.limits);
    const int others = tasksOf(identity.drop ? identity.user : ::geteuid());
    plan.limits.push_back(
        {RLIMIT_NPROC, static_cast<rlim_t>(others + 1 + command.limits.processes)});

    const StopDescriptor stopped(std::move(stop));
    KeptOutput output(command.limits.outputKept);
    SandboxOutcome outcome;
    outcome.heldBy = "limits";
    const std::int64_t began = monotonicUs();
    Supervised supervised(plan, box->folder());
    if (!supervised.started())
        return refuse("the command could not be started");
    const std::int64_t most = static_cast<std::int64_t>(command.limits.folderMb) << 20;
    const auto tooManyFiles = [&] {
        const FolderUse use = useOfFolder(box->folder(), command.limits.entries);
        return use.entries >= command.limits.entries || use.bytes > most;
    };
    const Attended attended{supervised.output(), supervised.done(), stopped.get(), supervised.pid(),
                            &command.limits,     tooManyFiles,      onOutput};
    const auto ended = attend(attended, output);
    supervised.end();
    outcome.commandUs = monotonicUs() - began;
    drain(supervised.output(), output, onOutput);
    outcome.outputBytes = output.bytes();
    outcome.output = output.take();
    const SupervisorReport report = supervised.lastReport();
    if (report.kind == SupervisorReport::Kind::Failed && report.value != 0)
        return refuse(std::string("the command could not be started: ") +
                      std::strerror(report.value));
    outcome.end = ended.value_or(End::Exited);
    if (!ended && report.kind == SupervisorReport::Kind::Ended && WIFEXITED(report.value)) {
        outcome.exitCode = WEXITSTATUS(report.value);
    } else if (!ended) {
        outcome.end = End::Signalled;
        outcome.signal =
            report.kind == SupervisorReport::Kind::Ended ? WTERMSIG(report.value) : SIGKILL;
    }
    outcome.filesChanged = box->changed(command);
    if (!command.report.empty())
        outcome.report = readBelow(box->folder(), command.report, longestReport);
    return outcome;
}

} // namespace emend::tools
