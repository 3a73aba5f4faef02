// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "ui/shell/menus.h"

#include <QObject>
#include <QPointer>

class QMainWindow;
class QSystemTrayIcon;
class QTabWidget;
class QToolButton;

namespace emend::ui {

class InboxPage;
class InboxWatch;

// The inbox in the window: its page, its button with the number of runs that wait, and a word to
// the person when one comes while they are elsewhere. GUI thread.
class InboxActions : public QObject {
    Q_OBJECT
public:
    InboxActions(core::Engine &engine, const Actions &actions, QTabWidget *pages,
                 QMainWindow *window);

public Q_SLOTS:
    void open();

Q_SIGNALS:
    void pageMade(QWidget *page, const QString &title);
    void openRequested(const QString &trace);
    void notified(const QString &text); // what was said outside the window

private:
    void answer(const core::Escalation &escalation, const core::Answer &answer);
    void updateCount();
    void updateTab();
    void arrived(const QStringList &ids);
    void notify(const QString &text);

    core::Engine &m_engine;
    QTabWidget *m_pages;
    QMainWindow *m_window;
    InboxWatch *m_watch;
    QToolButton *m_button;
    QPointer<InboxPage> m_page;
    QSystemTrayIcon *m_tray = nullptr; // made when there is something to say
    QString m_newest;
};

} // namespace emend::ui
