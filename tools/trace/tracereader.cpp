// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/trace/tracereader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "core/base/text.h"
#include "tools/trace/sha256.h"

namespace emend::tools {

namespace {

constexpr std::size_t readSize = std::size_t(1) << 20;
constexpr std::size_t maxHeader = std::size_t(64) << 20;
constexpr std::size_t firstBatch = 256; // small, so that there is something to see at once
constexpr std::size_t maxBatch = 4096;
constexpr std::size_t maxBatchBytes = std::size_t(4) << 20;
// simdjson reserves several times the length of a line, and touches about as much as it is long;
// beyond this a wrong file could ask for more than there is.
constexpr std::size_t maxFastLine = std::size_t(64) << 20;

core::Error traceError(core::ErrorCode code, std::string message, const std::string &path,
                       int line = 0)
{
    return {code, std::move(message), path, {}, line, 0};
}

core::Error unreadable(const std::string &path, int errorNumber)
{
    const auto code =
        errorNumber == ENOENT ? core::ErrorCode::NotFound : core::ErrorCode::Unreadable;
    const std::string reason = std::error_code(errorNumber, std::generic_category()).message();
    return traceError(code, "cannot read the trace: " + reason, path);
}

// The lines of a file. Behind each there are at least SIMDJSON_PADDING readable bytes.
class LineSource {
public:
    LineSource() = default;
    ~LineSource()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    LineSource(const LineSource &) = delete;
    LineSource &operator=(const LineSource &) = delete;

    core::Result<void> open(const std::string &path)
    {
        m_path = path;
        // O_NONBLOCK: opening a pipe must not wait for its other end.
        m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        struct stat status = {};
        if (m_file < 0 || ::fstat(m_file, &status) != 0)
            return tl::unexpected(unreadable(path, errno));
        if (S_ISDIR(status.st_mode))
            return tl::unexpected(unreadable(path, EISDIR));
        if (!S_ISREG(status.st_mode))
            return tl::unexpected(traceError(core::ErrorCode::Unreadable,
                                             "cannot read the trace: not a regular file", path));
        grow(readSize);
        return {};
    }

    struct Line {
        std::string_view text; // valid until the next call
        bool whole = true;     // it has a line feed
    };

    // The next line; no value at the end of the file or when stopped. `limit`: bytes after which
    // a line is given up on and returned as not whole.
    core::Result<std::optional<Line>> next(const std::stop_token &stop,
                                           std::size_t limit = SIZE_MAX)
    {
        std::size_t scanned = m_begin;
        for (;;) {
            if (stop.stop_requested())
                return std::nullopt;
            char *const data = m_buffer.get();
            if (void *feed = std::memchr(data + scanned, '\n', m_end - scanned)) {
                const auto end = static_cast<std::size_t>(static_cast<char *>(feed) - data);
                const Line line{{data + m_begin, end - m_begin}, true};
                m_begin = end + 1;
                return line;
            }
            const std::size_t length = m_end - m_begin;
            if (m_atEnd || length > limit) {
                const Line line{{data + m_begin, length}, false};
                m_begin = m_end;
                return length > 0 ? std::optional<Line>(line) : std::nullopt;
            }
            if (auto filled = fill(); !filled)
                return tl::unexpected(std::move(filled.error()));
            scanned = m_begin + length;
        }
    }

private:
    void grow(std::size_t capacity)
    {
        auto buffer = std::make_unique_for_overwrite<char[]>(capacity + simdjson::SIMDJSON_PADDING);
        if (m_end > m_begin)
            std::memcpy(buffer.get(), m_buffer.get() + m_begin, m_end - m_begin);
        std::memset(buffer.get() + capacity, 0, simdjson::SIMDJSON_PADDING);
        m_buffer = std::move(buffer);
        m_capacity = capacity;
        m_end -= m_begin;
        m_begin = 0;
    }

    core::Result<void> fill()
    {
        if (m_begin > 0) {
            std::memmove(m_buffer.get(), m_buffer.get() + m_begin, m_end - m_begin);
            m_end -= m_begin;
            m_begin = 0;
        }
        if (m_end == m_capacity)
            grow(2 * m_capacity);
        ssize_t count = 0;
        do {
            count = ::read(m_file, m_buffer.get() + m_end, std::min(m_capacity - m_end, readSize));
        } while (count < 0 && errno == EINTR);
        if (count < 0)
            return tl::unexpected(unreadable(m_path, errno));
        m_atEnd = count == 0;
        m_end += static_cast<std::size_t>(count);
        return {};
    }

    std::string m_path;
    int m_file = -1;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_capacity = 0;
    std::size_t m_begin = 0; // of the bytes not yet returned
    std::size_t m_end = 0;
    bool m_atEnd = false;
};

core::Result<void> checkHeader(const LineSource::Line &line, const std::string &path)
{
    const auto refuse = [&](core::ErrorCode code, std::string message) {
        return tl::unexpected(traceError(code, std::move(message), path, 1));
    };
    if (!line.whole && line.text.size() > maxHeader)
        return refuse(core::ErrorCode::TooLarge, "this is no trace: its first line has no end");
    const auto header = nlohmann::json::parse(line.text, nullptr, false);
    if (!header.is_object())
        return refuse(core::ErrorCode::BadJson,
                      line.whole ? "this is no trace: its first line is not a JSON object"
                                 : "the first line is cut, so there is nothing to read");
    const auto kind = header.find("emend");
    if (kind == header.end() || !kind->is_string())
        return refuse(core::ErrorCode::BadVersion,
                      "this is no trace of Emend: expected \"emend\": \"trace\" in its first line");
    if (*kind != "trace")
        return refuse(core::ErrorCode::BadVersion,
                      "expected a trace, found a file of kind " +
                          core::inQuotes(kind->get_ref<const std::string &>()));
    const auto version = header.find("version");
    if (version == header.end() || *version != 1)
        return refuse(core::ErrorCode::BadVersion,
                      "expected a trace of version 1, found version " +
                          (version == header.end() ? std::string("(none)") : version->dump()));
    return {};
}

// Turns lines into events and finds what is wrong with them.
class EventReader {
public:
    explicit EventReader(std::string_view header) { addToHash(header); }

    core::Event read(const LineSource::Line &line)
    {
        core::Event event = line.whole ? parsed(line.text) : torn(line.text);
        if (event.problem == core::LineProblem::NotJson)
            event.line = core::toValidUtf8(event.line);
        judge(event, line.text);
        addToHash(line.text);
        return event;
    }

private:
    void addToHash(std::string_view line)
    {
        if (m_finished)
            return; // nobody asks for it any more
        m_hash.add(line);
        m_hash.add("\n");
    }

    static core::Event torn(std::string_view text)
    {
        core::Event event;
        event.problem = core::LineProblem::Torn;
        event.line = core::toValidUtf8(text);
        return event;
    }

    // As core::parseEventLine, which decides in all cases that are not plain.
    core::Event parsed(std::string_view text)
    {
        simdjson::dom::object object;
        if (text.size() > maxFastLine ||
            m_parser.parse(text.data(), text.size(), false).get(object) != simdjson::SUCCESS)
            return core::parseEventLine(std::string(text));
        core::Event event;
        event.line = text;
        for (const auto &[key, value] : object) {
            if (key == "seq")
                event.seq = numberOr<std::uint64_t>(value, 0);
            else if (key == "t_us")
                event.tUs = numberOr<std::int64_t>(value, 0);
            else if (key == "step")
                event.step = numberOr<std::int32_t>(value, 0);
            else if (key == "attempt")
                event.attempt = numberOr<std::int16_t>(value, -1);
            else if (key == "kind" && value.is_string())
                event.kind = core::eventKindFromName(value.get_string().value_unsafe());
        }
        return event;
    }

    template<typename T>
    static T numberOr(const simdjson::dom::element &value, T fallback)
    {
        std::int64_t number = 0;
        if (value.get(number) != simdjson::SUCCESS || !std::in_range<T>(number))
            return fallback;
        return static_cast<T>(number);
    }

    void judge(core::Event &event, std::string_view text)
    {
        if (event.problem != core::LineProblem::None) {
            ++m_unnumbered;
            return;
        }
        const bool follows = event.seq > m_lastSeq && event.seq <= m_lastSeq + 1 + m_unnumbered;
        m_lastSeq = event.seq;
        m_unnumbered = 0;
        if (m_finished)
            event.problem = core::LineProblem::AfterEnd;
        else if (event.kind == core::EventKind::RunFinished && !hashIsRight(text))
            event.problem = core::LineProblem::WrongHash;
        else if (!follows)
            event.problem = core::LineProblem::Gap;
        m_finished |= event.kind == core::EventKind::RunFinished;
    }

    bool hashIsRight(std::string_view text) const
    {
        const auto body = nlohmann::json::parse(text, nullptr, false);
        const auto stated = body.find("sha256");
        return stated != body.end() && *stated == m_hash.hex();
    }

    simdjson::dom::parser m_parser;
    Sha256 m_hash;
    std::uint64_t m_lastSeq = 0;
    std::uint64_t m_unnumbered = 0; // lines without a number since m_lastSeq
    bool m_finished = false;
};

} // namespace

core::Result<void> readTrace(const std::string &path, std::stop_token stop,
                             const std::function<void(std::string)> &onHeader,
                             const std::function<void(std::vector<core::Event>)> &onEvents)
{
    LineSource source;
    if (auto opened = source.open(path); !opened)
        return opened;
    auto header = source.next(stop, maxHeader);
    if (!header)
        return tl::unexpected(std::move(header.error()));
    if (stop.stop_requested())
        return {};
    if (!*header)
        return tl::unexpected(traceError(core::ErrorCode::BadJson, "the file is empty", path, 1));
    if (auto checked = checkHeader(**header, path); !checked)
        return checked;
    onHeader(std::string((*header)->text));

    EventReader reader((*header)->text);
    std::vector<core::Event> batch;
    std::size_t bytes = 0;
    std::size_t limit = firstBatch;
    for (;;) {
        auto line = source.next(stop);
        const bool ended = !line || !*line;
        if (!ended) {
            batch.push_back(reader.read(**line));
            bytes += batch.back().line.size();
        }
        if (!batch.empty() && !stop.stop_requested() &&
            (ended || batch.size() >= limit || bytes >= maxBatchBytes)) {
            onEvents(std::exchange(batch, {}));
            bytes = 0;
            limit = maxBatch;
        }
        if (!line)
            return tl::unexpected(std::move(line.error()));
        if (ended)
            return {};
    }
}

} // namespace emend::tools
