// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inbox/inboxactions.h"

#include "ui/inbox/inboxpage.h"
#include "ui/inbox/inboxwatch.h"
#include "ui/run/runview.h"
#include "ui/text/escalationwords.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QSystemTrayIcon>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

InboxActions::InboxActions(core::Engine &engine, const Actions &actions, QTabWidget *pages,
                           QMainWindow *window)
    : QObject(window)
    , m_engine(engine)
    , m_pages(pages)
    , m_window(window)
    , m_watch(new InboxWatch(engine.escalations(), this))
    , m_button(new QToolButton(window->menuBar()))
{
    m_button->setObjectName(u"inboxButton"_s);
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setFocusPolicy(Qt::TabFocus);
    connect(m_button, &QToolButton::clicked, this, &InboxActions::open);
    connect(actions.inbox, &QAction::triggered, this, &InboxActions::open);
    connect(m_watch, &InboxWatch::changed, this, &InboxActions::updateCount);
    connect(m_watch, &InboxWatch::arrived, this, &InboxActions::arrived);
    updateCount();
}

void InboxActions::open()
{
    if (!m_page) {
        m_page = new InboxPage(*m_watch);
        connect(m_page, &InboxPage::openRequested, this, &InboxActions::openRequested);
        connect(m_page, &InboxPage::answerRequested, this, &InboxActions::answer);
        connect(m_page, &InboxPage::titleChanged, this, &InboxActions::updateTab);
        Q_EMIT pageMade(m_page, m_page->title());
        m_pages->setTabIcon(m_pages->indexOf(m_page), icon("inbox"_L1, QPalette::WindowText));
    }
    m_pages->setCurrentWidget(m_page);
    m_page->setFocus();
}

void InboxActions::updateTab()
{
    const int index = m_page ? m_pages->indexOf(m_page) : -1;
    if (index < 0)
        return;
    m_page->setWindowTitle(m_page->title());
    m_pages->setTabText(index, m_page->title());
}

void InboxActions::updateCount()
{
    const auto &list = m_watch->list();
    const auto waiting = std::count_if(list.begin(), list.end(), [](const core::Escalation &one) {
        return one.state == core::EscalationState::Open ||
               one.state == core::EscalationState::Claimed;
    });
    m_button->setText(waiting > 0 ? tr("Inbox (%1)").arg(waiting) : tr("Inbox"));
    m_button->setFont(scaledFont(1.0, waiting > 0 ? QFont::DemiBold : QFont::Normal));
    m_button->setIcon(icon("inbox"_L1, QPalette::WindowText));
    m_button->setToolTip(waiting > 0 ? tr("%n run(s) wait for you", nullptr, int(waiting))
                                     : tr("No run waits for you"));
    m_button->setAccessibleName(m_button->text());
    // Set again each time: the bar asks for its width only then.
    m_window->menuBar()->setCornerWidget(m_button, Qt::TopRightCorner);
}

void InboxActions::answer(const core::Escalation &escalation, const core::Answer &answer)
{
    auto *view = new RunView(m_engine);
    const QString name = QString::fromStdString(escalation.taskName).simplified();
    Q_EMIT pageMade(view, tr("Answer: %1").arg(oneLine(name, 60)));
    view->startAnswer(QString::fromStdString(escalation.id), answer);
}

void InboxActions::arrived(const QStringList &ids)
{
    if (m_window->isActiveWindow())
        return;
    m_newest = ids.first();
    const auto &list = m_watch->list();
    const auto it = std::find_if(list.begin(), list.end(), [this](const core::Escalation &one) {
        return QString::fromStdString(one.id) == m_newest;
    });
    if (it == list.end())
        return;
    const QString task = oneLine(QString::fromStdString(it->taskName).simplified(), 80);
    const QString reason = oneLine(EscalationWords::reason(*it), 200);
    notify(ids.size() == 1 ? tr("%1: %2").arg(task, reason)
                           : tr("%n run(s) wait for you", nullptr, int(ids.size())));
}

void InboxActions::notify(const QString &text)
{
    QApplication::alert(m_window);
    if (QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages()) {
        if (!m_tray) {
            m_tray = new QSystemTrayIcon(applicationIcon(), this);
            connect(m_tray, &QSystemTrayIcon::messageClicked, this, [this] {
                m_window->raise();
                m_window->activateWindow();
                open();
                m_page->choose(m_newest);
            });
        }
        m_tray->show();
        m_tray->showMessage(tr("A run waits for a person"), text, applicationIcon());
    }
    Q_EMIT notified(text);
}

} // namespace emend::ui
