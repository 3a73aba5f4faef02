// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/trace/tracewriter.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/run/engine.h"

namespace emend::tools {

namespace {

constexpr std::size_t maxSlug = 40;

std::string slugOf(const std::string &name)
{
    std::string slug;
    for (const char c : name) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (kept)
            slug += lower;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    slug.resize(std::min(slug.size(), maxSlug));
    while (!slug.empty() && slug.back() == '-')
        slug.pop_back();
    return slug.empty() ? "run" : slug;
}

// "2026-01-31T12:00:00.000Z" → "20260131-120000".
std::string stampOf(const std::string &utc)
{
    std::string digits;
    for (const char c : utc) {
        if (c >= '0' && c <= '9' && digits.size() < 14)
            digits += c;
    }
    return digits.size() > 8 ? digits.insert(8, "-") : digits;
}

std::string randomSuffix()
{
    static constexpr char hex[] = "0123456789abcdef";
    std::random_device random;
    std::string suffix;
    for (int i = 0; i < 4; ++i)
        suffix += hex[random() % 16];
    return suffix;
}

// All of `bytes`, or the errno of the write that failed.
int writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (written == 0)
            return EIO;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

} // namespace

TraceWriter::TraceWriter(std::string path, TraceOptions options)
    : m_path(std::move(path))
    , m_options(std::move(options))
{}

TraceWriter::~TraceWriter()
{
    if (m_file >= 0)
        ::close(m_file);
}

core::Error TraceWriter::error(const std::string &what, int errorNumber) const
{
    const std::string reason = std::error_code(errorNumber, std::generic_category()).message();
    return {core::ErrorCode::Unwritable, what + ": " + reason, m_path, {}, 0, 0};
}

bool TraceWriter::holdsTrace() const
{
    constexpr std::string_view begin = R"({"emend":"trace")";
    std::array<char, begin.size()> head{};
    const int file = ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
    const auto got = file < 0 ? -1 : ::read(file, head.data(), head.size());
    if (file >= 0)
        ::close(file);
    return got == static_cast<ssize_t>(head.size()) &&
           std::string_view(head.data(), head.size()) == begin;
}

core::Result<void> TraceWriter::open()
{
    const auto folder = std::filesystem::path(m_path).parent_path();
    std::error_code failure;
    if (!folder.empty())
        std::filesystem::create_directories(folder, failure);
    if (failure)
        return tl::unexpected(error("cannot create the folder of the trace", failure.value()));
    const int flags =
        O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | (m_options.overwrite ? 0 : O_EXCL);
    do {
        m_file = ::open(m_path.c_str(), flags, 0600);
    } while (m_file < 0 && errno == EINTR);
    if (m_file < 0)
        return tl::unexpected(error("cannot create the trace", errno));
    if (::flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return tl::unexpected(core::Error{
            core::ErrorCode::Unwritable, "another run is writing this trace", m_path, {}, 0, 0});
    struct stat status = {};
    const bool isFile = ::fstat(m_file, &status) == 0 && S_ISREG(status.st_mode);
    if (S_ISFIFO(status.st_mode)) // nobody can be made to wait for its reader
        return tl::unexpected(core::Error{
            core::ErrorCode::Unwritable, "a pipe cannot hold a trace", m_path, {}, 0, 0});
    if (isFile && status.st_size > 0 && !holdsTrace())
        return tl::unexpected(core::Error{core::ErrorCode::Unwritable,
                                          "there is a file that is no trace; it is not overwritten",
                                          m_path,
                                          {},
                                          0,
                                          0});
    if (isFile && (::fchmod(m_file, 0600) != 0 || ::ftruncate(m_file, 0) != 0))
        return tl::unexpected(error("cannot overwrite the trace", errno));
    return {};
}

core::Result<void> TraceWriter::begin(const nlohmann::json &header)
{
    if (const auto opened = open(); !opened) {
        m_failed = opened.error();
        return opened;
    }
    std::string line = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (m_options.redactor)
        m_options.redactor->redactLine(line);
    if (const auto written = writeLine(line); !written)
        return written;
    if (m_options.listener)
        m_options.listener->began(line);
    return {};
}

core::Result<void> TraceWriter::write(core::Event &event)
{
    m_heldBack.clear(); // the reply is complete, and comes as an event
    if (m_options.redactor)
        m_options.redactor->redactLine(event.line);
    if (event.kind == core::EventKind::RunFinished && event.line.ends_with('}')) {
        event.line.pop_back();
        event.line += ",\"sha256\":\"" + m_hash.hex() + "\"}";
    }
    if (const auto written = writeLine(event.line); !written)
        return written;
    if (m_options.listener)
        m_options.listener->arrived(event);
    return {};
}

void TraceWriter::partialText(int step, int attempt, std::string_view text)
{
    if (!m_options.listener)
        return;
    if (const std::string known = passable(false, step, attempt, text); !known.empty())
        m_options.listener->partialText(step, attempt, known);
}

void TraceWriter::partialOutput(int step, int attempt, std::string_view output)
{
    if (!m_options.listener)
        return;
    if (const std::string known = passable(true, step, attempt, output); !known.empty())
        m_options.listener->partialOutput(step, attempt, known);
}

// What of a text that is coming can be shown now: no secret, and no beginning of one.
std::string TraceWriter::passable(bool output, int step, int attempt, std::string_view piece)
{
    if (!m_options.redactor)
        return std::string(piece);
    if (m_partialOf != std::tuple(output, step, attempt))
        m_heldBack.clear();
    m_partialOf = {output, step, attempt};
    std::string known = m_heldBack.append(piece);
    const std::size_t held = m_options.redactor->heldBack(known);
    m_heldBack = known.substr(known.size() - held);
    known.resize(known.size() - held);
    return known.empty() ? known : m_options.redactor->redactText(known);
}

core::Result<void> TraceWriter::writeLine(std::string &line)
{
    if (m_failed)
        return tl::unexpected(*m_failed);
    line += '\n';
    const int failure = m_file < 0 ? EBADF : writeAll(m_file, line);
    if (failure == 0) {
        m_hash.add(line);
        m_size += static_cast<std::int64_t>(line.size());
    } else {
        m_failed = error("cannot write the trace", failure);
        // Takes a torn line back; a device that cannot be truncated has kept nothing anyway.
        if (m_file >= 0 && ::ftruncate(m_file, m_size) != 0 && errno != EINVAL)
            m_failed->message += " (its last line is torn)";
    }
    line.pop_back();
    if (m_failed)
        return tl::unexpected(*m_failed);
    return {};
}

core::Result<std::string> makeTracePath(const std::string &folder, const std::string &taskName,
                                        const std::string &utc)
{
    constexpr int tries = 100;
    std::string path;
    for (int i = 0; i < tries; ++i) {
        const std::string name =
            stampOf(utc) + "-" + slugOf(taskName) + "-" + randomSuffix() + ".trace.jsonl";
        path = (std::filesystem::path(folder) / name).string();
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
            return path;
    }
    return tl::unexpected(core::Error{
        core::ErrorCode::Unwritable, "found no free name for a new trace", path, {}, 0, 0});
}

} // namespace emend::tools
