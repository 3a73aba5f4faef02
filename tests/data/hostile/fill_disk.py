# SPDX-License-Identifier: GPL-3.0-or-later
# All files it can write, as large as they may be.
import itertools
import os

block = b"x" * (1 << 20)
for place in ("/dev/shm", "/tmp", "/", "/dev", "/var/tmp", "."):
    for number in itertools.count():
        try:
            with open(os.path.join(place, f"emend-hostile-{number}"), "wb", buffering=0) as file:
                for _ in range(64):
                    if file.write(block) < len(block):
                        break
        except OSError:
            break
        if place in ("/var/tmp", "/tmp", "/dev/shm", "/") and number >= 2:
            break


def answer():
    return 41
