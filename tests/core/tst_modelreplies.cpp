// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/model-replies.jsonl (what models really send), one a row.
#include <QTest>

#include <algorithm>
#include <sstream>

#include "core/contract/decision.h"
#include "core/loop/breaker.h"
#include "tests/core/looprun.h"

using namespace emend::core;
using namespace emend::tests;
using nlohmann::json;

namespace {

std::vector<json> casesOf(const std::string &layer)
{
    std::vector<json> cases;
    std::istringstream lines(readFile("model-replies.jsonl"));
    for (std::string line; std::getline(lines, line);)
        if (json one = json::parse(line); one["layer"] == layer)
            cases.push_back(std::move(one));
    return cases;
}

json caseById(const char *id)
{
    for (const char *layer : {"decision", "loop", "tool"})
        for (const json &one : casesOf(layer))
            if (one["id"] == id)
                return one;
    return {};
}

void addRows(const std::string &layer, const std::function<bool(const json &)> &wanted = {})
{
    QTest::addColumn<QByteArray>("id");
    for (const json &one : casesOf(layer)) {
        const auto id = one["id"].get<std::string>(), kind = one["kind"].get<std::string>();
        if (!wanted || wanted(one))
            QTest::newRow((id + " " + kind).c_str()) << QByteArray::fromStdString(id);
    }
}

std::string textOf(const json &input)
{
    if (input.is_string())
        return input.get<std::string>();
    if (input.contains("repeat")) {
        std::string out;
        for (int i = 0; i < input["repeat"][1].get<int>(); ++i)
            out += input["repeat"][0].get<std::string>();
        return out;
    }
    std::string bytes;
    return fromBase64(input["text_b64"].get<std::string>(), bytes) ? bytes : std::string();
}

std::string describe(const ReadReply &read)
{
    if (read.decision)
        return "decision " + decisionToJson(*read.decision).dump();
    std::string out(categoryName(read.rejection->category));
    if (read.rejection->place)
        out += " at " + std::to_string(read.rejection->place->offset) + " line " +
               std::to_string(read.rejection->place->line) + " column " +
               std::to_string(read.rejection->place->column);
    return out + " pointer " + read.rejection->pointer.value_or("-") + ": " + read.rejection->error;
}

bool oneOf(const json &list, const std::string &value)
{
    return list.is_array() && std::find(list.begin(), list.end(), value) != list.end();
}

Tries triesOf(const json &attempts)
{
    Tries tries;
    for (const json &attempt : attempts) {
        if (attempt.value("timeout", false))
            tries.push_back(ToolOutcome::timeout("timed out"));
        else if (attempt["ok"] == true)
            tries.push_back(ToolOutcome::succeeded(attempt["output"].get<std::string>()));
        else
            tries.push_back(ToolOutcome::failed(attempt["error"].get<std::string>()));
    }
    return tries;
}

LoopScript scriptOf(const json &input)
{
    LoopScript script;
    script.task.goal = "the goal";
    script.task.breaker.failureThreshold = 1000;
    if (input.contains("breaker"))
        script.task.breaker.failureThreshold = input["breaker"]["failure_threshold"].get<int>();
    if (input.value("repeat_guard", "run") == "until_change")
        script.task.repeatGuard = RepeatGuard::UntilChange;
    for (const json &reply : input["model_replies"]) {
        if (reply.is_string()) {
            script.replies.push_back({reply.get<std::string>(), {}});
            continue;
        }
        TransportError error{TransportClass::Overloaded, "overloaded", true, {}, {}};
        if (reply["transport"].contains("stream_cut_after"))
            error = {TransportClass::StreamTruncated,
                     "cut",
                     true,
                     {},
                     reply["transport"]["stream_cut_after"].get<std::string>()};
        script.replies.push_back({{}, error});
    }
    for (const json &one : input["actions"])
        script.actions.push_back(triesOf(one["attempts"]));
    return script;
}

std::string joined(const std::vector<Message> &messages)
{
    std::string out;
    for (const Message &message : messages)
        out += message.text + "\n";
    return out;
}

} // namespace

class TestModelReplies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyReplyIsReadAsTheContractSays_data() { addRows("decision"); }
    void everyReplyIsReadAsTheContractSays();
    void theLoopDoesWhatTheCaseExpects_data() { addRows("loop"); }
    void theLoopDoesWhatTheCaseExpects();
    void theBreakerCountsAsTheCaseExpects_data();
    void theBreakerCountsAsTheCaseExpects();
    void onlyASecondExecutionIsRetried_data();
    void onlyASecondExecutionIsRetried();
    void toolOutputIsData_data();
    void toolOutputIsData();
    void allCasesAreThere();
};

void TestModelReplies::allCasesAreThere()
{
    QCOMPARE(casesOf("decision").size(), 102U);
    QCOMPARE(casesOf("loop").size(), 20U);
    QCOMPARE(casesOf("tool").size(), 19U);
}

void TestModelReplies::everyReplyIsReadAsTheContractSays()
{
    QFETCH(QByteArray, id);
    static const auto tools = caseTools();
    const json one = caseById(id.constData());
    const json &expect = one["expect"];
    const ReadReply read = readReply(textOf(one["input"]), tools);
    const std::string saw = describe(read);
    const auto hint = [&](const json &wanted) {
        return saw.find(wanted.get<std::string>()) != std::string::npos;
    };
    if (expect["outcome"] == "decision") {
        QVERIFY2(read.decision, saw.c_str());
        QCOMPARE(decisionToJson(*read.decision).dump(), expect["decision"].dump());
        QCOMPARE(json(read.normalisations).dump(), expect["normalised"].dump());
        QCOMPARE(json(read.extraKeys).dump(), expect.value("extra_keys", json::array()).dump());
        if (expect.contains("warning"))
            QCOMPARE(json(read.warnings).dump(), json::array({expect["warning"]}).dump());
        else
            QVERIFY(read.warnings.empty());
        return;
    }
    QVERIFY2(read.rejection, saw.c_str());
    const Rejection &rejection = *read.rejection;
    const std::string category(categoryName(rejection.category));
    const bool exact = category == expect["category"];
    QVERIFY2(exact || oneOf(expect.value("also_ok", json()), category), saw.c_str());
    if (!exact)
        return;
    if (expect.contains("at")) {
        QVERIFY2(rejection.place, saw.c_str());
        const json at = {{"offset", rejection.place->offset},
                         {"line", rejection.place->line},
                         {"column", rejection.place->column}};
        QVERIFY2(at == expect["at"], saw.c_str());
    }
    if (expect.contains("path")) {
        const std::string pointer = rejection.pointer.value_or("-");
        QVERIFY2(pointer == expect["path"] || oneOf(expect.value("also_paths", json()), pointer),
                 saw.c_str());
    }
    if (expect.contains("suggest"))
        QCOMPARE(rejection.suggest, expect["suggest"].get<std::string>());
    if (expect.contains("hint"))
        QVERIFY2(hint(expect["hint"]), saw.c_str());
}

void TestModelReplies::theLoopDoesWhatTheCaseExpects()
{
    QFETCH(QByteArray, id);
    static const auto tools = caseTools();
    const json one = caseById(id.constData());
    const json &expect = one["expect"];
    const LoopRun run = runLoop(scriptOf(one["input"]), tools);
    if (expect.contains("events"))
        QCOMPARE(json(run.words).dump(), expect["events"].dump());
    int actions = 0;
    for (const Event &event : run.events)
        actions += event.kind == EventKind::ToolStarted && eventBody(event)["try"] == 1 ? 1 : 0;
    if (expect.contains("executed"))
        QCOMPARE(actions, expect["executed"].get<int>());
    if (expect.contains("corrections"))
        QCOMPARE(run.finish["totals"]["corrections"].dump(), expect["corrections"].dump());
    if (expect.contains("model_calls"))
        QCOMPARE(run.finish["totals"]["model_calls"].dump(), expect["model_calls"].dump());
    QCOMPARE(run.finish["reason"].dump(), expect["end"].dump());
    for (int n : {2, 3}) {
        const auto wanted = expect.find("request_" + std::to_string(n) + "_must_contain");
        if (wanted == expect.end())
            continue;
        const std::string prompt = joined(run.requests.at(static_cast<std::size_t>(n) - 1));
        std::size_t at = 0;
        for (const json &piece : *wanted) { // and in this order
            at = prompt.find(piece.get<std::string>(), at);
            QVERIFY2(at != std::string::npos, prompt.c_str());
        }
    }
    for (const auto &request : run.requests)
        for (const Message &message : request)
            QVERIFY(!message.text.empty());
}

void TestModelReplies::theBreakerCountsAsTheCaseExpects_data()
{
    addRows("tool",
            [](const json &one) { return one["kind"].get<std::string>().starts_with("breaker"); });
}

void TestModelReplies::theBreakerCountsAsTheCaseExpects()
{
    QFETCH(QByteArray, id);
    const json one = caseById(id.constData());
    const json &expect = one["expect"];
    constexpr std::int64_t cooldown = 30'000'000;
    std::int64_t now = 0;
    CircuitBreaker breaker(one["input"]["breaker"]["failure_threshold"].get<int>(), cooldown);
    json states = json::array(), calls = json::array();
    int recorded = 0;
    std::optional<CircuitBreaker::Permit> held;
    for (const json &event : one["input"]["events"]) {
        if (event == "wait") {
            now += cooldown;
        } else if (event == "force_open") {
            breaker.forceOpen();
        } else if (event == "release") {
            breaker.reset();
        } else if (event == "call" || event == "start_second_call") {
            const auto permit = breaker.acquire(now);
            calls.push_back(permit ? "executed" : "not_permitted");
            if (permit)
                breaker.succeed(*permit);
        } else if (event == "start_trial") {
            held = breaker.acquire(now);
            QVERIFY(held && held->trial);
        } else if (event != "invalid_tool_input") { // that one never gets as far as the breaker
            const auto permit = breaker.acquire(now);
            QVERIFY(permit);
            event == "fail" ? breaker.fail(*permit, now)
            : event == "ok" ? breaker.succeed(*permit)
                            : breaker.release(*permit);
            recorded += event == "cancelled_by_user" ? 0 : 1;
        }
        states.push_back(breakerStateName(breaker.state(now)));
        if (expect.contains("never_half_open_while_forced") && event == "wait")
            QVERIFY(breaker.state(now) == BreakerState::ForcedOpen);
    }
    if (expect.contains("state_after"))
        QCOMPARE(states.dump(), expect["state_after"].dump());
    if (expect.contains("recorded_calls"))
        QCOMPARE(recorded, expect["recorded_calls"].get<int>());
    if (expect.contains("second_call"))
        QCOMPARE(calls.dump(), json::array({expect["second_call"]}).dump());
    if (expect.contains("calls"))
        QCOMPARE(calls.dump(), expect["calls"].dump());
    QCOMPARE(breaker.openPermits(), held ? 1 : 0);
}

void TestModelReplies::onlyASecondExecutionIsRetried_data()
{
    addRows("tool", [](const json &one) { return one["kind"] == "tool-retry"; });
}

void TestModelReplies::onlyASecondExecutionIsRetried()
{
    QFETCH(QByteArray, id);
    const json one = caseById(id.constData());
    const json &input = one["input"], &expect = one["expect"];
    const auto name = input["tool"].get<std::string>();
    LoopScript script;
    script.task.goal = "the goal";
    script.actions = {triesOf(input["attempts"])};
    script.replies = {{action(name, {{"x", "y"}}), {}}, {final(false), {}}};
    const auto tool = makeTool(name, input["idempotent"] == true,
                               {{"type", "object"}, {"additionalProperties", true}});
    const LoopRun run = runLoop(script, {tool});
    QCOMPARE(run.executed.size(), expect["attempts"].get<std::size_t>());
    QCOMPARE(run.words.at(0), expect["outcome"] == "tool_ok" ? "action:ok" : "action:failed");
    const bool toldUnknown =
        joined(run.requests.at(1)).find("effect is unknown") != std::string::npos;
    QCOMPARE(toldUnknown, expect.value("effect", "") == "unknown");
}

void TestModelReplies::toolOutputIsData_data()
{
    addRows("tool", [](const json &one) {
        return one["kind"].get<std::string>().starts_with("tool-output");
    });
}

void TestModelReplies::toolOutputIsData()
{
    QFETCH(QByteArray, id);
    static const auto tools = caseTools();
    const json one = caseById(id.constData());
    const json &result = one["input"]["result"], &expect = one["expect"];
    std::string output;
    if (result.contains("output_b64"))
        QVERIFY(fromBase64(result["output_b64"].get<std::string>(), output));
    else
        output = textOf(result["output"]);
    LoopScript script;
    script.task.goal = "the goal";
    script.actions = {{ToolOutcome::succeeded(output)}};
    script.replies = {{action("search_notes", {{"query", "x"}}), {}}, {final(false), {}}};
    const LoopRun run = runLoop(script, tools);
    QCOMPARE(json(run.words).dump(), R"(["action:ok","final:satisfied=false"])");
    QCOMPARE(run.requests.size(), 2U); // a decision inside the output was not taken for a reply
    json event;
    for (const Event &e : run.events)
        if (e.kind == EventKind::ToolSucceeded)
            event = eventBody(e);
    if (expect.contains("text"))
        QCOMPARE(event["output"].dump(), expect["text"].dump());
    if (expect.contains("lossy")) {
        QCOMPARE(event["lossy"].dump(), "true");
        QCOMPARE(event["output_b64"].dump(), json(base64(output)).dump());
    }
    if (expect.contains("stored")) {
        QCOMPARE(event["output"].get_ref<const std::string &>().size(),
                 expect["stored"].get<std::size_t>());
        const std::string prompt = joined(run.requests.at(1));
        QVERIFY(prompt.size() < 100'000);
        QVERIFY(prompt.find("3000000 characters in full") != std::string::npos);
    }
}

QTEST_GUILESS_MAIN(TestModelReplies)
#include "tst_modelreplies.moc"
