# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_tools PRIVATE
    agent/builtintool.cpp
    agent/calculator.cpp
    agent/gettime.cpp
    agent/number.cpp
    agent/openmeteo.cpp
    agent/registry.cpp
    agent/weather.cpp
    clock/steadyclock.cpp
    http/cafile.cpp
    http/certificatewatch.cpp
    http/httpclient.cpp
    http/transfer.cpp
    thread/eventthread.cpp)
