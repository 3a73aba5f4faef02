// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/process/processtree.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <dirent.h>
#include <unistd.h>

#include "tools/process/descriptor.h"

namespace emend::tools {

namespace {

std::string readSmall(const std::string &path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    char buffer[4096];
    for (ssize_t got; file && (got = ::read(file.get(), buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    return text;
}

std::string procPath(pid_t pid)
{
    return "/proc/" + std::to_string(pid);
}

// The names in a folder of /proc that are numbers.
std::vector<pid_t> numbersIn(const std::string &folder)
{
    std::vector<pid_t> numbers;
    DIR *dir = ::opendir(folder.c_str());
    if (dir == nullptr)
        return numbers;
    while (const dirent *entry = ::readdir(dir))
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0)
            numbers.push_back(std::atoi(entry->d_name));
    ::closedir(dir);
    return numbers;
}

pid_t parentOf(pid_t pid)
{
    const std::string stat = readSmall(procPath(pid) + "/stat");
    const std::size_t name = stat.rfind(')'); // the name may hold anything
    int parent = 0;
    char state = 0;
    if (name != std::string::npos)
        std::sscanf(stat.c_str() + name + 1, " %c %d", &state, &parent);
    return parent;
}

// The kernel lists children only if it was built so (CONFIG_PROC_CHILDREN).
std::vector<pid_t> listedChildren(pid_t pid)
{
    std::vector<pid_t> children;
    const std::string tasks = procPath(pid) + "/task";
    for (const pid_t task : numbersIn(tasks)) {
        const std::string list = readSmall(tasks + "/" + std::to_string(task) + "/children");
        for (const char *at = list.c_str(); *at != 0;) {
            char *end = nullptr;
            const long child = std::strtol(at, &end, 10);
            if (end == at)
                break;
            children.push_back(static_cast<pid_t>(child));
            at = end + std::strspn(end, " \n");
        }
    }
    return children;
}

std::vector<pid_t> treeOf(pid_t root)
{
    static const bool listed = ::access("/proc/thread-self/children", R_OK) == 0;
    std::multimap<pid_t, pid_t> byParent;
    if (!listed)
        for (const pid_t pid : numbersIn("/proc"))
            byParent.emplace(parentOf(pid), pid);
    std::vector<pid_t> tree = {root};
    constexpr std::size_t enough = 100'000; // a list that changes while it is read has to end
    for (std::size_t i = 0; i < tree.size() && tree.size() < enough; ++i) {
        if (listed) {
            const std::vector<pid_t> children = listedChildren(tree[i]);
            tree.insert(tree.end(), children.begin(), children.end());
            continue;
        }
        const auto range = byParent.equal_range(tree[i]);
        for (auto it = range.first; it != range.second; ++it)
            tree.push_back(it->second);
    }
    return tree;
}

std::int64_t residentBytes(pid_t pid)
{
    static const std::int64_t page = ::sysconf(_SC_PAGESIZE);
    long long size = 0, resident = 0;
    std::sscanf(readSmall(procPath(pid) + "/statm").c_str(), "%lld %lld", &size, &resident);
    return resident * page;
}

// Each shared page divided by those who share it; -1: the kernel does not tell.
std::int64_t proportionalBytes(pid_t pid)
{
    const std::string rollup = readSmall(procPath(pid) + "/smaps_rollup");
    const std::size_t at = rollup.find("\nPss:");
    long long kilobytes = 0;
    if (at == std::string::npos || std::sscanf(rollup.c_str() + at, "\nPss: %lld", &kilobytes) != 1)
        return -1;
    return kilobytes * 1024;
}

} // namespace

TreeUse useOfTree(pid_t root, std::int64_t limitBytes)
{
    const std::vector<pid_t> tree = treeOf(root);
    TreeUse use;
    use.processes = static_cast<int>(tree.size());
    for (const pid_t pid : tree)
        use.bytes += residentBytes(pid);
    if (use.bytes <= limitBytes)
        return use;
    use.bytes = 0;
    for (const pid_t pid : tree) {
        const std::int64_t bytes = proportionalBytes(pid);
        use.bytes += bytes >= 0 ? bytes : residentBytes(pid);
    }
    return use;
}

} // namespace emend::tools
