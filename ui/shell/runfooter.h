// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/loop/bound.h"
#include "core/task/task.h"

#include <QString>
#include <QWidget>

class QFrame;
class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace emend::ui {

// The foot of a task page, always in sight: Run, and what it can cost at most. GUI thread.
class RunFooter : public QWidget {
    Q_OBJECT
public:
    explicit RunFooter(QWidget *parent = nullptr);

    void showBound(const core::Bound &bound, const core::Task &task);
    // The task cannot run, and why.
    void showProblem(const QString &words);
    QPushButton *runButton() const { return m_run; }

Q_SIGNALS:
    void runRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void fillDetails(const core::Bound &bound, const core::Task &task);
    void showDetails(bool visible);

    QPushButton *m_run;
    QLabel *m_icon;
    QLabel *m_words;
    QLabel *m_note;
    QToolButton *m_more;
    QWidget *m_details;
    QGridLayout *m_grid;
};

} // namespace emend::ui
