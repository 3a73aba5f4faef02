// SPDX-License-Identifier: GPL-3.0-or-later
#include "fakescript.h"

namespace emend::test {

using core::EventKind;

// Not JSON: a parameter in single quotes on line 4, behind a character beyond the BMP on line 3.
const std::string badReply =
    "{\n  \"state\": \"action\",\n  \"reason\": \"Get the weather 😀 – très vite\", "
    "\"tool\": \"weather\",\n  \"tool_input\": {'city': \"Delhi\"}\n}";
const std::size_t badOffset = badReply.find('\'');

std::string jsonString(std::string_view text)
{
    std::string out;
    core::appendJsonString(out, text);
    return out;
}

FakeEffect modelCall(int call, int step, int attempt, int workMs, const std::string &reply,
                     const std::string &messages)
{
    const std::string stage = "step_" + std::to_string(step) +
                              (attempt ? "_correction_" + std::to_string(attempt) : std::string());
    FakeEffect effect;
    effect.name = "fake";
    effect.workMs = workMs;
    effect.partial = reply;
    effect.before = {draft(
        EventKind::ModelRequested, step, attempt,
        R"("stage":")" + stage + R"(","call":)" + std::to_string(call) + R"(,"request":)" +
            std::to_string(call) + R"(,"messages":)" + messages +
            R"(,"context":{"tokens":612,"limit":22000,"percent":2.8,"compressed":[],"shortened":["tool output of step 1"],"dropped":[]},"reserved_tokens":1612,"reserved_cost_usd":null)")};
    effect.after = {draft(
        EventKind::ModelReplied, step, attempt,
        R"("stage":")" + stage + R"(","text":)" + jsonString(reply) +
            R"(,"tokens_in":612,"tokens_out":41,"tokens_from":"provider","finish_reason":"stop","truncated":false,"duration_us":)" +
            std::to_string(workMs * 1000 + 412) + R"(,"cost_usd":0.00021)")};
    return effect;
}

// A run with everything in it: a correction that works, a tool that fails and opens its breaker, a
// refused call, a final decision. `pace` scales how long it takes.
std::vector<FakeEffect> weatherScript(int pace)
{
    std::vector<FakeEffect> script;
    script.push_back(modelCall(
        1, 1, 0, 4 * pace, badReply,
        R"([{"id":1,"role":"system","text":"You decide one step at a time.\nAnswer with one JSON object."},{"id":2,"role":"user","text":"Weather in Delhi, in Fahrenheit, please."}])"));
    auto &first = script.back().after;
    first.push_back(draft(
        EventKind::DecisionRejected, 1, 0,
        R"("stage":"step_1","category":"invalid_json","error":"expected a name in double quotes, found a single quote","pointer":null,"offset":)" +
            std::to_string(badOffset) +
            R"(,"line":4,"column":18,"suggest":"","normalisations":[])"));
    first.push_back(draft(
        EventKind::CorrectionRequested, 1, 0,
        R"("correction":1,"of":2,"category":"invalid_json","error":"expected a name in double quotes, found a single quote","pointer":null,"line":4,"column":18,"feedback":)" +
            jsonString(
                "Weather in Delhi, in Fahrenheit, please.\n\n<correction trust=\"untrusted\">\n  "
                "<category>invalid_json</category>\n  <error>expected a name in double quotes, "
                "found a single quote (line 4 column 18)</error>\n  <previous_reply>{ "
                "&quot;state&quot;: …</previous_reply>\n</correction>") +
            R"(,"tokens_in":612,"tokens_out":41,"duration_us":400412)"));
    const std::string good =
        R"({"state":"action","reason":"Get the weather","tool":"weather","tool_input":{"city":"Delhi"}})";
    script.push_back(modelCall(2, 1, 1, 3 * pace, good,
                               R"([1,2,{"id":3,"role":"user","text":"<correction …>"}])"));
    auto &second = script.back().after;
    second.push_back(draft(
        EventKind::CorrectionResolved, 1, 1,
        R"("correction":1,"category":"invalid_json","resolved":true,"result_category":null,"result_error":null,"tokens_in":702,"tokens_out":35,"duration_us":300100,"cost_usd":0.00019)"));
    second.push_back(draft(
        EventKind::DecisionAccepted, 1, 1,
        R"("stage":"step_1_correction_1","state":"action","reason":"Get the weather","tool":"weather","tool_input":{"city":"Delhi","units":"celsius"},"fingerprint":"weather","references":[],"normalisations":["fence"],"extra_keys":["confidence"],"warnings":[])"));
    for (int attempt = 1; attempt <= 2; ++attempt) {
        FakeEffect tool;
        tool.what = "tool";
        tool.name = "weather";
        tool.workMs = 2 * pace;
        const std::string number = std::to_string(attempt);
        tool.before = {draft(
            EventKind::ToolStarted, 1, -1,
            R"("tool":"weather","tool_input":{"city":"Delhi","units":"celsius"},"try":)" + number)};
        tool.after = {draft(
            EventKind::ToolFailed, 1, -1,
            R"("tool":"weather","try":)" + number +
                R"(,"error":"service down, HTTP 503","will_retry":)" +
                (attempt == 1 ? "true" : "false") +
                R"(,"timed_out":false,"effect_unknown":false,"cancelled":false,"lossy":false,"duration_us":203000)")};
        script.push_back(tool);
    }
    script.back().after.push_back(draft(
        EventKind::BreakerChanged, 0, -1,
        R"("name":"weather","from":"closed","to":"open","why":"failures","failures":2,"threshold":2,"until_us":60000000)"));
    script.push_back(modelCall(3, 2, 0, 3 * pace, good, "[1,2]"));
    script.back().after.push_back(draft(
        EventKind::DecisionAccepted, 2, 0,
        R"("state":"action","reason":"Try another city","tool":"weather","tool_input":{"city":"New Delhi"},"normalisations":[],"extra_keys":[],"warnings":[])"));
    script.back().after.push_back(draft(
        EventKind::ToolSkipped, 2, -1,
        R"("tool":"weather","tool_input":{"city":"New Delhi"},"reason":"breaker_open","retry_in_ms":28000)"));
    FakeEffect tool;
    tool.what = "tool";
    tool.name = "calculator";
    tool.workMs = pace;
    tool.before = {draft(EventKind::ToolStarted, 3, -1,
                         R"("tool":"calculator","tool_input":{"expression":"31*9/5+32"},"try":1)")};
    tool.after = {draft(
        EventKind::ToolSucceeded, 3, -1,
        R"("tool":"calculator","try":1,"output":"87.8","bytes":4,"lossy":false,"duration_us":1200)")};
    script.push_back(modelCall(
        4, 3, 0, 2 * pace,
        R"({"state":"action","reason":"Convert to Fahrenheit","tool":"calculator","tool_input":{"expression":"31*9/5+32"}})",
        "[1,2]"));
    script.back().after.push_back(draft(
        EventKind::DecisionAccepted, 3, 0,
        R"("state":"action","reason":"Convert","tool":"calculator","tool_input":{"expression":"31*9/5+32"},"normalisations":[],"extra_keys":[],"warnings":[])"));
    script.push_back(tool);
    script.push_back(modelCall(
        5, 4, 0, 3 * pace,
        R"({"state":"final","satisfied":true,"final_summary":"It is 88 °F in Delhi, clear."})",
        "[1,2]"));
    script.back().after.push_back(draft(
        EventKind::DecisionAccepted, 4, 0,
        R"("state":"final","satisfied":true,"final_summary":"It is 88 °F in Delhi, clear.","normalisations":[],"extra_keys":[],"warnings":[])"));
    return script;
}

core::Task weatherTask()
{
    core::Task task;
    task.name = "Weather in Fahrenheit";
    task.goal = "What is the weather like in Delhi right now? Give the temperature in Fahrenheit "
                "and say how you know.";
    return task;
}

} // namespace emend::test
