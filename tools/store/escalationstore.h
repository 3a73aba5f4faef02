// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/escalation/escalation.h"

namespace emend::tools {

// The inbox on disk: one SQLite file, in WAL mode and with each write on the disk before it counts.
// Several processes may use it at once: one that writes makes the others wait, up to `busyMs`.
// Every call opens a connection of its own on the thread it is made on (QtSql's rule) and closes
// it, so an object may be used by any thread. Nothing here is in a run's way: a run uses it once,
// after its end.
class EscalationStore {
public:
    static constexpr int schemaVersion = 1;

    explicit EscalationStore(std::string file, int busyMs = 3000);

    // -- escalations --
    // Idempotent by the run's id: what is known already stays as it is. Gives what is stored.
    core::Result<core::Escalation> add(const core::Escalation &escalation);
    core::Result<std::vector<core::Escalation>> list() const; // the newest first
    // By its id, its run's id, or the beginning (4 letters and more) of one.
    core::Result<core::Escalation> find(const std::string &id) const;

    // Each from the states in which it makes sense, else an error says in which it is. Two people
    // at once: one of them wins.
    core::Result<core::Escalation> claim(const std::string &id, const std::string &by,
                                         const std::string &at);
    core::Result<core::Escalation> release(const std::string &id);
    core::Result<core::Escalation> dismiss(const std::string &id, const std::string &answer,
                                           const std::string &at);
    core::Result<core::Escalation> answer(const std::string &id, const std::string &answer,
                                          const std::string &at);
    // The run that goes on: known when it begins; its outcome, when it has one.
    struct AnswerRun {
        std::string runId, traceFile;
        std::string answer; // for a store that has none; may be empty
    };
    core::Result<void> link(const std::string &id, const AnswerRun &run);
    core::Result<void> setOutcome(const std::string &runId, const std::string &outcome);
    // The answer led to no run: as it was before (see answer()).
    core::Result<void> takeBack(const core::Escalation &before);

    // -- traces that were looked at --
    struct Seen {
        std::int64_t size = 0;
        std::int64_t modifiedMs = 0;
    };
    core::Result<std::map<std::string, Seen>> seen() const;
    core::Result<void> setSeen(const std::map<std::string, Seen> &files);

    const std::string &file() const { return m_file; }

private:
    struct Change {
        const char *assignments; // SQL with a ? for each value
        std::vector<std::string> values;
        std::function<bool(const core::Escalation &)> allowed;
        std::string what; // "dismissed", for the error
    };
    core::Result<core::Escalation> change(const std::string &id, const Change &change);
    core::Result<void> write(const char *statement, const std::vector<std::string> &values);

    std::string m_file;
    int m_busyMs;
};

} // namespace emend::tools
