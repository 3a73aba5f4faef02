# SPDX-License-Identifier: GPL-3.0-or-later
target_sources(emend_tools PRIVATE
    provider/net/anthropic.cpp
    provider/net/classify.cpp
    provider/net/dialect.cpp
    provider/net/framing.cpp
    provider/net/gemini.cpp
    provider/net/netprovider.cpp
    provider/net/ollama.cpp
    provider/net/openai.cpp
    provider/net/probe.cpp
    provider/net/retryafter.cpp
    provider/practice.cpp
    provider/practice/goalarithmetic.cpp
    provider/practice/goalplaces.cpp
    provider/practice/goalplan.cpp
    provider/practice/goaltokens.cpp
    provider/practice/mistakes.cpp
    provider/practice/practicetext.cpp
    provider/registry.cpp
    provider/replytext.cpp
    provider/scripted.cpp
    replay/replayplayer.cpp
    scenario/playedtool.cpp
    scenario/scenariofile.cpp
    scenario/scenarioplayer.cpp
    trace/sha256.cpp
    trace/tracereader.cpp
    trace/tracewriter.cpp)

# The scenarios are in the program, as :/emend/scenarios/…, so that the demo needs no installation.
set(emend_scenarios
    demo.task.json demo.scenario.json
    limits.task.json limits.scenario.json
    weather.task.json weather.scenario.json)
get_filename_component(emend_scenario_folder "${CMAKE_CURRENT_LIST_DIR}/../resources/scenarios" ABSOLUTE)
list(TRANSFORM emend_scenarios PREPEND "${emend_scenario_folder}/")
qt_add_resources(emend_tools emend_scenarios
    PREFIX "/emend/scenarios"
    BASE "${emend_scenario_folder}"
    FILES ${emend_scenarios})
