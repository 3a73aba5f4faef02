// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread is held up, as the gaps of a 4 ms timer in the GUI thread, while a
// run emits 20,000 events a second (or the number given), or, with "text", while a model's reply
// arrives in 2,000 pieces a second; then also how soon its first text is painted. Run it under a
// real display too (xvfb-run).
#include <QApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/ui/fakeengine.h"
#include "ui/run/runview.h"

namespace {

using namespace emend;

std::atomic<std::int64_t> firstGivenUs = 0;
std::int64_t firstPaintedUs = 0;

std::int64_t nowUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

// A reply of 10 s in 2,000 pieces a second.
class TalkingEngine : public test::FakeEngine {
public:
    core::Result<core::RunReport> run(const core::Task &, const std::string &, core::RunControl &,
                                      core::RunListener &listener) override
    {
        constexpr int pieces = 20'000, perSecond = 2000;
        listener.began(R"({"emend":"trace","version":1,"task":{"goal":"talk"}})");
        const auto say = [&](std::uint64_t seq, core::EventKind kind, std::string members) {
            listener.arrived(core::stamp({kind, 1, 0, std::move(members)}, seq, 1000));
        };
        say(1, core::EventKind::RunStarted, R"("goal":"talk")");
        say(2, core::EventKind::ModelRequested, R"("stage":"step_1","messages":[])");
        std::this_thread::sleep_for(std::chrono::milliseconds(500)); // the window settles
        const std::int64_t began = nowUs();
        for (int i = 0; i < pieces; ++i) {
            if (i == 0)
                firstGivenUs = nowUs();
            listener.partialText(1, 0, i % 20 == 19 ? "word.\n" : "word ");
            while (nowUs() - began < std::int64_t(i) * 1'000'000 / perSecond)
                std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        say(3, core::EventKind::RunFinished, R"("outcome":"satisfied","reason":"final")");
        core::RunReport report;
        report.result.outcome = core::Outcome::Satisfied;
        return report;
    }
};

// Sees when the live text is painted for the first time.
class PaintWatch : public QObject {
public:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (firstPaintedUs == 0 && firstGivenUs != 0 && event->type() == QEvent::Paint)
            if (const auto *edit = qobject_cast<QPlainTextEdit *>(watched->parent());
                edit && edit->toPlainText().contains(QLatin1String("word")))
                firstPaintedUs = nowUs();
        return false;
    }
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const bool text = argc > 1 && std::strcmp(argv[1], "text") == 0;
    const int perSecond = argc > 1 && !text ? std::atoi(argv[1]) : 20'000;
    TalkingEngine talking;
    test::FakeEngine flooding;
    flooding.floodPerSecond = perSecond;
    flooding.floodMs = 10'000;
    PaintWatch watch;
    application.installEventFilter(&watch);
    ui::RunView view(text ? static_cast<core::Engine &>(talking) : flooding);
    view.resize(1280, 800);
    view.show();
    view.startRun(core::Task{});

    std::vector<double> gaps;
    QElapsedTimer sinceTick;
    sinceTick.start();
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &view, [&] {
        gaps.push_back(static_cast<double>(sinceTick.nsecsElapsed()) / 1e6);
        sinceTick.restart();
    });
    QObject::connect(&view, &ui::RunView::finished, &view, [] {
        QTimer::singleShot(100, QCoreApplication::instance(), &QCoreApplication::quit);
    });
    tick.start(4);
    QApplication::exec();

    const auto at = std::max_element(gaps.begin(), gaps.end()) - gaps.begin();
    std::sort(gaps.begin(), gaps.end());
    std::printf("%d %s/s for 10 s, %s: gap of a 4 ms timer p50 %.1f ms, p99 %.1f ms, longest %.1f "
                "ms (gap %td of %zu)\n",
                text ? 2000 : perSecond, text ? "pieces of a reply" : "events",
                qPrintable(QGuiApplication::platformName()), gaps[gaps.size() / 2],
                gaps[gaps.size() * 99 / 100], gaps.back(), at + 1, gaps.size());
    if (text)
        std::printf("first text painted %.1f ms after it was given on\n",
                    static_cast<double>(firstPaintedUs - firstGivenUs) / 1000);
    return 0;
}
