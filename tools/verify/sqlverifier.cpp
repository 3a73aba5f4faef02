// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/sqlverifier.h"

#include <optional>

#include "core/base/text.h"
#include "core/json/schema.h"
#include "core/json/strictreader.h"
#include "tools/verify/python.h"
#include "tools/verify/verdict.h"

namespace emend::tools {

namespace {

using core::TestResult;
using core::VerifyOutcome;
using nlohmann::json;
using Kind = VerifyOutcome::Kind;

json testsSchema()
{
    const json statements = {{"type", "array"}, {"items", {{"type", "string"}}}};
    const json value = {{"type", json::array({"null", "boolean", "integer", "number", "string"})}};
    const json rows = {{"type", "array"}, {"items", {{"type", "array"}, {"items", value}}}};
    const json names = {{"type", "array"}, {"items", {{"type", "string"}}}};
    const json oneCase = {{"type", "object"},
                          {"properties",
                           {{"name", {{"type", "string"}}},
                            {"setup", statements},
                            {"rows", rows},
                            {"ordered", {{"type", "boolean"}}},
                            {"columns", names}}},
                          {"required", json::array({"name", "rows"})}};
    return {
        {"type", "object"},
        {"properties", {{"setup", statements}, {"cases", {{"type", "array"}, {"items", oneCase}}}}},
        {"required", json::array({"cases"})}};
}

// Nothing: the tests can be used.
std::optional<VerifyOutcome> checkTests(const std::string &text, int &count)
{
    if (core::trimBlank(text).empty())
        return cannotVerify("no_tests", "there are no test cases");
    auto tests = core::readJsonFile(text);
    if (!tests)
        return cannotVerify("bad_tests", "the test cases are no JSON: " + tests.error().text());
    const auto schema = core::Schema::compile(testsSchema());
    if (!schema)
        return cannotVerify("bad_tests", schema.error().text());
    if (const auto fits = (*schema)->apply(*tests); !fits)
        return cannotVerify("bad_tests", "the test cases do not fit: " + fits.error().pointer +
                                             ": " + fits.error().message);
    count = static_cast<int>((*tests)["cases"].size());
    if (count == 0)
        return cannotVerify("no_tests", "there are no test cases");
    return std::nullopt;
}

std::vector<TestResult> readResults(const json &found)
{
    std::vector<TestResult> results;
    for (const json &each : found.value("tests", json::array())) {
        TestResult result;
        const std::string status = each.value("status", "");
        result.status = status == "passed"   ? TestResult::Status::Passed
                        : status == "failed" ? TestResult::Status::Failed
                                             : TestResult::Status::Error;
        result.name = each.value("name", "");
        result.message = each.value("message", "").substr(0, 4096);
        result.durationUs = each.value("us", std::int64_t{0});
        results.push_back(std::move(result));
    }
    return results;
}

VerifyOutcome judgeResults(const json &found, int cases)
{
    if (const auto bad = found.find("bad_tests"); bad != found.end())
        return cannotVerify("bad_tests", bad->get<std::string>());
    VerifyOutcome outcome;
    outcome.kind = Kind::Passed;
    std::vector<TestResult> tests = readResults(found);
    const Counts counts = countTests(tests);
    if (counts.failed > 0) {
        outcome = failedAttempt("not_accepted", failedWords(tests));
    } else if (counts.passed != cases) {
        outcome = failedAttempt("count_mismatch", "not all of the test cases were judged");
    } else {
        outcome.message = std::to_string(cases) + (cases == 1 ? " case holds" : " cases hold");
    }
    if (found.value("flipped", false))
        outcome = failedAttempt("flipped", "the query returned different rows when asked again");
    outcome.tests = std::move(tests);
    return outcome;
}

class SqlVerifier : public core::Verifier {
public:
    explicit SqlVerifier(const VerifierEnvironment &environment)
        : m_clock(*environment.clock)
        , m_sandbox(*environment.sandbox)
    {}

    VerifyOutcome verify(const core::VerifyRequest &request, const core::CallContext &context,
                         const std::function<void(std::string_view)> &onOutput) override
    {
        return timed(m_clock, context, [&] { return judge(request, context, onOutput); });
    }
    VerifyOutcome prepare(const core::CodeSettings &settings,
                          const core::CallContext &context) override
    {
        return timed(m_clock, context, [&] {
            int cases = 0;
            VerifyOutcome outcome = prepareSuites(settings, [&](const auto &tests) {
                return checkTests(tests, cases).value_or(prepared());
            });
            if (outcome.kind != Kind::Passed)
                return outcome;
            const auto python = findRunnable(settings, context.stop);
            return python ? prepared() : python.error();
        });
    }

private:
    VerifyOutcome judge(const core::VerifyRequest &request, const core::CallContext &context,
                        const std::function<void(std::string_view)> &onOutput) const;
    tl::expected<Python, VerifyOutcome> findRunnable(const core::CodeSettings &settings,
                                                     std::stop_token stop) const;

    const core::Clock &m_clock;
    const Sandbox &m_sandbox;
};

tl::expected<Python, VerifyOutcome> SqlVerifier::findRunnable(const core::CodeSettings &settings,
                                                              std::stop_token stop) const
{
    if (settings.sandboxRequired && !m_sandbox.probe().bubblewrap)
        return tl::unexpected(cannotVerify("sandbox_unavailable", m_sandbox.probe().words));
    auto python = findPython(m_sandbox, "sqlite3", stop);
    if (stop.stop_requested())
        return tl::unexpected(VerifyOutcome{});
    if (!python)
        return tl::unexpected(cannotVerify("not_installed", python.error().message));
    return std::move(*python);
}

VerifyOutcome SqlVerifier::judge(const core::VerifyRequest &request,
                                 const core::CallContext &context,
                                 const std::function<void(std::string_view)> &onOutput) const
{
    int cases = 0;
    if (auto unfit = checkTests(request.tests, cases))
        return *unfit;
    SandboxCommand command;
    command.limits = limitsOf(*request.settings, context, m_clock);
    command.required = request.settings->sandboxRequired;
    const auto python = findRunnable(*request.settings, context.stop);
    if (!python)
        return python.error();
    command.visible = python->visible;
    command.files = {{"query.sql", request.solution, true},
                     {"cases.json", request.tests, true},
                     {"judge_query.py", scriptText("judge_query.py"), true}};
    command.argv = {python->program, "-B",         "-s",         "judge_query.py",
                    "query.sql",     "cases.json", "result.json"};
    command.report = "result.json";
    const SandboxOutcome run = m_sandbox.run(command, context.stop, onOutput);
    VerifyOutcome outcome;
    if (auto ended =
            verdictOfEnd(run, *request.settings, hasDeadline(command.limits, *request.settings))) {
        outcome = std::move(*ended);
    } else {
        const json found = json::parse(run.report.value_or(""), nullptr, false);
        outcome = found.is_object()
                      ? judgeResults(found, cases)
                      : failedAttempt("crashed", "the query ended the database: exit code " +
                                                     std::to_string(run.exitCode));
        outcome.collected = cases;
    }
    describeRun(run, outcome);
    outcome.runs = 1;
    outcome.commandUs = run.commandUs;
    return outcome;
}

} // namespace

VerifierSpec sqlSpec()
{
    return {"sql",        "A query of SQLite has to return the expected rows",
            "sql",        "solution.sql",
            "cases.json", {{"type", "object"}, {"properties", json::object()}}};
}

std::unique_ptr<core::Verifier> makeSqlVerifier(const VerifierEnvironment &environment)
{
    return std::make_unique<SqlVerifier>(environment);
}

} // namespace emend::tools
