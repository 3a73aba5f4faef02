# SPDX-License-Identifier: GPL-3.0-or-later
emend_test(tst_comparison SOURCES tst_comparison.cpp LIBS emend_tools)
emend_test(tst_sandbox SOURCES tst_sandbox.cpp LIBS emend_tools)
emend_test(tst_verifyhostile SOURCES tst_verifyhostile.cpp loopbackserver.cpp LIBS emend_tools)
emend_test(tst_verify SOURCES tst_verify.cpp LIBS emend_tools)
emend_test(tst_verifyothers SOURCES tst_verifyothers.cpp LIBS emend_tools)
set_tests_properties(tst_verify tst_verifyhostile PROPERTIES TIMEOUT 900) # hundreds of real runs
