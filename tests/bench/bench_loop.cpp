// SPDX-License-Identifier: GPL-3.0-or-later
// What the loop itself costs a decision (scripted provider, trace on disk), and whether many runs
// in one process leave memory behind.
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
#include "core/trace/redactor.h"

using namespace emend::core;
using nlohmann::json;

namespace {

class Silent : public RunListener {
public:
    void began(const std::string &) override {}
    void arrived(const Event &event) override
    {
        if (event.kind == EventKind::RunStarted)
            firstUs = event.tUs;
        lastUs = event.tUs;
    }
    void partialText(int, int, std::string_view) override {}
    std::int64_t firstUs = 0, lastUs = 0; // on the run's own clock
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

struct Took {
    double run = 0;  // from run.started to run.finished
    double call = 0; // with files, header, tools
};

Took runOnce(emend::app::Workbench &workbench, const Task &task, const std::string &trace)
{
    Silent listener;
    RunControl control(workbench.clock());
    const std::int64_t began = workbench.clock().nowUs();
    const auto report = workbench.run(task, trace, control, listener);
    const auto call = static_cast<double>(workbench.clock().nowUs() - began);
    if (!report || report->result.outcome != Outcome::Satisfied)
        std::fprintf(stderr, "the run was not satisfied\n");
    return {static_cast<double>(listener.lastUs - listener.firstUs), call};
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// What redaction is of that: the lines of the trace of `decisions` again, on their own.
void measureRedaction(const emend::core::Clock &clock, const std::string &trace, int decisions)
{
    const auto redactor = Redactor::make({"a-made-up-key-of-no-one", "another+key/of=no-one"}, {});
    std::vector<std::string> lines;
    std::ifstream file(trace);
    double bytes = 0;
    for (std::string line; std::getline(file, line); bytes += static_cast<double>(line.size()))
        lines.push_back(line);
    std::vector<double> took;
    for (int i = 0; i < 500 && redactor; ++i) {
        const std::int64_t began = clock.nowUs();
        for (std::string &line : lines)
            (*redactor)->redactLine(line);
        took.push_back(static_cast<double>(clock.nowUs() - began));
    }
    const double us = std::max(median(took), 1.0);
    std::printf("redaction of its lines: %5.2f µs a decision, %4.0f MB/s\n", us / decisions,
                bytes / us);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QTemporaryDir folder;
    const std::string trace = folder.filePath(QStringLiteral("t.jsonl")).toStdString();
    emend::app::Workbench workbench;

    for (const int actions : {2, 8, 100}) {
        const Task task = makeTask(folder.path(), actions);
        std::vector<double> perDecision, start;
        for (int i = 0; i < 500; ++i) {
            const Took took = runOnce(workbench, task, trace);
            perDecision.push_back(took.run / (actions + 1));
            start.push_back(took.call - took.run);
        }
        std::printf(
            "%3d actions and a final: %5.1f µs a decision, %4.0f µs to set a run up and take "
            "it down (medians of 500)\n",
            actions, median(perDecision), median(start));
        measureRedaction(workbench.clock(), trace, actions + 1);
    }

    const Task three = makeTask(folder.path(), 2);
    for (int i = 0; i < 500; ++i)
        runOnce(workbench, three, trace);
    const long before = residentKib();
    constexpr int runs = 10'000;
    for (int i = 0; i < runs; ++i)
        runOnce(workbench, three, trace);
    const long after = residentKib();
    std::printf("%d runs of 3 decisions: %ld KiB before, %ld KiB after, growth %ld KiB\n", runs,
                before, after, after - before);
    return 0;
}
