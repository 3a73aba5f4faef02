// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

namespace emend::ui {

class RunView;

// The open pages as tabs. The tab of a run tells it from its neighbours: what it is for, when it
// began, and by its sign what came of it. GUI thread.
class PageTabs : public QTabWidget {
    Q_OBJECT
public:
    explicit PageTabs(QWidget *parent = nullptr);

    void add(QWidget *page, const QString &title, QLatin1String picture);
    void setTitle(QWidget *page, const QString &title, const QString &tip = {});
    void showRun(RunView *view); // its title, its facts or its state have changed
    void makePermanent(QWidget *page);

Q_SIGNALS:
    void titleChanged(QWidget *page);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setWords(QWidget *page, const QString &title, const QString &fixedEnd, const QString &tip);
    void showSign(const RunView *view);
};

} // namespace emend::ui
