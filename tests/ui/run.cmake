# SPDX-License-Identifier: GPL-3.0-or-later
add_library(emend_fake_engine STATIC fakeengine.cpp fakescript.cpp)
target_link_libraries(emend_fake_engine PUBLIC emend_core)
set_target_properties(emend_fake_engine PROPERTIES AUTOMOC OFF)

emend_test(tst_vocabulary SOURCES tst_vocabulary.cpp LIBS emend_ui)
emend_test(tst_linefields SOURCES tst_linefields.cpp LIBS emend_ui)
emend_test(tst_eventmodel SOURCES tst_eventmodel.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_lanegeometry SOURCES tst_lanegeometry.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_story SOURCES tst_story.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_runview SOURCES tst_runview.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_modelcalls SOURCES tst_modelcalls.cpp LIBS emend_ui emend_fake_engine)
emend_test(tst_codepanel SOURCES tst_codepanel.cpp LIBS emend_ui "${EMEND_QSCINTILLA}" Qt6::PrintSupport)
