// SPDX-License-Identifier: GPL-3.0-or-later
// What the loop itself costs a decision (scripted provider, trace on disk), and whether many runs in
// one process leave memory behind.
#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/workbench.h"

using namespace emend::core;
using nlohmann::json;

namespace {

class Silent : public RunListener {
public:
    void began(const std::string &) override {}
    void arrived(const Event &) override { ++events; }
    void partialText(int, int, std::string_view) override {}
    long events = 0;
};

long residentKib()
{
    std::ifstream file("/proc/self/statm");
    long size = 0, resident = 0;
    file >> size >> resident;
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// A scenario of `actions` calculator actions and a final decision, in `folder`.
Task makeTask(const QString &folder, int actions)
{
    json replies = json::array();
    for (int i = 0; i < actions; ++i) {
        const json decision = {{"state", "action"},
                               {"reason", "add the next one"},
                               {"tool", "calculator"},
                               {"tool_input", {{"expression", std::to_string(i) + " + 1"}}}};
        replies.push_back({{"text", decision.dump()}});
    }
    const json final = {{"state", "final"}, {"satisfied", true}, {"final_summary", "done"}};
    replies.push_back({{"text", final.dump()}});
    const json scenario = {{"emend", "scenario"}, {"version", 1}, {"replies", replies}};
    const QString path = folder + QStringLiteral("/%1.scenario.json").arg(actions);
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(QByteArray::fromStdString(scenario.dump()));
    Task task;
    task.goal = "add";
    task.model.provider = "scripted";
    task.scenarioFile = path.toStdString();
    task.tools = {{"calculator", false, {}, false, {}}};
    task.bounds.maxActions = actions;
    return task;
}

double runUs(emend::app::Workbench &workbench, const Task &task, const std::string &trace)
{
    Silent listener;
    RunControl control(workbench.clock());
    const std::int64_t began = workbench.clock().nowUs();
    const auto report = workbench.run(task, trace, control, listener);
    const auto us = static_cast<double>(workbench.clock().nowUs() - began);
    if (!report || report->result.outcome != Outcome::Satisfied)
        std::fprintf(stderr, "the run was not satisfied\n");
    return us;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QTemporaryDir folder;
    const std::string trace = folder.filePath(QStringLiteral("t.jsonl")).toStdString();
    emend::app::Workbench workbench;

    for (const int actions : {8, 100}) {
        const Task task = makeTask(folder.path(), actions);
        const Task empty = makeTask(folder.path(), 0);
        std::vector<double> perDecision, whole;
        for (int i = 0; i < 300; ++i) {
            const double start = runUs(workbench, empty, trace); // files, header, one decision
            const double us = runUs(workbench, task, trace);
            perDecision.push_back((us - start) / actions);
            whole.push_back(us / (actions + 1));
        }
        std::printf("%3d actions a run: %6.1f µs a decision (median of 300), %6.1f µs with the start "
                    "of the run shared out\n",
                    actions, median(perDecision), median(whole));
    }

    const Task three = makeTask(folder.path(), 2);
    for (int i = 0; i < 500; ++i)
        runUs(workbench, three, trace);
    const long before = residentKib();
    constexpr int runs = 10'000;
    for (int i = 0; i < runs; ++i)
        runUs(workbench, three, trace);
    const long after = residentKib();
    std::printf("%d runs of 3 decisions: %ld KiB before, %ld KiB after, growth %ld KiB\n", runs, before,
                after, after - before);
    return 0;
}
