# SPDX-License-Identifier: GPL-3.0-or-later
import os
import signal
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for each in range(1, 32):
            try:
                signal.signal(each, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        for descriptor in range(256):
            try:
                os.close(descriptor)
            except OSError:
                pass
        time.sleep(60)
    os._exit(0)


def answer():
    return 41
