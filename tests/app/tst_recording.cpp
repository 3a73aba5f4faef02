// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that somebody changed or cut, and the care that is taken of them.
#undef QT_NO_CAST_FROM_ASCII // plain words all over
#include <filesystem>

#include "tests/app/recordingtest.h"
#include "tools/trace/sha256.h"

using namespace emend::core;
using namespace emend::fakes;

namespace {

// As one who knows the format would: with the hash that fits again.
std::string resealed(const std::string &trace)
{
    const std::size_t last = trace.rfind('\n', trace.size() - 2) + 1;
    emend::tools::Sha256 hash;
    hash.add(std::string_view(trace).substr(0, last));
    const std::size_t at = trace.find("\"sha256\":\"", last) + 10;
    return trace.substr(0, at) + hash.hex() + trace.substr(at + 64);
}

} // namespace

class TestRecording : public RecordingTest {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { qunsetenv("XDG_CONFIG_HOME"); }

    void nothingWritesOverWhatItPlays_data();
    void nothingWritesOverWhatItPlays();
    void theEngineItselfDoesNot();
    void eachMemberIsCompared_data();
    void eachMemberIsCompared();
    void damageIsSaidFirstAndIsNotTheSame_data();
    void damageIsSaidFirstAndIsNotTheSame();
    void aCutRecordingIsComparedAsFarAsItGoes();
};

void TestRecording::nothingWritesOverWhatItPlays_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("out");
    const QStringList replay = {"replay", "a.trace.jsonl"};
    const QStringList fork = {"fork", "a.trace.jsonl", "--step", "2"};
    const QStringList other = fork + QStringList{"--recording", "b.trace.jsonl"};
    QTest::newRow("replay") << replay << "a.trace.jsonl";
    QTest::newRow("replay, another path") << replay << "./x/../a.trace.jsonl";
    QTest::newRow("replay, a symbolic link") << replay << "soft.trace.jsonl";
    QTest::newRow("replay, a hard link") << replay << "hard.trace.jsonl";
    QTest::newRow("fork") << fork << "a.trace.jsonl";
    QTest::newRow("fork, the other recording") << other << "b.trace.jsonl";
    QTest::newRow("fork, the third of several")
        << QStringList{"fork", "k-3.trace.jsonl", "--times", "3"} << "k.trace.jsonl";
    QTest::newRow("the provider") << QStringList{"run", "r.task.json"} << "a.trace.jsonl";
}

void TestRecording::nothingWritesOverWhatItPlays()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, out);
    record(task({sum, finalReply("2")}));
    const std::string before = read("a.trace.jsonl");
    std::error_code error;
    std::filesystem::create_directory(path("x"), error);
    std::filesystem::copy_file(path("a.trace.jsonl"), path("b.trace.jsonl"), error);
    std::filesystem::copy_file(path("a.trace.jsonl"), path("k-3.trace.jsonl"), error);
    std::filesystem::create_symlink(path("a.trace.jsonl"), path("soft.trace.jsonl"), error);
    std::filesystem::create_hard_link(path("a.trace.jsonl"), path("hard.trace.jsonl"), error);
    QVERIFY(!error);
    write("r.task.json", json{{"emend", "task"},
                              {"version", 1},
                              {"goal", "the goal"},
                              {"model", {{"provider", "replay"}, {"recording", "a.trace.jsonl"}}},
                              {"tools", {"calculator", "get_time", "weather"}}}
                             .dump());
    for (QString &argument : arguments)
        if (argument.endsWith(".jsonl") || argument.endsWith(".task.json"))
            argument = m_folder->filePath(argument);
    QByteArray said;
    QCOMPARE(cli(arguments + QStringList{"--trace", m_folder->filePath(out)}, &said), 65);
    QVERIFY2(said.contains("this is the recording that is played"), said.constData());
    for (const char *name : {"a.trace.jsonl", "b.trace.jsonl", "k-3.trace.jsonl"})
        QCOMPARE(read(name), before);
    QVERIFY(!QFile::exists(m_folder->filePath("k-1.trace.jsonl")));
    // and beside it, all is well
    QCOMPARE(cli(arguments + QStringList{"--trace", m_folder->filePath("new.trace.jsonl")}), 0);
}

void TestRecording::theEngineItselfDoesNot()
{
    record(task({sum, finalReply("2")}));
    const std::string before = read("a.trace.jsonl");
    Watcher watcher;
    RunControl control(m_workbench->clock());
    auto changed = m_workbench->taskOfTrace(path("a.trace.jsonl"));
    QVERIFY(changed);
    QVERIFY(!m_workbench->replay(path("a.trace.jsonl"), path("a.trace.jsonl"), control, watcher));
    QVERIFY(!m_workbench->fork({path("a.trace.jsonl"), 2}, *changed, path("a.trace.jsonl"), control,
                               watcher));
    changed->model.provider = "replay";
    changed->model.recording = "a.trace.jsonl";
    QVERIFY(!m_workbench->run(*changed, path("a.trace.jsonl"), control, watcher));
    QCOMPARE(read("a.trace.jsonl"), before);
    QVERIFY(watcher.events.empty());
}

void TestRecording::eachMemberIsCompared_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("what");
    const auto row = [](const char *kind, const char *from, const char *to, const char *what) {
        QTest::addRow("%s %s", kind, from)
            << QByteArray(kind) << QByteArray(from) << QByteArray(to) << QByteArray(what);
    };
    row("run.finished", R"("satisfied":true)", R"("satisfied":false)",
        R"("satisfied" of run.finished differs: recorded false, now true)");
    row("run.finished", R"("final_summary":"2")", R"("final_summary":"3")",
        R"("final_summary" of run.finished differs: recorded "3", now "2")");
    row("run.finished", R"("missing":[])", R"("missing":["x"])", R"(recorded ["x"], now [])");
    row("run.finished", R"("reason":"final")", R"("reason":"x")", R"("reason" of run.finished)");
    for (const char *total :
         {"model_calls", "model_requests", "tool_executions", "actions", "corrections"})
        row("run.finished", ("\"" + std::string(total) + "\":").c_str(),
            ("\"" + std::string(total) + "\":7").c_str(), total);
    row("run.finished", R"("tokens_in":)", R"("tokens_in":1)", "totals/tokens_in");
    row("run.finished", R"("cost_usd":0)", R"("cost_usd":7)", "recorded 7");
    row("decision.accepted", R"("satisfied":true)", R"("satisfied":false)",
        R"("satisfied" of decision.accepted in step 2 differs: recorded false, now true)");
    row("decision.accepted", R"("expression":"1+1")", R"("expression":"1+2")",
        R"("tool_input" of decision.accepted in step 1)");
    row("tool.started", R"("expression":"1+1")", R"("expression":"1+2")",
        R"("tool_input" of tool.started in step 1)");
    row("decision.rejected", R"("column":1)", R"("column":2)", "recorded 2, now 1");
    row("correction.requested", R"("feedback":")", R"("feedback":"x)",
        R"("feedback" of correction.requested in step 1)");
    row("correction.resolved", R"("resolved":true)", R"("resolved":false)",
        R"("resolved" of correction.resolved)");
}

void TestRecording::eachMemberIsCompared()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, what);
    record(task({{{"text", "oops"}}, sum, finalReply("2")}));
    std::string text = read("a.trace.jsonl");
    std::size_t at = text.find("\"kind\":\"" + kind.toStdString());
    QVERIFY(at != std::string::npos);
    while (text.find(from.toStdString(), at) > text.find('\n', at)) // the next of its kind
        at = text.find("\"kind\":\"" + kind.toStdString(), at + 1);
    at = text.find(from.toStdString(), at);
    QVERIFY2(at != std::string::npos, text.c_str());
    text.replace(at, static_cast<std::size_t>(from.size()), to.toStdString());
    write("a.trace.jsonl", resealed(text));
    Watcher watcher;
    const auto difference = replay(watcher);
    QVERIFY(watcher.problems.empty()); // nothing else gives it away
    QVERIFY(difference);
    QVERIFY2(difference->what.find(what.toStdString()) != std::string::npos,
             difference->what.c_str());
    QVERIFY(difference->seq > 0);
    QCOMPARE(cli({"replay", m_folder->filePath("a.trace.jsonl"), "--quiet"}), 13);
}

void TestRecording::damageIsSaidFirstAndIsNotTheSame_data()
{
    QTest::addColumn<int>("how");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("another hash") << 0 << QByteArray("SHA-256");
    QTest::newRow("a gap") << 1 << QByteArray("events are missing before this one");
    QTest::newRow("no JSON") << 2 << QByteArray("a line is not a JSON object");
    QTest::newRow("after the end") << 3 << QByteArray("an event stands after run.finished");
    QTest::newRow("an altered reply with the hash it had") << 4 << QByteArray("SHA-256");
}

void TestRecording::damageIsSaidFirstAndIsNotTheSame()
{
    QFETCH(int, how);
    QFETCH(QByteArray, words);
    record(task({sum, finalReply("2")}));
    std::string text = read("a.trace.jsonl");
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
    if (how == 0) {
        const std::size_t at = text.find("\"sha256\":\"", last) + 10;
        text[at] = text[at] == '0' ? '1' : '0';
    } else if (how == 1) { // numbers of which one is left out
        const std::string from = text.substr(last, text.find(',', last) - last);
        text = resealed(text.replace(last, from.size(), "{\"seq\":99"));
    } else if (how == 2) {
        text = resealed(text.insert(last, "no JSON\n"));
    } else if (how == 3) {
        text += "{\"seq\":98,\"t_us\":1,\"kind\":\"tool.started\",\"tool\":\"x\"}\n";
    } else {
        const std::size_t at = text.find("\"duration_us\":") + 14;
        text.insert(at, "1");
    }
    write("a.trace.jsonl", text);
    Watcher watcher;
    const auto difference = replay(watcher);
    QVERIFY(watcher.problemsAtBegin >= 1U);
    QVERIFY2(watcher.problems.front().find(words.toStdString()) != std::string::npos,
             watcher.problems.front().c_str());
    QVERIFY(difference);
    QVERIFY2(difference->what.starts_with("the recording is damaged: " + watcher.problems.front()),
             difference->what.c_str());
    QByteArray said;
    QCOMPARE(cli({"replay", m_folder->filePath("a.trace.jsonl"), "--trace",
                  m_folder->filePath("c.trace.jsonl")},
                 &said),
             13);
    const auto first = said.indexOf(words), start = said.indexOf("the goal");
    QVERIFY2(first >= 0 && (start < 0 || first < start), said.constData());
    QVERIFY2(said.contains("differs: the recording is damaged"), said.constData());
}

void TestRecording::aCutRecordingIsComparedAsFarAsItGoes()
{
    record(task({sum, finalReply("2")}));
    const std::string text = read("a.trace.jsonl");
    write("a.trace.jsonl", text.substr(0, text.size() - 20));
    Watcher watcher;
    auto difference = replay(watcher);
    QVERIFY(difference);
    QVERIFY2(difference->what.find("the recorded run was cut") != std::string::npos &&
                 difference->what.find("damaged") == std::string::npos,
             difference->what.c_str());
    QCOMPARE(watcher.problemsAtBegin, 1U);
    // what is there still counts
    std::string altered = text.substr(0, text.size() - 20);
    const std::size_t at = altered.find("\"try\":1");
    write("a.trace.jsonl", altered.replace(at, 7, "\"try\":2"));
    difference = replay(watcher);
    QVERIFY(difference);
    QVERIFY2(difference->what.find("\"try\" of tool.started") != std::string::npos,
             difference->what.c_str());
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
