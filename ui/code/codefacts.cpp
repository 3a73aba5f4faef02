// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/codefacts.h"

#include "ui/run/linefields.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int secondStep = 2; // of the independent solution

int intOf(const LineFields &fields, std::string_view key, int absent = 0)
{
    return static_cast<int>(fields.number(key).value_or(absent));
}

// The trace's counts are of all tests; a trace without them lists all.
void countTests(const LineFields &fields, VerificationFacts &done)
{
    if (fields.has("counts")) {
        const LineFields counts = fields.object("counts");
        done.total = intOf(counts, "total");
        done.notPassed = intOf(counts, "failed") + intOf(counts, "errors");
        return;
    }
    done.total = static_cast<int>(done.tests.size());
    done.notPassed = static_cast<int>(
        std::count_if(done.tests.begin(), done.tests.end(), [](const TestFacts &test) {
            return test.status == "failed"_L1 || test.status == "error"_L1;
        }));
}

} // namespace

bool CodeFacts::add(const core::Event &event)
{
    const LineFields fields(event.line);
    const bool verifies = event.kind == core::EventKind::VerifyStarted ||
                          event.kind == core::EventKind::VerifyFinished;
    if (verifies && fields.text("suite") == "prepare"_L1)
        return false; // of no solution; the outcome says what is missing
    switch (event.kind) {
    case core::EventKind::VerifyStarted:
        addStarted(event, fields);
        return true;
    case core::EventKind::VerifyFinished:
        addFinished(event, fields);
        return true;
    case core::EventKind::DecisionRejected:
        attemptOf(event, fields).problem = fields.text("error");
        return true;
    case core::EventKind::CorrectionRequested:
        addCorrection(event, fields);
        return true;
    case core::EventKind::GateFinished:
        addGate(fields);
        return true;
    default:
        return false;
    }
}

AttemptFacts &CodeFacts::attemptOf(const core::Event &event, const LineFields &fields)
{
    const QString candidate = fields.has("candidate")    ? fields.text("candidate")
                              : event.step == secondStep ? u"second"_s
                                                         : u"first"_s;
    const auto known = std::find_if(attempts.begin(), attempts.end(), [&](const AttemptFacts &a) {
        return a.candidate == candidate && a.attempt == event.attempt;
    });
    if (known != attempts.end())
        return *known;
    AttemptFacts fresh;
    fresh.candidate = candidate;
    fresh.attempt = event.attempt;
    attempts.push_back(std::move(fresh));
    return attempts.back();
}

void CodeFacts::addStarted(const core::Event &event, const LineFields &fields)
{
    AttemptFacts &attempt = attemptOf(event, fields);
    if (fields.has("solution")) // the edge tests run what the main tests have run
        attempt.solution = fields.bytes("solution");
    VerificationFacts started;
    started.suite = fields.text("suite");
    started.sandbox = fields.text("sandbox");
    attempt.verifications.push_back(std::move(started));
}

void CodeFacts::addFinished(const core::Event &event, const LineFields &fields)
{
    AttemptFacts &attempt = attemptOf(event, fields);
    if (attempt.verifications.empty()) // the beginning is missing from the trace
        attempt.verifications.emplace_back();
    VerificationFacts &done = attempt.verifications.back();
    done.running = false;
    done.suite = fields.text("suite");
    done.passed = fields.flag("passed");
    done.cause = fields.text("cause");
    done.message = fields.text("message");
    done.sandbox = fields.text("sandbox");
    done.collected = intOf(fields, "collected", -1);
    done.exitCode = intOf(fields, "exit_code", -1);
    done.signal = intOf(fields, "signal");
    done.runs = intOf(fields, "runs");
    done.output = fields.bytes("output");
    done.outputBytes = fields.number("output_bytes").value_or(0);
    done.durationUs = fields.number("duration_us").value_or(0);
    done.commandUs = fields.number("command_us").value_or(0);
    for (const std::string_view raw : fields.elements("tests")) {
        const LineFields test(raw);
        done.tests.push_back({test.text("name"), test.text("status"), test.text("message"),
                              test.number("duration_us").value_or(0)});
    }
    countTests(fields, done);
}

void CodeFacts::addCorrection(const core::Event &event, const LineFields &fields)
{
    attemptOf(event, fields).feedback = fields.text("feedback");
}

void CodeFacts::addGate(const LineFields &fields)
{
    gate.verdict = fields.text("verdict");
    gate.why = fields.has("why") ? fields.text("why") : QString();
    gate.heldOut = fields.flag("held_out");
    gate.cells.clear();
    gate.differences.clear();
    for (const std::string_view raw : fields.elements("differences")) {
        const LineFields one(raw);
        gate.differences.push_back({one.text("input"), one.text("first"), one.text("second")});
    }
    for (const std::string_view raw : fields.elements("table")) {
        const LineFields row(raw);
        gate.cells.push_back({row.text("solution"), row.text("suite"), row.text("cause"),
                              intOf(row, "passed"), intOf(row, "total"), row.flag("accepted")});
    }
}

} // namespace emend::ui
