// SPDX-License-Identifier: GPL-3.0-or-later
// emend: the window.
#include <QApplication>
#include <QCommandLineParser>
#include <QLibraryInfo>
#include <QLocale>
#include <QTimer>
#include <QTranslator>

#include <csignal>
#include <cstdio>

#include "app/workbench.h"
#include "ui/shell/mainwindow.h"

namespace {

// Loads the words of Emend and of Qt itself for the person's language, where there are any.
void loadTranslations(QTranslator &own, QTranslator &ofQt)
{
    if (QLocale().language() == QLocale::C) // numbers without grouping are for machines
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    if (own.load(QLocale(), QStringLiteral("emend"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QCoreApplication::installTranslator(&own);
    if (ofQt.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"),
                  QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&ofQt);
}

} // namespace

int main(int argc, char **argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a full disk is an error to report, not the end
    const QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("emend"));
    QCoreApplication::setApplicationVersion(QStringLiteral(EMEND_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Emend"));

    QTranslator own, ofQt;
    loadTranslations(own, ofQt);

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
