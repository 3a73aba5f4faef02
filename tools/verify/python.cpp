// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/python.h"

#include <QFile>

#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>

namespace emend::tools {

namespace {

std::vector<std::string> candidates()
{
    std::vector<std::string> found;
    if (const std::string systems = findProgram("/usr/bin/python3"); !systems.empty())
        found.push_back(systems);
    const char *path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (const std::string each = findProgram(folder + "/python3");
            folder.starts_with("/") && !each.empty() && each != "/usr/bin/python3") {
            found.push_back(each);
            break;
        }
    return found;
}

bool canImport(const Sandbox &sandbox, const Python &python, const std::string &module,
               std::stop_token stop)
{
    SandboxCommand command;
    command.argv = {python.program,
                    "-B",
                    "-s",
                    "-c",
                    "import importlib.util, sys\n"
                    "sys.exit(importlib.util.find_spec(sys.argv[1]) is None)",
                    module};
    command.visible = python.visible;
    const SandboxOutcome outcome = sandbox.run(command, std::move(stop));
    return outcome.end == SandboxOutcome::End::Exited && outcome.exitCode == 0;
}

} // namespace

core::Result<Python> findPython(const Sandbox &sandbox, const std::string &module,
                                std::stop_token stop)
{
    static std::mutex mutex;
    static std::map<std::string, Python> known;
    const std::string key = module + (sandbox.probe().bubblewrap ? "" : " with limits");
    const std::scoped_lock lock(mutex);
    if (const auto it = known.find(key); it != known.end())
        return it->second;
    const std::vector<std::string> programs = candidates();
    for (const std::string &program : programs) {
        const Python python{program, foldersOf(program)};
        if (canImport(sandbox, python, module, stop))
            return known.emplace(key, python).first->second;
    }
    const std::string package = module == "pytest" ? "python3-pytest" : "python3";
    if (programs.empty())
        return core::fail(core::ErrorCode::NotFound,
                          "Python is not installed (on Debian: apt install " + package + ")");
    return core::fail(core::ErrorCode::NotFound, module + " is not installed for " + programs[0] +
                                                     " (on Debian: apt install " + package + ")");
}

std::string scriptText(const char *name)
{
    QFile file(QLatin1String(":/emend/verify/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace emend::tools
