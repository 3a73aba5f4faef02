// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/pytestverifier.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "core/base/text.h"
#include "tools/verify/comparison.h"
#include "tools/verify/junit.h"
#include "tools/verify/pytestcollection.h"
#include "tools/verify/pytestcontrol.h"
#include "tools/verify/verdict.h"

namespace emend::tools {

namespace {

using core::TestResult;
using core::VerifyOutcome;
using Kind = VerifyOutcome::Kind;
using End = SandboxOutcome::End;

// One execution of pytest and what its report says.
struct PytestRun {
    SandboxOutcome run;
    std::optional<std::vector<TestResult>> tests; // nothing: no report that can be read
};

// The line of a traceback that says what went wrong.
std::string errorLine(const std::string &traceback)
{
    std::string found, last;
    for (std::size_t begin = 0; begin < traceback.size();) {
        const std::size_t end = std::min(traceback.find('\n', begin), traceback.size());
        const std::string line = traceback.substr(begin, end - begin);
        begin = end + 1;
        if (line.starts_with("E  "))
            found = core::trimBlank(std::string_view(line).substr(1));
        if (!core::trimBlank(line).empty())
            last = line;
    }
    return found.empty() ? last : found;
}

// What the first run alone says, exit code and report; kind Passed: it found nothing.
VerifyOutcome judgeFirst(const PytestRun &first, const PytestCollection &collection)
{
    const int code = first.run.exitCode;
    const std::string exit = "exit code " + std::to_string(code);
    if (!first.tests)
        return failedAttempt("no_report", first.run.report
                                              ? "the report of pytest cannot be read (" + exit + ")"
                                              : "pytest ended without a report (" + exit + ")");
    const Counts counts = countTests(*first.tests);
    for (const TestResult &test : *first.tests)
        if (test.status == TestResult::Status::Error && code == 2)
            return failedAttempt("collection_error",
                                 "the solution cannot be loaded: " + errorLine(test.message));
    if (counts.failed > 0)
        return failedAttempt("tests_failed", failedWords(*first.tests));
    if (code != 0 && code != 5)
        return failedAttempt("exit_code", "pytest ended with " + exit);
    if (counts.ran() == 0)
        return failedAttempt("no_tests_ran", "none of the tests ran");
    const int reported = counts.ran() + counts.skipped;
    if (collection.exact ? reported != collection.count : reported < collection.least)
        return failedAttempt(
            "count_mismatch",
            std::to_string(reported) + " tests ran, and the test file holds " +
                std::to_string(collection.exact ? collection.count : collection.least));
    for (const TestResult &test : *first.tests)
        if (test.status == TestResult::Status::Skipped && !collection.maySkip &&
            !collection.skippable.contains(test.name))
            return failedAttempt("count_mismatch",
                                 "the solution skipped " + test.name + ", which the tests do not");
    VerifyOutcome passed;
    passed.kind = Kind::Passed;
    passed.message =
        std::to_string(counts.passed) + (counts.passed == 1 ? " test passed" : " tests passed");
    return passed;
}

// What the run beside it adds.
std::optional<VerifyOutcome> judgeSecond(const PytestRun &first, PytestRun second,
                                         const PytestControl &control, const std::string &tests,
                                         bool passed)
{
    const bool whole = second.run.end == End::Exited && second.tests.has_value();
    if (!whole)
        return passed ? std::optional(failedAttempt(
                            "flipped", "the tests passed once, and the second run ended without a "
                                       "report"))
                      : std::nullopt;
    const bool failedAsItShould = control.takeOut(*second.tests, tests);
    if (passed && (!failedAsItShould || second.run.exitCode != 1))
        return failedAttempt("tampered", "the solution interferes with pytest: tests that have to "
                                         "fail were not reported as failed");
    if (const auto name = firstDifference(*first.tests, *second.tests))
        return failedAttempt("flipped", "two runs came to different results: " + *name);
    return std::nullopt;
}

std::optional<VerifyOutcome> noTests(const std::string &tests)
{
    if (!core::trimBlank(tests).empty())
        return std::nullopt;
    return cannotVerify("no_tests", "there are no tests: write functions whose names begin with "
                                    "test_");
}

class PytestVerifier : public core::Verifier {
public:
    explicit PytestVerifier(const VerifierEnvironment &environment)
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
                        const std::function<void(std::string_view)> &onOutput);
    std::optional<VerifyOutcome> setUp(const core::CodeSettings &settings,
                                       const core::CallContext &context, PytestSetup &setup) const;
    VerifyOutcome collectAll(const PytestSetup &setup, const core::CodeSettings &settings,
                             std::stop_token stop) const;
    PytestRun run(const PytestSetup &setup, const core::VerifyRequest &request,
                  const PytestControl *control, std::stop_token stop,
                  const std::function<void(std::string_view)> &onOutput) const;

    const core::Clock &m_clock;
    const Sandbox &m_sandbox;
};

std::optional<VerifyOutcome> PytestVerifier::setUp(const core::CodeSettings &settings,
                                                   const core::CallContext &context,
                                                   PytestSetup &setup) const
{
    setup.solutionName =
        settings.solutionName.empty() ? pytestSpec().solutionName : settings.solutionName;
    setup.testsName = settings.testsName.empty() ? pytestSpec().testsName : settings.testsName;
    for (const std::string &name : {setup.solutionName, setup.testsName})
        if (!name.ends_with(".py") || name.find('/') != std::string::npos)
            return cannotVerify("bad_settings",
                                core::inQuotes(name) + " is no file name of a Python module");
    setup.limits = limitsOf(settings, context, m_clock);
    setup.required = settings.sandboxRequired;
    if (setup.required && !m_sandbox.probe().bubblewrap)
        return cannotVerify("sandbox_unavailable", m_sandbox.probe().words);
    auto python = findPython(m_sandbox, "pytest", context.stop);
    if (context.stop.stop_requested())
        return VerifyOutcome{};
    if (!python)
        return cannotVerify("not_installed", python.error().message);
    setup.python = std::move(*python);
    setup.command = {setup.python.program, "-B", "-s", "-m", "pytest"};
    if (!settings.command.empty()) {
        setup.command = settings.command;
        const std::string program = findProgram(setup.command[0]);
        if (program.empty())
            return cannotVerify("not_installed",
                                core::inQuotes(setup.command[0]) + " is not installed");
        for (const std::string &folder : foldersOf(program))
            setup.python.visible.push_back(folder);
    }
    setup.arguments = {"-c", "pytest.ini", "--rootdir=.", "--noconftest", "-p", "no:cacheprovider"};
    if (settings.options.is_object())
        for (const nlohmann::json &plugin :
             settings.options.value("plugins", nlohmann::json::array()))
            setup.arguments.insert(setup.arguments.end(), {"-p", plugin.get<std::string>()});
    return std::nullopt;
}

PytestRun PytestVerifier::run(const PytestSetup &setup, const core::VerifyRequest &request,
                              const PytestControl *control, std::stop_token stop,
                              const std::function<void(std::string_view)> &onOutput) const
{
    SandboxCommand command =
        setup.base(control == nullptr ? request.tests : control->extended(request.tests));
    command.files.push_back({setup.solutionName, request.solution, false});
    command.argv = setup.command;
    command.argv.insert(command.argv.end(), setup.arguments.begin(), setup.arguments.end());
    command.report = "report-" + randomHex(8) + ".xml";
    command.argv.insert(command.argv.end(),
                        {"-q", "--color=yes", "--junitxml=" + command.report, setup.testsName});
    if (control != nullptr) {
        command.files.push_back({control->fileName(), control->text(), true});
        command.argv.push_back(control->fileName());
        command.argv.insert(command.argv.end(), {"--tb=native", "--continue-on-collection-errors"});
    }
    PytestRun result;
    result.run = m_sandbox.run(command, std::move(stop), onOutput);
    if (result.run.report)
        result.tests = readJunit(*result.run.report, setup.testsModule());
    return result;
}

// pytest says where its report is: a line with a name that is another each time.
void dropReportLine(std::string &output)
{
    const std::size_t at = output.find("generated xml file: ");
    if (at == std::string::npos)
        return;
    const std::size_t begin = output.rfind('\n', at) + 1; // npos + 1 is 0
    const std::size_t end = output.find('\n', at);
    output.erase(begin, end == std::string::npos ? end : end + 1 - begin);
}

VerifyOutcome PytestVerifier::judge(const core::VerifyRequest &request,
                                    const core::CallContext &context,
                                    const std::function<void(std::string_view)> &onOutput)
{
    PytestSetup setup;
    if (auto unfit = setUp(*request.settings, context, setup))
        return *unfit;
    if (auto none = noTests(request.tests))
        return *none;
    const PytestControl control;
    PytestCollection collection;
    PytestRun first, second;
    std::stop_source ours;
    const std::stop_callback follow(context.stop, [&ours] { ours.request_stop(); });
    {
        // Beside each other, because each alone waits for the start of Python most of its time.
        const std::jthread beside([&] {
            collection = collectPytest(m_sandbox, setup, request.tests, ours.get_token());
            if (!collection.cause.empty())
                ours.request_stop();
            if (!ours.stop_requested())
                second = run(setup, request, &control, ours.get_token(), {});
        });
        first = run(setup, request, nullptr, ours.get_token(), onOutput);
        // What passed no judgement needs no second one. The collection is worth its time, though.
        const bool comparable = first.run.end == End::Exited && first.tests;
        if (!comparable && first.run.end != End::Exited && first.run.end != End::Signalled)
            ours.request_stop();
    }
    if (context.stop.stop_requested())
        return {};
    if (!collection.cause.empty())
        return cannotVerify(collection.cause, collection.message);
    VerifyOutcome outcome;
    if (auto ended = verdictOfEnd(first.run, *request.settings,
                                  hasDeadline(setup.limits, *request.settings))) {
        outcome = std::move(*ended);
    } else {
        outcome = judgeFirst(first, collection);
        const bool passed = outcome.kind == Kind::Passed;
        if (first.run.filesChanged)
            outcome = failedAttempt("tampered", "the solution changed the test file");
        else if (first.tests)
            if (auto differs = judgeSecond(first, second, control, request.tests, passed))
                outcome = std::move(*differs);
    }
    describeRuns(first.run, second.run, outcome);
    dropReportLine(outcome.output);
    outcome.tests = first.tests.value_or(std::vector<TestResult>());
    outcome.collected = collection.collected();
    return outcome;
}

VerifyOutcome PytestVerifier::verify(const core::VerifyRequest &request,
                                     const core::CallContext &context,
                                     const std::function<void(std::string_view)> &onOutput)
{
    return timed(m_clock, context, [&] { return judge(request, context, onOutput); });
}

// Beside each other; what is found out of tests is there when they are run.
VerifyOutcome PytestVerifier::collectAll(const PytestSetup &setup,
                                         const core::CodeSettings &settings,
                                         std::stop_token stop) const
{
    const auto collected = [&](const std::string &tests) {
        if (auto none = noTests(tests))
            return *none;
        const PytestCollection found = collectPytest(m_sandbox, setup, tests, stop);
        return found.cancelled       ? VerifyOutcome{}
               : found.cause.empty() ? prepared()
                                     : cannotVerify(found.cause, found.message);
    };
    VerifyOutcome main = prepared(), edge = prepared(), generator = prepared();
    {
        std::vector<std::jthread> beside;
        if (hasEdgeTests(settings))
            beside.emplace_back([&] { edge = ofEdgeTests(collected(settings.edgeTests)); });
        if (settings.gate && !settings.generator.empty())
            beside.emplace_back([&] {
                if (auto inputs = generateInputs(m_sandbox, settings, setup.limits, stop); !inputs)
                    generator = std::move(inputs.error());
            });
        main = collected(settings.tests);
    }
    if (main.kind != Kind::Passed)
        return main;
    return edge.kind != Kind::Passed ? edge : generator;
}

VerifyOutcome PytestVerifier::prepare(const core::CodeSettings &settings,
                                      const core::CallContext &context)
{
    return timed(m_clock, context, [&] {
        PytestSetup setup;
        if (auto unfit = setUp(settings, context, setup))
            return *unfit;
        return collectAll(setup, settings, context.stop);
    });
}

VerifyOutcome PytestVerifier::compare(const core::VerifyRequest &request,
                                      const core::CallContext &context)
{
    return timed(m_clock, context, [&] {
        const core::CodeSettings &settings = *request.settings;
        PytestSetup setup;
        if (auto unfit = setUp(settings, context, setup))
            return *unfit;
        const auto inputs = generateInputs(m_sandbox, settings, setup.limits, context.stop);
        if (!inputs)
            return inputs.error();
        const auto commandOf = [&](const std::string &solution) {
            SandboxCommand command = setup.base(request.tests);
            command.files = {{setup.solutionName, solution, false},
                             {"compare_outputs.py", scriptText("compare_outputs.py"), true}};
            command.environment.emplace_back("PYTHONHASHSEED", "0");
            command.report = "results";
            command.argv = {setup.interpreter(),  "-B",           "-s",
                            "compare_outputs.py", setup.module(), settings.compareFunction,
                            command.report};
            return command;
        };
        return compareSolutions(m_sandbox, request, *inputs, hasDeadline(setup.limits, settings),
                                commandOf, context.stop);
    });
}

} // namespace

VerifierSpec pytestSpec()
{
    using nlohmann::json;
    const json plugins = {{"type", "array"},
                          {"items", {{"type", "string"}, {"pattern", "^[A-Za-z0-9_.]+$"}}},
                          {"description", "modules of pytest plugins that the tests need"}};
    return {"pytest",           "Python tests, run by pytest",
            "python",           "solution.py",
            "test_solution.py", {{"type", "object"}, {"properties", {{"plugins", plugins}}}},
            "function"};
}

std::unique_ptr<core::Verifier> makePytestVerifier(const VerifierEnvironment &environment)
{
    return std::make_unique<PytestVerifier>(environment);
}

} // namespace emend::tools
