// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"

#include <QList>
#include <QWidget>

class QCheckBox;
class QLabel;
class QSlider;
class QVBoxLayout;

namespace emend::ui {

class NumberSpin;

// The mistakes that the practice provider makes on purpose. GUI thread.
class MistakesForm : public QWidget {
    Q_OBJECT
public:
    explicit MistakesForm(QWidget *parent = nullptr);

    void load(const core::PracticeMistakes &mistakes);
    void store(core::PracticeMistakes &mistakes) const;

Q_SIGNALS:
    void edited();

private:
    void addRate(QVBoxLayout *layout);
    void addKinds(QVBoxLayout *layout);
    void addSeed(QVBoxLayout *layout);
    void showRate();
    void keepOneKind();

    QSlider *m_rate;
    QLabel *m_rateWords;
    NumberSpin *m_seed;
    QWidget *m_details;         // what matters only if there are mistakes
    QList<QCheckBox *> m_kinds; // object name: "mistake_" and the name in the file
    core::PracticeMistakes m_loaded;
};

} // namespace emend::ui
