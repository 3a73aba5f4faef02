// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/run/ports.h"
#include "core/trace/redactor.h"
#include "tools/trace/sha256.h"

namespace emend::core {
class RunListener;
}

namespace emend::tools {

struct TraceOptions {
    bool overwrite = false;                // an older trace; else an existing file is an error
    core::RunListener *listener = nullptr; // told of each line once it is in the file; borrowed
    std::shared_ptr<const core::Redactor> redactor = {}; // null: lines are written as they come
};

// Writes a trace (design section 10, core/trace/FORMAT.md). Lives on the run's thread.
//
// Each line goes out whole, line feed included, by one write(2), so that a kill cuts the last line
// at most and everything a listener saw is in the file. A line that does not fit on the disk is
// taken back to the line before it, and nothing more is written: a trace has no hole.
// Secrets are taken out before anything is hashed, written or shown.
// There is no fsync: a trace survives the end of the program, not the loss of power.
class TraceWriter : public core::EventSink {
public:
    explicit TraceWriter(std::string path, TraceOptions options = {});
    ~TraceWriter() override;
    TraceWriter(const TraceWriter &) = delete;
    TraceWriter &operator=(const TraceWriter &) = delete;

    // Creates the file (mode 0600) and the folders it needs, and writes the header line.
    core::Result<void> begin(const nlohmann::json &header) override;
    // Adds `"sha256"` of all earlier bytes to run.finished, in `event` as in the file.
    core::Result<void> write(core::Event &event) override;
    void partialText(int step, int attempt, std::string_view text) override;
    void partialOutput(int step, int attempt, std::string_view output) override;

    const std::string &path() const { return m_path; }

private:
    std::string passable(bool output, int step, int attempt, std::string_view piece);
    core::Result<void> open();
    bool holdsTrace() const;
    core::Result<void> writeLine(std::string &line);
    core::Error error(const std::string &what, int errorNumber) const;

    std::string m_path;
    TraceOptions m_options;
    int m_file = -1;
    std::int64_t m_size = 0; // bytes of whole lines
    Sha256 m_hash;
    // Of a reply or of output that is coming: could be the beginning of a secret.
    std::string m_heldBack;
    std::tuple<bool, int, int> m_partialOf; // output, step and attempt
    std::optional<core::Error> m_failed;    // the first failure; it stays
};

// A new file name in `folder`: "20260131-120000-weather-in-oslo-3f9c.trace.jsonl". Nothing of the
// task's name becomes part of the path but letters, digits and hyphens. `utc` is ISO 8601. The
// folder need not exist.
core::Result<std::string> makeTracePath(const std::string &folder, const std::string &taskName,
                                        const std::string &utc);

} // namespace emend::tools
