// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/store/sqliteconnection.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>

#include <atomic>

#include <fcntl.h>
#include <unistd.h>

namespace emend::tools {

using namespace emend::core;

namespace {

// SQLite's own codes (sqlite.org/rescode.html), which the driver gives as text.
constexpr int busy = 5, readOnly = 8, ioError = 10, corrupt = 11, full = 13, cantOpen = 14,
              notDatabase = 26;

std::string wordsFor(const QSqlError &why)
{
    bool number = false;
    const int code = why.nativeErrorCode().toInt(&number) & 0xff;
    switch (number ? code : 0) {
    case busy:
        return "it is locked by another program";
    case readOnly:
        return "it cannot be written to";
    case full:
        return "the disk is full";
    case ioError:
        return "the disk is full or cannot be read or written";
    case corrupt:
    case notDatabase:
        return "it is no database, or a damaged one";
    case cantOpen:
        return "it cannot be opened";
    default:
        return why.text().simplified().toStdString();
    }
}

} // namespace

SqliteConnection::SqliteConnection(const std::string &file, int busyMs,
                                   const std::vector<Migration> &migrations)
    : m_file(file)
{
    open(file, busyMs);
    if (ok())
        migrate(migrations);
}

SqliteConnection::~SqliteConnection()
{
    if (m_inTransaction)
        QSqlQuery(m_database).exec(QStringLiteral("ROLLBACK"));
    m_database.close();
    m_database = {}; // the name may go only when nobody holds it
    if (!m_name.isEmpty())
        QSqlDatabase::removeDatabase(m_name);
}

void SqliteConnection::open(const std::string &file, int busyMs)
{
    static std::atomic<unsigned> number = 0;
    const QString path = QString::fromStdString(file);
    QDir().mkpath(QFileInfo(path).absolutePath());
    // SQLite would make it readable for everybody; its own files beside it take its mode.
    if (const int made = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC,
                                S_IRUSR | S_IWUSR);
        made >= 0)
        ::close(made);
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))) {
        m_error = Error{ErrorCode::NotSupported,
                        "Qt's SQLite driver (libqt6sql6-sqlite) is not installed",
                        file,
                        {},
                        0,
                        0};
        return;
    }
    m_name = QStringLiteral("emend-") + QString::number(++number);
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_database.setDatabaseName(path);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=") + QString::number(busyMs));
    if (!m_database.open())
        return fail(m_database.lastError());
    // On the disk when commit() returns: after kill -9, and after a loss of power as well.
    execute(QStringLiteral("PRAGMA journal_mode=WAL"));
    execute(QStringLiteral("PRAGMA synchronous=FULL"));
}

void SqliteConnection::migrate(const std::vector<Migration> &migrations)
{
    const auto version = [this] {
        const auto query = execute(QStringLiteral("PRAGMA user_version"));
        return query ? query->value(0).toInt() : -1;
    };
    const int wanted = static_cast<int>(migrations.size());
    int found = version();
    if (!ok() || found == wanted)
        return;
    if (begin()) { // another process may have done it meanwhile
        for (found = version(); ok() && found < wanted; ++found)
            for (const QString &statement : migrations[static_cast<std::size_t>(found)])
                execute(statement);
        if (ok() && found > wanted)
            m_error = Error{ErrorCode::BadVersion,
                            "it was written by a later version of Emend (schema " +
                                std::to_string(found) + ")",
                            m_file,
                            {},
                            0,
                            0};
        execute(QStringLiteral("PRAGMA user_version=") + QString::number(wanted));
        commit();
    }
}

std::optional<QSqlQuery> SqliteConnection::execute(const QString &statement,
                                                   const QVariantList &values)
{
    if (!ok())
        return std::nullopt;
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(statement)) {
        fail(query.lastError());
        return std::nullopt;
    }
    for (const QVariant &value : values)
        query.addBindValue(value);
    if (!query.exec()) {
        fail(query.lastError());
        return std::nullopt;
    }
    if (query.isSelect())
        query.next(); // at the first row, or at none
    return query;
}

bool SqliteConnection::begin()
{
    m_inTransaction = execute(QStringLiteral("BEGIN IMMEDIATE")).has_value();
    return m_inTransaction;
}

bool SqliteConnection::commit()
{
    if (ok() && execute(QStringLiteral("COMMIT")))
        m_inTransaction = false;
    if (m_inTransaction) {
        QSqlQuery(m_database).exec(QStringLiteral("ROLLBACK"));
        m_inTransaction = false;
    }
    return ok();
}

void SqliteConnection::fail(const QSqlError &why)
{
    if (m_error)
        return;
    m_error = Error{ErrorCode::Unwritable, wordsFor(why), m_file, {}, 0, 0};
}

} // namespace emend::tools
