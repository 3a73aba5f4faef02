// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "tools/store/escalationstore.h"

namespace emend::tools {

// Brings escalated runs from their traces into the store, so that none is lost whatever happens in
// between: the store may be locked, its disk full, the program killed right after the run. The
// trace has it all, and a later scan finds it: traces in the trace folder by looking at them, those
// elsewhere (and runs that answer an escalation) by a note that lies in `notesFolder` from before
// the run until the store has what there is to know. Any thread.
class EscalationFeed {
public:
    EscalationFeed(EscalationStore &store, std::string traceFolder, std::string notesFolder);

    // Lies from its making to its end, and on if keep() was called or the process dies. Locked
    // meanwhile, so that a scan knows whether the run still lives.
    class Note {
    public:
        Note() = default;
        Note(Note &&other) noexcept;
        Note &operator=(Note &&other) noexcept;
        ~Note();
        void keep() { m_keep = true; }

    private:
        friend class EscalationFeed;
        std::string m_file;
        int m_lock = -1;
        bool m_keep = false;
    };
    // A run is about to write this trace. No note, where the scan of the folder will do, or where
    // none can be made: that is not worth a run.
    Note announce(const std::string &runId, const std::string &traceFile, bool answers) const;

    // Reads a finished trace and stores what it says: its escalation, or what came of the one it
    // answers. Gives the escalation's id, empty if it has none.
    core::Result<std::string> take(const std::string &traceFile);

    // Looks at what has changed in the trace folder since the last time, and at all notes.
    core::Result<void> scan(std::stop_token stop);

private:
    struct Looked; // what came of looking at one trace
    core::Result<Looked> look(const std::string &traceFile);
    core::Result<bool> takeNote(const std::string &noteFile);

    EscalationStore &m_store;
    std::string m_traceFolder, m_notesFolder;
};

} // namespace emend::tools
