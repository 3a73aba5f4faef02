// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs against a server of models in another process, in each API: emend-cli as a user
// points it at the model he really uses.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

const QByteArray theKey = "sk-test-a1b2c3d4e5f6a7b8";

json act()
{
    return {{"text", json{{"state", "action"},
                          {"reason", "add"},
                          {"tool", "calculator"},
                          {"tool_input", {{"expression", "20+22"}}}}
                         .dump()},
            {"chunks", 5}};
}

json done()
{
    return {{"text",
             json{{"state", "final"}, {"satisfied", true}, {"final_summary", "It is 42."}}.dump()}};
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void eachApiRunsATask_data();
    void eachApiRunsATask();
    void faultsEndAsTheyShould_data();
    void faultsEndAsTheyShould();
    void aRetryMendsWhatPasses_data();
    void aRetryMendsWhatPasses();
    void aWrongAddressAndAWrongModelAreNotFound_data();
    void aWrongAddressAndAWrongModelAreNotFound();
    void aCaFileIsCheckedBeforeTheRun_data();
    void aCaFileIsCheckedBeforeTheRun();
    void theCostIsCountedAndBounded();

private:
    // Starts the server; its base URL for that provider.
    QString serve(const json &replies, const QString &provider = "openai");
    QString write(const QString &name, const json &content);
    QString task(const QString &provider, const QString &base, const json &more = json::object());
    json run(const QString &task, int &code);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_server;
    QByteArray m_trace;
};

void TestModels::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void TestModels::cleanup()
{
    if (!m_server)
        return;
    m_server->kill();
    m_server->waitForFinished();
    m_server.reset();
}

QString TestModels::write(const QString &name, const json &content)
{
    QFile file(m_folder->filePath(name));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(QByteArray::fromStdString(content.dump()));
    return file.fileName();
}

QString TestModels::serve(const json &replies, const QString &provider)
{
    const QString scenario =
        write("m.scenario.json", {{"emend", "scenario"}, {"version", 1}, {"replies", replies}});
    m_server = std::make_unique<QProcess>();
    m_server->start(EMEND_MODEL_SERVER,
                    {"--port", "0", "--scenario", scenario, "--require-key", theKey});
    while (m_server->waitForReadyRead(10'000)) {
        m_server->setReadChannel(QProcess::StandardOutput);
        const QByteArray said = m_server->peek(1000);
        if (!said.contains("ollama "))
            continue;
        for (const QByteArray &line : said.split('\n'))
            if (line.startsWith(provider.toUtf8()))
                return line.mid(line.indexOf("http"));
    }
    return {};
}

QString TestModels::task(const QString &provider, const QString &base, const json &more)
{
    json content = {{"emend", "task"},
                    {"version", 1},
                    {"goal", "What is 20+22?"},
                    {"model",
                     {{"provider", provider.toStdString()},
                      {"model", "fake-large"},
                      {"base_url", base.toStdString()},
                      {"transport", {{"max_retries", 1}, {"first_byte_timeout_seconds", 1}}}}},
                    {"tools", {"calculator"}}};
    content.merge_patch(more);
    return write("m.task.json", content);
}

json TestModels::run(const QString &file, int &code)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name :
         {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OLLAMA_API_KEY"})
        environment.insert(name, theKey);
    process.setProcessEnvironment(environment);
    const QString trace = m_folder->filePath("m.trace.jsonl");
    process.start(EMEND_CLI, {"run", file, "--json", "--trace", trace});
    process.waitForFinished(60'000);
    code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    QFile written(trace);
    m_trace = written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
    return json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
}

void TestModels::eachApiRunsATask_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<bool>("stream");
    for (const char *provider : {"openai", "anthropic", "gemini", "ollama"})
        for (const bool stream : {true, false})
            QTest::addRow("%s %s", provider, stream ? "streamed" : "whole") << provider << stream;
}

void TestModels::eachApiRunsATask()
{
    QFETCH(QString, provider);
    QFETCH(bool, stream);
    const QString base = serve({act(), {{"text", "{\"state\":"}}, done()}, provider);
    QVERIFY(!base.isEmpty());
    int code = -1;
    const json summary = run(task(provider, base, {{"model", {{"stream", stream}}}}), code);
    QCOMPARE(code, 0);
    QCOMPARE(summary["final_summary"].get<std::string>(), std::string("It is 42."));
    QCOMPARE(summary["actions"][0]["output"].get<std::string>(), std::string("42"));
    QCOMPARE(summary["corrections"].size(), 1U);
    QVERIFY(summary["tokens"]["in"].get<int>() > 100); // as the server counted
    QVERIFY(m_trace.contains("\"tokens_from\":\"provider\""));
    QVERIFY(!m_trace.contains(theKey));
}

void TestModels::faultsEndAsTheyShould_data()
{
    QTest::addColumn<QByteArray>("reply");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const json &reply, const char *reason) {
        QTest::newRow(name) << QByteArray::fromStdString(reply.dump()) << QString(reason);
    };
    const auto fault = [](const char *kind) { return json{{"error", {{"kind", kind}}}}; };
    row("429 for long", {{"error", {{"kind", "http"}, {"status", 429}, {"retry_after_s", 3600}}}},
        "transport:rate_limited");
    row("500 for good", {{"error", {{"kind", "http"}, {"status", 500}}}}, "transport:server_error");
    row("silence", fault("timeout"), "transport:timeout");
    row("cut off", {{"error", {{"kind", "stream_cut"}, {"text", "{\"sta"}}}},
        "transport:stream_truncated");
    row("closed at once", fault("connection"), "transport:connection");
    row("garbage", fault("garbage"), "transport:stream_error");
    row("a web page", fault("html"), "transport:bad_body");
    row("an error mid-stream", {{"error", {{"kind", "stream_error"}, {"text", "{\"sta"}}}},
        "transport:stream_error");
}

void TestModels::faultsEndAsTheyShould()
{
    QFETCH(QByteArray, reply);
    QFETCH(QString, reason);
    const json one = json::parse(reply.toStdString());
    const QString base = serve({one, one, one, one, one, one});
    int code = -1;
    const json summary = run(task("openai", base), code);
    QCOMPARE(code, 13);
    QCOMPARE(QString::fromStdString(summary["reason"].get<std::string>()), reason);
    QVERIFY(summary["corrections"].empty()); // transport never uses one up
    QVERIFY(!summary["failure"]["message"].get<std::string>().empty());
    QVERIFY(m_trace.contains("\"kind\":\"run.finished\"")); // everything up to then is there
    if (one["error"].contains("text"))
        QVERIFY(m_trace.contains("\"partial\":\"{\\\"sta\""));
}

void TestModels::aRetryMendsWhatPasses_data()
{
    faultsEndAsTheyShould_data();
}

void TestModels::aRetryMendsWhatPasses()
{
    QFETCH(QByteArray, reply);
    QFETCH(QString, reason);
    json one = json::parse(reply.toStdString());
    if (one["error"].contains("retry_after_s"))
        one["error"]["retry_after_s"] = 0.01;
    const QString base = serve({one, act(), done()});
    int code = -1;
    const json summary = run(task("openai", base), code);
    const bool passes = reason != "transport:bad_body"; // asking again cannot help there
    QCOMPARE(code, passes ? 0 : 13);
    QCOMPARE(m_trace.contains("\"kind\":\"model.waiting\""), passes);
    QVERIFY(summary["corrections"].empty());
}

void TestModels::aWrongAddressAndAWrongModelAreNotFound_data()
{
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("more"); // of the base URL
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("found");
    for (const char *provider : {"openai", "anthropic", "gemini", "ollama"}) {
        QTest::addRow("%s, a wrong address", provider) << provider << "/v2"
                                                       << "fake-large" << false;
        QTest::addRow("%s, a wrong model", provider) << provider << ""
                                                     << "gpt-fake" << false;
        QTest::addRow("%s, another model", provider) << provider << ""
                                                     << "fake-small" << true;
    }
    QTest::newRow("a tag") << "ollama"
                           << ""
                           << "fake-small:latest" << true;
}

void TestModels::aWrongAddressAndAWrongModelAreNotFound()
{
    QFETCH(QString, provider);
    QFETCH(QString, more);
    QFETCH(QString, model);
    QFETCH(bool, found);
    const QString base = serve({act(), done()}, provider) + more;
    int code = -1;
    const json summary =
        run(task(provider, base, {{"model", {{"model", model.toStdString()}}}}), code);
    QCOMPARE(code, found ? 0 : 13);
    if (found)
        return;
    QCOMPARE(summary["reason"].get<std::string>(), std::string("transport:not_found"));
    QVERIFY(summary["failure"]["http_status"] == 404);
}

void TestModels::aCaFileIsCheckedBeforeTheRun_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("words");
    QTest::newRow("none") << "none.pem"
                          << "does not exist";
    QTest::newRow("a folder") << "."
                              << "not a regular file";
    QTest::newRow("no PEM") << "m.task.json"
                            << "no certificate";
}

void TestModels::aCaFileIsCheckedBeforeTheRun()
{
    QFETCH(QString, file);
    QFETCH(QString, words);
    const QString path = task("openai", "https://127.0.0.1:9/v1",
                              {{"model", {{"transport", {{"ca_file", file.toStdString()}}}}}});
    for (const char *command : {"run", "bound"}) {
        QProcess process;
        process.start(EMEND_CLI, {command, path});
        process.waitForFinished(60'000);
        const QString said = QString::fromUtf8(process.readAllStandardError());
        QCOMPARE(process.exitCode(), 65);
        QVERIFY2(said.contains("/model/transport/ca_file") && said.contains(words),
                 qPrintable(said));
    }
}

void TestModels::theCostIsCountedAndBounded()
{
    QDir().mkpath(m_folder->filePath("config/emend"));
    const QString base = serve({act(), done()});
    const json prices = {{"emend", "prices"},
                         {"version", 1},
                         {"models",
                          {{{"provider", "openai"},
                            {"model", "fake-large"},
                            {"base_url", base.toStdString()},
                            {"in", 1000},
                            {"out", 2000}}}}};
    write("config/emend/prices.json", prices);
    qputenv("XDG_CONFIG_HOME", m_folder->filePath("config").toUtf8());
    int code = -1;
    json summary = run(task("openai", base), code);
    QCOMPARE(code, 0);
    const double in = summary["tokens"]["in"].get<double>(),
                 out = summary["tokens"]["out"].get<double>();
    QCOMPARE(summary["cost_usd"].get<double>(), in * 1e-3 + out * 2e-3);
    QVERIFY2(summary["cost"].get<std::string>().find("in × $1000 + ") != std::string::npos,
             summary["cost"].dump().c_str());
    // 1,000 tokens of reply could cost $2: nothing is sent that could break the bound
    summary = run(task("openai", base, {{"bounds", {{"max_cost_usd", 1.5}}}}), code);
    QCOMPARE(code, 10);
    QCOMPARE(summary["reason"].get<std::string>(), std::string("budget:max_cost_usd"));
    QVERIFY(!m_trace.contains("\"kind\":\"model.requested\""));
    write("config/emend/prices.json", {{"emend", "prices"}, {"version", 1}, {"models", 7}});
    run(task("openai", base), code);
    QCOMPARE(code, 65); // a damaged table is no free one
    qunsetenv("XDG_CONFIG_HOME");
}

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"
