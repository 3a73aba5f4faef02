// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <string>

#include <termios.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/workbench.h"
#include "core/base/text.h"
#include "tools/keys/keystore.h"

namespace emend::app {

using namespace emend::core;

namespace {

// No echo while it lives, if stdin is a terminal.
class SilentTerminal {
public:
    SilentTerminal()
        : m_changed(isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &m_before) == 0)
    {
        if (!m_changed)
            return;
        termios silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
        std::cerr << "Key: " << std::flush;
    }
    ~SilentTerminal()
    {
        if (!m_changed)
            return;
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
        std::cerr << std::endl;
    }
    SilentTerminal(const SilentTerminal &) = delete;
    SilentTerminal &operator=(const SilentTerminal &) = delete;

private:
    termios m_before{};
    bool m_changed;
};

std::string readKey()
{
    const SilentTerminal silent;
    std::string line;
    std::getline(std::cin, line);
    return line;
}

int usage(const std::string &problem)
{
    std::cerr << "emend-cli: " << problem << std::endl;
    return ExitUsage;
}

int listKeys(ProviderSettings &settings)
{
    for (const ProviderFacts &fact : settings.providers()) {
        if (fact.keyVariable.empty())
            continue;
        std::string from = "none; set " + fact.keyVariable + " or: emend-cli key set " + fact.name;
        if (fact.keySource == KeySource::Environment)
            from = "from the environment (" + fact.keyVariable + ")";
        else if (fact.keySource == KeySource::Keychain)
            from = "from the keychain";
        std::cout << fact.name << ": " << from << '\n';
    }
    if (const std::string problem = settings.keychainProblem(); !problem.empty())
        std::cerr << "emend-cli: " << visibleLine(problem, 300) << std::endl;
    return ExitSatisfied;
}

} // namespace

int keyCommand(Workbench &workbench, const Arguments &arguments)
{
    ProviderSettings &settings = workbench.settings();
    const std::string &action = arguments.operand, &provider = arguments.second;
    if (action == "list")
        return provider.empty() ? listKeys(settings) : usage("key list takes no provider");
    if (action != "set" && action != "remove")
        return usage("key knows set, list and remove");
    if (tools::KeyStore::variableOf(provider).empty())
        return usage("key " + action +
                     " needs a provider that takes a key: gemini, openai, "
                     "anthropic or ollama");
    std::string key;
    if (action == "set") {
        key = readKey();
        if (trimBlank(key).empty())
            return usage("there was no key on standard input");
    }
    if (const auto set = settings.setKey(provider, key); !set) {
        // A process that ends now has no session to keep a key for.
        const bool noKeychain = set.error().code == ErrorCode::NotSupported;
        std::cerr << "emend-cli: "
                  << (noKeychain ? "the key is not stored: " + settings.keychainProblem() +
                                       "; set " + tools::KeyStore::variableOf(provider) + " instead"
                                 : visibleLine(set.error().message, 300))
                  << std::endl;
        return noKeychain ? ExitInternal : ExitUsage;
    }
    std::cerr << (action == "set" ? "The key is in the keychain." : "The key is removed.")
              << std::endl;
    return ExitSatisfied;
}

} // namespace emend::app
