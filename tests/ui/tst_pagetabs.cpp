// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of runs, and what a run that has ended offers.
#include <QDateTime>
#include <QDialog>
#include <QFile>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/fakeengine.h"
#include "ui/run/runview.h"
#include "ui/shell/background.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/settings.h"

using namespace Qt::StringLiterals;
using namespace emend;
using namespace emend::ui;

namespace {

// Traces that began when they are told to.
class TraceEngine : public test::FakeEngine {
public:
    ~TraceEngine() override { Background::waitForAll(); } // they use it
    std::string startedAt;
    std::string outcome = "satisfied";

    core::Result<void>
    readTrace(const std::string &, std::stop_token,
              const std::function<void(std::string)> &onHeader,
              const std::function<void(std::vector<core::Event>)> &onEvents) const override
    {
        onHeader(
            R"({"emend":"trace","version":1,"run_id":"r-17","started_at":")" + startedAt +
            R"(","task":{"name":"Weather & more, said at some length","goal":"Look <b>up</b>"}})");
        onEvents(
            {core::stamp(test::draft(core::EventKind::RunStarted, 0, -1, {}), 1, 1),
             core::stamp(test::draft(core::EventKind::ModelRequested, 1, 0, R"("call":1)"), 2, 2),
             core::stamp(test::draft(core::EventKind::RunFinished, 0, -1,
                                     R"("outcome":")" + outcome + R"(","reason":"final")"),
                         3, 3)});
        return {};
    }
};

} // namespace

class TestPageTabs : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString trace(const QString &name) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write("{\"emend\":\"trace\"}\n") < 0)
            qFatal("cannot write a trace");
        return file.fileName();
    }
    static QTabWidget *tabsOf(const MainWindow &window)
    {
        return window.findChild<QTabWidget *>(u"tabs"_s);
    }
    static RunView *open(MainWindow &window, const QString &path)
    {
        window.openFile(path);
        auto *view = qobject_cast<RunView *>(tabsOf(window)->currentWidget());
        return view && QTest::qWaitFor([view] { return view->state() > RunState::Stopping; })
                   ? view
                   : nullptr;
    }

private Q_SLOTS:
    void init() { settings().clear(); }

    void theTabOfARunTellsWhatWhenAndWhatCameOfIt()
    {
        TraceEngine engine;
        const QDateTime began(QDate::currentDate(), QTime(14, 3));
        engine.startedAt = began.toUTC().toString(Qt::ISODateWithMs).toStdString();
        MainWindow window(engine);
        window.show();
        QVERIFY(open(window, trace(u"a.trace.jsonl"_s)));
        const QTabWidget *tabs = tabsOf(window);
        const QString words = tabs->tabText(1);
        QVERIFY2(words.startsWith(u"Weather && more, said"_s) && words.endsWith(u"… · 14:03"_s),
                 qPrintable(words));
        const QString tip = tabs->tabToolTip(1);
        for (const char *part : {"Run: r-17", "Goal: Look", "Satisfied", "a.trace.jsonl"})
            QVERIFY2(tip.contains(QLatin1String(part)), qPrintable(tip));
        QVERIFY(!tip.contains("<b>"_L1)); // foreign text stays plain
        engine.outcome = "killed";
        engine.startedAt = "2020-02-01T12:00:00.000Z";
        QVERIFY(open(window, trace(u"b.trace.jsonl"_s)));
        QVERIFY2(tabs->tabText(2).contains(u"1 Feb"_s), qPrintable(tabs->tabText(2)));
        QVERIFY(tabs->tabIcon(1).pixmap(16).toImage() != tabs->tabIcon(2).pixmap(16).toImage());
    }

    void aRunThatHasEndedOffersReplayAndFork()
    {
        TraceEngine engine;
        MainWindow window(engine);
        window.show();
        RunView *view = open(window, trace(u"a.trace.jsonl"_s));
        QVERIFY(view);
        auto *fork = view->findChild<QPushButton *>(u"forkRunButton"_s);
        QVERIFY(fork->isVisible() && fork->isEnabled());
        QTest::mouseClick(fork, Qt::LeftButton);
        QTRY_VERIFY(window.findChild<QDialog *>(u"forkDialog"_s));
        window.findChild<QDialog *>(u"forkDialog"_s)->reject();
        QTest::mouseClick(view->findChild<QPushButton *>(u"replayButton"_s), Qt::LeftButton);
        QCOMPARE(tabsOf(window)->count(), 3);
        QVERIFY(tabsOf(window)->currentWidget() != view);
    }

    void aRunThatGoesOnDoesNotOfferThem()
    {
        TraceEngine engine;
        test::FakeEffect slow;
        slow.workMs = 60'000;
        engine.script = {slow};
        RunView view(engine);
        view.show();
        view.startRun({});
        QTRY_VERIFY(isLive(view.state()));
        QVERIFY(!view.findChild<QPushButton *>(u"replayButton"_s)->isVisible());
        view.kill();
        QTRY_VERIFY(view.findChild<QPushButton *>(u"replayButton"_s)->isVisible());
    }
};

QTEST_MAIN(TestPageTabs)
#include "tst_pagetabs.moc"
