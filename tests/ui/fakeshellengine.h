// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"
#include "tests/ui/stubengine.h"
#include "ui/shell/background.h"

#include <QFile>

#include <condition_variable>
#include <mutex>

// An engine for tests of the frame around the runs: three tools, four providers, tasks from real
// files, and runs that go on until they are killed.
class FakeShellEngine : public StubEngine {
public:
    // Forms leave calls that are still under way to themselves.
    ~FakeShellEngine() override { emend::ui::Background::waitForAll(); }

    std::vector<emend::core::NamedSpec> providers() const override
    {
        return {
            {"practice", "A small planner for the built-in tools that errs on purpose. Offline."},
            {"scripted", "Plays the replies of a scenario file. Offline."},
            {"gemini", "Google Gemini. Needs GEMINI_API_KEY."},
            {"openai", "OpenAI and every compatible server."}};
    }

    std::vector<emend::core::ToolSpec> tools() const override
    {
        std::vector<emend::core::ToolSpec> tools(3);
        tools[0].name = "calculator";
        tools[0].description = "Evaluates an arithmetic expression exactly.";
        tools[0].idempotent = true;
        tools[1].name = "get_time";
        tools[1].description = "The date and time in a time zone.";
        tools[1].idempotent = true;
        tools[2].name = "weather";
        tools[2].description = "The current weather of a city.";
        tools[2].idempotent = true;
        return tools;
    }

    emend::core::Prompt builtInPrompt(emend::core::Mode) const override
    {
        return {
            "react", 1,
            "You are an agent that decides one step at a time.\n\nAnswer with exactly one JSON "
            "object:\n{\"state\":\"action\",\"reason\":\"…\",\"tool\":\"…\",\"tool_input\":{…}}\n"
            "{\"state\":\"final\",\"satisfied\":true,\"final_summary\":\"…\"}\n\nTools:\n{{tools}}"
            "\n"};
    }

    emend::core::Result<emend::core::Task> loadTask(const std::string &path) const override
    {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::ReadOnly))
            return emend::core::fail(emend::core::ErrorCode::NotFound, "no such file");
        auto task = emend::core::parseTask(file.readAll().toStdString());
        if (!task) {
            auto error = task.error();
            error.file = path;
            return tl::unexpected(error);
        }
        return task;
    }

    emend::core::Result<void> saveTask(const emend::core::Task &task,
                                       const std::string &path) const override
    {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::WriteOnly))
            return emend::core::fail(emend::core::ErrorCode::Unwritable, "cannot be written");
        file.write(QByteArray::fromStdString(emend::core::taskToFileText(task)));
        return {};
    }

    emend::core::Result<emend::core::Task> demoTask() const override
    {
        emend::core::Task task;
        task.name = "Demo";
        task.goal = "What is the weather in Delhi in Fahrenheit?";
        return task;
    }

    emend::core::Result<emend::core::Bound> boundOf(const emend::core::Task &task) const override
    {
        const bool priced = task.model.provider == "gemini";
        if (task.bounds.maxCostUsd && !priced)
            return emend::core::fail(emend::core::ErrorCode::BadValue,
                                     "a cost limit needs a price, and none is known for this model",
                                     "/bounds/max_cost_usd");
        std::optional<emend::core::Price> price;
        if (priced)
            price = emend::core::Price{0.3, 2.5};
        return emend::core::bound(task, true, price);
    }

    emend::core::Result<emend::core::RunReport> run(const emend::core::Task &task,
                                                    const std::string & /*traceFile*/,
                                                    emend::core::RunControl &control,
                                                    emend::core::RunListener &listener) override
    {
        const std::scoped_lock lock(m_mutex);
        {
            const std::scoped_lock goalsLock(m_goalsMutex);
            m_goals.push_back(task.goal);
        }
        const nlohmann::json header = {{"emend", "trace"},
                                       {"version", 1},
                                       {"run_id", "fake"},
                                       {"task", emend::core::taskToJson(task)}};
        listener.began(header.dump());
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock waiting(mutex);
        wake.wait(waiting, control.stopToken(), [] { return false; });
        emend::core::RunReport report;
        report.result.outcome = emend::core::Outcome::Killed;
        report.result.reason = "killed";
        return report;
    }

    const emend::core::Clock &clock() const override { return m_clock; }

    emend::core::Result<void>
    readTrace(const std::string &, std::stop_token,
              const std::function<void(std::string)> &onHeader,
              const std::function<void(std::vector<emend::core::Event>)> &) const override
    {
        onHeader(R"({"emend":"trace","version":1,"run_id":"fake"})");
        return {};
    }

    // Of the runs so far, which are on other threads.
    std::vector<std::string> takeGoals()
    {
        const std::scoped_lock lock(m_goalsMutex);
        return std::exchange(m_goals, {});
    }
    std::size_t goalCount()
    {
        const std::scoped_lock lock(m_goalsMutex);
        return m_goals.size();
    }

private:
    class StillClock : public emend::core::Clock {
    public:
        std::int64_t nowUs() const override { return 0; }
        std::string utcNow() const override { return "2026-01-01T00:00:00.000Z"; }
        bool waitUntil(std::int64_t, std::stop_token) override { return false; }
    };
    StillClock m_clock;
    std::mutex m_mutex;
    std::mutex m_goalsMutex;
    std::vector<std::string> m_goals;
};
