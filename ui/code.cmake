# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_ui PRIVATE
    code/ansitext.cpp
    code/attemptlist.cpp
    code/codeeditor.cpp
    code/codefacts.cpp
    code/codeform.cpp
    code/codepanel.cpp
    code/codewords.cpp
    code/gatetable.cpp
    code/outputpane.cpp
    code/sidebyside.cpp
    code/testmodel.cpp)
