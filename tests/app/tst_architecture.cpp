// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows of the layers: app → ui, tools → core. Read from the includes of the sources.
#undef QT_NO_CAST_FROM_ASCII // layer names are plain words here
#include <QTest>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

namespace {

const QString source = QStringLiteral(EMEND_SOURCE_DIR);

QStringList sourcesOf(const QString &layer)
{
    QStringList files;
    QDirIterator it(source + QLatin1Char('/') + layer,
                    {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext())
        files << it.next();
    return files;
}

QStringList lines(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
}

} // namespace

class TestArchitecture : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void includesFollowTheArrows_data();
    void includesFollowTheArrows();
    void coreHasNoThreadsAndNoFiles();
    void everyFileSaysItsLicence();
};

void TestArchitecture::includesFollowTheArrows_data()
{
    QTest::addColumn<QString>("layer");
    QTest::addColumn<QString>("forbidden"); // what an include may not begin with
    QTest::newRow("core") << "core"
                          << "^(<Q|<simdjson|\"(tools|ui|app|tests)/)";
    QTest::newRow("tools")
        << "tools"
        << "^(<Q(Widget|Application|MainWindow|Dialog|Painter)|\"(ui|app|tests)/)";
    QTest::newRow("ui") << "ui"
                        << "^(\"(tools|app|tests)/|<QNetwork|<QSql|<QProcess|<simdjson)";
    QTest::newRow("app") << "app"
                         << "^\"tests/";
}

void TestArchitecture::includesFollowTheArrows()
{
    QFETCH(QString, layer);
    QFETCH(QString, forbidden);
    const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*(.*)$"));
    const QRegularExpression wrong(forbidden);
    const QStringList files = sourcesOf(layer);
    QVERIFY(!files.isEmpty());
    for (const QString &file : files) {
        for (const QString &line : lines(file)) {
            const auto match = include.match(line);
            if (match.hasMatch() && wrong.match(match.captured(1)).hasMatch())
                QFAIL(qPrintable(file + QStringLiteral(": ") + line));
        }
    }
}

void TestArchitecture::coreHasNoThreadsAndNoFiles()
{
    const QRegularExpression wrong(QStringLiteral("std::j?thread\\b|std::async|<(thread|future|"
                                                  "fstream|iostream|filesystem|cstdio|unistd\\.h)>"
                                                  "|\\bfopen\\("));
    const QStringList files = sourcesOf(QStringLiteral("core"));
    for (const QString &file : files) {
        // snprintf is no I/O
        const bool formats = file.endsWith(QStringLiteral("base/text.cpp"));
        for (const QString &line : lines(file)) {
            const bool found = wrong.match(line).hasMatch();
            QVERIFY2(!found || (formats && line.contains(QStringLiteral("<cstdio>"))),
                     qPrintable(file + QStringLiteral(": ") + line));
        }
    }
}

void TestArchitecture::everyFileSaysItsLicence()
{
    for (const char *layer : {"core", "tools", "ui", "app", "tests"}) {
        for (const QString &file : sourcesOf(QLatin1String(layer)))
            QVERIFY2(lines(file).value(0) ==
                         QStringLiteral("// SPDX-License-Identifier: GPL-3.0-or-later"),
                     qPrintable(file));
    }
}

QTEST_GUILESS_MAIN(TestArchitecture)
#include "tst_architecture.moc"
