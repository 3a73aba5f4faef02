// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/store/escalationstore.h"

#include <QFileInfo>
#include <QSqlQuery>
#include <QStringList>
#include <QVariant>

#include "tools/store/sqliteconnection.h"

namespace emend::tools {

using namespace emend::core;

namespace {

const std::vector<SqliteConnection::Migration> &migrations()
{
    static const std::vector<SqliteConnection::Migration> steps = {
        // 1
        {QStringLiteral("CREATE TABLE escalation ("
                        "id TEXT PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, trace TEXT NOT NULL, "
                        "task TEXT NOT NULL, mode TEXT NOT NULL, reason TEXT NOT NULL, "
                        "opened_by TEXT NOT NULL, opened_at TEXT NOT NULL, "
                        "state TEXT NOT NULL DEFAULT 'open', "
                        "claimed_by TEXT NOT NULL DEFAULT '', claimed_at TEXT NOT NULL DEFAULT '', "
                        "answer TEXT NOT NULL DEFAULT '', closed_at TEXT NOT NULL DEFAULT '', "
                        "answer_run_id TEXT NOT NULL DEFAULT '', "
                        "answer_trace TEXT NOT NULL DEFAULT '', "
                        "last_feedback TEXT NOT NULL, final_attempt TEXT NOT NULL, "
                        "attempts INTEGER NOT NULL, outcome TEXT NOT NULL DEFAULT '', "
                        "parent TEXT NOT NULL DEFAULT '') STRICT"),
         QStringLiteral("CREATE INDEX escalation_answer ON escalation (answer_run_id)"),
         QStringLiteral("CREATE TABLE seen_trace (path TEXT PRIMARY KEY, size INTEGER NOT NULL, "
                        "modified_ms INTEGER NOT NULL) STRICT")},
    };
    static_assert(EscalationStore::schemaVersion == 1, "one step a version");
    return steps;
}

const QString &columns()
{
    static const QString names = QStringLiteral(
        "id, run_id, trace, task, mode, reason, opened_by, opened_at, state, claimed_by, "
        "claimed_at, answer, closed_at, answer_run_id, answer_trace, last_feedback, final_attempt, "
        "attempts, outcome, parent");
    return names;
}

QVariant bound(const std::string &text)
{
    const QString value = QString::fromStdString(text);
    return value.isNull() ? QVariant(QStringLiteral("")) : QVariant(value); // no text is no NULL
}

Escalation fromRow(const QSqlQuery &row)
{
    Escalation out;
    int column = 0;
    const auto text = [&] { return row.value(column++).toString().toStdString(); };
    for (std::string *member : {&out.id, &out.runId, &out.traceFile, &out.taskName, &out.mode,
                                &out.reason, &out.by, &out.openedAt})
        *member = text();
    out.state = escalationStateFromName(text()).value_or(EscalationState::Open);
    for (std::string *member :
         {&out.claimedBy, &out.claimedAt, &out.answer, &out.closedAt, &out.answerRunId,
          &out.answerTrace, &out.lastFeedback, &out.finalAttempt})
        *member = text();
    out.attempts = row.value(column++).toInt();
    out.outcome = text();
    out.parent = text();
    return out;
}

tl::unexpected<Error> storeError(const SqliteConnection &connection)
{
    Error error = connection.error();
    error.message = "the inbox of escalations: " + error.message;
    return tl::unexpected<Error>(std::move(error));
}

// One row, by its id, its run's id or a beginning. `%` and `_` in a beginning stand for themselves.
Result<Escalation> findIn(SqliteConnection &connection, const std::string &id)
{
    constexpr std::size_t shortest = 4;
    QString like = QString::fromStdString(id);
    for (const QString &special : {QStringLiteral("\\"), QStringLiteral("%"), QStringLiteral("_")})
        like.replace(special, QLatin1Char('\\') + special);
    like += QLatin1Char('%');
    auto rows = connection.execute(
        QStringLiteral("SELECT ") + columns() +
            QStringLiteral(" FROM escalation WHERE id = ? OR run_id = ? OR (? AND (id LIKE ? "
                           "ESCAPE '\\' OR run_id LIKE ? ESCAPE '\\')) "
                           "ORDER BY id = ? OR run_id = ? DESC LIMIT 2"),
        {bound(id), bound(id), id.size() >= shortest, like, like, bound(id), bound(id)});
    if (!rows)
        return storeError(connection);
    if (!rows->isValid())
        return fail(ErrorCode::NotFound, "there is no escalation \"" + id + "\"");
    Escalation found = fromRow(*rows);
    if (found.id != id && found.runId != id && rows->next())
        return fail(ErrorCode::BadValue, "more than one escalation begins with \"" + id + "\"");
    return found;
}

bool exists(const std::string &file)
{
    return QFileInfo::exists(QString::fromStdString(file));
}

} // namespace

EscalationStore::EscalationStore(std::string file, int busyMs)
    : m_file(std::move(file))
    , m_busyMs(busyMs)
{}

Result<Escalation> EscalationStore::add(const Escalation &escalation)
{
    SqliteConnection connection(m_file, m_busyMs, migrations());
    connection.begin();
    std::string id = escalation.id;
    for (const std::string &candidate : escalationIds(escalation.runId)) {
        const auto taken = connection.execute(
            QStringLiteral("SELECT run_id FROM escalation WHERE id = ?"), {bound(candidate)});
        id = candidate;
        if (!taken || !taken->isValid() ||
            taken->value(0).toString().toStdString() == escalation.runId)
            break;
    }
    connection.execute(
        QStringLiteral("INSERT INTO escalation (id, run_id, trace, task, mode, reason, opened_by, "
                       "opened_at, last_feedback, final_attempt, attempts, parent) "
                       "VALUES (?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING"),
        {bound(id), bound(escalation.runId), bound(escalation.traceFile),
         bound(escalation.taskName), bound(escalation.mode), bound(escalation.reason),
         bound(escalation.by), bound(escalation.openedAt), bound(escalation.lastFeedback),
         bound(escalation.finalAttempt), escalation.attempts, bound(escalation.parent)});
    if (!connection.commit())
        return storeError(connection);
    return findIn(connection, escalation.runId);
}

Result<std::vector<Escalation>> EscalationStore::list() const
{
    std::vector<Escalation> out;
    if (!exists(m_file)) // reading makes no file
        return out;
    SqliteConnection connection(m_file, m_busyMs, migrations());
    auto rows = connection.execute(QStringLiteral("SELECT ") + columns() +
                                   QStringLiteral(" FROM escalation ORDER BY opened_at DESC, id"));
    if (!rows)
        return storeError(connection);
    for (bool more = rows->isValid(); more; more = rows->next())
        out.push_back(fromRow(*rows));
    return out;
}

Result<Escalation> EscalationStore::find(const std::string &id) const
{
    if (!exists(m_file))
        return fail(ErrorCode::NotFound, "there is no escalation \"" + id + "\"");
    SqliteConnection connection(m_file, m_busyMs, migrations());
    return findIn(connection, id);
}

Result<Escalation> EscalationStore::change(const std::string &id, const Change &change)
{
    if (!exists(m_file))
        return fail(ErrorCode::NotFound, "there is no escalation \"" + id + "\"");
    SqliteConnection connection(m_file, m_busyMs, migrations());
    if (!connection.begin())
        return storeError(connection);
    const auto found = findIn(connection, id);
    if (!found)
        return found;
    if (!change.allowed(*found))
        return fail(ErrorCode::NotSupported, "the escalation " + found->id + " is " +
                                                 std::string(escalationStateName(found->state)) +
                                                 " and cannot be " + change.what);
    QVariantList values;
    for (const std::string &value : change.values)
        values << bound(value);
    values << bound(found->id);
    connection.execute(QStringLiteral("UPDATE escalation SET ") +
                           QString::fromLatin1(change.assignments) +
                           QStringLiteral(" WHERE id = ?"),
                       values);
    if (!connection.commit())
        return storeError(connection);
    return findIn(connection, found->id);
}

Result<Escalation> EscalationStore::claim(const std::string &id, const std::string &by,
                                          const std::string &at)
{
    return change(id, {"state = 'claimed', claimed_by = ?, claimed_at = ?",
                       {by, at},
                       [&](const Escalation &now) {
                           return now.state == EscalationState::Open ||
                                  (now.state == EscalationState::Claimed && now.claimedBy == by);
                       },
                       "claimed by " + by});
}

Result<Escalation> EscalationStore::release(const std::string &id)
{
    return change(id, {"state = 'open', claimed_by = '', claimed_at = ''",
                       {},
                       [](const Escalation &now) {
                           return now.state == EscalationState::Open ||
                                  now.state == EscalationState::Claimed;
                       },
                       "put back"});
}

Result<Escalation> EscalationStore::dismiss(const std::string &id, const std::string &answer,
                                            const std::string &at)
{
    return change(id, {"state = 'dismissed', answer = ?, closed_at = ?, answer_run_id = '', "
                       "answer_trace = '', outcome = ''",
                       {answer, at},
                       [](const Escalation &now) { return mayAnswer(now); },
                       "dismissed"});
}

Result<Escalation> EscalationStore::answer(const std::string &id, const std::string &answer,
                                           const std::string &at)
{
    return change(id, {"state = 'answered', answer = ?, closed_at = ?, answer_run_id = '', "
                       "answer_trace = '', outcome = ''",
                       {answer, at},
                       [](const Escalation &now) { return mayAnswer(now); },
                       "answered"});
}

Result<void> EscalationStore::write(const char *statement, const std::vector<std::string> &values)
{
    SqliteConnection connection(m_file, m_busyMs, migrations());
    QVariantList list;
    for (const std::string &value : values)
        list << bound(value);
    if (!connection.execute(QString::fromLatin1(statement), list))
        return storeError(connection);
    return {};
}

Result<void> EscalationStore::link(const std::string &id, const AnswerRun &run)
{
    return write("UPDATE escalation SET state = 'answered', answer_run_id = ?, answer_trace = ?, "
                 "answer = CASE WHEN answer = '' THEN ? ELSE answer END "
                 "WHERE id = ? AND state <> 'dismissed'",
                 {run.runId, run.traceFile, run.answer, id});
}

Result<void> EscalationStore::setOutcome(const std::string &runId, const std::string &outcome)
{
    return write("UPDATE escalation SET outcome = ? WHERE answer_run_id = ?", {outcome, runId});
}

Result<void> EscalationStore::takeBack(const Escalation &before)
{
    return write("UPDATE escalation SET state = ?, answer = ?, closed_at = ?, answer_run_id = ?, "
                 "answer_trace = ?, outcome = ? WHERE id = ?",
                 {std::string(escalationStateName(before.state)), before.answer, before.closedAt,
                  before.answerRunId, before.answerTrace, before.outcome, before.id});
}

Result<std::map<std::string, EscalationStore::Seen>> EscalationStore::seen() const
{
    std::map<std::string, Seen> out;
    if (!exists(m_file))
        return out;
    SqliteConnection connection(m_file, m_busyMs, migrations());
    auto rows =
        connection.execute(QStringLiteral("SELECT path, size, modified_ms FROM seen_trace"));
    if (!rows)
        return storeError(connection);
    for (bool more = rows->isValid(); more; more = rows->next())
        out[rows->value(0).toString().toStdString()] = {rows->value(1).toLongLong(),
                                                        rows->value(2).toLongLong()};
    return out;
}

Result<void> EscalationStore::setSeen(const std::map<std::string, Seen> &files)
{
    SqliteConnection connection(m_file, m_busyMs, migrations());
    connection.begin();
    for (const auto &[path, file] : files)
        connection.execute(QStringLiteral("INSERT OR REPLACE INTO seen_trace VALUES (?, ?, ?)"),
                           {bound(path), QVariant::fromValue<qlonglong>(file.size),
                            QVariant::fromValue<qlonglong>(file.modifiedMs)});
    if (!connection.commit())
        return storeError(connection);
    return {};
}

} // namespace emend::tools
