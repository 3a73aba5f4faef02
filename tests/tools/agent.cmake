# SPDX-License-Identifier: GPL-3.0-or-later
foreach(name calculator gettime steadyclock)
    emend_test(tst_${name} SOURCES tst_${name}.cpp LIBS emend_tools)
endforeach()
foreach(name httpclient netprovider toolcontract transportcases weather)
    emend_test(tst_${name} SOURCES tst_${name}.cpp loopbackserver.cpp LIBS emend_tools)
endforeach()
emend_test(tst_keystore SOURCES tst_keystore.cpp LIBS emend_tools)
