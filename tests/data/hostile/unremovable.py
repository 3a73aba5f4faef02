# SPDX-License-Identifier: GPL-3.0-or-later
import os

os.mkdir("locked")
open("locked/file", "w").close()
os.symlink("/", "locked/root")
os.chmod("locked", 0)
top = os.getcwd()
try:
    for _ in range(2000):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    os.chmod(".", 0)
except OSError:
    pass
os.chdir(top)


def answer():
    return 41
