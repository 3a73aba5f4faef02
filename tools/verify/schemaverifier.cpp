// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/schemaverifier.h"

#include "core/base/text.h"
#include "core/json/schema.h"
#include "core/json/strictreader.h"
#include "tools/verify/verdict.h"

namespace emend::tools {

namespace {

using core::TestResult;
using core::VerifyOutcome;

tl::expected<std::shared_ptr<const core::Schema>, VerifyOutcome> schemaOf(const std::string &tests)
{
    if (core::trimBlank(tests).empty())
        return tl::unexpected(
            cannotVerify("no_tests", "there is no JSON Schema to judge by: write one as tests"));
    const auto wanted = core::readJsonFile(tests);
    if (!wanted)
        return tl::unexpected(
            cannotVerify("bad_tests", "the JSON Schema is no JSON: " + wanted.error().text()));
    auto schema = core::Schema::compile(*wanted);
    if (!schema)
        return tl::unexpected(
            cannotVerify("bad_tests", "the JSON Schema cannot be used: " + schema.error().text()));
    return std::move(*schema);
}

VerifyOutcome judge(const core::VerifyRequest &request)
{
    const auto schema = schemaOf(request.tests);
    if (!schema)
        return schema.error();
    VerifyOutcome outcome;
    outcome.kind = VerifyOutcome::Kind::Passed;
    outcome.collected = 1;
    const auto add = [&outcome](std::string name, std::string message) {
        outcome.tests.push_back(
            {TestResult::Status::Failed, std::move(name), std::move(message), 0});
    };
    auto value = core::readStrictJson(request.solution);
    if (!value) {
        const core::Place place = core::placeAt(request.solution, value.error().offset);
        add("JSON", "line " + std::to_string(place.line) + ", column " +
                        std::to_string(place.column) + ": " + value.error().message);
    } else {
        for (const core::SchemaMismatch &mismatch : (*schema)->mismatches(value->value))
            add(mismatch.pointer.empty() ? "/" : mismatch.pointer,
                mismatch.message + (mismatch.suggest.empty()
                                        ? ""
                                        : "; did you mean " + core::inQuotes(mismatch.suggest)));
    }
    if (outcome.tests.empty()) {
        outcome.tests.push_back({TestResult::Status::Passed, "schema", {}, 0});
        outcome.message = "the JSON fits the schema";
        return outcome;
    }
    outcome.kind = VerifyOutcome::Kind::Failed;
    outcome.cause = "not_accepted";
    outcome.message = outcome.tests[0].name + ": " + outcome.tests[0].message;
    for (const TestResult &test : outcome.tests)
        outcome.output += test.name + ": " + test.message + "\n";
    outcome.outputBytes = static_cast<std::int64_t>(outcome.output.size());
    return outcome;
}

class SchemaVerifier : public core::Verifier {
public:
    explicit SchemaVerifier(const VerifierEnvironment &environment)
        : m_clock(*environment.clock)
    {}

    VerifyOutcome verify(const core::VerifyRequest &request, const core::CallContext &context,
                         const std::function<void(std::string_view)> &onOutput) override
    {
        VerifyOutcome outcome = timed(m_clock, context, [&] { return judge(request); });
        if (onOutput && !outcome.output.empty())
            onOutput(outcome.output);
        return outcome;
    }

    VerifyOutcome prepare(const core::CodeSettings &settings,
                          const core::CallContext &context) override
    {
        return timed(m_clock, context, [&] {
            return prepareSuites(settings, [](const auto &tests) {
                const auto schema = schemaOf(tests);
                return schema ? prepared() : schema.error();
            });
        });
    }

private:
    const core::Clock &m_clock;
};

} // namespace

VerifierSpec schemaSpec()
{
    return {"json_schema", "The reply is JSON that has to fit a JSON Schema",
            "json",        "solution.json",
            "schema.json", {{"type", "object"}, {"properties", nlohmann::json::object()}}};
}

std::unique_ptr<core::Verifier> makeSchemaVerifier(const VerifierEnvironment &environment)
{
    return std::make_unique<SchemaVerifier>(environment);
}

} // namespace emend::tools
