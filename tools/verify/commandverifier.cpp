// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/commandverifier.h"

#include <array>
#include <optional>
#include <thread>

#include "core/base/text.h"
#include "tools/verify/junit.h"
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

private:
    VerifyOutcome judge(const core::VerifyRequest &request, const core::CallContext &context,
                        const std::function<void(std::string_view)> &onOutput) const;
    std::optional<VerifyOutcome> prepare(const core::VerifyRequest &request,
                                         const core::CallContext &context,
                                         SandboxCommand &command) const;
    Evidence run(const SandboxCommand &command, ReportKind kind, std::stop_token stop,
                 const std::function<void(std::string_view)> &onOutput) const;

    const core::Clock &m_clock;
    const Sandbox &m_sandbox;
};

std::optional<VerifyOutcome> CommandVerifier::prepare(const core::VerifyRequest &request,
                                                      const core::CallContext &context,
                                                      SandboxCommand &command) const
{
    const core::CodeSettings &settings = *request.settings;
    if (settings.command.empty())
        return cannotVerify("bad_settings", "there is no command to run: name one as \"command\"");
    if (core::trimBlank(request.tests).empty())
        return cannotVerify("no_tests", "there are no tests");
    const std::string program = findProgram(settings.command[0]);
    if (program.empty())
        return cannotVerify("not_installed",
                            core::inQuotes(settings.command[0]) +
                                " is not installed (looked for in /usr/local/bin, /usr/bin and "
                                "/bin); name it by its whole path or install it");
    const std::string extension = extensionOf(settings.language);
    command.argv = settings.command;
    command.visible = foldersOf(program);
    command.files = {
        {settings.solutionName.empty() ? "solution" + extension : settings.solutionName,
         request.solution, false},
        {settings.testsName.empty() ? "test_solution" + extension : settings.testsName,
         request.tests, true}};
    command.limits = limitsOf(request, context, m_clock);
    command.limits.addressSpace = false; // Go, Java and Node reserve far more than they use
    command.required = settings.sandboxRequired;
    if (command.required && !m_sandbox.probe().bubblewrap)
        return cannotVerify("sandbox_unavailable", m_sandbox.probe().words);
    if (reportKindOf(settings) == ReportKind::Junit)
        command.report = settings.report.empty() ? "report.xml" : settings.report;
    return std::nullopt;
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
    SandboxCommand command;
    if (auto unfit = prepare(request, context, command))
        return *unfit;
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
    const bool deadline = command.limits.wallUs < request.settings->timeoutSeconds * 1'000'000LL;
    VerifyOutcome outcome;
    if (auto ended = verdictOfEnd(first.run, *request.settings, deadline)) {
        outcome = std::move(*ended);
    } else {
        outcome = judgeFirst(first, kind);
        if (outcome.cause != "no_report" && outcome.cause != "tampered")
            if (auto differs = judgeSecond(first, second))
                outcome = std::move(*differs);
    }
    describeRun(first.run, outcome);
    outcome.tests = first.tests.value_or(std::vector<TestResult>());
    outcome.runs = 1 + (second.run.commandUs > 0 ? 1 : 0);
    outcome.commandUs = first.run.commandUs + second.run.commandUs;
    return outcome;
}

VerifyOutcome CommandVerifier::verify(const core::VerifyRequest &request,
                                      const core::CallContext &context,
                                      const std::function<void(std::string_view)> &onOutput)
{
    if (context.stop.stop_requested())
        return {};
    const std::int64_t began = m_clock.nowUs();
    VerifyOutcome outcome = judge(request, context, onOutput);
    outcome.durationUs = m_clock.nowUs() - began;
    return outcome;
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
            {},        {{"type", "object"}, {"properties", {{"report", report}}}}};
}

std::unique_ptr<core::Verifier> makeCommandVerifier(const VerifierEnvironment &environment)
{
    return std::make_unique<CommandVerifier>(environment);
}

} // namespace emend::tools
