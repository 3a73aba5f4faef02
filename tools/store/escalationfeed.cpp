// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/store/escalationfeed.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "tools/trace/tracereader.h"

namespace emend::tools {

using namespace emend::core;

namespace {

constexpr qint64 tailBytes = 64 * 1024;
constexpr qint64 noteMaxBytes = 8192;

// Whether the whole trace has to be read. Most runs are not escalated: their last line says so.
// A line longer than the tail, or none, is no reason not to look.
bool isWorthReading(QFile &file)
{
    const QByteArray header = file.readLine(tailBytes);
    if (header.contains("\"kind\":\"answer\"") || !header.contains("\"emend\":\"trace\""))
        return header.contains("\"emend\":\"trace\"");
    file.seek(std::max<qint64>(0, file.size() - tailBytes));
    const QByteArray tail = file.read(tailBytes);
    const qsizetype begin = tail.lastIndexOf('\n', -2) + 1;
    const bool whole = begin > 0 && tail.endsWith('\n');
    const QByteArray last = tail.mid(begin);
    if (!whole || !last.contains("\"kind\":\"run.finished\""))
        return true;
    return last.contains("\"outcome\":\"escalated\"");
}

EscalationStore::Seen stateOf(const QFileInfo &file)
{
    return {file.size(), file.lastModified().toMSecsSinceEpoch()};
}

} // namespace

struct EscalationFeed::Looked {
    std::string escalation; // its id
    bool finished = false;  // else the run goes on, or died
    std::string runId;
    bool answers = false;
};

EscalationFeed::EscalationFeed(EscalationStore &store, std::string traceFolder,
                               std::string notesFolder)
    : m_store(store)
    , m_traceFolder(std::move(traceFolder))
    , m_notesFolder(std::move(notesFolder))
{}

EscalationFeed::Note::Note(Note &&other) noexcept
    : m_file(std::exchange(other.m_file, {}))
    , m_lock(std::exchange(other.m_lock, -1))
    , m_keep(other.m_keep)
{}

EscalationFeed::Note &EscalationFeed::Note::operator=(Note &&other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_lock, other.m_lock);
    std::swap(m_keep, other.m_keep);
    return *this;
}

EscalationFeed::Note::~Note()
{
    if (m_lock < 0)
        return;
    if (!m_keep)
        ::unlink(m_file.c_str());
    ::close(m_lock); // and with it the lock
}

EscalationFeed::Note EscalationFeed::announce(const std::string &runId,
                                              const std::string &traceFile, bool answers) const
{
    Note note;
    const QFileInfo trace(QString::fromStdString(traceFile));
    const bool inFolder = QDir(QString::fromStdString(m_traceFolder)) == QDir(trace.absolutePath());
    if (inFolder && !answers)
        return note;
    const QDir folder(QString::fromStdString(m_notesFolder));
    if (!folder.mkpath(QStringLiteral(".")))
        return note;
    note.m_file = QFile::encodeName(folder.filePath(QString::fromStdString(runId))).toStdString();
    note.m_lock =
        ::open(note.m_file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (note.m_lock < 0)
        return note;
    const std::string path = QFile::encodeName(trace.absoluteFilePath()).toStdString();
    if (::flock(note.m_lock, LOCK_EX | LOCK_NB) != 0 ||
        ::write(note.m_lock, path.data(), path.size()) != static_cast<ssize_t>(path.size())) {
        ::unlink(note.m_file.c_str());
        ::close(std::exchange(note.m_lock, -1));
    }
    return note;
}

Result<EscalationFeed::Looked> EscalationFeed::look(const std::string &traceFile)
{
    std::optional<EscalationReader> reader;
    const std::string absolute =
        QFileInfo(QString::fromStdString(traceFile)).absoluteFilePath().toStdString();
    const auto read = readTrace(
        absolute, {}, [&](const std::string &header) { reader.emplace(header, absolute); },
        [&](const std::vector<Event> &events) {
            for (const Event &event : events)
                reader->add(event);
        });
    if (!read)
        return tl::unexpected<Error>(read.error());
    if (!reader)
        return Looked{};
    Looked out{{}, reader->finished(), reader->runId(), !reader->answers().empty()};
    if (!reader->answers().empty()) {
        const EscalationStore::AnswerRun run{reader->runId(), absolute, reader->answer()};
        if (const auto linked = m_store.link(reader->answers(), run); !linked)
            return tl::unexpected<Error>(linked.error());
        if (const auto set = m_store.setOutcome(reader->runId(), reader->outcome()); !set)
            return tl::unexpected<Error>(set.error());
    }
    if (auto escalation = reader->escalation()) {
        // What a fork has played took no time, but stands in the times of its trace.
        const std::string now =
            QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
        escalation->openedAt = std::min(escalation->openedAt, now);
        const auto added = m_store.add(*escalation);
        if (!added)
            return tl::unexpected<Error>(added.error());
        out.escalation = added->id;
    }
    return out;
}

Result<std::string> EscalationFeed::take(const std::string &traceFile)
{
    const auto looked = look(traceFile);
    if (!looked)
        return tl::unexpected<Error>(looked.error());
    return looked->escalation;
}

// True: the note has served.
Result<bool> EscalationFeed::takeNote(const std::string &noteFile)
{
    const int lock = ::open(noteFile.c_str(), O_RDWR | O_CLOEXEC);
    if (lock < 0)
        return true;
    const bool dead = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
    QByteArray path;
    QFile note;
    if (dead && note.open(lock, QIODevice::ReadOnly))
        path = note.read(noteMaxBytes);
    Result<bool> served = false;
    const QFileInfo trace(QFile::decodeName(path));
    if (dead && (path.isEmpty() || !trace.exists())) {
        served = true;
    } else if (dead) {
        const auto looked = look(trace.filePath().toStdString());
        served = true;
        if (!looked && looked.error().file == m_store.file())
            served = tl::unexpected<Error>(looked.error()); // of the store: another time
        else if (looked && looked->answers && !looked->finished)
            if (const auto lost = m_store.setOutcome(looked->runId, "lost"); !lost)
                served = tl::unexpected<Error>(lost.error());
    }
    if (served && *served)
        ::unlink(noteFile.c_str());
    note.close();
    ::close(lock);
    return served;
}

Result<void> EscalationFeed::scan(std::stop_token stop)
{
    const auto seen = m_store.seen();
    if (!seen)
        return tl::unexpected<Error>(seen.error());
    std::map<std::string, EscalationStore::Seen> now;
    std::optional<Error> problem;
    const QDir folder(QString::fromStdString(m_traceFolder));
    const auto files = folder.entryInfoList({QStringLiteral("*.trace.jsonl")}, QDir::Files,
                                            QDir::Time | QDir::Reversed); // parents first
    for (const QFileInfo &info : files) {
        if (stop.stop_requested())
            break;
        const std::string path = info.absoluteFilePath().toStdString();
        const EscalationStore::Seen state = stateOf(info);
        const auto known = seen->find(path);
        if (known != seen->end() && known->second.size == state.size &&
            known->second.modifiedMs == state.modifiedMs)
            continue;
        QFile file(info.absoluteFilePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const auto looked = isWorthReading(file) ? look(path) : Result<Looked>(Looked{});
        if (!looked && looked.error().file == m_store.file()) {
            problem = looked.error();
            break;
        }
        now[path] = state;
    }
    const QDir notes(QString::fromStdString(m_notesFolder));
    for (const QString &name : notes.entryList(QDir::Files)) {
        if (problem || stop.stop_requested())
            break;
        const auto taken = takeNote(QFile::encodeName(notes.filePath(name)).toStdString());
        if (!taken)
            problem = taken.error();
    }
    if (!now.empty() && !problem)
        if (const auto set = m_store.setSeen(now); !set)
            problem = set.error();
    if (problem)
        return tl::unexpected<Error>(*problem);
    return {};
}

} // namespace emend::tools
