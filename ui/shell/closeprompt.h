// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include <functional>

namespace emend::ui {

class TaskPage;

// Asks, one after the other and without a nested event loop, what is to become of unsaved tasks and
// of runs that are still going. Deletes itself after its one signal. GUI thread.
class ClosePrompt : public QObject {
    Q_OBJECT
public:
    // Saves a page (which may ask for a name first) and says whether it is saved.
    using Save = std::function<void(TaskPage *, std::function<void(bool)>)>;

    ClosePrompt(QWidget *window, QList<QPointer<TaskPage>> unsaved, int liveRuns, Save save);
    void start(); // the signal may come at once

Q_SIGNALS:
    void agreed();
    void cancelled();

private:
    void next();
    void askAboutTask(TaskPage *page);
    void askAboutRuns();
    void end(bool agreed);

    QWidget *m_window;
    QList<QPointer<TaskPage>> m_unsaved;
    int m_liveRuns;
    Save m_save;
};

} // namespace emend::ui
