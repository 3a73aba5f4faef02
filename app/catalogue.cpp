// SPDX-License-Identifier: GPL-3.0-or-later
// What the workbench has and reads, without running anything.
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

#include "app/verifiers.h"
#include "app/workbench.h"
#include "tools/provider/registry.h"
#include "tools/replay/replayplayer.h"
#include "tools/scenario/scenariofile.h"
#include "tools/trace/tracereader.h"

namespace emend::app {

using namespace emend::core;

namespace {

constexpr const char *demoFile = ":/emend/scenarios/demo.task.json";

// A file that is not where the task lay may be in one of `folders`; then it is named there.
void findAgain(const Task &task, std::string &name, const QStringList &folders)
{
    const QString relative = QString::fromStdString(name);
    if (name.empty() || QDir::isAbsolutePath(relative) ||
        QFileInfo::exists(QDir(QString::fromStdString(task.folder)).filePath(relative)))
        return;
    for (const QString &folder : folders)
        if (const QString path = QDir(folder).filePath(relative); QFileInfo::exists(path)) {
            name = path.toStdString();
            return;
        }
}

} // namespace

std::vector<NamedSpec> Workbench::providers() const
{
    return tools::providerSpecs();
}

std::vector<ToolSpec> Workbench::tools() const
{
    std::vector<ToolSpec> specs;
    for (const auto &tool : m_builtIn)
        specs.push_back(tool->spec());
    return specs;
}

std::vector<NamedSpec> Workbench::verifiers() const
{
    return m_verifiers->specs();
}

SandboxFacts Workbench::sandbox() const
{
    return m_verifiers->sandbox();
}

std::vector<NamedSpec> Workbench::examples() const
{
    std::vector<NamedSpec> out;
    for (const char *folder : {":/emend/tasks", ":/emend/scenarios"}) {
        QDirIterator files(QString::fromLatin1(folder), {QStringLiteral("*.task.json")});
        while (files.hasNext()) {
            const std::string path = files.next().toStdString();
            if (const auto task = tools::loadTaskFile(path)) // a test reads them all
                out.push_back({path, task->name});
        }
    }
    std::sort(out.begin(), out.end(),
              [](const NamedSpec &a, const NamedSpec &b) { return a.description < b.description; });
    return out;
}

Result<Task> Workbench::loadTask(const std::string &path) const
{
    return tools::loadTaskFile(path);
}

Result<void> Workbench::saveTask(const Task &task, const std::string &path) const
{
    QSaveFile file(QString::fromStdString(path)); // writes beside it, then renames: no half file
    const std::string text = taskToFileText(task);
    const auto size = static_cast<qint64>(text.size());
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit())
        return {};
    Error error;
    error.code = ErrorCode::Unwritable;
    error.file = path;
    error.message = "cannot be saved: " + file.errorString().toStdString();
    return tl::unexpected<Error>(std::move(error));
}

Result<Task> Workbench::demoTask() const
{
    return tools::loadTaskFile(demoFile);
}

Result<Task> Workbench::taskOfTrace(const std::string &traceFile) const
{
    auto recording = tools::loadRecording(traceFile);
    if (!recording)
        return tl::unexpected<Error>(recording.error());
    Task task = std::move(recording->task);
    const QString beside = QFileInfo(QString::fromStdString(traceFile)).absolutePath();
    if (task.folder.empty()) // an old trace does not say where its task lay
        task.folder = beside.toStdString();
    // What moved with the trace is found beside it; what is nowhere is missed where it was.
    findAgain(task, task.scenarioFile,
              {beside, QStringLiteral(":/emend/scenarios"), QStringLiteral(":/emend/tasks")});
    findAgain(task, task.model.recording, {beside});
    findAgain(task, task.model.transport.caFile, {beside});
    return task;
}

Result<void> Workbench::readTrace(const std::string &path, std::stop_token stop,
                                  const std::function<void(std::string)> &onHeader,
                                  const std::function<void(std::vector<Event>)> &onEvents) const
{
    return tools::readTrace(path, stop, onHeader, onEvents);
}

} // namespace emend::app
