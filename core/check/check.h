// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/check/condition.h"
#include "core/run/ports.h"

// What checks are made of (design section 8). Values, but for the two ports at the end.
namespace emend::core {

enum class CheckKind : std::uint8_t {
    Objective, // can be decided from outside; failed, it corrects
    Judgement, // may be right although it looks odd; failed, it flags or asks a person
};
std::string_view checkKindName(CheckKind kind); // "objective", "judgement"

// One check of a pack, as it is carried out.
struct CheckSpec {
    std::string name; // unique in a task
    std::string description;
    std::string pack; // whose it is
    CheckKind kind = CheckKind::Objective;
    std::string validator;    // a name in the registry of validators
    nlohmann::json arguments; // fit the validator's schema, defaults filled in
    Condition when;
    std::vector<std::string> dependsOn; // names; one that did not pass skips this one
    std::string correction;             // the instruction to send when it failed
    std::string errorType; // what the policy and the statistics count it as; by default its name
    bool critical = false; // its weight is frozen; a failed judgement waits for a person
    bool advisory = false; // objective, but flags only, until its weight is 1.5 or more
};

// What does not fit. The texts are for a model and for people; foreign values are cut to 200
// characters.
struct CheckIssue {
    std::string pointer; // RFC 6901, into the response; empty: the whole
    std::string message; // one sentence
    std::string expected, actual;
};

struct CheckOutcome {
    enum class Kind : std::uint8_t {
        Passed,
        Failed,
        CannotCheck, // nothing was judged: no such SQLite file, a command that is not installed
        Cancelled,
    } kind = Kind::Cancelled;
    std::vector<CheckIssue> issues; // of Failed, at least one; at most 100 are kept
    std::int64_t issueCount = 0;    // how many there were
    std::string message;            // of CannotCheck: one sentence that says how to mend it

    static CheckOutcome passed() { return {Kind::Passed, {}, 0, {}}; }
    static CheckOutcome failed(std::vector<CheckIssue> issues)
    {
        const auto count = static_cast<std::int64_t>(issues.size());
        return {Kind::Failed, std::move(issues), count, {}};
    }
    static CheckOutcome cannotCheck(std::string why)
    {
        return {Kind::CannotCheck, {}, 0, std::move(why)};
    }
};

// What a check looks at. All borrowed for the length of the call.
struct CheckSubject {
    const std::string *query = nullptr;
    const nlohmann::json *response = nullptr;
    std::string_view text;               // the response as the model wrote it
    std::chrono::year_month_day today{}; // the current date of the run, never that of the machine
    double weight = 1.0;                 // of the policy: a numeric tolerance is divided by it
};

// One way to check, with arguments: "required_fields", "date_range", "sql" … Immutable; any thread.
// Pure ones live in core/check, those that touch the world in tools/check.
class CheckValidator {
public:
    virtual ~CheckValidator() = default;
    virtual std::string name() const = 0;
    virtual std::string description() const = 0;
    virtual nlohmann::json argumentsSchema() const = 0;
    // What the schema cannot say: a pattern that does not compile. An Error's pointer is into the
    // arguments.
    virtual Result<void> examine(const nlohmann::json &arguments) const
    {
        (void)arguments;
        return {};
    }
    // Returns within 100 ms after the stop token is triggered.
    virtual CheckOutcome check(const nlohmann::json &arguments, const CheckSubject &subject,
                               const CallContext &context) const = 0;
    virtual bool isPure() const { return true; } // depends on the arguments and subject alone
};

// All that can be checked with, in the order of menus. Borrowed pointers.
using CheckValidators = std::vector<const CheckValidator *>;

// The port of a loop: carries one check out. Called on the runner's thread, which it blocks.
class Checker {
public:
    virtual ~Checker() = default;
    virtual CheckOutcome check(const CheckSpec &spec, const CheckSubject &subject,
                               const CallContext &context) = 0;
};

} // namespace emend::core
