// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/codefeedback.h"

#include <array>

#include "core/base/text.h"
#include "core/contract/feedback.h"
#include "core/verify/output.h"

namespace emend::core {

namespace {

struct Advice {
    std::string_view category;
    std::string_view words;
};

constexpr std::array advices = {
    Advice{"empty_response", "Your reply was empty."},
    Advice{"no_code_block", "Your reply held no fenced code block, so nothing was run."},
    Advice{"several_code_blocks",
           "Your reply held several fenced code blocks, so nothing was run. If the code itself "
           "holds a fence, put it between longer ones."},
    Advice{"empty_code", "Your code block was empty, so nothing was run."},
    Advice{"prose_around_code", "Your reply held more than the code block, so nothing was run."},
    Advice{"truncated_reply", "Your reply was cut, so nothing was run. Write less."},
    Advice{"tests_failed", "The tests were run and some failed. Mend the cause, not the symptom."},
    Advice{"collection_error",
           "The tests could not even be loaded. The code has to load without an error, do nothing "
           "by itself, and define exactly the names that are asked for."},
    Advice{"timeout",
           "The tests did not end in time and were stopped. Look for an endless loop, for waiting, "
           "and for work that grows too fast."},
    Advice{"crashed", "The process crashed. Look for endless recursion and invalid memory."},
    Advice{"output_flood", "The code wrote far too much output. Write nothing."},
    Advice{"out_of_memory", "The code took more memory than it may. Use less."},
    Advice{"no_report",
           "The process ended before the tests could report. The code must not end it."},
    Advice{"no_tests_ran", "No test ran. The code must not skip, end or replace the tests."},
    Advice{"count_mismatch",
           "Fewer tests ran than there are. The code must not skip, end or replace the tests."},
    Advice{"flipped",
           "The same tests gave another result when run again. The code must not depend on time, "
           "chance, or what an earlier run left."},
    Advice{"tampered", "The tests were touched. The code must leave them alone."},
    Advice{"exit_code", "The command ended with an error."},
    Advice{"not_accepted", "The result is not what is wanted."},
};

std::string_view adviceFor(const std::string &category)
{
    for (const Advice &advice : advices)
        if (advice.category == category)
            return advice.words;
    return "The attempt was not accepted.";
}

} // namespace

CodeFault faultOf(const VerifyOutcome &outcome, const std::string &code)
{
    CodeFault fault;
    fault.category = outcome.cause.empty() ? "tests_failed" : outcome.cause;
    fault.error = toValidUtf8(outcome.message);
    fault.previous = code;
    fault.output = failureExcerpt(plainOutput(outcome.output), feedbackCharacters);
    for (const TestResult &test : outcome.tests) { // a verifier whose command says nothing
        if (!fault.output.empty())
            break;
        if (test.status == TestResult::Status::Failed || test.status == TestResult::Status::Error)
            fault.output =
                failureExcerpt(plainOutput(test.name + ": " + test.message), feedbackCharacters);
    }
    return fault;
}

std::string codeFeedback(const CodeFault &fault, int correction, int of)
{
    std::string out = "<correction trust=\"untrusted\" category=\"";
    out += escapeXmlAttribute(fault.category);
    out += "\" number=\"" + std::to_string(correction) + "\" of=\"" + std::to_string(of) + "\">\n";
    const std::string element = fault.isCode ? "previous_code" : "previous_reply";
    if (fault.previous.empty())
        out += "<" + element + " empty=\"true\"/>\n";
    else
        out += "<" + element + ">" + xmlExcerpt(fault.previous, feedbackReplyCharacters) + "</" +
               element + ">\n";
    out += "<error>" + xmlExcerpt(fault.error, feedbackErrorCharacters) + "</error>\n";
    if (!fault.output.empty())
        out += "<output>" + xmlExcerpt(fault.output, feedbackCharacters) + "</output>\n";
    out += "</correction>\n";
    out += adviceFor(fault.category);
    out += " Answer the current request again with the whole source file in exactly one fenced "
           "code block.";
    return out;
}

} // namespace emend::core
