// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/run/engine.h"
#include "core/run/ports.h"
#include "core/task/task.h"

// The model providers of the program. To add one: its .cpp in this folder and one line in the list
// in registry.cpp. Any thread.
namespace emend::tools {

class HttpClient;
class ScenarioPlayer;

// What a provider may need besides its task.
struct ProviderEnvironment {
    core::Clock *clock = nullptr;           // borrowed for the life of the provider
    std::shared_ptr<ScenarioPlayer> player; // the run's scenario; null where the task has none
    HttpClient *http = nullptr;             // borrowed as well
    std::function<core::Result<std::string>(const std::string &provider)> keyOf = {};
};

// The same for the settings: address, key variable. The source of the key is left open.
std::vector<core::ProviderFacts> providerFacts();

// All of them, in the order of the list, for menus and for `emend-cli`.
std::vector<core::NamedSpec> providerSpecs();

// The provider that the task names; an unknown name is an error that lists the known ones.
// It tells the player of every model call.
core::Result<std::unique_ptr<core::ModelProvider>>
makeProvider(const core::Task &task, const ProviderEnvironment &environment);

} // namespace emend::tools
