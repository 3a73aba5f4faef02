// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include <vector>

#include "ui/code/codefacts.h"

namespace emend::ui {

// The solutions of a run, each with what became of it; two lines each. GUI thread.
class AttemptList : public QListWidget {
    Q_OBJECT
public:
    explicit AttemptList(QWidget *parent = nullptr);

    // Keeps the choice; the last one is chosen while nobody has chosen another.
    void setAttempts(const std::vector<AttemptFacts> &attempts);
    int chosen() const { return currentRow(); }

Q_SIGNALS:
    void attemptChosen(int index);

protected:
    void changeEvent(QEvent *event) override;

private:
    std::vector<AttemptFacts> m_attempts;
    bool m_filling = false;
    bool m_follow = true;
};

} // namespace emend::ui
