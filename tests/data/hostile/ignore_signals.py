# SPDX-License-Identifier: GPL-3.0-or-later
import signal
import time

for each in range(1, 65):
    try:
        signal.signal(each, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def answer():
    while True:
        time.sleep(1)
