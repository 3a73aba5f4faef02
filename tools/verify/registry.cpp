// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/verify/registry.h"

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/json/schema.h"
#include "tools/verify/commandverifier.h"
#include "tools/verify/pytestverifier.h"
#include "tools/verify/schemaverifier.h"
#include "tools/verify/sqlverifier.h"

namespace emend::tools {

namespace {

struct Entry {
    VerifierSpec (*spec)();
    std::unique_ptr<core::Verifier> (*make)(const VerifierEnvironment &);
};

constexpr std::array entries = {
    Entry{pytestSpec, makePytestVerifier},
    Entry{commandSpec, makeCommandVerifier},
    Entry{schemaSpec, makeSchemaVerifier},
    Entry{sqlSpec, makeSqlVerifier},
};

tl::unexpected<core::Error> unknown(const std::string &name)
{
    std::string names;
    for (const Entry &entry : entries)
        names += (names.empty() ? "" : ", ") + entry.spec().name;
    return core::fail(core::ErrorCode::NotFound,
                      "there is no verifier " + core::inQuotes(name) + "; known: " + names,
                      "/code/verifier");
}

core::Result<void> checkNames(const core::CodeSettings &settings)
{
    const std::array<std::pair<const std::string *, const char *>, 3> names = {
        std::pair{&settings.solutionName, "/code/solution_name"},
        std::pair{&settings.testsName, "/code/tests_name"},
        std::pair{&settings.report, "/code/report"}};
    for (const auto &[name, pointer] : names)
        if (!name->empty() && !isPlainPath(*name))
            return core::fail(core::ErrorCode::BadValue,
                              "expected a file name in the folder of the run, got " +
                                  core::inQuotes(*name),
                              pointer);
    if (!settings.solutionName.empty() && settings.solutionName == settings.testsName)
        return core::fail(core::ErrorCode::BadValue,
                          "the solution and the tests need different file names",
                          "/code/tests_name");
    return {};
}

core::Result<void> checkOptions(const VerifierSpec &spec, const core::CodeSettings &settings)
{
    const auto schema = core::Schema::compile(spec.options);
    if (!schema)
        return tl::unexpected<core::Error>(schema.error());
    nlohmann::json options =
        settings.options.is_null() ? nlohmann::json::object() : settings.options;
    if (const auto fits = (*schema)->apply(options, "/code/options"); !fits)
        return core::fail(core::ErrorCode::BadValue, fits.error().message, fits.error().pointer);
    return {};
}

core::Result<void> checkComparison(const VerifierSpec &spec, const core::CodeSettings &settings)
{
    if (settings.generator.empty())
        return {};
    if (spec.compares.empty())
        return core::fail(core::ErrorCode::BadValue,
                          "the verifier " + spec.name +
                              " cannot compare solutions on generated inputs",
                          "/code/generator");
    const bool function = spec.compares == "function";
    if (function ? settings.compareFunction.empty() : settings.compareCommand.empty())
        return core::fail(core::ErrorCode::BadValue,
                          function ? "the verifier " + spec.name +
                                         " compares by the name of a function, \"compare\":\"f\""
                                   : "the verifier " + spec.name +
                                         " compares by a command that gets an input on stdin, "
                                         "\"compare\":[\"program\"]",
                          "/code/compare");
    return {};
}

} // namespace

std::vector<VerifierSpec> verifierSpecs()
{
    std::vector<VerifierSpec> specs;
    for (const Entry &entry : entries)
        specs.push_back(entry.spec());
    return specs;
}

core::Result<std::unique_ptr<core::Verifier>> makeVerifier(const core::CodeSettings &settings,
                                                           const VerifierEnvironment &environment)
{
    for (const Entry &entry : entries) {
        const VerifierSpec spec = entry.spec();
        if (spec.name != settings.verifier)
            continue;
        if (const auto names = checkNames(settings); !names)
            return tl::unexpected<core::Error>(names.error());
        if (const auto options = checkOptions(spec, settings); !options)
            return tl::unexpected<core::Error>(options.error());
        if (const auto comparison = checkComparison(spec, settings); !comparison)
            return tl::unexpected<core::Error>(comparison.error());
        return entry.make(environment);
    }
    return unknown(settings.verifier);
}

} // namespace emend::tools
