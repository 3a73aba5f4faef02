// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/escalation/escalations.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace emend::ui {

class Background;
class EscalationPanel;
class InboxFilter;
class InboxModel;
class InboxWatch;
class NoticeStrip;

// The runs that wait for a person: a table, and beside it the chosen one with its answer. GUI
// thread; the inbox is read and written on others.
class InboxPage : public QWidget {
    Q_OBJECT
public:
    // The watch must outlive it.
    explicit InboxPage(InboxWatch &watch, QWidget *parent = nullptr);

    QString title() const;
    void choose(const QString &id);

Q_SIGNALS:
    void titleChanged();
    void openRequested(const QString &trace);
    void answerRequested(const core::Escalation &escalation, const core::Answer &answer);

private:
    using Change = std::function<core::Result<core::Escalation>(core::Escalations &)>;

    void build();
    QWidget *buildList();
    void connectPanel();
    void update();
    void updateEmpty();
    void showChosen();
    QString chosenId() const;
    void change(const QString &id, Change change, bool closes);

    InboxWatch &m_watch;
    InboxModel *m_model;
    InboxFilter *m_filter;
    QComboBox *m_states;
    NoticeStrip *m_problem;
    QTableView *m_table;
    QLabel *m_empty;
    QStackedLayout *m_stack;
    EscalationPanel *m_panel;
    Background *m_reading;
    Background *m_changing;
    QTimer m_ages;
};

} // namespace emend::ui
