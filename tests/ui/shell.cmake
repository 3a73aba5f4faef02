# SPDX-License-Identifier: GPL-3.0-or-later
emend_test(tst_shell SOURCES tst_shell.cpp fakeshellengine.h LIBS emend_ui)
emend_test(tst_taskpage SOURCES tst_taskpage.cpp fakeshellengine.h LIBS emend_ui)
emend_test(tst_theme SOURCES tst_theme.cpp LIBS emend_ui)
emend_test(tst_forkpage SOURCES tst_forkpage.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_settings SOURCES tst_settings.cpp LIBS emend_ui)
emend_test(tst_mnemonics SOURCES tst_mnemonics.cpp fakeshellengine.h LIBS emend_ui)
emend_test(tst_inbox SOURCES tst_inbox.cpp fakeshellengine.h LIBS emend_ui)
emend_test(tst_pagetabs SOURCES tst_pagetabs.cpp LIBS emend_ui emend_fake_engine)
