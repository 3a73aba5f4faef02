# SPDX-License-Identifier: GPL-3.0-or-later
import pytest


def answer():
    pytest.xfail("expected")
