// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

// What a test needs to know of the processes on this machine.
namespace emend {

// As far as it can be read: a process that ends meanwhile makes the read fail, and an iterator over
// the stream would throw.
inline std::string readProc(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Those other than this one that carry `marker` in their command line or their environment and have
// not ended.
inline std::vector<std::string> processesWith(const std::string &marker)
{
    std::vector<std::string> found;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (std::isdigit(static_cast<unsigned char>(name[0])) == 0 ||
            name == std::to_string(::getpid()))
            continue;
        const std::string command = readProc(entry.path() / "cmdline");
        if (command.find(marker) != std::string::npos ||
            readProc(entry.path() / "environ").find(marker) != std::string::npos)
            found.push_back(name + " " + command);
    }
    return found;
}

inline std::size_t entriesIn(const std::filesystem::path &folder, const std::string &prefix = {})
{
    std::size_t count = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error))
        count += entry.path().filename().string().starts_with(prefix) ? 1 : 0;
    return count;
}

inline std::size_t openFiles()
{
    return entriesIn("/proc/self/fd");
}

} // namespace emend
