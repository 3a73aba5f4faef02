// SPDX-License-Identifier: GPL-3.0-or-later
// How long the programs take from their start: emend-cli to its first decision, emend to a window
// that has handled its first events.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

// Milliseconds until `words` are on stderr.
double untilSaid(const QString &program, const QStringList &arguments, const QByteArray &words)
{
    QProcess process;
    QElapsedTimer timer;
    timer.start();
    process.start(program, arguments);
    process.setReadChannel(QProcess::StandardError);
    QByteArray said;
    while (!said.contains(words) && process.waitForReadyRead(10'000))
        said += process.readAllStandardError();
    const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    process.waitForFinished(10'000);
    return said.contains(words) ? ms : -1;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QTemporaryDir folder;
    const QString task = QStringLiteral(EMEND_SOURCE_DIR "/resources/scenarios/limits.task.json");
    std::vector<double> decision, window;
    for (int i = 0; i < 21; ++i) {
        decision.push_back(untilSaid(QStringLiteral(EMEND_CLI),
                                     {QStringLiteral("run"), task, QStringLiteral("--trace"),
                                      folder.filePath(QStringLiteral("t.jsonl"))},
                                     "step 1"));
        window.push_back(
            untilSaid(QStringLiteral(EMEND_WINDOW), {QStringLiteral("--time-start")}, "usable"));
    }
    std::printf("emend-cli run to its first decision: %.1f ms (median of %zu)\n", median(decision),
                decision.size());
    std::printf("emend to a usable window: %.0f ms (median of %zu)\n", median(window),
                window.size());
    return 0;
}
