# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_ui PRIVATE
    inbox/answerform.cpp
    inbox/escalationpanel.cpp
    inbox/inboxactions.cpp
    inbox/inboxmodel.cpp
    inbox/inboxpage.cpp
    inbox/inboxwatch.cpp
    text/escalationwords.cpp)
