// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a process, it makes an end of it as soon as it opens an internet socket: the proof
// that a replay needs no network.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

extern "C" int socket(int domain, int type, int protocol);

extern "C" int socket(int domain, int, int)
{
    static const char message[] = "an internet socket was opened\n";
    if (domain == AF_INET || domain == AF_INET6) {
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        std::_Exit(99);
    }
    return -1; // others (D-Bus, the resolver's cache) find nobody at home
}
