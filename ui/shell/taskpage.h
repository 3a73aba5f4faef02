// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/run/engine.h"
#include "core/task/task.h"
#include "ui/shell/background.h"

#include <QTimer>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QLineEdit;

namespace emend::ui {

class BoundsForm;
class CodeForm;
class ModelForm;
class PlainEdit;
class PromptForm;
class RunFooter;
class SafetyForm;
class ToolsForm;

// Edits one task. What the form does not show stays as it was. GUI thread.
class TaskPage : public QWidget {
    Q_OBJECT
public:
    // `path` empty: not on disk yet. `engine` must outlive the page.
    TaskPage(core::Engine &engine, core::Task task, const QString &path, QWidget *parent = nullptr);

    const core::Task &task() const { return m_task; }
    QString path() const { return m_path; }
    QString title() const;
    bool isModified() const { return m_modified; }
    ModelForm *modelForm() const { return m_model; }
    core::Result<void> saveTo(const QString &path);

public Q_SLOTS:
    // Asks for a run of the task as it is, or shows what is missing for one.
    void run();

Q_SIGNALS:
    void titleChanged(); // title or modified
    void runRequested(const core::Task &task);
    void settingsRequested(const QString &provider);

protected:
    void focusInEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void buildGoal(QBoxLayout *column);
    void buildSections();
    void loadForms();
    void takeEdits();
    void setModified(bool modified);
    void showBound();
    void showGoalHint();

    core::Engine &m_engine;
    core::Task m_task;
    nlohmann::json m_saved; // as it was read or written last
    QString m_path;
    bool m_modified = false;
    QTimer m_debounce;
    Background m_probe; // of the sandbox

    QBoxLayout *m_columns;
    QBoxLayout *m_left;
    QBoxLayout *m_right;
    QLineEdit *m_name;
    PlainEdit *m_goal;
    QLabel *m_goalHint;
    CodeForm *m_code = nullptr; // of mode code: in place of goal and tools
    ToolsForm *m_tools;
    PromptForm *m_prompt;
    ModelForm *m_model;
    BoundsForm *m_bounds;
    SafetyForm *m_safety;
    RunFooter *m_footer;
};

} // namespace emend::ui
