// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of layer "transport" in tests/data/model-replies.jsonl: what model servers really send,
// through a real server and the real provider, read by read, and then through the contract.
#include "tests/tools/loopbackserver.h"

#include <QDateTime>
#include <QFile>
#include <QTest>

#include <fstream>
#include <sstream>

#include "core/base/text.h"
#include "core/contract/decision.h"
#include "core/json/schema.h"
#include "tools/clock/steadyclock.h"
#include "tools/provider/net/netprovider.h"
#include "tools/provider/net/probe.h"

using namespace emend;
using core::ModelOutcome;
using nlohmann::json;

namespace {

std::string readFile(const char *name)
{
    std::ifstream file(std::string(EMEND_TEST_DATA "/") + name, std::ios::binary);
    std::stringstream out;
    out << file.rdbuf();
    return out.str();
}

std::vector<json> cases()
{
    std::vector<json> out;
    std::istringstream lines(readFile("model-replies.jsonl"));
    for (std::string line; std::getline(lines, line);)
        if (json one = json::parse(line); one["layer"] == "transport")
            out.push_back(std::move(one));
    return out;
}

std::vector<core::ToolSpec> registry()
{
    std::vector<core::ToolSpec> specs;
    const json file = json::parse(readFile("model-replies-tools.json"));
    for (const json &tool : file["tools"]) {
        core::ToolSpec spec;
        spec.name = tool["name"].get<std::string>();
        spec.idempotent = tool["idempotent"].get<bool>();
        spec.inputSchema = tool["input_schema"];
        auto schema = core::Schema::compile(spec.inputSchema);
        if (schema)
            spec.schema = *schema;
        specs.push_back(std::move(spec));
    }
    return specs;
}

QList<QByteArray> readsOf(const json &input)
{
    QList<QByteArray> reads;
    if (!input.contains("chunks_b64"))
        return {QByteArray::fromStdString(input["body"].get<std::string>())};
    for (const json &chunk : input["chunks_b64"])
        reads.append(QByteArray::fromBase64(QByteArray::fromStdString(chunk.get<std::string>())));
    return reads;
}

QByteArray headOf(const json &input)
{
    QByteArray head =
        "HTTP/1.1 " + QByteArray::number(input["status"].get<int>()) + " Whatever\r\n";
    for (const auto &[name, value] : input["headers"].items())
        head += QByteArray::fromStdString(name + ": " + value.get<std::string>()) + "\r\n";
    return head + "Connection: close\r\n\r\n";
}

// All bytes again, in reads of `size` bytes: where the network cuts makes no difference.
QList<QByteArray> cutAnew(const QList<QByteArray> &reads, qsizetype size)
{
    const QByteArray all = reads.join();
    QList<QByteArray> out;
    for (qsizetype i = 0; i < all.size(); i += size)
        out.append(all.mid(i, size));
    return out;
}

tools::WallTime timeOf(const std::string &iso)
{
    const auto moment = QDateTime::fromString(QString::fromStdString(iso), Qt::ISODate);
    return tools::WallTime(std::chrono::seconds(moment.toSecsSinceEpoch()));
}

bool oneOf(const json &list, const std::string &value)
{
    return list.is_array() && std::find(list.begin(), list.end(), value) != list.end();
}

} // namespace

class TestTransportCases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFileIsWhole();
    void asTheyCame_data() { addRows(0); }
    void asTheyCame() { play(); }
    void inReadsOfThreeBytes_data() { addRows(3); }
    void inReadsOfThreeBytes() { play(); }
    void inReadsOfOneByte_data() { addRows(1); }
    void inReadsOfOneByte() { play(); }

private:
    void addRows(int size);
    void play();
    ModelOutcome ask(const json &input, int size);
    void checkFailure(const json &expect, const ModelOutcome &outcome);
    void checkReply(const json &expect, const ModelOutcome &outcome);

    tools::HttpClient m_http;
    tools::SteadyClock m_clock;
    std::vector<core::ToolSpec> m_tools = registry();
    std::string m_given; // through onText
};

void TestTransportCases::theFileIsWhole()
{
    QCOMPARE(cases().size(), 60U);
    for (const core::ToolSpec &tool : m_tools)
        QVERIFY(tool.schema);
}

// `size`: of a read; 0: as in the case. Cutting anew is for replies that stream.
void TestTransportCases::addRows(int size)
{
    QTest::addColumn<QByteArray>("one");
    QTest::addColumn<int>("size");
    for (const json &one : cases()) {
        const json &input = one["input"];
        const auto type = input["headers"].value("content-type", "");
        const bool streams = type == "text/event-stream" || type == "application/x-ndjson";
        if (size == 0 || streams)
            QTest::addRow("%s %s", one["id"].get<std::string>().c_str(),
                          one["kind"].get<std::string>().c_str())
                << QByteArray::fromStdString(one.dump()) << size;
    }
}

ModelOutcome TestTransportCases::ask(const json &input, int size)
{
    LoopbackServer server;
    const QList<QByteArray> reads = readsOf(input);
    server.answerInReads(headOf(input), size == 0 ? reads : cutAnew(reads, size));
    core::ModelSettings settings;
    settings.provider = input["provider"].get<std::string>();
    settings.model = "m-test";
    settings.baseUrl = server.url();
    tools::NetProvider::World world{&m_http, &m_clock,
                                    [](const std::string &) { return std::string("sk-test-key"); }};
    world.onRead = [&] { server.sendNext(); };
    if (input.contains("now"))
        world.now = [&] { return timeOf(input["now"].get<std::string>()); };
    tools::NetProvider provider(*tools::dialectOf(settings.provider), settings, {}, world);
    const std::vector<core::Message> messages = {{core::Role::System, "s"},
                                                 {core::Role::User, "u"}};
    const std::vector<core::Observation> observations;
    core::ModelRequest request;
    request.model = settings.model;
    request.messages = &messages;
    request.tools = &m_tools;
    request.observations = &observations;
    m_given.clear();
    return provider.generate(request, {}, [&](std::string_view text) { m_given += text; });
}

void TestTransportCases::play()
{
    QFETCH(QByteArray, one);
    QFETCH(int, size);
    const json wanted = json::parse(one.toStdString());
    const ModelOutcome outcome = ask(wanted["input"], size);
    if (wanted["expect"]["outcome"] == "infrastructure")
        checkFailure(wanted["expect"], outcome);
    else
        checkReply(wanted["expect"], outcome);
}

void TestTransportCases::checkFailure(const json &expect, const ModelOutcome &outcome)
{
    QVERIFY2(outcome.kind == ModelOutcome::Kind::Failed, outcome.reply.text.c_str());
    const core::TransportError &error = outcome.error;
    const std::string cls(core::transportClassName(error.cls));
    QVERIFY2(cls == expect["code"].get<std::string>() ||
                 (expect.contains("also_ok") && oneOf(expect["also_ok"], cls)),
             (cls + ": " + error.message).c_str());
    QCOMPARE(error.retryable, expect["retryable"].get<bool>());
    QVERIFY(!error.message.empty());
    QVERIFY(error.message.find("sk-test-key") == std::string::npos);
    QVERIFY2(error.message.find("<html") == std::string::npos, error.message.c_str());
    if (expect.contains("retry_after_ms")) {
        const auto ms = error.retryAfterMs ? json(*error.retryAfterMs) : json();
        QCOMPARE(ms.dump(), expect["retry_after_ms"].dump());
    }
    if (expect.contains("partial"))
        QCOMPARE(error.partial, expect["partial"].get<std::string>());
    if (expect.contains("http_status"))
        QCOMPARE(error.httpStatus.value_or(0), expect["http_status"].get<int>());
    if (expect.contains("detail"))
        QCOMPARE(error.detail, expect["detail"].get<std::string>());
}

void TestTransportCases::checkReply(const json &expect, const ModelOutcome &outcome)
{
    QVERIFY2(outcome.kind == ModelOutcome::Kind::Replied, outcome.error.message.c_str());
    const core::ModelReply &reply = outcome.reply;
    QCOMPARE(m_given, reply.text); // what was shown while it came is what came
    QCOMPARE(reply.truncated,
             expect.value("truncated", expect.value("finish", json()) == "length"));
    if (expect.contains("detail"))
        QCOMPARE(reply.finishReason, expect["detail"].get<std::string>());
    if (expect.contains("finish"))
        QCOMPARE(reply.finishReason,
                 expect["finish"].is_string() ? expect["finish"].get<std::string>() : "");
    if (expect.contains("normalised"))
        QCOMPARE(json(reply.normalisations).dump(), expect["normalised"].dump());
    if (expect.contains("hint"))
        QVERIFY2(reply.note.find("native tool call instead of text") != std::string::npos,
                 reply.note.c_str());
    const core::ReadReply read = core::readReply(reply.text, m_tools);
    if (expect["outcome"] == "correction") {
        QVERIFY(read.rejection);
        QCOMPARE(std::string(core::categoryName(read.rejection->category)),
                 expect["category"].get<std::string>());
        return;
    }
    QVERIFY2(read.decision, read.rejection ? read.rejection->error.c_str() : "");
    QCOMPARE(core::decisionToJson(*read.decision).dump(), expect["decision"].dump());
}

QTEST_GUILESS_MAIN(TestTransportCases)
#include "tst_transportcases.moc"
