# SPDX-License-Identifier: GPL-3.0-or-later
def answer():
    while True:
        pass
