# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_tools PRIVATE
    process/folder.cpp
    process/keptoutput.cpp
    process/processtree.cpp
    sandbox/attend.cpp
    sandbox/bubblewrap.cpp
    sandbox/child.cpp
    sandbox/limits.cpp
    sandbox/sandbox.cpp
    sandbox/supervisor.cpp
    verify/commandverifier.cpp
    verify/comparison.cpp
    verify/junit.cpp
    verify/pytestcollection.cpp
    verify/pytestcontrol.cpp
    verify/pytestverifier.cpp
    verify/python.cpp
    verify/registry.cpp
    verify/schemaverifier.cpp
    verify/sqlverifier.cpp
    verify/verdict.cpp)

# The scripts run in the sandbox, which is given their text.
qt_add_resources(emend_tools emend_verify
    PREFIX "/emend/verify"
    BASE "${CMAKE_CURRENT_LIST_DIR}/verify"
    FILES "${CMAKE_CURRENT_LIST_DIR}/verify/collect_tests.py"
          "${CMAKE_CURRENT_LIST_DIR}/verify/compare_outputs.py"
          "${CMAKE_CURRENT_LIST_DIR}/verify/compare_outputs.sh"
          "${CMAKE_CURRENT_LIST_DIR}/verify/judge_query.py")
