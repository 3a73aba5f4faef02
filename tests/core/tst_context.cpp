// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/context/context.h"
#include "core/loop/references.h"

using namespace emend::core;
using nlohmann::json;

namespace {

Context filled(int steps, const std::string &output, ContextLimits limits = {})
{
    Context context(limits);
    context.setSystem("SYSTEM");
    context.setRequest("REQUEST");
    for (int i = 1; i <= steps; ++i) {
        const std::string n = std::to_string(i);
        context.addDecision(i, "decision" + n);
        context.addObservation(i, "<observation step=\"" + n + "\">", output + n, "</observation>");
    }
    context.setTurn("TURN");
    return context;
}

std::string all(const Context::Request &request)
{
    std::string out;
    for (const Message &message : request.messages)
        out += message.text + "\n";
    return out;
}

bool has(const Context::Request &request, const std::string &text)
{
    return all(request).find(text) != std::string::npos;
}

} // namespace

class TestContext : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void belowSixtyPercentNothingChanges();
    void levelsAreTakenInOrder_data();
    void levelsAreTakenInOrder();
    void criticalIsNeverDropped();
    void aLongToolOutputKeepsHeadAndTail();
    void messagesAreWrittenOnceAndThenNamed();
    void lastNumbersAreFound_data();
    void lastNumbersAreFound();
};

void TestContext::belowSixtyPercentNothingChanges()
{
    Context context = filled(3, "a   b\n\n\nc");
    const auto request = context.assemble();
    QVERIFY(has(request, "a   b\n\n\nc1"));
    const json usage = json::parse(request.usageJson);
    QVERIFY(usage["dropped"].empty() && usage["shortened"].empty() && usage["compressed"].empty());
}

void TestContext::levelsAreTakenInOrder_data()
{
    QTest::addColumn<int>("percent");
    QTest::addColumn<bool>("compressed");
    QTest::addColumn<bool>("shortened");
    QTest::addColumn<bool>("dropped");
    QTest::newRow("55 %") << 55 << false << false << false;
    QTest::newRow("70 %") << 70 << true << false << false;
    QTest::newRow("130 %, of little words") << 130 << true << true << true;
}

void TestContext::levelsAreTakenInOrder()
{
    QFETCH(int, percent);
    QFETCH(bool, compressed);
    QFETCH(bool, shortened);
    QFETCH(bool, dropped);
    // twelve observations of 1,500 characters each, some of it white space
    ContextLimits limits;
    const std::string output = std::string(80, ' ') + std::string(1700, 'w');
    const std::int64_t content = 12 * (1780 / 4 + 15);
    limits.tokensIn = content * 100 / percent + limits.keptForReply + limits.safety;
    Context context = filled(12, output, limits);
    const auto request = context.assemble();
    const json usage = json::parse(request.usageJson);
    QCOMPARE(!usage["compressed"].empty(), compressed);
    QCOMPARE(!usage["shortened"].empty(), shortened);
    QCOMPARE(!usage["dropped"].empty(), dropped);
    QVERIFY(request.fits);
    QVERIFY(request.tokens <= limits.usable());
    // the newest observation is there, the oldest goes first, and never half a pair
    QVERIFY(has(request, "decision12"));
    for (int step = 1; step <= 12; ++step) {
        const std::string n = std::to_string(step);
        bool decision = false, observation = false;
        for (const Message &message : request.messages) {
            decision = decision || message.text == "decision" + n;
            observation =
                observation || message.text.starts_with("<observation step=\"" + n + "\">");
        }
        QCOMPARE(decision, observation);
        const auto &gone = usage["dropped"];
        QCOMPARE(decision, std::find(gone.begin(), gone.end(), step) == gone.end());
    }
    if (dropped)
        QVERIFY(has(request, "Earlier steps, left out"));
}

void TestContext::criticalIsNeverDropped()
{
    ContextLimits limits;
    limits.tokensIn = 2100; // 100 usable
    Context context = filled(10, std::string(5000, 'x'), limits);
    context.setCorrection("CORRECTION");
    auto request = context.assemble();
    for (const char *text : {"SYSTEM", "REQUEST", "CORRECTION", "TURN"})
        QVERIFY2(has(request, text), text);
    context.setCorrection(std::string(1000, 'c'));
    request = context.assemble();
    QVERIFY(!request.fits);
    QVERIFY(has(request, std::string(1000, 'c')));
}

void TestContext::aLongToolOutputKeepsHeadAndTail()
{
    std::string output = "HEAD";
    for (int i = 0; i < 100'000; ++i)
        output += "é";
    Context context = filled(1, output + "TAIL");
    const auto request = context.assemble();
    QVERIFY(has(request, "HEAD") && has(request, "TAIL1</observation>"));
    QVERIFY(has(request, "100009 characters in full"));
    QVERIFY(request.fits);
    QCOMPARE(firstInvalidUtf8(all(request)), std::string::npos);
}

void TestContext::messagesAreWrittenOnceAndThenNamed()
{
    Context context = filled(2, "out");
    json messages = json::parse(context.assemble().messagesJson);
    QCOMPARE(messages.size(), 7U);
    QCOMPARE(messages[0]["id"].dump(), "1");
    context.setTurn("NEXT");
    const auto request = context.assemble();
    messages = json::parse(request.messagesJson);
    QCOMPARE(messages.dump(), R"([1,2,3,4,5,6,{"id":8,"role":"user","text":"NEXT"}])");
    QCOMPARE(request.messages.size(), messages.size());
}

void TestContext::lastNumbersAreFound_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("number");
    const auto row = [](const char *text, const char *number) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(number);
    };
    row("Delhi: clear, 31 °C", "31");
    row("−12.5 °C", "-12.5");
    row("(-3)", "-3");
    row("a-3", "3");
    row("1.5e-7", "1.5e-7");
    row("x = 2E10.", "2E10");
    row("1, 2 and 3.25", "3.25");
    row("none", "");
    row("v1.2.3", "");
    row("3 of v1.2.3", "3");
    row(".5", "0.5");
    row("-.5", "-0.5");
    row("1,234.5", "1234.5");
    row("in 2024, 365 days", "365");
    row("12,34", "34");
    row("x86 has 2", "2");
    row("31°C", "31");
    row("42", "42");
}

void TestContext::lastNumbersAreFound()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, number);
    QCOMPARE(lastNumber(text.toStdString()).value_or(""), number.toStdString());
}

QTEST_GUILESS_MAIN(TestContext)
#include "tst_context.moc"
