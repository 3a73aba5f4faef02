# SPDX-License-Identifier: GPL-3.0-or-later
emend_test(tst_sandbox SOURCES tst_sandbox.cpp LIBS emend_tools)
