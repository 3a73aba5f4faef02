// SPDX-License-Identifier: GPL-3.0-or-later
// emend: the window.
#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

#include <cstdio>

#include "app/workbench.h"
#include "ui/shell/mainwindow.h"

int main(int argc, char **argv)
{
    const QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("emend"));
    QCoreApplication::setApplicationVersion(QStringLiteral(EMEND_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Emend"));

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "A workbench for agents that correct themselves."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  QCoreApplication::translate("main", "Play the built-in demo."));
    parser.addOption(demo);
    QCommandLineOption timeStart(QStringLiteral("time-start")); // for tests/bench
    timeStart.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(timeStart);
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QCoreApplication::translate("main", "Tasks or traces to open."),
                                 QStringLiteral("[FILE…]"));
    parser.process(application);

    emend::app::Workbench workbench;
    emend::ui::MainWindow window(workbench);
    window.show();
    for (const QString &file : parser.positionalArguments())
        window.openFile(file);
    if (parser.isSet(demo))
        window.playDemo();
    if (parser.isSet(timeStart)) {
        // Behind everything that showing the window has put into the queue, its painting included.
        QTimer::singleShot(0, &window, [] {
            std::fputs("usable\n", stderr);
            QCoreApplication::quit();
        });
    }
    return QApplication::exec();
}
