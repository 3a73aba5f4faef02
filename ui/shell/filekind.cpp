// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/filekind.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(emend::ui::FileKind)
};

constexpr qint64 headBytes = 64 * 1024; // a first line that is longer is not parsed
constexpr qint64 wholeBytes = 4 * 1024 * 1024;

std::string emendKey(const QByteArray &json)
{
    const auto value = nlohmann::json::parse(json.begin(), json.end(), nullptr, false);
    if (!value.is_object())
        return {};
    const auto key = value.find("emend");
    return key != value.end() && key->is_string() ? key->get<std::string>() : std::string();
}

// For text that does not parse: a broken file is still meant as something.
std::string firstMention(const QByteArray &head)
{
    static const QRegularExpression key(uR"re("emend"\s*:\s*"([a-z_]+)")re"_s);
    return key.match(QString::fromUtf8(head)).captured(1).toStdString();
}

FileKind kindOf(const std::string &name)
{
    if (name == "task")
        return FileKind::Task;
    if (name == "trace")
        return FileKind::Trace;
    if (name == "scenario")
        return FileKind::Scenario;
    return name.empty() ? FileKind::Unknown : FileKind::OtherEmend;
}

core::Error errorAt(const QString &path, core::ErrorCode code, const QString &message)
{
    core::Error error;
    error.code = code;
    error.message = message.toStdString();
    error.file = path.toStdString();
    return error;
}

} // namespace

core::Result<FileKind> fileKind(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return tl::unexpected(
            errorAt(path, core::ErrorCode::NotFound, Words::tr("There is no such file")));
    if (info.isDir())
        return tl::unexpected(
            errorAt(path, core::ErrorCode::Unreadable, Words::tr("This is a folder")));
    QFile file(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) // a pipe would block
        return tl::unexpected(
            errorAt(path, core::ErrorCode::Unreadable, Words::tr("The file cannot be read")));
    const QByteArray head = file.read(headBytes);
    const qsizetype lineEnd = head.indexOf('\n');
    std::string name = emendKey(lineEnd < 0 ? head : head.left(lineEnd));
    if (name.empty() && file.size() <= wholeBytes)
        name = emendKey(head + file.readAll());
    if (name.empty())
        name = firstMention(head);
    return kindOf(name);
}

} // namespace emend::ui
