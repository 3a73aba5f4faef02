// SPDX-License-Identifier: GPL-3.0-or-later
// Known keys that somebody wrote differently, and what is left of one that was cut.
#undef QT_NO_CAST_FROM_ASCII // JSON texts are plain words here
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/trace/redactor.h"

using namespace emend::core;
using nlohmann::json;

namespace {

const std::string secret = "s3cr3t/canary+value==42";

std::shared_ptr<const Redactor> made(const std::string &key = secret)
{
    return Redactor::make({key}, {}).value_or(nullptr);
}

std::string redacted(std::string line, const Redactor &redactor)
{
    redactor.redactLine(line);
    return line;
}

std::string percent(const std::string &text)
{
    return QByteArray::fromStdString(text).toPercentEncoding().toStdString();
}

// `text` with `between` after each of its bytes but the last.
std::string spread(const std::string &text, const std::string &between)
{
    std::string out;
    for (const char c : text)
        out += (out.empty() ? "" : between) + c;
    return out;
}

// Each byte of `text` as a number between two texts.
std::string eachAs(const std::string &before, const std::string &text,
                   const std::string &after = {}, int base = 16)
{
    std::string out;
    for (const char c : text)
        out +=
            before + QByteArray::number(static_cast<unsigned char>(c), base).toStdString() + after;
    return out;
}

std::string inCapitals(const std::string &text)
{
    return QByteArray::fromStdString(text).toUpper().toStdString();
}

std::string halvesWith(const std::string &between)
{
    return secret.substr(0, 11) + between + secret.substr(11);
}

} // namespace

class TestSecretNeedle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aKnownKeyInDisguise_data();
    void aKnownKeyInDisguise();
    void aCutKeyIsFound_data();
    void aCutKeyIsFound();
    void shortPiecesOfAKeyAreKept();
    void aDisguisedKeyInPiecesIsHeldBack();
};

void TestSecretNeedle::aKnownKeyInDisguise_data()
{
    QTest::addColumn<QByteArray>("form");
    const auto row = [](const char *name, const std::string &form) {
        QTest::newRow(name) << QByteArray::fromStdString(form);
    };
    const std::string base = base64("x" + secret + "y");
    row("capitals", inCapitals(secret));
    row("hexadecimal", eachAs("", secret));
    row("hexadecimal, capitals", inCapitals(eachAs("", secret)));
    row("hexadecimal, spaced", eachAs("", secret, " "));
    row("zero-width spaces", spread(secret, "\u200b"));
    row("soft hyphens", spread(secret, "\u00ad"));
    row("spaces", spread(secret, " "));
    row("a line end", halvesWith("\n"));
    row("a line end and an indent", halvesWith("\\\r\n" + std::string(60, ' ')));
    row("a line end early on", secret.substr(0, 3) + "\n" + secret.substr(3));
    row("\\x", eachAs("\\x", secret));
    row("\\u", eachAs("\\u00", secret));
    row("\\u in JSON in JSON", json("\"" + eachAs("\\u00", secret) + "\"").dump());
    row("decimal entities", eachAs("&#", secret, ";", 10));
    row("hexadecimal entities", eachAs("&#x", secret, ";"));
    row("percent of percent of percent", percent(percent(eachAs("%", secret))));
    row("two texts joined", halvesWith("\" + \""));
    row("two texts joined over two lines", halvesWith("\" +\n        \""));
    row("bold in the middle", halvesWith("**"));
    row("other dashes", halvesWith("\u2011"));
    row("base64 in lines", base.substr(0, 14) + "\n" + base.substr(14));
    row("without its last letters", secret.substr(0, secret.size() - 4));
    row("without its first letters", secret.substr(4));
}

void TestSecretNeedle::aKnownKeyInDisguise()
{
    QFETCH(QByteArray, form);
    const std::string text = form.toStdString();
    const std::string head = "you wrote that it begins so: ", tail = ", and this is the rest of it";
    const auto redactor = made();
    const std::string line = redacted(json{{"output", head + text + tail}}.dump(), *redactor);
    QCOMPARE(redacted(line, *redactor), line);
    const json out = json::parse(line, nullptr, false);
    const std::string kept = out["output"].get<std::string>();
    QVERIFY2(kept.starts_with(head) && kept.ends_with(tail), kept.c_str());
    QVERIFY2(kept.find("[redacted]") != kept.npos && kept.size() < head.size() + tail.size() + 20,
             kept.c_str());
    QCOMPARE(out["redactions"][0]["rule"].get<std::string>(), std::string("known_value"));
    QVERIFY(redactor->redactText(head + text + tail).find("[redacted]") != std::string::npos);
    // and as a name
    const json named =
        json::parse(redacted(json{{text, 1}, {"n", 2}}.dump(), *redactor), nullptr, false);
    QVERIFY2(!named.contains(text), text.c_str());
}

void TestSecretNeedle::aCutKeyIsFound_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("form");
    const auto row = [](const char *name, const std::string &key, const std::string &form) {
        QTest::newRow(name) << QByteArray::fromStdString(key) << QByteArray::fromStdString(form);
    };
    const std::string lengthy = "sk-proj-" + base64("a made-up key, that is as long as some are");
    row("as it is", secret, secret);
    row("of few letters", "abcdefghi", "abcdefghi");
    row("long", lengthy, lengthy);
    row("in capitals", secret, inCapitals(secret));
    row("percent-encoded", secret, inCapitals(eachAs("%", secret)));
    row("\\u", secret, eachAs("\\u00", secret));
    row("hexadecimal", secret, eachAs("", secret));
    row("base64", secret, base64(secret));
    row("base64, shifted", secret, base64("x" + secret));
}

// However a text is cut, less than a third of a key is left, or less than eight letters and digits.
void TestSecretNeedle::aCutKeyIsFound()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, form);
    const auto redactor = made(key.toStdString());
    const std::string text = form.toStdString();
    const auto keySize = static_cast<std::size_t>(key.size());
    const std::size_t scale = (text.size() + keySize - 1) / keySize;
    // Signs do not count in a key in disguise, nor does an escape that is cut.
    const std::size_t margin = text == key.toStdString() ? 0 : 3;
    const std::size_t enough = scale * (std::clamp<std::size_t>((keySize + 2) / 3, 8, 20) + margin);
    const std::string before = "it goes as far as what follows: ";
    for (std::size_t size = enough; size < text.size(); ++size) {
        const std::string head = text.substr(0, size), tail = text.substr(text.size() - size);
        for (const std::string &cut :
             {before + head, before + head + "…", before + head + "...\" and so on, and on",
              before + head + "\n[… shortened: 99 characters left out here …]\n and more", tail,
              "…" + tail + " and so on, and on",
              "and [… shortened: 99 characters left out here …]\n" + tail + " and so on"}) {
            const std::string kept = redactor->redactText(cut);
            QVERIFY2(kept.find("[redacted]") != kept.npos, (cut + "\n" + kept).c_str());
            QCOMPARE(redactor->redactText(kept), kept);
            const std::string line = redacted(json{{"x", cut}}.dump(), *redactor);
            QVERIFY2(line.find("[redacted]") != line.npos, (cut + "\n" + line).c_str());
        }
    }
}

void TestSecretNeedle::shortPiecesOfAKeyAreKept()
{
    const auto redactor = made();
    for (const std::string &text :
         {secret.substr(0, 7), secret.substr(0, 6) + "…", "…" + secret.substr(secret.size() - 7),
          "the " + secret.substr(0, 11) + " is in the middle of a text",
          std::string("a canary of value 42 is no secret")})
        QCOMPARE(redactor->redactText(text), text);
}

void TestSecretNeedle::aDisguisedKeyInPiecesIsHeldBack()
{
    const auto redactor = made();
    const std::string upper = inCapitals(secret);
    for (std::size_t size = 1; size < upper.size(); ++size)
        QVERIFY(redactor->heldBack("ab " + upper.substr(0, size)) >= size);
    QCOMPARE(redactor->heldBack("ab " + spread(secret.substr(0, 9), "\u00ad")), 9U + 8U * 2U);
}

QTEST_GUILESS_MAIN(TestSecretNeedle)
#include "tst_secretneedle.moc"
