// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of code runs in the real run view, with the real engine and real tests: from
// verify.started to the first output that is painted. Then a verification of 1,000 tests with
// long messages: taking it in, and scrolling through it. Prints figures; run it under a real
// display too (xvfb-run).
#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/workbench.h"
#include "ui/code/codepanel.h"
#include "ui/run/runview.h"

namespace {

using namespace emend;
using namespace Qt::StringLiterals;

std::int64_t nowUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

std::atomic<std::int64_t> startedUs = 0, givenUs = 0; // of the verification that runs
std::vector<double> givenMs, paintedMs;

// Tells when a verification starts and when its command first writes something.
class Watching : public core::RunListener {
public:
    explicit Watching(core::RunListener &below)
        : m_below(below)
    {}
    void began(const std::string &header) override { m_below.began(header); }
    void arrived(const core::Event &event) override
    {
        if (event.kind == core::EventKind::VerifyStarted) {
            givenUs = 0;
            startedUs = nowUs();
        }
        m_below.arrived(event);
    }
    void partialText(int step, int attempt, std::string_view text) override
    {
        m_below.partialText(step, attempt, text);
    }
    void partialOutput(int step, int attempt, std::string_view output) override
    {
        if (givenUs == 0)
            givenUs = nowUs();
        m_below.partialOutput(step, attempt, output);
    }

private:
    core::RunListener &m_below;
};

class WatchedEngine : public app::Workbench {
public:
    core::Result<core::RunReport> run(const core::Task &task, const std::string &traceFile,
                                      core::RunControl &control,
                                      core::RunListener &listener) override
    {
        Watching watching(listener);
        return app::Workbench::run(task, traceFile, control, watching);
    }
};

class PaintWatch : public QObject {
public:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Paint || givenUs == 0 || m_counted == startedUs)
            return false;
        const auto *edit = qobject_cast<QPlainTextEdit *>(watched->parent());
        if (edit == nullptr || edit->objectName() != "testOutput"_L1 || edit->document()->isEmpty())
            return false;
        m_counted = startedUs;
        givenMs.push_back(double(givenUs - startedUs) / 1000);
        paintedMs.push_back(double(nowUs() - startedUs) / 1000);
        return false;
    }

private:
    std::int64_t m_counted = 0;
};

int firstOutput(QApplication &application, int rounds)
{
    WatchedEngine engine;
    const auto task = engine.loadTask(":/emend/tasks/palindrome.task.json");
    if (!task)
        return 1;
    PaintWatch watch;
    application.installEventFilter(&watch);
    for (int i = 0; i < rounds; ++i) {
        ui::RunView view(engine);
        view.resize(1280, 800);
        view.show();
        view.startRun(*task);
        QObject::connect(&view, &ui::RunView::finished, &view, &QCoreApplication::quit);
        QApplication::exec();
    }
    application.removeEventFilter(&watch);
    std::printf("%s, %d runs, %zu verifications: verify.started to the first output of the "
                "command %.0f ms, to the first output painted %.0f ms (longest %.0f ms), of which "
                "Emend's own %.1f ms (medians)\n",
                qPrintable(QGuiApplication::platformName()), rounds, paintedMs.size(),
                median(givenMs), median(paintedMs),
                paintedMs.empty() ? 0 : *std::max_element(paintedMs.begin(), paintedMs.end()),
                median(paintedMs) - median(givenMs));
    return 0;
}

core::Event finishedEvent(int attempt, int count)
{
    nlohmann::json tests = nlohmann::json::array();
    for (int i = 0; i < count; ++i)
        tests.push_back({{"name", "TestEverything::test_number_" + std::to_string(i)},
                         {"status", i % 7 == 0 ? "failed" : "passed"},
                         {"message", i % 7 == 0 ? std::string(4000, 'E') : std::string()},
                         {"duration_us", i}});
    const nlohmann::json members = {{"suite", "tests"},      {"candidate", "first"},
                                    {"passed", false},       {"cause", "tests_failed"},
                                    {"tests", tests},        {"output", std::string(60'000, 'o')},
                                    {"output_bytes", 60'000}};
    const std::string text = members.dump();
    return core::stamp({core::EventKind::VerifyFinished, 1, static_cast<std::int16_t>(attempt),
                        text.substr(1, text.size() - 2)},
                       1, 0);
}

void manyTests()
{
    constexpr int attempts = 4, count = 1000, frames = 200;
    ui::CodePanel panel;
    panel.resize(1280, 800);
    panel.show();
    QApplication::processEvents();
    ui::CodeFacts facts;
    std::vector<double> takeIn;
    for (int i = 0; i < attempts; ++i) {
        const core::Event event = finishedEvent(i, count);
        const std::int64_t began = nowUs();
        facts.add(event);
        panel.setFacts(facts);
        QApplication::processEvents(); // and paints it
        takeIn.push_back(double(nowUs() - began) / 1000);
    }
    auto *table = panel.findChild<QTableView *>(u"testTable"_s);
    std::vector<double> painted;
    for (int i = 0; i < frames; ++i) {
        const std::int64_t began = nowUs();
        table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum() * i / frames);
        table->viewport()->repaint();
        painted.push_back(double(nowUs() - began) / 1000);
    }
    std::printf("%d verifications of %d tests each, every seventh with a message of 4 kB: taken in "
                "and painted in %.1f ms (median, longest %.1f ms); scrolling %.2f ms a frame "
                "(median, longest %.2f ms)\n",
                attempts, count, median(takeIn), *std::max_element(takeIn.begin(), takeIn.end()),
                median(painted), *std::max_element(painted.begin(), painted.end()));
}

} // namespace

int main(int argc, char **argv)
{
    const QTemporaryDir data; // the runs are nobody's
    qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
    QApplication application(argc, argv);
    manyTests();
    return firstOutput(application, argc > 1 ? std::atoi(argv[1]) : 5);
}
