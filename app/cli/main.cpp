// SPDX-License-Identifier: GPL-3.0-or-later
// emend-cli: the engine without a window.
#include <QCoreApplication>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/signals.h"

namespace {

// A closed standard stream would give its number to the next file that is opened, and what is
// printed would go there.
void fillStandardStreams()
{
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = open("/dev/null", O_RDWR);
    if (file > STDERR_FILENO)
        close(file);
}

} // namespace

int main(int argc, char **argv)
{
    emend::app::holdSignals(); // first of all: a run is killed cleanly, however early
    fillStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN); // a full disk is an error to report, not the end
    std::signal(SIGPIPE, SIG_IGN); // a run goes on when nobody reads its timeline
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("emend"));
    const std::vector<std::string> words(argv + 1, argv + argc);
    return emend::app::dispatch(words);
}
