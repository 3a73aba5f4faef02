// SPDX-License-Identifier: GPL-3.0-or-later
// Keys with a real keychain (gnome-keyring on a session bus of its own) and without any.
#include <QTest>

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

#include "tools/keys/keystore.h"

using namespace emend;
using namespace emend::tools;

class TestKeyStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void theEnvironmentComesFirst();
    void whatCannotBeSentIsRefused_data();
    void whatCannotBeSentIsRefused();
    void withoutAKeychainAKeyIsForTheSession();
    void aKeychainKeepsAKey();
    void insideASessionWithAKeychain();

private:
    bool m_inside = qEnvironmentVariableIsSet("EMEND_TEST_KEYCHAIN");
};

void TestKeyStore::initTestCase()
{
    if (!m_inside)
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    for (const std::string &provider : KeyStore::providers())
        qunsetenv(KeyStore::variableOf(provider).c_str());
}

void TestKeyStore::theEnvironmentComesFirst()
{
    KeyStore keys("emend-test");
    qputenv("OPENAI_API_KEY", "  from-the-environment\n");
    QCOMPARE(keys.keyOf("openai").value_or(""), std::string("from-the-environment"));
    QVERIFY(keys.sourceOf("openai") == core::KeySource::Environment);
    const auto secrets = keys.knownSecrets();
    QVERIFY(std::count(secrets.begin(), secrets.end(), "from-the-environment") == 1);
    const std::string pwd = qgetenv("PWD").toStdString();
    QCOMPARE(std::count(secrets.begin(), secrets.end(), pwd), 0);
    qputenv("OPENAI_API_KEY", "two\nlines");
    QVERIFY(!keys.keyOf("openai"));
    qunsetenv("OPENAI_API_KEY");
    QCOMPARE(keys.keyOf("practice").value_or("?"), std::string());
}

void TestKeyStore::whatCannotBeSentIsRefused_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("a line break") << QByteArray("abc\ndef") << QByteArray("line break");
    QTest::newRow("a control character") << QByteArray("abc\x01") + "d" << QByteArray("control");
    QTest::newRow("an ellipsis") << QByteArray("sk-abc\xe2\x80\xa6") << QByteArray("ASCII");
}

void TestKeyStore::whatCannotBeSentIsRefused()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, word);
    KeyStore keys("emend-test");
    const auto set = keys.setKey("openai", key.toStdString());
    QVERIFY(!set);
    QVERIFY(set.error().message.find(word.toStdString()) != std::string::npos);
    QVERIFY(set.error().message.find("abc") == std::string::npos);
}

void TestKeyStore::withoutAKeychainAKeyIsForTheSession()
{
    if (m_inside)
        QSKIP("there is a keychain here");
    KeyStore keys("emend-test");
    QVERIFY(!keys.keychainProblem().empty());
    const auto before = keys.revision();
    const auto set = keys.setKey("openai", " session-key \n");
    QVERIFY(!set);
    QVERIFY2(set.error().message.starts_with("the key is kept until Emend ends"),
             set.error().message.c_str());
    QCOMPARE(keys.keyOf("openai").value_or(""), std::string("session-key"));
    QVERIFY(keys.sourceOf("openai") == core::KeySource::Session);
    QVERIFY(keys.revision() != before);
    QVERIFY(!keys.setKey("practice", "x"));
}

void TestKeyStore::aKeychainKeepsAKey()
{
    if (!m_inside)
        QSKIP("runs inside the session of the test below");
    {
        KeyStore keys("emend-test");
        QCOMPARE(keys.keychainProblem(), std::string());
        const auto set = keys.setKey("openai", "kept-in-the-keychain");
        QVERIFY2(set, set ? "" : set.error().message.c_str());
    }
    KeyStore again("emend-test");
    QVERIFY(again.sourceOf("openai") == core::KeySource::Keychain);
    QCOMPARE(again.keyOf("openai").value_or(""), std::string("kept-in-the-keychain"));
    const auto secrets = again.knownSecrets();
    QVERIFY(std::count(secrets.begin(), secrets.end(), "kept-in-the-keychain") == 1);
    QVERIFY(again.setKey("openai", ""));
    QVERIFY(again.sourceOf("openai") == core::KeySource::None);
    QVERIFY(again.setKey("openai", "")); // nothing to remove is no error
}

void TestKeyStore::insideASessionWithAKeychain()
{
    if (m_inside)
        return;
    for (const char *program : {"dbus-run-session", "gnome-keyring-daemon"})
        if (QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty())
            QSKIP("no keychain to test with: dbus-run-session and gnome-keyring-daemon are needed");
    const QTemporaryDir home;
    QDir(home.path()).mkpath(QStringLiteral("run"));
    QFile::setPermissions(home.filePath(QStringLiteral("run")),
                          QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        environment.remove(QString::fromLatin1(name));
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home.filePath(QStringLiteral("run")));
    environment.insert(QStringLiteral("EMEND_TEST_KEYCHAIN"), QStringLiteral("1"));
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral("dbus-run-session"),
                  {QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"),
                   QStringLiteral("printf 'pw\\n' | gnome-keyring-daemon --unlock "
                                  "--components=secrets >/dev/null; exec \"$0\""),
                   QCoreApplication::applicationFilePath()});
    QVERIFY(process.waitForFinished(120'000));
    const QByteArray output = process.readAll();
    QVERIFY2(process.exitCode() == 0, output.constData());
    QVERIFY2(output.contains("PASS   : TestKeyStore::aKeychainKeepsAKey()"), output.constData());
}

QTEST_GUILESS_MAIN(TestKeyStore)
#include "tst_keystore.moc"
