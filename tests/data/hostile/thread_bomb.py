# SPDX-License-Identifier: GPL-3.0-or-later
import threading
import time

while True:
    try:
        threading.Thread(target=time.sleep, args=(60,)).start()
    except RuntimeError:
        time.sleep(0.001)
