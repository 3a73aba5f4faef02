// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace emend::tools {

// One connection to an SQLite file, for the thread and the block it is made in. Never throws; the
// first failure is kept in error(), and what follows it does nothing.
class SqliteConnection {
public:
    // A step of the schema: the statements that lead from one version to the next.
    using Migration = std::vector<QString>;

    // Opens the file, made with mode 0600 where there is none, and brings its schema up to
    // `migrations.size()`. A file of a later version is an error and left alone.
    SqliteConnection(const std::string &file, int busyMs, const std::vector<Migration> &migrations);
    ~SqliteConnection();
    SqliteConnection(const SqliteConnection &) = delete;
    SqliteConnection &operator=(const SqliteConnection &) = delete;

    bool ok() const { return !m_error; }
    const core::Error &error() const { return *m_error; }

    // Prepares, binds and executes. Nothing after an error.
    std::optional<QSqlQuery> execute(const QString &statement, const QVariantList &values = {});
    // A transaction that takes the write lock at once: what is read in it does not change.
    bool begin();
    bool commit(); // an error rolls back

private:
    void open(const std::string &file, int busyMs);
    void migrate(const std::vector<Migration> &migrations);
    void fail(const QSqlError &why);

    std::string m_file;
    QString m_name;
    QSqlDatabase m_database;
    bool m_inTransaction = false;
    std::optional<core::Error> m_error;
};

} // namespace emend::tools
