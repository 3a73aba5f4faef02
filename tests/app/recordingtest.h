// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <memory>

#include "app/workbench.h"
#include "core/trace/summary.h"
#include "tests/fakes/watcher.h"

// What tests of recordings have in common: a folder, an engine, runs that are recorded and
// replayed.
namespace emend::fakes {

using namespace emend::core;
using nlohmann::json;

using tests::Watcher;

inline json reply(const json &decision)
{
    return {{"text", decision.dump()}};
}

inline json act(const std::string &tool, const json &input)
{
    return reply({{"state", "action"}, {"reason", "r"}, {"tool", tool}, {"tool_input", input}});
}

inline json finalReply(const std::string &summary, bool satisfied = true)
{
    return reply({{"state", "final"}, {"satisfied", satisfied}, {"final_summary", summary}});
}

inline const json sum = act("calculator", {{"expression", "1+1"}});

// A base of test classes.
class RecordingTest : public QObject {
protected:
    void begin()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(path("config")));
        m_workbench = std::make_unique<app::Workbench>();
    }
    std::string path(const std::string &name) const
    {
        return m_folder->filePath(QString::fromStdString(name)).toStdString();
    }
    void write(const std::string &name, const std::string &text)
    {
        QFile file(QString::fromStdString(path(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
    }
    std::string read(const std::string &name)
    {
        QFile file(QString::fromStdString(path(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
    Task task(const json &replies, const json &more = json::object())
    {
        json scenario = {{"emend", "scenario"}, {"version", 1}, {"replies", replies}};
        scenario.update(more);
        write("s.scenario.json", scenario.dump());
        Task out;
        out.goal = "the goal";
        out.model.provider = "scripted";
        out.scenarioFile = "s.scenario.json";
        out.folder = m_folder->path().toStdString();
        for (const char *name : {"calculator", "get_time", "weather"})
            out.tools.push_back({name, false, {}, false, {}});
        return out;
    }
    void record(const Task &wanted, const std::string &name = "a.trace.jsonl")
    {
        Watcher watcher;
        RunControl control(m_workbench->clock());
        const auto report = m_workbench->run(wanted, path(name), control, watcher);
        QVERIFY2(report, report ? "" : report.error().text().c_str());
    }
    std::optional<Difference> replay(Watcher &watcher)
    {
        RunControl control(m_workbench->clock());
        const auto report =
            m_workbench->replay(path("a.trace.jsonl"), path("again.trace.jsonl"), control, watcher);
        return report ? report->difference : Difference{0, {}, report.error().text(), {}};
    }
    int cli(const QStringList &arguments, QByteArray *said = nullptr)
    {
        QProcess process;
        process.start(EMEND_CLI, arguments);
        process.waitForFinished(60'000);
        if (said != nullptr)
            *said = process.readAllStandardError();
        return process.exitCode();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<app::Workbench> m_workbench;
};

} // namespace emend::fakes
