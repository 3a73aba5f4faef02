// SPDX-License-Identifier: GPL-3.0-or-later
// Where a text is shortened, no piece of a key is left of it.
#undef QT_NO_CAST_FROM_ASCII // arguments and names are plain words here
#include <QTest>

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/settings.h"
#include "core/contract/feedback.h"
#include "core/trace/redactor.h"
#include "tests/app/canary.h"
#include "tests/tools/loopbackserver.h"
#include "tools/clock/steadyclock.h"
#include "tools/http/httpclient.h"
#include "tools/provider/net/classify.h"

using namespace emend::app;
using namespace emend::core;
using nlohmann::json;

namespace {

// A piece of the key of `size` bytes that is in `bytes`; empty: there is none.
QByteArray pieceIn(const QByteArray &bytes, qsizetype size)
{
    for (qsizetype at = 0; at + size <= canary.size(); ++at)
        if (bytes.contains(canary.mid(at, size)))
            return canary.mid(at, size);
    return {};
}

} // namespace

class TestCanaryCut : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void aServersWordsAreShortenedWithoutTheKey_data();
    void aServersWordsAreShortenedWithoutTheKey();
    void anErrorHoldsNoPieceOfTheKey_data();
    void anErrorHoldsNoPieceOfTheKey();
    void aCorrectionHoldsNoPieceOfTheKey();
    void aRunOfCorrectionsHoldsNoPieceOfTheKey();

private:
    QTemporaryDir m_folder;
};

void TestCanaryCut::init()
{
    qputenv("OPENAI_API_KEY", canary);
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, m_folder.filePath(name).toUtf8());
}

void TestCanaryCut::aServersWordsAreShortenedWithoutTheKey_data()
{
    QTest::addColumn<QByteArray>("form");
    QTest::newRow("as it is") << canary;
    QTest::newRow("percent-encoded") << canary.toPercentEncoding();
    QTest::newRow("base64") << canary.toBase64();
    QTest::newRow("hexadecimal") << canary.toHex();
    QTest::newRow("in capitals") << canary.toUpper();
}

// Wherever the key stands around the lengths at which something is cut.
void TestCanaryCut::aServersWordsAreShortenedWithoutTheKey()
{
    QFETCH(QByteArray, form);
    constexpr qsizetype shortest = 6; // pieces of the key
    emend::tools::Asked asked;
    asked.provider = "openai";
    asked.key = canary.toStdString();
    for (const int limit : {300, 1024, 4096})
        for (qsizetype before = limit - form.size() - 4; before < limit + 4; ++before) {
            const QByteArray text = "wrong key " + QByteArray(before - 10, 'x') + form + " it is";
            emend::tools::HttpResponse response;
            response.status = 400;
            response.body = text.toStdString();
            for (const std::string &words :
                 {emend::tools::serverWords(asked, text.toStdString()),
                  emend::tools::notAReply(asked, text.toStdString()).message,
                  emend::tools::classifyStatus(asked, response, {}).message}) {
                QVERIFY2(words.find("wrong key") != words.npos, words.c_str());
                for (qsizetype at = 0; at + shortest <= form.size(); ++at)
                    QVERIFY2(!words.ends_with(form.mid(at, shortest).toStdString()) &&
                                 words.find(form.mid(at, shortest).toStdString()) == words.npos,
                             words.c_str());
            }
        }
}

void TestCanaryCut::anErrorHoldsNoPieceOfTheKey_data()
{
    QTest::addColumn<QByteArray>("reply");
    const auto row = [](const char *name, const QByteArray &reply) {
        QTest::newRow(name) << reply;
    };
    for (const int limit : {300, 1024}) {
        const QByteArray text = QByteArray(limit - canary.size() + 2, 'x') + canary;
        const QByteArray at = " at " + QByteArray::number(limit);
        row("in an error" + at, LoopbackServer::reply(401, "{\"error\":{\"message\":\"" + text +
                                                               "\",\"code\":\"c\"}}"));
        row("in a text" + at, LoopbackServer::reply(500, text));
        row("in garbage" + at,
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: {" + text + "\n\n");
        row("in a page" + at, LoopbackServer::reply(200, "<title>" + text + "</title>"));
        row("in a redirect" + at,
            LoopbackServer::reply(302, "", "Location: http://h/" + text + "\r\n"));
        row("in JSON that is cut" + at, LoopbackServer::reply(200, "{\"x\":\"" + text));
    }
}

void TestCanaryCut::anErrorHoldsNoPieceOfTheKey()
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
    QVERIFY(server.requests().value(0).contains("Authorization: Bearer " + canary));
    QVERIFY(heard.all.contains("xxx")); // the server's words are told
    constexpr qsizetype shortest = 6;
    QCOMPARE(pieceIn(heard.all, shortest), QByteArray());
    emend::tools::HttpClient http;
    emend::tools::SteadyClock clock;
    const auto connection = Settings(http, clock).testConnection(task.model, {});
    QVERIFY(!connection.ok);
    QCOMPARE(pieceIn(QByteArray::fromStdString(connection.summary), shortest), QByteArray());
}

// The feedback itself goes to the model, which wrote the text; what is kept of it is redacted.
void TestCanaryCut::aCorrectionHoldsNoPieceOfTheKey()
{
    const auto redactor = Redactor::make({canary.toStdString()}, {}).value();
    Rejection rejection;
    for (int before = 1960; before < 2010; ++before) {
        const QByteArray reply = QByteArray(before, 'x') + canary + QByteArray(20, 'y');
        rejection.error = reply.mid(1000).toStdString();
        const std::string text = correctionFeedback(rejection, reply.toStdString(), 1, 2);
        QVERIFY(text.find("…") != text.npos);
        std::string line = json{{"seq", 1}, {"messages", {{{"text", text}}}}}.dump();
        redactor->redactLine(line);
        QCOMPARE(pieceIn(QByteArray::fromStdString(line), 8), QByteArray());
    }
}

void TestCanaryCut::aRunOfCorrectionsHoldsNoPieceOfTheKey()
{
    json replies = json::array();
    for (const int before : {1970, 1980, 1985, 1990})
        replies.push_back({{"text", std::string(static_cast<std::size_t>(before), 'x') +
                                        canary.toStdString() + std::string(20, 'y')}});
    const json final = {{"state", "final"}, {"satisfied", true}, {"final_summary", "done"}};
    replies.push_back({{"text", final.dump()}});
    QFile file(m_folder.filePath("cut.scenario.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(
        json{{"emend", "scenario"}, {"version", 1}, {"replies", replies}}.dump()));
    file.close();
    Task task;
    task.goal = "g";
    task.model.provider = "scripted";
    task.scenarioFile = file.fileName().toStdString();
    task.bounds.maxCorrections = 4;
    Workbench workbench;
    RunControl control(workbench.clock());
    Heard heard;
    const auto report = workbench.run(task, {}, control, heard);
    QVERIFY2(report, report ? "" : report.error().text().c_str());
    QCOMPARE(heard.all.count("\"kind\":\"model.replied\""), 5);
    QVERIFY(heard.all.contains("<correction"));
    QCOMPARE(pieceIn(heard.all, 8), QByteArray());
    QCOMPARE(pieceIn(contentOf(QString::fromStdString(report->traceFile)), 8), QByteArray());
}

QTEST_GUILESS_MAIN(TestCanaryCut)
#include "tst_canarycut.moc"
