// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"

#include <QDialog>

class QLabel;
class QSpinBox;

namespace emend::ui {

class ModelForm;
class PlainEdit;
class PromptForm;

// What a fork keeps and what it changes: the step, goal, prompt and model, and how often it goes
// on. GUI thread.
class ForkDialog : public QDialog {
    Q_OBJECT
public:
    // `task` is that of the trace; `step` of `lastStep` is preset.
    ForkDialog(core::Engine &engine, core::Task task, int step, int lastStep,
               QWidget *parent = nullptr);

Q_SIGNALS:
    void forkRequested(int step, const core::Task &task, int times);

private:
    QWidget *left();
    QWidget *right();
    void showKept();
    void go();

    core::Task m_task;
    QSpinBox *m_step;
    QLabel *m_kept;
    PlainEdit *m_goal;
    PromptForm *m_prompt;
    ModelForm *m_model;
    QSpinBox *m_times;
};

} // namespace emend::ui
