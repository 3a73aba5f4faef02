// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctorcommand.h"

#include <algorithm>
#include <iostream>

#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/workbench.h"
#include "core/base/text.h"
#include "tools/sandbox/sandbox.h"
#include "tools/verify/python.h"

namespace emend::app {

using nlohmann::json;

namespace {

Finding examinePython(const tools::Sandbox &sandbox, const std::string &name,
                      const std::string &module, bool needed)
{
    const auto python = tools::findPython(sandbox, module, {});
    return {name, python.has_value(), needed,
            python ? module + " works with " + python->program : python.error().message};
}

Finding examineCompiler()
{
    for (const char *name : {"g++", "clang++", "c++"})
        if (const std::string program = tools::findProgram(name); !program.empty())
            return {"compiler", true, false, program + " can build attempts in C++"};
    return {"compiler", false, false,
            "there is no C++ compiler; tasks in C++ need one (on Debian: apt install g++)"};
}

Finding examineKeychain(core::ProviderSettings &settings)
{
    const std::string problem = settings.keychainProblem();
    if (problem.empty())
        return {"keychain", true, false, "the keychain keeps keys of model providers"};
    return {"keychain", false, false,
            problem + "; keys of model providers can be given in environment variables (on Debian: "
                      "apt install gnome-keyring)"};
}

} // namespace

std::vector<Finding> examine(core::ProviderSettings &settings)
{
    const tools::Sandbox sandbox;
    const tools::SandboxProbe probe = sandbox.probe();
    return {{"sandbox", probe.bubblewrap, true, probe.words},
            examinePython(sandbox, "pytest", "pytest", true),
            examinePython(sandbox, "sql", "sqlite3", false),
            examineCompiler(),
            examineKeychain(settings)};
}

int doctorCommand(Workbench &workbench, const Arguments &arguments)
{
    const std::vector<Finding> findings = examine(workbench.settings());
    const bool well = std::all_of(findings.begin(), findings.end(), [](const Finding &finding) {
        return finding.ok || !finding.needed;
    });
    if (arguments.has("--json")) {
        json out = {{"ok", well}, {"checks", json::array()}};
        for (const Finding &finding : findings)
            out["checks"].push_back({{"name", finding.name},
                                     {"ok", finding.ok},
                                     {"needed", finding.needed},
                                     {"message", finding.words}});
        std::cout << out.dump(2, ' ', false, json::error_handler_t::replace) << std::endl;
        return well ? ExitSatisfied : ExitFailed;
    }
    for (const Finding &finding : findings) {
        std::string name = finding.name;
        name.resize(12, ' ');
        std::cout << (finding.ok       ? "ok       "
                      : finding.needed ? "missing  "
                                       : "optional ")
                  << name << core::visibleLine(finding.words, 600) << '\n';
    }
    std::cout.flush();
    return well ? ExitSatisfied : ExitFailed;
}

} // namespace emend::app
