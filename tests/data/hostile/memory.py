# SPDX-License-Identifier: GPL-3.0-or-later
def answer():
    return len(bytearray(10 << 30)) and 42
