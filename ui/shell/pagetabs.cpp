// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/pagetabs.h"

#include "ui/run/runview.h"
#include "ui/text/plaintext.h"
#include "ui/text/shapes.h"
#include "ui/text/vocabulary.h"
#include "ui/theme/icons.h"

#include <QDateTime>
#include <QEvent>
#include <QLocale>
#include <QTabBar>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int longestTitle = 32;
constexpr int signSize = 16;

QString escaped(QString text)
{
    return text.replace(u'&', "&&"_L1);
}

// The clock time of a run of today, the date and time of an older one.
QString beganWords(const RunFacts &facts)
{
    const QDateTime began = QDateTime::fromString(facts.startedAt, Qt::ISODateWithMs).toLocalTime();
    if (!began.isValid())
        return {};
    const QLocale locale;
    const QString time = locale.toString(began.time(), u"HH:mm"_s);
    return began.date() == QDate::currentDate() ? time
                                                : locale.toString(began.date(), u"d MMM "_s) + time;
}

QString runTip(const RunView &view)
{
    const RunFacts &facts = view.facts();
    QStringList lines;
    if (!facts.name.isEmpty())
        lines << oneLine(facts.name.simplified(), 200);
    if (!facts.goal.isEmpty())
        lines << PageTabs::tr("Goal: %1").arg(oneLine(facts.goal.simplified(), 300));
    lines << PageTabs::tr("State: %1").arg(Vocabulary::state(view.state()).word);
    if (facts.outcome)
        lines.last() += u" – "_s + oneLine(Vocabulary::reason(facts.outcome->reason), 200);
    if (!facts.runId.isEmpty())
        lines << PageTabs::tr("Run: %1").arg(oneLine(facts.runId, 100));
    if (!view.traceFile().isEmpty())
        lines << oneLine(view.traceFile(), 500);
    return lines.join(u'\n');
}

} // namespace

PageTabs::PageTabs(QWidget *parent)
    : QTabWidget(parent)
{
    setObjectName(u"tabs"_s);
    setAccessibleName(tr("Open pages"));
    tabBar()->setAccessibleName(tr("Open pages"));
    tabBar()->setExpanding(false);
    setDocumentMode(true);
    setTabsClosable(true);
    setElideMode(Qt::ElideRight);
    setIconSize(QSize(signSize, signSize));
}

void PageTabs::add(QWidget *page, const QString &title, QLatin1String picture)
{
    const int index = addTab(page, icon(picture, QPalette::WindowText), QString());
    setTitle(page, title);
    setCurrentIndex(index);
    page->setFocus();
}

void PageTabs::makePermanent(QWidget *page)
{
    for (const auto side : {QTabBar::LeftSide, QTabBar::RightSide})
        tabBar()->setTabButton(indexOf(page), side, nullptr);
}

void PageTabs::setTitle(QWidget *page, const QString &title, const QString &tip)
{
    const bool modified = title.endsWith(u'*'); // the star of a modified task stays
    setWords(page, modified ? title.chopped(1) : title, modified ? u"*"_s : QString(),
             tip.isEmpty() ? title : tip);
}

void PageTabs::setWords(QWidget *page, const QString &title, const QString &fixedEnd,
                        const QString &tip)
{
    const int index = indexOf(page);
    if (index < 0)
        return;
    QString words = title;
    const qsizetype room = longestTitle - fixedEnd.size();
    if (words.size() > room)
        words = words.left(room - 1).trimmed() + u'…';
    setTabText(index, escaped(words + fixedEnd));
    setTabToolTip(index, plainToolTip(tip));
    page->setWindowTitle(fixedEnd == u"*"_s ? title + fixedEnd : title);
    if (QWidget *close = tabBar()->tabButton(index, QTabBar::RightSide)) {
        close->setAccessibleName(tr("Close %1").arg(title));
        close->setToolTip(tr("Close this tab"));
    }
    Q_EMIT titleChanged(page);
}

void PageTabs::showRun(RunView *view)
{
    if (view->state() == RunState::Idle || view->facts().events == 0)
        return; // the words that it was added with are better
    const QString began = beganWords(view->facts());
    const QString name = view->runName();
    setWords(view, name.isEmpty() ? view->title() : name,
             began.isEmpty() ? QString() : u" · "_s + began, runTip(*view));
    showSign(view);
}

void PageTabs::showSign(const RunView *view)
{
    const Term term = Vocabulary::state(view->state());
    const QColor color = roleColor(term.color, palette());
    setTabIcon(indexOf(view), shapeIcon(term.shape, color, color, signSize));
}

void PageTabs::changeEvent(QEvent *event)
{
    QTabWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    for (int index = 0; index < count(); ++index)
        if (const auto *view = qobject_cast<RunView *>(widget(index));
            view && view->state() != RunState::Idle)
            showSign(view);
}

} // namespace emend::ui
