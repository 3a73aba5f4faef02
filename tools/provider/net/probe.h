// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/run/providersettings.h"
#include "tools/provider/net/netprovider.h"

// What the settings find out about a provider before a task uses it. All block, and end within
// milliseconds after the token is triggered.
namespace emend::tools {

// Null for a name that is not that of a provider over the network.
const Dialect *dialectOf(const std::string &provider);

// Asks for the list of models, and where a model is named for a few tokens of a reply besides.
core::ConnectionReport testConnection(HttpClient &http, core::Clock &clock,
                                      const core::ModelSettings &model, const KeyOf &keyOf,
                                      std::stop_token stop);

core::Result<std::vector<std::string>> listModels(HttpClient &http,
                                                  const core::ModelSettings &model,
                                                  const KeyOf &keyOf, std::stop_token stop);

// Servers on the loopback address only: Ollama and llama.cpp at their usual ports (parameters for
// tests).
std::vector<core::LocalServer> detectLocalServers(HttpClient &http, std::stop_token stop,
                                                  int ollamaPort = 11434, int llamaPort = 8080);

} // namespace emend::tools
