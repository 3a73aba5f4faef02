// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inbox.h"

#include <QFileInfo>

#include <pwd.h>
#include <unistd.h>

#include "app/cli/members.h"
#include "core/base/text.h"
#include "core/json/linewriter.h"
#include "tools/replay/replayplayer.h"

namespace emend::app {

using namespace emend::core;

namespace {

std::string jsonText(const nlohmann::json &value)
{
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string person()
{
    const passwd *entry = ::getpwuid(::getuid());
    return entry != nullptr ? entry->pw_name : "uid " + std::to_string(::getuid());
}

bool isReplay(const RunSetup &setup)
{
    return textOf(setup.origin, "kind") == "replay";
}

std::vector<EventDraft> answerEvents(const Escalation &escalation, int step, const Answer &answer)
{
    LineWriter answered, closed;
    answered.text("by", "person").text("escalation", escalation.id);
    answered.text("run_id", escalation.runId).number("at_step", step);
    answered.json("answer", answerToJson(answer));
    closed.text("escalation", escalation.id).text("run_id", escalation.runId);
    closed.text("by", "person").text("how", "answered");
    return {{EventKind::ControlAnswered, 0, -1, answered.takeMembers()},
            {EventKind::EscalationClosed, 0, -1, closed.takeMembers()}};
}

} // namespace

Inbox::Inbox(const std::string &dataFolder, const Clock &clock, ToolsOf toolsOf)
    : m_store(dataFolder + "/escalations.sqlite")
    , m_feed(m_store, dataFolder + "/traces", dataFolder + "/escalations.pending")
    , m_clock(clock)
    , m_toolsOf(std::move(toolsOf))
{}

Result<std::vector<Escalation>> Inbox::list() const
{
    return m_store.list();
}

Result<Recording> Inbox::recordingOf(const Escalation &escalation) const
{
    auto recording = tools::loadRecording(escalation.traceFile);
    if (recording && recording->runId != escalation.runId) {
        Error error;
        error.code = ErrorCode::BadValue;
        error.file = escalation.traceFile;
        error.message = "the file holds another run by now (" + inQuotes(recording->runId) + ")";
        return tl::unexpected<Error>(std::move(error));
    }
    return recording;
}

Result<EscalationDetail> Inbox::detail(const std::string &id) const
{
    auto found = m_store.find(id);
    if (!found)
        return tl::unexpected<Error>(found.error());
    EscalationDetail out{std::move(*found), {}, {}};
    const auto recording = recordingOf(out.escalation);
    auto tools = recording ? m_toolsOf(recording->task)
                           : Result<std::vector<ToolSpec>>(tl::unexpected(recording.error()));
    if (tools)
        out.situation = situationOf(*recording, std::move(*tools));
    else
        out.traceProblem = tools.error().text();
    return out;
}

Result<Escalation> Inbox::claim(const std::string &id)
{
    return m_store.claim(id, person(), m_clock.utcNow());
}

Result<Escalation> Inbox::release(const std::string &id)
{
    return m_store.release(id);
}

Result<Escalation> Inbox::dismiss(const std::string &id, const std::string &reason)
{
    if (trimBlank(reason).empty())
        return fail(ErrorCode::BadValue, "dismissing needs a reason");
    return m_store.dismiss(id, jsonText(dismissalToJson(reason)), m_clock.utcNow());
}

Result<void> Inbox::rescan(std::stop_token stop)
{
    return m_feed.scan(std::move(stop));
}

std::string Inbox::folder() const
{
    return QFileInfo(QString::fromStdString(m_store.file())).absolutePath().toStdString();
}

// In WAL mode a write changes the log beside the database first.
std::string Inbox::stamp() const
{
    std::string out;
    for (const char *suffix : {"", "-wal"}) {
        const QFileInfo file(QString::fromStdString(m_store.file() + suffix));
        out += std::to_string(file.size()) + ":" +
               std::to_string(file.lastModified().toMSecsSinceEpoch()) + ";";
    }
    return out;
}

Result<Inbox::Answered> Inbox::answer(const std::string &id, const Answer &answer)
{
    auto found = m_store.find(id);
    if (!found)
        return tl::unexpected<Error>(found.error());
    auto recording = recordingOf(*found);
    if (!recording)
        return tl::unexpected<Error>(recording.error());
    auto tools = m_toolsOf(recording->task);
    if (!tools)
        return tl::unexpected<Error>(tools.error());
    const Situation situation = situationOf(*recording, std::move(*tools));
    if (const auto checked = checkAnswer(situation, answer); !checked)
        return tl::unexpected<Error>(checked.error());
    const auto marked = m_store.answer(found->id, jsonText(answerToJson(answer)), m_clock.utcNow());
    if (!marked)
        return tl::unexpected<Error>(marked.error());
    Continuation continuation = continueWith(std::move(*recording), situation, answer);
    auto events = answerEvents(*found, continuation.step, answer);
    return Answered{std::move(*found), std::move(continuation), std::move(events)};
}

void Inbox::takeBack(const Escalation &before)
{
    (void)m_store.takeBack(before); // nothing was started: at worst it stays answered by nothing
}

tools::EscalationFeed::Note Inbox::runBegins(const RunSetup &setup, const std::string &trace)
{
    if (isReplay(setup))
        return {};
    const std::string answered = textOf(setup.origin, "escalation");
    if (!answered.empty()) {
        const QString path = QFileInfo(QString::fromStdString(trace)).absoluteFilePath();
        (void)m_store.link(answered, {setup.runId, path.toStdString(), {}}); // runEnded() does, too
    }
    return m_feed.announce(setup.runId, trace, !answered.empty());
}

void Inbox::runEnded(const RunSetup &setup, tools::EscalationFeed::Note &note, RunReport &report)
{
    const bool answers = !textOf(setup.origin, "escalation").empty();
    if (isReplay(setup) || (report.result.outcome != Outcome::Escalated && !answers))
        return;
    auto taken = m_feed.take(report.traceFile);
    if (taken) {
        report.escalation = std::move(*taken);
        return;
    }
    note.keep();
    report.escalationProblem = taken.error().text();
}

} // namespace emend::app
