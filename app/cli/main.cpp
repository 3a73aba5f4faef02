// SPDX-License-Identifier: GPL-3.0-or-later
// emend-cli: the engine without a window.
#include <QCoreApplication>

#include <csignal>

#include "app/cli/commands.h"

int main(int argc, char **argv)
{
    std::signal(SIGXFSZ, SIG_IGN); // a full disk is an error to report, not the end
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("emend"));
    const std::vector<std::string> words(argv + 1, argv + argc);
    return emend::app::dispatch(words);
}
