// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/commandverifier.h"

#include <array>
#include <optional>
#include <thread>

#include "core/base/text.h"
#include "tools/verify/comparison.h"
#include "tools/verify/junit.h"
#include "tools/verify/python.h"
#include "tools/verify/verdict.h"

namespace emend::tools {

namespace {

using core::TestResult;
using core::VerifyOutcome;
using Kind = VerifyOutcome::Kind;
using End = SandboxOutcome::End;

enum class ReportKind { Junit, Tap, ExitCode };

struct Evidence {
    SandboxOutcome run;
    std::optional<std::vector<TestResult>> tests;
};

std::string extensionOf(const std::string &language)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> known = {{
        {"python", ".py"},
        {"cpp", ".cpp"},
        {"c++", ".cpp"},
        {"c", ".c"},
        {"rust", ".rs"},
        {"go", ".go"},
        {"java", ".java"},
        {"ruby", ".rb"},
        {"perl", ".pl"},
        {"javascript", ".js"},
        {"typescript", ".ts"},
        {"bash", ".sh"},
        {"sql", ".sql"},
        {"json", ".json"},
    }};
    for (const auto &[name, extension] : known)
        if (name == language)
            return std::string(extension);
    return ".txt";
}

ReportKind reportKindOf(const core::CodeSettings &settings)
{
    const std::string kind = settings.options.is_object()
                                 ? settings.options.value("report", std::string("junit"))
                                 : std::string("junit");
    return kind == "tap"         ? ReportKind::Tap
           : kind == "exit_code" ? ReportKind::ExitCode
                                 : ReportKind::Junit;
}

VerifyOutcome judgeFirst(const Evidence &first, ReportKind kind)
{
    const std::string exit = "exit code " + std::to_string(first.run.exitCode);
    VerifyOutcome passed;
    passed.kind = Kind::Passed;
    if (first.run.filesChanged)
        return failedAttempt("tampered", "the tests were changed while they ran");
    if (kind == ReportKind::ExitCode) {
        passed.message = "the command ended with exit code 0";
        return first.run.exitCode == 0
                   ? passed
                   : failedAttempt("exit_code", "the command ended with " + exit);
    }
    if (!first.tests)
        return failedAttempt("no_report",
                             "the command ended with " + exit + " and left no whole report");
    const Counts counts = countTests(*first.tests);
    if (counts.failed > 0)
        return failedAttempt("tests_failed", failedWords(*first.tests));
    if (counts.ran() == 0)
        return failedAttempt("no_tests_ran", "none of the tests ran");
    if (first.run.exitCode != 0)
        return failedAttempt("exit_code", "the command ended with " + exit);
    passed.message =
        std::to_string(counts.passed) + (counts.passed == 1 ? " test passed" : " tests passed");
    return passed;
}

std::optional<VerifyOutcome> judgeSecond(const Evidence &first, const Evidence &second)
{
    if (second.run.end != End::Exited || second.run.exitCode != first.run.exitCode)
        return failedAttempt("flipped", "two runs of the command ended in different ways");
    if (!first.tests)
        return std::nullopt;
    if (!second.tests)
        return failedAttempt("flipped", "the second run of the command left no report");
    if (const auto name = firstDifference(*first.tests, *second.tests))
        return failedAttempt("flipped", "two runs came to different results: " + *name);
    return std::nullopt;
}

class CommandVerifier : public core::Verifier {
public:
    explicit CommandVerifier(const VerifierEnvironment &environment)
        : m_clock(*environment.clock)
        , m_sandbox(*environment.sandbox)
    {}

    VerifyOutcome verify(const core::VerifyRequest &request, const core::CallContext &context,
                         const std::function<void(std::string_view)> &onOutput) override;
    VerifyOutcome prepare(const core::CodeSettings &settings,
                          const core::CallContext &context) override;
    VerifyOutcome compare(const core::VerifyRequest &request,
                          const core::CallContext &context) override;

private:
    VerifyOutcome judge(const core::VerifyRequest &request, const core::CallContext &context,
                        const std::function<void(std::string_view)> &onOutput) const;
    std::optional<VerifyOutcome> unfit(const core::CodeSettings &settings) const;
    SandboxCommand commandFor(const core::CodeSettings &settings, const core::CallContext &context,
                              const std::string &solution, const std::string &tests) const;
    Evidence run(const SandboxCommand &command, ReportKind kind, std::stop_token stop,
                 const std::function<void(std::string_view)> &onOutput) const;

    const core::Clock &m_clock;
    const Sandbox &m_sandbox;
};

std::optional<VerifyOutcome> CommandVerifier::unfit(const core::CodeSettings &settings) const
{
    if (settings.command.empty())
        return cannotVerify("bad_settings", "there is no command to run: name one as \"command\"");
    std::vector<std::string> programs = {settings.command[0]};
    // "./program" is made in the folder.
    if (settings.gate && !settings.generator.empty() &&
        !settings.compareCommand[0].starts_with("./"))
        programs.push_back(settings.compareCommand[0]);
    for (const std::string &program : programs)
        if (findProgram(program).empty())
            return cannotVerify("not_installed",
                                core::inQuotes(program) +
                                    " is not installed (looked for in /usr/local/bin, /usr/bin and "
                                    "/bin); name it by its whole path or install it");
    if (settings.sandboxRequired && !m_sandbox.probe().bubblewrap)
        return cannotVerify("sandbox_unavailable", m_sandbox.probe().words);
    return std::nullopt;
}

SandboxCommand CommandVerifier::commandFor(const core::CodeSettings &settings,
                                           const core::CallContext &context,
                                           const std::string &solution,
                                           const std::string &tests) const
{
    SandboxCommand command;
    const std::string extension = extensionOf(settings.language);
    command.argv = settings.command;
    command.visible = foldersOf(findProgram(settings.command[0]));
    command.files = {
        {settings.solutionName.empty() ? "solution" + extension : settings.solutionName, solution,
         false},
        {settings.testsName.empty() ? "test_solution" + extension : settings.testsName, tests,
         true}};
    command.limits = limitsOf(settings, context, m_clock);
    command.limits.addressSpace = false; // Go, Java and Node reserve far more than they use
    command.required = settings.sandboxRequired;
    if (reportKindOf(settings) == ReportKind::Junit)
        command.report = settings.report.empty() ? "report.xml" : settings.report;
    return command;
}

Evidence CommandVerifier::run(const SandboxCommand &command, ReportKind kind, std::stop_token stop,
                              const std::function<void(std::string_view)> &onOutput) const
{
    Evidence evidence;
    evidence.run = m_sandbox.run(command, std::move(stop), onOutput);
    if (kind == ReportKind::Tap)
        evidence.tests = readTap(evidence.run.output);
    else if (evidence.run.report)
        evidence.tests = readJunit(*evidence.run.report);
    return evidence;
}

VerifyOutcome CommandVerifier::judge(const core::VerifyRequest &request,
                                     const core::CallContext &context,
                                     const std::function<void(std::string_view)> &onOutput) const
{
    if (auto problem = unfit(*request.settings))
        return *problem;
    if (core::trimBlank(request.tests).empty())
        return cannotVerify("no_tests", "there are no tests");
    const SandboxCommand command =
        commandFor(*request.settings, context, request.solution, request.tests);
    const ReportKind kind = reportKindOf(*request.settings);
    Evidence first, second;
    std::stop_source ours;
    const std::stop_callback follow(context.stop, [&ours] { ours.request_stop(); });
    {
        const std::jthread beside([&] { second = run(command, kind, ours.get_token(), {}); });
        first = run(command, kind, ours.get_token(), onOutput);
        if (first.run.end != End::Exited || (kind != ReportKind::ExitCode && !first.tests))
            ours.request_stop();
    }
    if (context.stop.stop_requested())
        return {};
    VerifyOutcome outcome;
    if (auto ended = verdictOfEnd(first.run, *request.settings,
                                  hasDeadline(command.limits, *request.settings))) {
        outcome = std::move(*ended);
    } else {
        outcome = judgeFirst(first, kind);
        if (outcome.cause != "no_report" && outcome.cause != "tampered")
            if (auto differs = judgeSecond(first, second))
                outcome = std::move(*differs);
    }
    describeRuns(first.run, second.run, outcome);
    outcome.tests = first.tests.value_or(std::vector<TestResult>());
    return outcome;
}

VerifyOutcome CommandVerifier::verify(const core::VerifyRequest &request,
                                      const core::CallContext &context,
                                      const std::function<void(std::string_view)> &onOutput)
{
    return timed(m_clock, context, [&] { return judge(request, context, onOutput); });
}

VerifyOutcome CommandVerifier::prepare(const core::CodeSettings &settings,
                                       const core::CallContext &context)
{
    return timed(m_clock, context, [&] {
        if (auto problem = unfit(settings))
            return *problem;
        VerifyOutcome outcome = prepareSuites(settings, [](const std::string &tests) {
            return core::trimBlank(tests).empty() ? cannotVerify("no_tests", "there are no tests")
                                                  : prepared();
        });
        if (outcome.kind != Kind::Passed || !settings.gate || settings.generator.empty())
            return outcome;
        const auto inputs =
            generateInputs(m_sandbox, settings, limitsOf(settings, context, m_clock), context.stop);
        return inputs ? prepared() : inputs.error();
    });
}

VerifyOutcome CommandVerifier::compare(const core::VerifyRequest &request,
                                       const core::CallContext &context)
{
    return timed(m_clock, context, [&] {
        const core::CodeSettings &settings = *request.settings;
        if (auto problem = unfit(settings))
            return *problem;
        const SandboxLimits limits = limitsOf(settings, context, m_clock);
        const auto inputs = generateInputs(m_sandbox, settings, limits, context.stop);
        if (!inputs)
            return inputs.error();
        const auto commandOf = [&](const std::string &solution) {
            SandboxCommand command = commandFor(settings, context, solution, request.tests);
            command.files.push_back({"compare_outputs.sh", scriptText("compare_outputs.sh"), true});
            command.report = "results";
            command.argv = {"/bin/sh", "compare_outputs.sh", command.report};
            command.argv.insert(command.argv.end(), settings.compareCommand.begin(),
                                settings.compareCommand.end());
            for (const std::string &folder : foldersOf(findProgram(settings.compareCommand[0])))
                command.visible.push_back(folder);
            return command;
        };
        return compareSolutions(m_sandbox, request, *inputs, hasDeadline(limits, settings),
                                commandOf, context.stop);
    });
}

} // namespace

VerifierSpec commandSpec()
{
    using nlohmann::json;
    const json report = {{"enum", json::array({"junit", "tap", "exit_code"})},
                         {"description", "what says that the tests passed: a JUnit file, lines of "
                                         "the Test Anything Protocol on stdout, the exit code "
                                         "alone"}};
    return {"command", "Any command that leaves a JUnit report",
            "cpp",     {},
            {},        {{"type", "object"}, {"properties", {{"report", report}}}},
            "command"};
}

std::unique_ptr<core::Verifier> makeCommandVerifier(const VerifierEnvironment &environment)
{
    return std::make_unique<CommandVerifier>(environment);
}

} // namespace emend::tools
