// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread is held up while a run emits 20,000 events a second: the gaps of a 4
// ms timer in the GUI thread. Run it under a real display too (xvfb-run).
#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/ui/fakeengine.h"
#include "ui/run/runview.h"

int main(int argc, char **argv)
{
    const QApplication application(argc, argv);
    const int perSecond = argc > 1 ? std::atoi(argv[1]) : 20'000;
    emend::test::FakeEngine engine;
    engine.floodPerSecond = perSecond;
    engine.floodMs = 10'000;
    emend::ui::RunView view(engine);
    view.resize(1280, 800);
    view.show();
    view.startRun(emend::core::Task{});

    std::vector<double> gaps;
    QElapsedTimer sinceTick;
    sinceTick.start();
    QTimer tick;
    tick.setTimerType(Qt::PreciseTimer);
    QObject::connect(&tick, &QTimer::timeout, &view, [&] {
        gaps.push_back(static_cast<double>(sinceTick.nsecsElapsed()) / 1e6);
        sinceTick.restart();
    });
    QObject::connect(&view, &emend::ui::RunView::finished, &view, [] {
        QTimer::singleShot(100, QCoreApplication::instance(), &QCoreApplication::quit);
    });
    tick.start(4);
    QApplication::exec();

    std::sort(gaps.begin(), gaps.end());
    std::printf(
        "%d events/s for 10 s, %s: gap of a 4 ms timer p50 %.1f ms, p99 %.1f ms, longest %.1f "
        "ms\n",
        perSecond, qPrintable(QGuiApplication::platformName()), gaps[gaps.size() / 2],
        gaps[gaps.size() * 99 / 100], gaps.back());
    return 0;
}
