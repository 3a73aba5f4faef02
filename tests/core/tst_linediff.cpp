// SPDX-License-Identifier: GPL-3.0-or-later
// Diffs as people read them.
#include <QTest>

#include "core/base/linediff.h"

using namespace emend::core;

class TestLineDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void diffsAreReadable_data();
    void diffsAreReadable();
};

void TestLineDiff::diffsAreReadable_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("diff");
    QTest::newRow("equal") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << QByteArray();
    QTest::newRow("one line") << QByteArray("a\nb\nc\n") << QByteArray("a\nB\nc\n")
                              << QByteArray("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    QTest::newRow("from nothing") << QByteArray() << QByteArray("a\n")
                                  << QByteArray("@@ -0,0 +1,1 @@\n+a\n");
    QTest::newRow("two hunks") << QByteArray("x\n1\n2\n3\n4\n5\n6\n7\n8\ny\n")
                               << QByteArray("1\n2\n3\n4\n5\n6\n7\n8\nz\n")
                               << QByteArray("@@ -1,4 +1,3 @@\n-x\n 1\n 2\n 3\n"
                                             "@@ -7,4 +6,4 @@\n 6\n 7\n 8\n-y\n+z\n");
}

void TestLineDiff::diffsAreReadable()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, diff);
    QCOMPARE(QByteArray::fromStdString(unifiedDiff(before.toStdString(), after.toStdString())),
             diff);
}

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_linediff.moc"
