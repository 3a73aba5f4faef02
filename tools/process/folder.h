// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "tools/process/descriptor.h"

// Folders that code nobody trusts has written to. Nothing here follows a symbolic link, waits on a
// pipe, or recurses as deep as that code likes. Any thread.
namespace emend::tools {

// Removes `name` in `parent` with all it holds, also what has no permissions and what is nested
// deeper than a path can be long. False: something is left.
bool removeTree(int parent, const std::string &name);

// Bytes and entries on the disk, counted up to about `enoughEntries` and a depth of 64; deeper or
// unreadable folders count as `enoughEntries`.
struct FolderUse {
    std::int64_t bytes = 0;
    int entries = 0;
};
FolderUse useOfFolder(int folder, int enoughEntries);

// A regular file below `folder` (`path` is relative, without ".."), at most `limit` bytes of it.
std::optional<std::string> readBelow(int folder, const std::string &path, std::size_t limit);

// A new folder among the system's temporary files, removed with its owner.
class TemporaryFolder {
public:
    static core::Result<TemporaryFolder> make();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder &&other) noexcept;
    TemporaryFolder &operator=(TemporaryFolder &&) = delete;

    const std::string &path() const { return m_path; }
    int descriptor() const { return m_folder.get(); }

private:
    TemporaryFolder(std::string path, Descriptor folder);
    std::string m_path; // empty: moved from
    Descriptor m_folder;
};

} // namespace emend::tools
