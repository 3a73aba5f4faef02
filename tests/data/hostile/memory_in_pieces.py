# SPDX-License-Identifier: GPL-3.0-or-later
# Each of many takes a little less than one may.
import os
import time

for _ in range(8):
    if os.fork() == 0:
        block = bytearray(os.urandom(1 << 20)) * 300
        time.sleep(60)
time.sleep(60)
