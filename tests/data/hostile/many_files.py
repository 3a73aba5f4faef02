# SPDX-License-Identifier: GPL-3.0-or-later
import itertools

for number in itertools.count():
    open(f"file-{number}", "w").close()
