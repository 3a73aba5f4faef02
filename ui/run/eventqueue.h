// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/engine.h"
#include "core/trace/event.h"
#include "ui/run/runfacts.h"

namespace emend::ui {

// Where a message of a prompt stands in the trace: `row` is the row of its model.requested.
struct MessageRef {
    qint64 id = 0;
    int row = 0;
};

// Text of a reply that is still coming.
struct PartialText {
    int step = 0;
    int attempt = -1;
    QString text; // beginning and end if it is long
    bool operator==(const PartialText &) const = default;
};

// How a run or a reading ended.
struct Ending {
    QString error;   // of the start or the file; empty: none
    QString outcome; // of the engine's report; empty for a trace
    QString traceFile;
    std::optional<core::Difference> difference; // of a replay or fork from its recording
};

// The one way from the worker to the window: values in, batches out. Bounded in events and bytes; a
// full queue makes the worker wait, a closed one takes everything and keeps nothing, so that nobody
// can be blocked by a window that has gone. Any thread.
class EventQueue {
public:
    struct Batch {
        std::vector<core::Event> events;
        std::vector<MessageRef> messages;
        std::optional<RunFacts> facts;      // as after the last event, if anything changed
        std::optional<PartialText> partial; // if it changed
        std::string output;                 // of a command that is running: what came since
        std::optional<Ending> ending;       // only when no event is left behind it
    };

    void begin(std::string headerLine);
    void push(core::Event event);
    void appendPartial(int step, int attempt, std::string_view piece);
    void appendOutput(std::string_view piece);
    void end(Ending ending);

    // At most `maxEvents`; never waits.
    Batch take(std::size_t maxEvents);
    // From now on nothing waits and nothing is kept.
    void close();
    QString traceHeader() const;

    static constexpr std::size_t maxWaiting = 16'384;
    static constexpr std::size_t maxWaitingBytes = 64u << 20;

private:
    void clearPartial();
    QString partialShown() const;
    void noteMessages(const core::Event &event, int row);

    mutable std::mutex m_mutex;
    std::condition_variable m_room;
    std::vector<core::Event> m_events;
    std::vector<MessageRef> m_messages;
    RunFacts m_facts;
    bool m_factsChanged = false;
    std::size_t m_bytes = 0;
    int m_nextRow = 0;
    bool m_closed = false;
    std::string m_header;
    PartialText m_partial;
    std::string m_partialHead;  // the first bytes of a long text
    std::string m_partialBytes; // what follows them, without what was left out
    std::uint64_t m_partialLeftOut = 0;
    bool m_partialChanged = false;
    std::string m_output;
    std::optional<Ending> m_ending;
};

} // namespace emend::ui
