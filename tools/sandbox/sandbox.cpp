// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sandbox/sandbox.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include <unistd.h>

#include "tools/sandbox/bubblewrap.h"
#include "tools/sandbox/environment.h"
#include "tools/sandbox/limits.h"

namespace emend::tools {

namespace {

constexpr std::array programFolders = {"/usr/local/bin", "/usr/bin", "/bin"};

bool isProgram(const std::string &path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// Writes a file where a verifier's command would, and has it handed back.
SandboxProbe tryBubblewrap(const std::string &bubblewrap)
{
    if (bubblewrap.empty())
        return {false,
                "bubblewrap is not installed: commands run with limits only, and could reach "
                "the network and your files (on Debian: apt install bubblewrap)"};
    SandboxCommand command;
    command.argv = {"/bin/sh", "-c", "cat given > report"};
    command.files = {{"given", "held", true}};
    command.report = "report";
    command.limits.wallUs = 5'000'000;
    const SandboxOutcome outcome = runInBubblewrap(bubblewrap, command, {}, {});
    if (outcome.report == "held")
        return {true, "bubblewrap works: commands have no network, no home and a folder of their "
                      "own"};
    std::string why = outcome.problem.empty() ? outcome.output : outcome.problem;
    if (why.empty())
        why = "its command did not end well";
    return {false,
            "bubblewrap is installed and does not work here: commands run with limits only. " +
                why.substr(0, 300) +
                ". User namespaces may be forbidden (sysctl kernel.unprivileged_userns_clone, "
                "an AppArmor profile), or it may be older than 0.8"};
}

} // namespace

std::string findProgram(const std::string &name)
{
    if (name.find('/') != std::string::npos)
        return name.starts_with("/") && isProgram(name) ? name : std::string();
    for (const char *folder : programFolders)
        if (const std::string path = std::string(folder) + "/" + name; isProgram(path))
            return path;
    return {};
}

std::vector<std::string> foldersOf(const std::string &program)
{
    const auto isSystems = [](const std::string &path) {
        return path.starts_with("/usr/") || path.starts_with("/bin/") ||
               path.starts_with("/sbin/") || path.starts_with("/lib");
    };
    std::vector<std::string> folders;
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(program, error);
    for (const std::filesystem::path &each : {std::filesystem::path(program), real}) {
        if (each.empty() || isSystems(each.string()))
            continue;
        // The place it was installed to, if that is a place of its own; never a home as a whole.
        const std::filesystem::path place = each.parent_path().parent_path();
        const char *home = std::getenv("HOME");
        const std::string homePath = home == nullptr ? "/root" : home;
        const bool ofItsOwn = each.parent_path().filename() == "bin" && place != "/" &&
                              !(homePath + "/").starts_with(place.string() + "/");
        folders.push_back(ofItsOwn ? place.string() : each.string());
    }
    return folders;
}

bool isPlainPath(std::string_view path)
{
    if (path.empty() || path.size() > 200 || path.find('\0') != std::string_view::npos)
        return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty() || part == "." || part == ".." || part.starts_with("-"))
            return false;
        begin = end + 1;
    }
    return true;
}

std::vector<std::string> sandboxEnvironment(const SandboxCommand &command,
                                            const std::string &temporary)
{
    std::map<std::string, std::string> values = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                                                 {"HOME", temporary},
                                                 {"TMPDIR", temporary},
                                                 {"USER", "nobody"},
                                                 {"LOGNAME", "nobody"},
                                                 {"LANG", "C.UTF-8"},
                                                 {"TZ", "UTC"},
                                                 {"TERM", "dumb"}};
    for (const auto &[name, value] : command.environment)
        values[name] = value;
    std::vector<std::string> environment;
    for (const auto &[name, value] : values)
        environment.push_back(name + "=" + value);
    return environment;
}

Sandbox::Sandbox(std::string bubblewrap)
    : m_bubblewrap(std::move(bubblewrap))
{}

std::string Sandbox::findBubblewrap()
{
    return findProgram("bwrap");
}

SandboxProbe Sandbox::probe() const
{
    static std::mutex mutex;
    static std::map<std::string, SandboxProbe> works;
    const std::scoped_lock lock(mutex);
    const auto known = works.find(m_bubblewrap);
    if (known != works.end())
        return known->second;
    SandboxProbe probe = tryBubblewrap(m_bubblewrap);
    if (probe.bubblewrap)
        works.emplace(m_bubblewrap, probe);
    return probe;
}

SandboxOutcome Sandbox::run(const SandboxCommand &command, std::stop_token stop,
                            const std::function<void(std::string_view)> &onOutput) const
{
    SandboxOutcome outcome;
    for (const SandboxFile &file : command.files)
        if (!isPlainPath(file.path)) {
            outcome.problem = "the file name " + file.path + " does not stay in the folder";
            return outcome;
        }
    if (stop.stop_requested()) {
        outcome.end = SandboxOutcome::End::Cancelled;
        return outcome;
    }
    const SandboxProbe tried = probe();
    if (tried.bubblewrap)
        return runInBubblewrap(m_bubblewrap, command, std::move(stop), onOutput);
    if (!command.required)
        return runWithLimits(command, std::move(stop), onOutput);
    outcome.problem = tried.words;
    return outcome;
}

} // namespace emend::tools
