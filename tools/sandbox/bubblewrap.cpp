// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/bubblewrap.h"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include "tools/process/folder.h"
#include "tools/sandbox/attend.h"
#include "tools/sandbox/child.h"
#include "tools/sandbox/environment.h"

namespace emend::tools {

namespace {

using End = SandboxOutcome::End;

// The command line of bubblewrap. What it reads from files stays open until it has been started.
class Arguments {
public:
    Arguments(const std::string &program, const SandboxCommand &command, const std::string &marker);
    void passFile(const char *option, Descriptor &&file);
    void finish(const SandboxCommand &command);
    bool complete() const { return m_complete; }
    const std::vector<std::string> &words() const { return m_words; }
    std::vector<int> numbers() const;

private:
    void add(std::initializer_list<std::string> words) { m_words.insert(m_words.end(), words); }
    void addSystem();
    void addMemoryFolder(std::int64_t bytes, const std::string &path);

    std::vector<std::string> m_words;
    std::vector<Descriptor> m_files;
    bool m_complete = true;
};

void Arguments::addMemoryFolder(std::int64_t bytes, const std::string &path)
{
    add({"--size", std::to_string(bytes), "--tmpfs", path});
}

// Programs and libraries, and of /etc only what finding them takes.
void Arguments::addSystem()
{
    add({"--ro-bind", "/usr", "/usr"});
    for (const char *name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
        std::error_code error;
        const std::filesystem::path target = std::filesystem::read_symlink(name, error);
        if (!error)
            add({"--symlink", target.string(), name});
        else
            add({"--ro-bind-try", name, name});
    }
    for (const char *name : {"/etc/alternatives", "/etc/ld.so.cache"})
        add({"--ro-bind-try", name, name});
}

Arguments::Arguments(const std::string &program, const SandboxCommand &command,
                     const std::string &marker)
{
    constexpr std::int64_t shared = 16 << 20, temporary = 64 << 20;
    add({program, "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
         "--new-session", "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"});
    addSystem();
    for (const std::string &folder : command.visible)
        add({"--ro-bind", folder, folder});
    add({"--proc", "/proc", "--dev", "/dev"});
    addMemoryFolder(shared, "/dev/shm");
    addMemoryFolder(temporary, "/tmp");
    addMemoryFolder(static_cast<std::int64_t>(command.limits.folderMb) << 20, "/box");
    add({"--dir", marker});
    for (const SandboxFile &file : command.files) {
        add({"--perms", file.readOnly ? "0444" : "0644"});
        passFile(file.readOnly ? "--ro-bind-data" : "--file", memoryFile(file.content));
        add({"/box/" + file.path});
    }
    // Both are file systems in memory that nothing limits.
    add({"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/box"});
}

void Arguments::passFile(const char *option, Descriptor &&file)
{
    m_complete = m_complete && file;
    add({option, std::to_string(file.get())});
    m_files.push_back(std::move(file));
}

void Arguments::finish(const SandboxCommand &command)
{
    // The number of processes is limited inside: only there are no others of the same user counted.
    const std::string processes = std::to_string(command.limits.processes);
    add({"--", "/usr/bin/prlimit", "--nproc=" + processes + ":" + processes});
    m_words.insert(m_words.end(), command.argv.begin(), command.argv.end());
}

std::vector<int> Arguments::numbers() const
{
    std::vector<int> numbers;
    for (const Descriptor &file : m_files)
        numbers.push_back(file.get());
    return numbers;
}

// One command on its way. Its destructor leaves nothing alive.
class Run {
public:
    Run(const std::string &bubblewrap, const SandboxCommand &command, std::stop_token stop,
        const std::function<void(std::string_view)> &onOutput)
        : m_bubblewrap(bubblewrap)
        , m_command(command)
        , m_stop(std::move(stop))
        , m_onOutput(onOutput)
        , m_output(command.limits.outputKept)
    {}
    ~Run() { end(); }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    SandboxOutcome perform();

private:
    bool start();
    pid_t readFirstProcess();
    bool waitUntilReady();
    bool stopped() const { return waitReadable(m_stop.get(), 0); }
    // Setting up takes milliseconds; what hangs is given up.
    bool mayGoOn() const
    {
        return !waitReadable(m_outerDescriptor.get(), 0) && !stopped() &&
               monotonicUs() < m_startedUs + 10'000'000;
    }
    bool tooManyFiles() const;
    void end();
    SandboxOutcome refuse(const std::string &what);

    const std::string &m_bubblewrap;
    const SandboxCommand &m_command;
    StopDescriptor m_stop;
    const std::function<void(std::string_view)> &m_onOutput;
    KeptOutput m_output;
    std::int64_t m_startedUs = monotonicUs();
    std::string m_marker; // a folder in the sandbox's root that no host has
    Pipe m_outputPipe, m_status, m_block;
    pid_t m_outer = -1;           // bubblewrap
    Descriptor m_outerDescriptor; // of it
    pid_t m_init = -1;            // the first process in there: all end with it
    Descriptor m_initDescriptor;
    int m_waitStatus = 0;
    std::vector<Descriptor> m_folders; // /box first, then the others that can be written to
};

bool Run::start()
{
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random)
        return false;
    m_marker = "/.emend-" + std::to_string(random);
    m_outputPipe = Pipe::make();
    m_status = Pipe::make();
    m_block = Pipe::make();
    const Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!m_outputPipe || !m_status || !m_block || !null)
        return false;
    ::fcntl(m_outputPipe.read.get(), F_SETFL, O_NONBLOCK);
    Arguments arguments(m_bubblewrap, m_command, m_marker);
    arguments.passFile("--json-status-fd", std::move(m_status.write));
    arguments.passFile("--block-fd", std::move(m_block.read));
    arguments.finish(m_command);
    if (!arguments.complete())
        return false;
    ChildPlan plan(m_bubblewrap, arguments.words(), sandboxEnvironment(m_command, "/tmp"));
    plan.identity = Identity::forCommands();
    plan.limits = resourceLimits(m_command.limits);
    plan.nullInput = null.get();
    plan.output = m_outputPipe.write.get();
    plan.kept = arguments.numbers();
    plan.parent = ::getpid();
    m_outer = forkChild([&plan] { becomeCommand(plan); });
    m_outputPipe.write.reset();
    if (m_outer > 0)
        m_outerDescriptor = processDescriptor(m_outer);
    return static_cast<bool>(m_outerDescriptor);
}

// From `{ "child-pid": 123, …`; -1: bubblewrap has ended, or the stop came.
pid_t Run::readFirstProcess()
{
    std::string text;
    while (text.find('\n') == std::string::npos) {
        if (!waitReadable(m_status.read.get(), monotonicUs() + 10'000)) {
            if (!mayGoOn())
                return -1;
            continue;
        }
        std::array<char, 4096> buffer;
        const ssize_t got = ::read(m_status.read.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    const std::string name = "\"child-pid\":";
    const std::size_t at = text.find(name);
    const int pid = at == std::string::npos ? 0 : std::atoi(text.c_str() + at + name.size());
    return pid > 0 ? pid : -1;
}

// bubblewrap tells its first process before it has changed its root, and blocks when it has.
bool Run::waitUntilReady()
{
    const std::string root = "/proc/" + std::to_string(m_init) + "/root";
    while (::access((root + m_marker).c_str(), F_OK) != 0) {
        if (!mayGoOn())
            return false;
        const timespec moment{0, 200'000};
        ::nanosleep(&moment, nullptr);
    }
    for (const char *folder : {"/box", "/tmp", "/dev/shm"}) {
        m_folders.emplace_back(::open((root + folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!m_folders.back())
            return false;
    }
    return true;
}

bool Run::tooManyFiles() const
{
    for (const Descriptor &folder : m_folders) {
        struct statvfs status {};
        if (::fstatvfs(folder.get(), &status) == 0 &&
            status.f_files - status.f_ffree > static_cast<fsfilcnt_t>(m_command.limits.entries))
            return true;
    }
    return false;
}

void Run::end()
{
    if (m_initDescriptor) {
        killProcess(m_initDescriptor);
        // Ready only when all others in its namespace are gone.
        waitReadable(m_initDescriptor.get(), monotonicUs() + 10'000'000);
    }
    m_initDescriptor.reset();
    if (m_outer <= 0)
        return;
    // A moment to hand on the exit code.
    if (!waitReadable(m_outerDescriptor.get(), monotonicUs() + 20'000))
        ::kill(m_outer, SIGKILL);
    while (::waitpid(m_outer, &m_waitStatus, 0) < 0 && errno == EINTR) {
    }
    m_outer = -1;
}

SandboxOutcome Run::refuse(const std::string &what)
{
    if (m_outer > 0)
        ::kill(m_outer, SIGKILL);
    end();
    SandboxOutcome outcome;
    if (stopped()) {
        outcome.end = End::Cancelled;
        return outcome;
    }
    if (m_outputPipe.read)
        drain(m_outputPipe.read.get(), m_output, {});
    const std::string said = m_output.take();
    outcome.problem = what + (said.empty() ? "" : ": " + said.substr(0, said.find('\n')));
    return outcome;
}

SandboxOutcome Run::perform()
{
    if (!start())
        return refuse("bubblewrap could not be started");
    m_init = readFirstProcess();
    if (m_init > 0)
        m_initDescriptor = processDescriptor(m_init);
    if (!m_initDescriptor || !waitUntilReady())
        return refuse("bubblewrap could not make a sandbox");
    SandboxOutcome outcome;
    outcome.heldBy = "bubblewrap";
    const std::int64_t began = monotonicUs();
    writeAll(m_block.write.get(), "x");
    m_block.write.reset();
    Attended attended{m_outputPipe.read.get(),
                      m_initDescriptor.get(),
                      m_stop.get(),
                      m_init,
                      &m_command.limits,
                      [this] { return tooManyFiles(); },
                      m_onOutput};
    const auto ended = attend(attended, m_output);
    end();
    outcome.commandUs = monotonicUs() - began;
    drain(m_outputPipe.read.get(), m_output, m_onOutput);
    outcome.outputBytes = m_output.bytes();
    outcome.output = m_output.take();
    outcome.end = ended.value_or(End::Exited);
    // bubblewrap gives the shell's number for a signal.
    const int code = WIFEXITED(m_waitStatus) ? WEXITSTATUS(m_waitStatus) : 128 + SIGKILL;
    if (!ended && code > 128 && code <= 128 + SIGRTMAX) {
        outcome.end = End::Signalled;
        outcome.signal = code - 128;
    } else if (!ended) {
        outcome.exitCode = code;
    }
    if (!m_command.report.empty())
        outcome.report = readBelow(m_folders[0].get(), m_command.report, longestReport);
    return outcome;
}

} // namespace

SandboxOutcome runInBubblewrap(const std::string &bubblewrap, const SandboxCommand &command,
                               std::stop_token stop,
                               const std::function<void(std::string_view)> &onOutput)
{
    return Run(bubblewrap, command, std::move(stop), onOutput).perform();
}

} // namespace emend::tools
