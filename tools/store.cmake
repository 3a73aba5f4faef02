# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_tools PRIVATE
    store/escalationfeed.cpp
    store/escalationstore.cpp
    store/sqliteconnection.cpp)
