// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace emend::ui {

class RecentFiles;
class RecentList;

// What the window opens with: the demo, a task of one's own, a file, or a question. GUI thread.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(RecentFiles &recent, QWidget *parent = nullptr);

public Q_SLOTS:
    void ask(); // runs the question in the field, if there is one

Q_SIGNALS:
    void demoRequested();
    void newTaskRequested();
    void openRequested();
    void asked(const QString &question);
    void fileChosen(const QString &path);

private:
    void addHeadline(QBoxLayout *column);
    void addActions(QBoxLayout *column);
    void addQuestion(QBoxLayout *column);
    void addRecent(QBoxLayout *column);
    void showRecent();

    RecentFiles &m_recent;
    QLineEdit *m_question;
    QPushButton *m_ask;
    RecentList *m_list;
    QLabel *m_empty;
};

} // namespace emend::ui
