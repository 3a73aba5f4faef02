// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/comparison.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/verify/output.h"
#include "tools/verify/verdict.h"

namespace emend::tools {

using core::TestResult;
using core::VerifyOutcome;
using Kind = VerifyOutcome::Kind;
using End = SandboxOutcome::End;

namespace {

constexpr std::size_t differencesTold = 20;
constexpr std::size_t textTold = 2000; // code points of an input or a result
constexpr int notCallable = 127;       // the shell's code for a command that is not there

struct Result {
    int code = 0;
    std::string text;
    bool operator==(const Result &) const = default;
};

// What came of one solution.
struct Side {
    SandboxOutcome run;
    std::vector<Result> results;
    std::optional<VerifyOutcome> unfit; // nothing was judged
    std::string ending;                 // why there are no more results
};

std::string cut(std::string_view text, std::size_t most)
{
    const std::string_view kept = core::prefixCodePoints(text, most);
    return std::string(kept) + (kept.size() < text.size() ? " …" : "");
}

std::string lastLine(const std::string &output)
{
    const std::string text = core::plainOutput(core::trimBlank(output));
    return text.substr(text.rfind('\n') + 1); // npos + 1 is 0
}

std::optional<std::size_t> takeNumber(std::string_view &text, char behind)
{
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length >= text.size() || text[length] != behind)
        return std::nullopt;
    text.remove_prefix(length + 1);
    return value;
}

// As far as they are whole: the solution may have ended in the middle of one.
std::vector<Result> readResults(std::string_view report, std::size_t most)
{
    std::vector<Result> results;
    while (results.size() < most && !report.empty()) {
        const auto code = takeNumber(report, ' ');
        const auto size = code ? takeNumber(report, '\n') : std::nullopt;
        if (!size || *size >= report.size() || report[*size] != '\n')
            break;
        results.push_back({static_cast<int>(*code & 255), std::string(report.substr(0, *size))});
        report.remove_prefix(*size + 1);
    }
    return results;
}

std::string shown(const Side &side, std::size_t at)
{
    if (at >= side.results.size())
        return "no result: " + side.ending;
    const Result &result = side.results[at];
    return result.code == 0 ? result.text
                            : "exit code " + std::to_string(result.code) +
                                  (result.text.empty() ? "" : ": " + result.text);
}

Side runSide(const Sandbox &sandbox, const SandboxCommand &command,
             const core::CodeSettings &settings, bool deadline, std::stop_token stop)
{
    Side side;
    side.run = sandbox.run(command, std::move(stop));
    auto ended = verdictOfEnd(side.run, settings, deadline);
    if (ended && ended->kind != Kind::Failed) {
        side.unfit = std::move(ended);
        return side;
    }
    side.results = readResults(side.run.report.value_or(""), mostInputs);
    if (!ended)
        side.ending = "it ended with exit code " + std::to_string(side.run.exitCode);
    else if (side.run.end == End::Signalled)
        side.ending = "it ended with signal " + std::to_string(side.run.signal);
    else if (ended->cause == "timeout")
        side.ending = "it did not end within " + std::to_string(settings.timeoutSeconds) + " s";
    else
        side.ending = ended->message;
    return side;
}

// Both fail in a way that is not theirs: what is wrong is how they are called.
std::optional<VerifyOutcome> wrongCall(const Side &first, const Side &second)
{
    const auto all = [&](auto &&holds) {
        return std::all_of(first.results.begin(), first.results.end(), holds) &&
               std::all_of(second.results.begin(), second.results.end(), holds) &&
               !first.results.empty() && !second.results.empty();
    };
    if (all([](const Result &result) { return result.code == notCallable; }))
        return cannotVerify(
            "bad_settings",
            "neither solution can be called as \"compare\" says: " +
                (first.results[0].text.empty() ? "no such command" : first.results[0].text));
    if (all([](const Result &result) { return result.text == "raises TypeError"; }))
        return cannotVerify("bad_generator",
                            "both solutions raise TypeError on every generated input: a line that "
                            "is a list holds the arguments, any other value is the only argument");
    return std::nullopt;
}

void addDifference(const std::string &input, const Side &first, const Side &second, std::size_t at,
                   VerifyOutcome &outcome)
{
    const core::GeneratedDifference found{cut(input, textTold), cut(shown(first, at), textTold),
                                          cut(shown(second, at), textTold)};
    outcome.tests.back().status = TestResult::Status::Failed;
    outcome.tests.back().message =
        "first: " + cut(found.first, 500) + "\nsecond: " + cut(found.second, 500);
    if (outcome.differences.size() >= differencesTold)
        return;
    outcome.output += "input:  " + found.input + "\nfirst:  " + found.first +
                      "\nsecond: " + found.second + "\n\n";
    outcome.differences.push_back(found);
}

VerifyOutcome judgeSides(const std::vector<std::string> &inputs, const Side &first,
                         const Side &second)
{
    VerifyOutcome outcome;
    int differ = 0;
    const std::size_t ended = std::min(first.results.size(), second.results.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        outcome.tests.push_back({TestResult::Status::Passed,
                                 std::to_string(i + 1) + ": " + cut(inputs[i], 200),
                                 {},
                                 0});
        if (i > ended) {
            outcome.tests.back().status = TestResult::Status::Skipped;
            outcome.tests.back().message = "not compared";
        } else if (i == ended || first.results[i] != second.results[i]) {
            ++differ;
            addDifference(inputs[i], first, second, i, outcome);
        }
    }
    outcome.collected = static_cast<int>(inputs.size());
    outcome.outputBytes = static_cast<std::int64_t>(outcome.output.size());
    outcome.kind = differ == 0 ? Kind::Passed : Kind::Failed;
    outcome.cause = differ == 0 ? "" : "generated_inputs_differ";
    outcome.message = differ == 0
                          ? "the same results on " + std::to_string(inputs.size()) +
                                (inputs.size() == 1 ? " generated input" : " generated inputs")
                          : "the solutions differ on " + std::to_string(differ) + " of " +
                                std::to_string(inputs.size()) + " generated inputs";
    return outcome;
}

VerifyOutcome badGenerator(const std::string &what)
{
    return cannotVerify("bad_generator", "the generator " + what);
}

std::optional<VerifyOutcome> generatorEnd(const SandboxOutcome &run,
                                          const core::CodeSettings &settings)
{
    switch (run.end) {
    case End::Exited:
        break;
    case End::Cancelled:
        return VerifyOutcome{};
    case End::Refused:
        return cannotVerify("sandbox_unavailable", run.problem);
    case End::TimedOut:
        return badGenerator("did not end within " + std::to_string(settings.timeoutSeconds) + " s");
    case End::OutOfMemory:
        return badGenerator("took more than " + std::to_string(settings.memoryMb) +
                            " MiB of memory");
    case End::OutputFlood:
    case End::TooManyFiles:
        return badGenerator("wrote far too much");
    case End::Signalled:
        return badGenerator("ended with signal " + std::to_string(run.signal));
    }
    if (run.exitCode == 0)
        return std::nullopt;
    const std::string said = core::visibleLine(lastLine(run.output), 200);
    return badGenerator("ended with exit code " + std::to_string(run.exitCode) +
                        (said.empty() ? "" : ": " + said));
}

} // namespace

tl::expected<std::vector<std::string>, VerifyOutcome>
generateInputs(const Sandbox &sandbox, const core::CodeSettings &settings,
               const SandboxLimits &limits, std::stop_token stop)
{
    const std::string program = findProgram(settings.generator[0]);
    if (program.empty())
        return tl::unexpected(cannotVerify(
            "not_installed",
            "the generator's " + core::inQuotes(settings.generator[0]) + " is not installed"));
    SandboxCommand command;
    // Apart from what it says on stderr. The shell only opens the file.
    command.argv = {"/bin/sh", "-c", "exec \"$@\" >inputs.jsonl", "sh"};
    command.argv.insert(command.argv.end(), settings.generator.begin(), settings.generator.end());
    command.visible = foldersOf(program);
    command.report = inputsName;
    command.limits = limits;
    command.limits.folderMb = 16;
    command.required = settings.sandboxRequired;
    if (!settings.generatorSource.empty())
        command.files = {{"generator", settings.generatorSource, true}};
    const SandboxOutcome run = sandbox.run(command, std::move(stop));
    if (auto ended = generatorEnd(run, settings))
        return tl::unexpected(std::move(*ended));
    const std::string printed = run.report.value_or("");
    if (printed.size() > mostInputBytes)
        return tl::unexpected(badGenerator("printed more than 4 MiB"));
    std::vector<std::string> inputs;
    int number = 0;
    for (std::size_t begin = 0; begin < printed.size() && inputs.size() < mostInputs;) {
        const std::size_t end = std::min(printed.find('\n', begin), printed.size());
        const std::string line(
            core::trimBlank(std::string_view(printed).substr(begin, end - begin)));
        begin = end + 1;
        ++number;
        if (line.empty())
            continue;
        if (!nlohmann::json::accept(line))
            return tl::unexpected(badGenerator("printed a line " + std::to_string(number) +
                                               " that is no JSON: " + core::inQuotes(line, 80)));
        inputs.push_back(line);
    }
    if (inputs.empty())
        return tl::unexpected(badGenerator("printed nothing: one JSON value a line is wanted"));
    return inputs;
}

VerifyOutcome compareSolutions(const Sandbox &sandbox, const core::VerifyRequest &request,
                               const std::vector<std::string> &inputs, bool deadline,
                               const SolutionCommand &commandFor, std::stop_token stop)
{
    std::string lines;
    for (const std::string &input : inputs)
        lines += input + '\n';
    std::array<Side, 2> sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        SandboxCommand command = commandFor(i == 0 ? request.other : request.solution);
        command.files.push_back({inputsName, lines, true});
        command.required = request.settings->sandboxRequired;
        sides[i] = runSide(sandbox, command, *request.settings, deadline, stop);
        if (sides[i].unfit)
            return *sides[i].unfit;
    }
    const auto &[first, second] = sides;
    VerifyOutcome outcome;
    if (auto wrong = wrongCall(first, second))
        outcome = std::move(*wrong);
    else
        outcome = judgeSides(inputs, first, second);
    outcome.sandbox = second.run.heldBy;
    outcome.runs = 2;
    outcome.commandUs = first.run.commandUs + second.run.commandUs;
    return outcome;
}

} // namespace emend::tools
