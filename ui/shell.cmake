# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_ui PRIVATE
    ${CMAKE_SOURCE_DIR}/resources/icons/emend_icons.qrc
    shell/aboutdialog.cpp
    shell/background.cpp
    shell/boundsform.cpp
    shell/boundtext.cpp
    shell/closeprompt.cpp
    shell/enterkey.cpp
    shell/filekind.cpp
    shell/forkchanges.cpp
    shell/forkdialog.cpp
    shell/forkpage.cpp
    shell/localservers.cpp
    shell/mainwindow.cpp
    shell/menus.cpp
    shell/messagebar.cpp
    shell/mistakesform.cpp
    shell/modelform.cpp
    shell/numberfield.cpp
    shell/pagetabs.cpp
    shell/plainedit.cpp
    shell/pricespage.cpp
    shell/promptform.cpp
    shell/providerspage.cpp
    shell/recentfiles.cpp
    shell/recentlist.cpp
    shell/recentmenu.cpp
    shell/recordingactions.cpp
    shell/redactionpage.cpp
    shell/runactions.cpp
    shell/runfooter.cpp
    shell/safetyform.cpp
    shell/section.cpp
    shell/settingsdialog.cpp
    shell/shortcutspage.cpp
    shell/spreadpanel.cpp
    shell/startpage.cpp
    shell/taskfiles.cpp
    shell/taskpage.cpp
    shell/toolsform.cpp
    shell/transportform.cpp
    theme/icons.cpp
    theme/style.cpp
    theme/styleparts.cpp
    theme/theme.cpp)
set_source_files_properties(shell/aboutdialog.cpp PROPERTIES
    COMPILE_DEFINITIONS "EMEND_VERSION=\"${PROJECT_VERSION}\"")
