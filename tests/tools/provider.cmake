# SPDX-License-Identifier: GPL-3.0-or-later
emend_test(tst_scriptedprovider SOURCES tst_scriptedprovider.cpp LIBS emend_tools)
emend_test(tst_playedtool SOURCES tst_playedtool.cpp LIBS emend_tools)
emend_test(tst_practice SOURCES tst_practice.cpp LIBS emend_tools)
emend_test(tst_tracewriter SOURCES tst_tracewriter.cpp LIBS emend_tools)
emend_test(tst_tracereader SOURCES tst_tracereader.cpp LIBS emend_tools)
emend_test(tst_scenariofile SOURCES tst_scenariofile.cpp LIBS emend_tools)
