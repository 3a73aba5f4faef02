// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Runs a command that nobody trusts (design section 7): in a folder of its own, with no network, no
// home, nothing writable besides, and limits on all it could use up. With bubblewrap it has its own
// namespaces, and its folder lives in memory; without, it has limits and a supervisor only, and
// says so. Any thread; run() blocks it, and the command lives no longer than that thread.
namespace emend::tools {

struct SandboxLimits {
    std::int64_t wallUs = 15'000'000;
    int memoryMb = 512;       // of all processes together, and of each
    bool addressSpace = true; // also of what a process only reserves: not for Go, Java or Node
    int processes = 64;       // threads count
    int folderMb = 128;       // what all files may hold
    int entries = 20'000;     // how many files there may be
    std::size_t outputKept = 1 << 20;
    std::int64_t outputMost = 64 << 20; // more ends the command
};

constexpr std::size_t longestReport = 16 << 20; // what is read of a report

struct SandboxFile {
    std::string path; // in the folder
    std::string content;
    bool readOnly = false; // the command cannot change, remove or replace it
};

struct SandboxCommand {
    std::vector<std::string> argv; // absolute, or found on the sandbox's PATH; never a shell
    std::vector<SandboxFile> files;
    std::vector<std::pair<std::string, std::string>> environment; // besides PATH, HOME, LANG …
    std::vector<std::string> visible; // folders of the host to be read besides the system's
    std::string report;               // a file in the folder to hand back; empty: none
    SandboxLimits limits;
    bool required = false; // refuse where only limits hold
};

struct SandboxOutcome {
    enum class End : std::uint8_t {
        Exited,
        Signalled,
        TimedOut,
        OutputFlood,
        OutOfMemory,
        TooManyFiles,
        Cancelled,
        Refused, // nothing was run: `problem` says why
    } end = End::Refused;
    int exitCode = -1;
    int signal = 0;
    std::string problem;
    std::string output; // stdout and stderr together, head and tail
    std::int64_t outputBytes = 0;
    std::optional<std::string> report;
    bool filesChanged = false; // a read-only file is not what it was (possible with limits only)
    std::string heldBy;        // "bubblewrap", "limits"
    std::int64_t commandUs = 0;
};

struct SandboxProbe {
    bool bubblewrap = false;
    std::string words; // one sentence for a person, with what to do where it does not work
};

class Sandbox {
public:
    // `bubblewrap`: its program; empty: limits only.
    explicit Sandbox(std::string bubblewrap = findBubblewrap());

    // Runs a command in bubblewrap, once in a process and program. What failed is tried again.
    SandboxProbe probe() const;
    // Everything it started is dead when it returns, which it does within 100 ms of the stop.
    SandboxOutcome run(const SandboxCommand &command, std::stop_token stop,
                       const std::function<void(std::string_view)> &onOutput = {}) const;

    static std::string findBubblewrap();

private:
    std::string m_bubblewrap;
};

// The program `name` as the sandbox would find it: an absolute path, or on its PATH. Empty: none.
std::string findProgram(const std::string &name);

// What has to be visible in the sandbox to run `program`; empty: it is among the system's own.
std::vector<std::string> foldersOf(const std::string &program);

// A path that stays in the folder: relative, without "." and "..".
bool isPlainPath(std::string_view path);

} // namespace emend::tools
