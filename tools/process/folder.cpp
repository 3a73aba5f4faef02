// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/process/folder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>

namespace emend::tools {

namespace {

constexpr int openFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::vector<std::string> namesIn(int folder)
{
    std::vector<std::string> names;
    const int again = ::openat(folder, ".", openFolder); // fdopendir takes it over
    DIR *dir = again < 0 ? nullptr : ::fdopendir(again);
    if (dir == nullptr) {
        if (again >= 0)
            ::close(again);
        return names;
    }
    while (const dirent *entry = ::readdir(dir))
        if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
            names.emplace_back(entry->d_name);
    ::closedir(dir);
    return names;
}

bool isFolder(int parent, const std::string &name)
{
    struct stat status {};
    return ::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
}

// Opens a folder to list and to empty it, whatever its permissions were.
Descriptor openToEmpty(int parent, const std::string &name)
{
    // fchmodat follows links, so the way goes over a descriptor that cannot be one.
    const Descriptor path(
        ::openat(parent, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!path)
        return {};
    const std::string self = "/proc/self/fd/" + std::to_string(path.get());
    ::chmod(self.c_str(), 0700);
    return Descriptor(::openat(parent, name.c_str(), openFolder));
}

// Removes all but folders; moves folders up into `top` under new names, so that depth never grows
// into a path or a stack. False: something stays.
bool flatten(int folder, int top, std::uint64_t &counter, bool isTop)
{
    bool all = true;
    for (const std::string &name : namesIn(folder)) {
        if (!isFolder(folder, name)) {
            all = ::unlinkat(folder, name.c_str(), 0) == 0 && all;
        } else if (!isTop) {
            // Moving a folder changes its "..", for which it has to be writable.
            (void)openToEmpty(folder, name);
            const std::string moved = ".emend-" + std::to_string(++counter);
            all =
                ::renameat2(folder, name.c_str(), top, moved.c_str(), RENAME_NOREPLACE) == 0 && all;
        }
    }
    return all;
}

} // namespace

bool removeTree(int parent, const std::string &name)
{
    const Descriptor top = openToEmpty(parent, name);
    if (!top)
        return ::unlinkat(parent, name.c_str(), 0) == 0;
    std::uint64_t counter = 0;
    flatten(top.get(), top.get(), counter, true);
    // Each round empties the folders that are in the top, and what was in them moves up.
    for (bool progress = true; progress;) {
        progress = false;
        for (const std::string &each : namesIn(top.get())) {
            const Descriptor folder = openToEmpty(top.get(), each);
            if (folder)
                flatten(folder.get(), top.get(), counter, false);
            progress = ::unlinkat(top.get(), each.c_str(), AT_REMOVEDIR) == 0 || progress;
        }
    }
    return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
}

namespace {

void addUse(int folder, int depth, int enoughEntries, FolderUse &use)
{
    for (const std::string &name : namesIn(folder)) {
        struct stat status {};
        if (++use.entries >= enoughEntries)
            return;
        if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        use.bytes += status.st_blocks * 512;
        if (!S_ISDIR(status.st_mode))
            continue;
        const Descriptor child(::openat(folder, name.c_str(), openFolder));
        if (!child || depth == 0)
            use.entries = enoughEntries;
        else
            addUse(child.get(), depth - 1, enoughEntries, use);
    }
}

} // namespace

FolderUse useOfFolder(int folder, int enoughEntries)
{
    FolderUse use;
    addUse(folder, 64, enoughEntries, use);
    return use;
}

std::optional<std::string> readBelow(int folder, const std::string &path, std::size_t limit)
{
    Descriptor at(::openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::size_t begin = 0;
    for (std::size_t slash; (slash = path.find('/', begin)) != std::string::npos; begin = slash + 1)
        at = Descriptor(::openat(at.get(), path.substr(begin, slash - begin).c_str(),
                                 O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const Descriptor file(::openat(at.get(), path.substr(begin).c_str(),
                                   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    std::string text;
    char buffer[16384];
    while (text.size() < limit) {
        const ssize_t got =
            ::read(file.get(), buffer, std::min(sizeof buffer, limit - text.size()));
        if (got <= 0)
            break;
        text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
}

TemporaryFolder::TemporaryFolder(std::string path, Descriptor folder)
    : m_path(std::move(path))
    , m_folder(std::move(folder))
{}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_folder(std::move(other.m_folder))
{}

TemporaryFolder::~TemporaryFolder()
{
    if (m_path.empty())
        return;
    m_folder.reset();
    const std::filesystem::path path(m_path);
    const Descriptor parent(::open(path.parent_path().c_str(), openFolder));
    removeTree(parent.get(), path.filename().string());
}

core::Result<TemporaryFolder> TemporaryFolder::make()
{
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    std::string path = (error ? std::filesystem::path("/tmp") : temporary) / "emend-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
        return core::fail(core::ErrorCode::Unwritable,
                          "no folder can be made among the temporary files: " +
                              std::string(std::strerror(errno)));
    Descriptor folder(::open(path.c_str(), openFolder));
    return TemporaryFolder(std::move(path), std::move(folder));
}

} // namespace emend::tools
