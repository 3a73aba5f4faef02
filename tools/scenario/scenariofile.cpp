// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/scenario/scenariofile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QString>

#include <algorithm>
#include <utility>

#include "core/base/text.h"

namespace emend::tools {

namespace {

using core::ErrorCode;

// The error with the file it is about, where it names none yet.
tl::unexpected<core::Error> withFile(const std::string &path, core::Error error)
{
    if (error.file.empty())
        error.file = path;
    return tl::unexpected(std::move(error));
}

core::Error errorIn(const std::string &path, ErrorCode code, std::string message,
                    std::string pointer = {})
{
    return {code, std::move(message), path, std::move(pointer), 0, 0};
}

std::string resolved(const std::string &folder, const std::string &name)
{
    const QString from = QString::fromStdString(folder.empty() ? "." : folder);
    return QDir::cleanPath(QDir(from).filePath(QString::fromStdString(name))).toStdString();
}

// The file that a task names at `pointer`: readable, and not the task itself.
core::Result<std::string> pathNamedBy(const std::string &taskPath, const std::string &folder,
                                      const std::string &name, const std::string &pointer)
{
    const std::string path = resolved(folder, name);
    const QFileInfo info(QString::fromStdString(path));
    if (!info.exists())
        return tl::unexpected(errorIn(taskPath, ErrorCode::NotFound,
                                      "there is no file " + core::inQuotes(path, 400), pointer));
    if (info == QFileInfo(QString::fromStdString(taskPath)))
        return tl::unexpected(
            errorIn(taskPath, ErrorCode::Cycle, "the task names itself here", pointer));
    return path;
}

// `name` is how the task names the file.
core::Result<void> addToolsOf(core::Task &task, const std::string &path, const std::string &name)
{
    const auto text = readTextFile(path);
    if (!text)
        return tl::unexpected(text.error());
    auto tools = core::parseToolsFile(*text);
    if (!tools)
        return withFile(path, tools.error());
    for (core::ToolReference &tool : *tools) {
        for (const core::ToolReference &other : task.tools) {
            if (other.name == tool.name)
                return tl::unexpected(
                    errorIn(path, ErrorCode::BadValue,
                            "the task already has a tool " + core::inQuotes(tool.name), "/tools"));
        }
        tool.fromFile = name;
        task.tools.push_back(std::move(tool));
    }
    return {};
}

// What a code task has in a file of its own: tests, edge tests, the generator.
core::Result<void> putInSource(const core::Task &task, const std::string &taskPath,
                               const std::string &name, const char *pointer, std::string &out)
{
    if (name.empty())
        return {};
    const auto path = pathNamedBy(taskPath, task.folder, name, pointer);
    auto text = path ? readTextFile(*path) : path;
    if (!text)
        return tl::unexpected(text.error());
    if (core::trimBlank(*text).empty())
        return tl::unexpected(errorIn(*path, ErrorCode::BadValue, "this file is empty"));
    out = std::move(*text);
    return {};
}

core::Result<void> putInNamedFiles(core::Task &task, const std::string &taskPath)
{
    if (!task.systemPromptFile.empty()) {
        const auto path =
            pathNamedBy(taskPath, task.folder, task.systemPromptFile, "/prompt/system_file");
        auto text = path ? readTextFile(*path) : path;
        if (!text)
            return tl::unexpected(text.error());
        if (core::trimBlank(*text).empty())
            return tl::unexpected(errorIn(*path, ErrorCode::BadValue, "the prompt is empty"));
        task.systemPrompt = std::move(*text);
    }
    for (const std::string &file : task.toolFiles) {
        const auto path = pathNamedBy(taskPath, task.folder, file, "/tools");
        if (!path)
            return tl::unexpected(path.error());
        if (auto added = addToolsOf(task, *path, file); !added)
            return added;
    }
    core::CodeSettings &code = task.code;
    if (auto read = putInSource(task, taskPath, code.testsFile, "/code/tests", code.tests); !read)
        return read;
    if (auto read =
            putInSource(task, taskPath, code.edgeTestsFile, "/code/edge_tests", code.edgeTests);
        !read)
        return read;
    if (auto read = putInSource(task, taskPath, code.generatorFile, "/code/generator_source",
                                code.generatorSource);
        !read)
        return read;
    if (task.scenarioFile.empty())
        return {};
    const auto path = pathNamedBy(taskPath, task.folder, task.scenarioFile, "/scenario");
    if (!path)
        return tl::unexpected(path.error());
    if (auto scenario = loadScenarioFile(*path); !scenario)
        return tl::unexpected(std::move(scenario.error()));
    return {};
}

} // namespace

core::Result<std::string> readTextFile(const std::string &path, std::size_t limit)
{
    const QFileInfo info(QString::fromStdString(path));
    if (!info.exists())
        return tl::unexpected(errorIn(path, ErrorCode::NotFound, "no such file"));
    if (!info.isFile())
        return tl::unexpected(
            errorIn(path, ErrorCode::Unreadable,
                    info.isDir() ? "this is a folder, not a file" : "this is not a regular file"));
    QFile file(info.filePath());
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(errorIn(path, ErrorCode::Unreadable,
                                      "cannot be read: " + file.errorString().toStdString()));
    // Piece by piece: QFile::read() takes the memory for all that it might read.
    QByteArray bytes;
    while (static_cast<std::size_t>(bytes.size()) <= limit && !file.atEnd())
        bytes +=
            file.read(std::min<qint64>(static_cast<qint64>(limit) + 1 - bytes.size(), 1 << 18));
    if (file.error() != QFileDevice::NoError)
        return tl::unexpected(errorIn(path, ErrorCode::Unreadable,
                                      "cannot be read: " + file.errorString().toStdString()));
    if (static_cast<std::size_t>(bytes.size()) > limit)
        return tl::unexpected(
            errorIn(path, ErrorCode::TooLarge,
                    "the file is longer than " + std::to_string(limit) + " bytes"));
    std::string text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(byteOrderMark))
        text.erase(0, byteOrderMark.size());
    const std::size_t invalid = core::firstInvalidUtf8(text);
    if (invalid == std::string::npos)
        return text;
    const core::Place place = core::placeAt(text, invalid);
    return tl::unexpected(core::Error{ErrorCode::BadJson,
                                      "not UTF-8: " + core::describeCodePoint(text, invalid),
                                      path,
                                      {},
                                      place.line,
                                      place.column});
}

core::Result<core::Task> loadTaskFile(const std::string &path)
{
    const auto text = readTextFile(path);
    if (!text)
        return tl::unexpected(text.error());
    auto task = core::parseTask(*text);
    if (!task)
        return withFile(path, std::move(task.error()));
    task->folder = QFileInfo(QString::fromStdString(path)).absolutePath().toStdString();
    if (auto complete = putInNamedFiles(*task, path); !complete)
        return tl::unexpected(std::move(complete.error()));
    return task;
}

core::Result<core::Scenario> loadScenarioFile(const std::string &path)
{
    const auto text = readTextFile(path);
    if (!text)
        return tl::unexpected(text.error());
    auto scenario = core::parseScenario(*text);
    if (!scenario)
        return withFile(path, std::move(scenario.error()));
    return scenario;
}

core::Result<core::Scenario> loadScenarioFor(const core::Task &task)
{
    if (task.scenarioFile.empty())
        return core::Scenario();
    return loadScenarioFile(resolved(task.folder, task.scenarioFile));
}

} // namespace emend::tools
