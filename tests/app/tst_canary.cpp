// SPDX-License-Identifier: GPL-3.0-or-later
// A made-up key goes through the program in every way there is; afterwards nothing holds it.
#undef QT_NO_CAST_FROM_ASCII // arguments and names are plain words here
#include <QTest>

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/settings.h"
#include "app/workbench.h"
#include "core/base/text.h"
#include "core/trace/redactor.h"
#include "tests/app/canary.h"
#include "tests/tools/loopbackserver.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"

using namespace emend::app;
using namespace emend::core;
using nlohmann::json;

namespace {

// The key as somebody could have written it.
QList<QByteArray> forms()
{
    QByteArray lower = canary.toLower(); // as it would stand in a file name
    lower.replace('/', '-').replace('+', '-').replace("==", "-");
    return {canary, canary.toPercentEncoding(), canary.toBase64(),
            QByteArray::fromStdString(json(json(canary.toStdString()).dump()).dump()).mid(3, 24),
            lower};
}

// What of the key is in `bytes`; empty: nothing.
QByteArray foundIn(const QByteArray &bytes)
{
    for (const QByteArray &form : forms())
        if (bytes.contains(form))
            return form;
    return {};
}

} // namespace

class TestCanary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void theSearchFindsIt_data();
    void theSearchFindsIt();
    void nothingOfARunHoldsIt();
    void nothingOfTheProgramHoldsIt();
    void aServerThatEchoesTheKeySpreadsItNowhere_data();
    void aServerThatEchoesTheKeySpreadsItNowhere();
    void damagedPatternsStopARun();
    void aTaskFileKeepsNoKey_data();
    void aTaskFileKeepsNoKey();
    void theCommandForKeysNeverSaysThem();

private:
    QString path(const char *name) const { return m_folder->filePath(name); }
    // Task and scenario are the person's own files, so they are kept elsewhere.
    QString writeTask(const QString &folder) const;
    QByteArray searchFolder() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QTemporaryDir m_input;
};

void TestCanary::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("OPENAI_API_KEY", canary);
    qputenv("HOME", m_folder->path().toUtf8());
    qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
    qputenv("XDG_DATA_HOME", path("data").toUtf8());
    qputenv("XDG_CACHE_HOME", path("cache").toUtf8());
}

QString TestCanary::writeTask(const QString &folder) const
{
    const std::string key = canary.toStdString();
    const std::string encoded = canary.toPercentEncoding().toStdString();
    const json act = {{"state", "action"},
                      {"reason", "with " + key},
                      {"tool", "fetch"},
                      {"tool_input", {{"url", "https://me:" + key + "@h/?key=" + encoded}}}};
    const json bad = {{"state", "action"}, {"tool", key}};
    const json final = {
        {"state", "final"}, {"satisfied", true}, {"final_summary", "the key is " + key}};
    const json scenario = {
        {"emend", "scenario"},
        {"version", 1},
        {"replies",
         {{{"text", bad.dump()}},
          {{"text", act.dump()}},
          {{"error", {{"kind", "http"}, {"status", 503}, {"message", "wrong key " + key}}}},
          {{"text", act.dump()}},
          {{"text", final.dump()}}}},
        {"tools",
         {{"fetch",
           {{{"output", "echo " + key + " " + canary.toBase64().toStdString()}},
            {{"error", "401 for " + json(key).dump()}},
            {{"output", "end"}}}}}}};
    const json task = {
        {"emend", "task"},
        {"version", 1},
        {"name", "with " + key},
        {"goal", "use " + key},
        {"prompt", {{"system", "The key is " + key + ". {{tools}}"}}},
        {"model", {{"provider", "scripted"}}},
        {"scenario", "c.scenario.json"},
        {"tools",
         {{{"name", "fetch"},
           {"description", "takes " + key},
           {"input_schema",
            {{"type", "object"}, {"properties", {{"url", {{"type", "string"}}}}}}}}}}};
    for (const auto &[name, content] :
         {std::pair("c.scenario.json", scenario), std::pair("c.task.json", task)}) {
        QFile file(folder + "/" + name);
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::fromStdString(content.dump()));
    }
    return folder + "/c.task.json";
}

QByteArray TestCanary::searchFolder() const
{
    QDirIterator files(m_folder->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        if (!foundIn(file.toUtf8()).isEmpty() || !foundIn(contentOf(file)).isEmpty())
            return file.toUtf8();
    }
    return {};
}

void TestCanary::theSearchFindsIt_data()
{
    QTest::addColumn<QByteArray>("form");
    for (const QByteArray &form : forms())
        QTest::newRow(form.constData()) << form;
}

void TestCanary::theSearchFindsIt()
{
    QFETCH(QByteArray, form);
    QFile file(path("f"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("x" + form + "y");
    file.close();
    QVERIFY(!searchFolder().isEmpty());
}

void TestCanary::nothingOfARunHoldsIt()
{
    const QString file = writeTask(m_input.path());
    Workbench workbench;
    const auto task = workbench.loadTask(file.toStdString());
    QVERIFY2(task, task ? "" : task.error().text().c_str());
    {
        // redaction knows nothing of the key: the same run shows that the search sees it
        qunsetenv("OPENAI_API_KEY");
        Workbench blind;
        RunControl control(blind.clock());
        Heard heard;
        QVERIFY(blind.run(*task, path("blind.trace.jsonl").toStdString(), control, heard));
        QVERIFY(!searchFolder().isEmpty());
        QVERIFY(!foundIn(heard.all).isEmpty());
        QVERIFY(QFile::remove(path("blind.trace.jsonl")));
        qputenv("OPENAI_API_KEY", canary);
    }
    RunControl control(workbench.clock());
    Heard heard;
    const auto report = workbench.run(*task, {}, control, heard);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY(report->result.outcome == Outcome::Satisfied);
    QCOMPARE(searchFolder(), QByteArray());
    QCOMPARE(foundIn(heard.all), QByteArray());
    const QByteArray trace = contentOf(QString::fromStdString(report->traceFile));
    for (const char *pointer :
         {"/task/goal", "/task/name", "/goal", "/tool_input/url", "/output", "/error",
          "/final_summary", "/text", "/message", "/messages/0/text"})
        QVERIFY2(trace.contains("{\"pointer\":\"" + QByteArray(pointer) + "\""), pointer);
}

void TestCanary::nothingOfTheProgramHoldsIt()
{
    const QString file = writeTask(m_input.path());
    for (const bool summary : {true, false}) {
        QProcess process;
        QStringList words{"run", file};
        if (summary)
            words << "--json";
        process.start(EMEND_CLI, words);
        QVERIFY(process.waitForStarted());
        const QByteArray commandLine =
            contentOf(QStringLiteral("/proc/%1/cmdline").arg(process.processId()));
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray err = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, err.constData());
        QCOMPARE(foundIn(commandLine), QByteArray());
        QCOMPARE(foundIn(process.readAllStandardOutput()), QByteArray());
        QCOMPARE(foundIn(err), QByteArray());
        QCOMPARE(searchFolder(), QByteArray());
    }
}

void TestCanary::aServerThatEchoesTheKeySpreadsItNowhere_data()
{
    QTest::addColumn<QByteArray>("reply");
    const QByteArray key = canary;
    const QByteArray head = "HTTP/1.1 200 OK\r\nX-Echo: " + key + "\r\nConnection: close\r\n\r\n";
    const auto chunk = [](const QByteArray &text) {
        return "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
    };
    QTest::newRow("in an error") << LoopbackServer::reply(
        401, "{\"error\":{\"message\":\"no such key: " + key + "\",\"code\":\"" + key + "\"}}");
    QTest::newRow("in a redirect")
        << LoopbackServer::reply(302, "", "Location: http://h/?key=" + key + "\r\n");
    QTest::newRow("in a page") << LoopbackServer::reply(200, "<title>" + key + "</title>");
    QTest::newRow("in a reply, in pieces")
        << head + chunk("the key is Canary/7f") + chunk("3a+made==up-key.") + "data: [DONE]\n\n";
    QTest::newRow("in a cut reply, encoded")
        << head + chunk("its forms: " + key.toBase64() + " " + key.toPercentEncoding());
    QTest::newRow("in garbage") << head + chunk("x") + "data: " + key + "\n\n";
}

void TestCanary::aServerThatEchoesTheKeySpreadsItNowhere()
{
    QFETCH(QByteArray, reply);
    LoopbackServer server;
    server.answer("/chat/completions", reply);
    Task task;
    task.goal = "g";
    task.model.provider = "openai";
    task.model.model = "m";
    task.model.baseUrl = server.url();
    task.model.transport.maxRetries = 0;
    Workbench workbench;
    RunControl control(workbench.clock());
    Heard heard;
    const auto report = workbench.run(task, {}, control, heard);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QVERIFY(server.requests().value(0).contains("Authorization: Bearer " + canary)); // really sent
    QCOMPARE(foundIn(heard.all), QByteArray());
    QCOMPARE(searchFolder(), QByteArray());
    for (const bool asJson : {true, false}) { // and the program says nothing of it either
        QFile file(m_input.filePath("echo.task.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(taskToFileText(task)));
        file.close();
        QProcess process;
        process.start(EMEND_CLI, asJson ? QStringList{"run", file.fileName(), "--json"}
                                        : QStringList{"run", file.fileName()});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(foundIn(process.readAllStandardOutput() + process.readAllStandardError()),
                 QByteArray());
        QCOMPARE(searchFolder(), QByteArray());
    }
}

void TestCanary::damagedPatternsStopARun()
{
    emend::tools::HttpClient http;
    emend::tools::SteadyClock clock;
    Settings settings(http, clock);
    QVERIFY(!settings.setRedactionPatterns({"("}));
    QVERIFY(settings.setRedactionPatterns({"[0-9]{16}"}));
    QCOMPARE(settings.redactionPatterns(), std::vector<std::string>{"[0-9]{16}"});
    const QString file = path("config/emend/redaction.json");
    QCOMPARE(QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
    QVERIFY(settings.redactor());
    QFile damaged(file);
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("{\"patterns\":[");
    damaged.close();
    QVERIFY(!settings.redactor());
    Workbench workbench;
    RunControl control(workbench.clock());
    Heard heard;
    const auto task = workbench.demoTask();
    QVERIFY(task);
    const auto report = workbench.run(*task, {}, control, heard);
    QVERIFY(!report);
    QVERIFY(report.error().message.find("damaged") != std::string::npos);
    QVERIFY(heard.all.isEmpty());
    const auto prices = settings.pricesFile();
    QVERIFY(prices && QFile::exists(QString::fromStdString(*prices)));
}

void TestCanary::aTaskFileKeepsNoKey_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<bool>("refused");
    const std::string key = canary.toStdString();
    const auto row = [](const char *name, const json &model, bool refused) {
        QTest::newRow(name) << QByteArray::fromStdString(model.dump()) << refused;
    };
    row("a header for keys", {{"headers", {{"Authorization", "Bearer " + key}}}}, true);
    row("another header for keys", {{"headers", {{"x-api-key", key}}}}, true);
    row("any header", {{"headers", {{"X-Team", key}}}}, false);
    row("a user in the address", {{"base_url", "https://me:" + key + "@host/v1"}}, true);
    row("a query in the address", {{"base_url", "https://host/v1?key=" + key}}, true);
    row("a path in the address", {{"base_url", "https://host/" + key}}, false);
    row("the name of the model", {{"model", key}}, false);
}

void TestCanary::aTaskFileKeepsNoKey()
{
    QFETCH(QByteArray, model);
    QFETCH(bool, refused);
    json task = json::parse(contentOf(writeTask(m_input.path())).toStdString(), nullptr, false);
    task["model"] = json::parse(model.toStdString(), nullptr, false);
    task["model"]["provider"] = "scripted";
    QFile file(m_input.filePath("c.task.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(task.dump()));
    file.close();
    Workbench workbench;
    const auto read = workbench.loadTask(file.fileName().toStdString());
    QCOMPARE(!read, refused);
    if (refused) {
        QCOMPARE(foundIn(QByteArray::fromStdString(read.error().text())), QByteArray());
        return;
    }
    RunControl control(workbench.clock());
    Heard heard;
    const auto report = workbench.run(*read, {}, control, heard);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QCOMPARE(foundIn(heard.all), QByteArray());
    QVERIFY(heard.all.contains("\"pointer\":\"/task/model/"));
    QCOMPARE(searchFolder(), QByteArray());
}

void TestCanary::theCommandForKeysNeverSaysThem()
{
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    const auto run = [](const QStringList &words, const QByteArray &input, int code) {
        QProcess process;
        process.start(EMEND_CLI, words);
        process.write(input);
        process.closeWriteChannel();
        process.waitForFinished(60'000);
        const QByteArray all = process.readAllStandardOutput() + process.readAllStandardError();
        return process.exitCode() == code && foundIn(all).isEmpty() ? all : "wrong: " + all;
    };
    const QByteArray list = run({"key", "list"}, {}, 0);
    QVERIFY2(list.contains("openai: from the environment (OPENAI_API_KEY)"), list.constData());
    const QByteArray set = run({"key", "set", "gemini"}, canary + "\n", 70);
    QVERIFY2(set.startsWith("emend-cli: the key is not stored"), set.constData());
    QVERIFY(!run({"key", "set", "gemini"}, "\n", 64).startsWith("wrong"));
    QVERIFY(!run({"key", "set", "practice"}, canary, 64).startsWith("wrong"));
    QVERIFY(!run({"key", "get", "openai"}, {}, 64).startsWith("wrong"));
    QCOMPARE(searchFolder(), QByteArray());
}

QTEST_GUILESS_MAIN(TestCanary)
#include "tst_canary.moc"
