// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/eventqueue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "ui/run/linefields.h"
#include "ui/text/plaintext.h"

#include <QCoreApplication>

namespace emend::ui {

namespace {

// Of a reply that is arriving: enough to see how it began and where it is, however long it gets.
constexpr std::size_t headKept = 8192;
constexpr std::size_t tailKept = 16'384;
constexpr std::size_t outputKept = 256 << 10; // of a command, between two looks at the queue

bool endsPartial(core::EventKind kind)
{
    return kind == core::EventKind::ModelRequested || kind == core::EventKind::ModelReplied ||
           kind == core::EventKind::ModelFailed;
}

} // namespace

void EventQueue::begin(std::string headerLine)
{
    const std::lock_guard lock(m_mutex);
    m_facts.begin(headerLine);
    m_factsChanged = true;
    m_header = std::move(headerLine);
}

void EventQueue::push(core::Event event)
{
    std::unique_lock lock(m_mutex);
    m_room.wait(lock, [this] {
        return m_closed || (m_events.size() < maxWaiting && m_bytes < maxWaitingBytes);
    });
    if (m_closed)
        return;
    m_facts.add(event);
    m_factsChanged = true;
    if (event.kind == core::EventKind::ModelRequested)
        noteMessages(event, m_nextRow);
    if (endsPartial(event.kind) && !m_partialHead.empty()) {
        clearPartial();
        m_partialChanged = true;
    }
    ++m_nextRow;
    m_bytes += event.line.size();
    m_events.push_back(std::move(event));
}

void EventQueue::noteMessages(const core::Event &event, int row)
{
    for (const std::string_view element : LineFields(event.line).elements("messages")) {
        if (element.front() != '{')
            continue;
        if (const std::optional<qint64> id = LineFields(element).number("id"))
            m_messages.push_back({*id, row});
    }
}

void EventQueue::appendPartial(int step, int attempt, std::string_view piece)
{
    const std::lock_guard lock(m_mutex);
    if (m_closed)
        return;
    if (m_partial.step != step || m_partial.attempt != attempt)
        clearPartial();
    m_partial.step = step;
    m_partial.attempt = attempt;
    const std::size_t room = headKept - std::min(headKept, m_partialHead.size());
    m_partialHead.append(piece.substr(0, room));
    if (piece.size() > room)
        m_partialBytes.append(piece.substr(room));
    if (m_partialBytes.size() > 2 * tailKept) { // seldom: the text before the end then stands still
        std::size_t cut = m_partialBytes.size() - tailKept;
        while (cut < m_partialBytes.size() && (m_partialBytes[cut] & 0xC0) == 0x80)
            ++cut; // not inside of a character
        m_partialBytes.erase(0, cut);
        m_partialLeftOut += cut;
    }
    m_partialChanged = true;
}

void EventQueue::appendOutput(std::string_view piece)
{
    const std::lock_guard lock(m_mutex);
    if (m_closed)
        return;
    m_output += piece;
    if (m_output.size() > 2 * outputKept) // the end counts, and all of it is in the event to come
        m_output.erase(0, m_output.size() - outputKept);
}

void EventQueue::clearPartial()
{
    m_partialHead.clear();
    m_partialBytes.clear();
    m_partialLeftOut = 0;
}

QString EventQueue::partialShown() const
{
    if (m_partialLeftOut == 0)
        return QString::fromStdString(core::toValidUtf8(m_partialHead + m_partialBytes));
    return QString::fromStdString(core::toValidUtf8(m_partialHead)) +
           QCoreApplication::translate("emend::ui::EventQueue", "\n… %1 left out …\n")
               .arg(bytesText(qint64(m_partialLeftOut))) +
           QString::fromStdString(core::toValidUtf8(m_partialBytes));
}

void EventQueue::end(Ending ending)
{
    const std::lock_guard lock(m_mutex);
    m_ending = std::move(ending);
}

EventQueue::Batch EventQueue::take(std::size_t maxEvents)
{
    Batch batch;
    const std::lock_guard lock(m_mutex);
    if (m_events.size() <= maxEvents) {
        batch.events = std::exchange(m_events, {});
        m_bytes = 0;
    } else {
        const auto cut = m_events.begin() + std::ptrdiff_t(maxEvents);
        batch.events.assign(std::make_move_iterator(m_events.begin()),
                            std::make_move_iterator(cut));
        m_events.erase(m_events.begin(), cut);
        for (const core::Event &event : batch.events)
            m_bytes -= std::min(m_bytes, event.line.size());
    }
    batch.messages = std::exchange(m_messages, {});
    if (std::exchange(m_factsChanged, false))
        batch.facts = m_facts;
    if (std::exchange(m_partialChanged, false)) {
        m_partial.text = partialShown();
        batch.partial = m_partial;
    }
    batch.output = std::exchange(m_output, {});
    if (m_events.empty())
        batch.ending = m_ending;
    m_room.notify_all();
    return batch;
}

void EventQueue::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_events.clear();
    m_room.notify_all();
}

QString EventQueue::traceHeader() const
{
    const std::lock_guard lock(m_mutex);
    return QString::fromStdString(m_header);
}

} // namespace emend::ui
