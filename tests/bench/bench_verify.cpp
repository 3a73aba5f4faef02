// SPDX-License-Identifier: GPL-3.0-or-later
// What a verification costs beside the test command itself. Prints figures.
#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/clock/steadyclock.h"
#include "tools/process/folder.h"
#include "tools/verify/registry.h"

using namespace emend;

extern char **environ; // NOLINT: of the C library

namespace {

const char *const solution = "def add(a, b):\n    return a + b\n";

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void writeFile(const std::string &path, const std::string &text)
{
    const tools::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    tools::writeAll(file.get(), text);
}

// The command as a person would start it.
double plainMs(const tools::SteadyClock &clock, const std::string &tests)
{
    const auto folder = tools::TemporaryFolder::make();
    if (!folder)
        return 0;
    writeFile(folder->path() + "/solution.py", solution);
    writeFile(folder->path() + "/test_solution.py", tests);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder->path().c_str());
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words = {"/usr/bin/python3",
                                      "-B",
                                      "-s",
                                      "-m",
                                      "pytest",
                                      "-q",
                                      "-p",
                                      "no:cacheprovider",
                                      "--noconftest",
                                      "--junitxml=r.xml",
                                      "test_solution.py"};
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::int64_t began = clock.nowUs();
    pid_t pid = 0;
    if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0)
        ::waitpid(pid, nullptr, 0);
    posix_spawn_file_actions_destroy(&actions);
    return double(clock.nowUs() - began) / 1000;
}

void verifications(const char *name, const tools::Sandbox &sandbox, int rounds)
{
    const tools::SteadyClock clock;
    core::CodeSettings settings;
    const auto verifier = tools::makeVerifier(settings, {&clock, &sandbox});
    if (!verifier)
        return;
    std::vector<double> plain, prepared, firstTime, known, command;
    for (int i = 0; i < rounds; ++i) {
        // Another comment is another test file, which has to be collected.
        const std::string tests = "# " + std::to_string(i) + name +
                                  "\nfrom solution import add\n"
                                  "def test_one(): assert add(1, 2) == 3\n";
        plain.push_back(plainMs(clock, tests));
        const core::VerifyRequest request{"tests", solution, tests, &settings};
        settings.tests = tests;
        prepared.push_back(double((*verifier)->prepare(settings, {}).durationUs) / 1000);
        firstTime.push_back(double((*verifier)->verify(request, {}, {}).durationUs) / 1000);
        const auto again = (*verifier)->verify(request, {}, {});
        known.push_back(double(again.durationUs) / 1000);
        command.push_back(double(again.commandUs) / 1000 / again.runs);
        if (again.kind != core::VerifyOutcome::Kind::Passed)
            std::printf("failed: %s\n", again.message.c_str());
    }
    std::printf("%s, medians of %d: plain pytest %.0f ms; first verification of a new test file "
                "with its control run beside it %.0f ms (added %.0f ms), the second %.0f ms (added "
                "%.0f ms); one of the two runs %.0f ms; preparing a new test file %.0f ms\n",
                name, rounds, median(plain), median(firstTime), median(firstTime) - median(plain),
                median(known), median(known) - median(plain), median(command), median(prepared));
}

void bareSandbox(const char *name, const tools::Sandbox &sandbox, int rounds)
{
    const tools::SteadyClock clock;
    tools::SandboxCommand command;
    command.argv = {"/bin/true"};
    std::vector<double> whole;
    for (int i = 0; i < rounds; ++i) {
        const std::int64_t began = clock.nowUs();
        (void)sandbox.run(command, {});
        whole.push_back(double(clock.nowUs() - began) / 1000);
    }
    std::printf("%s: true in the sandbox, median of %d: %.1f ms\n", name, rounds, median(whole));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 21;
    const tools::Sandbox real, limits("");
    std::printf("%s\n", real.probe().words.c_str());
    bareSandbox("bubblewrap", real, 101);
    bareSandbox("limits", limits, 101);
    verifications("bubblewrap", real, rounds);
    verifications("limits", limits, rounds);
    return 0;
}
