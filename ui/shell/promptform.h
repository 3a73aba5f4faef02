// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner.h"
#include "core/task/task.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace emend::ui {

class PlainEdit;

// The system prompt: the built-in one to read, a copy of it to edit, or the one of a file to read.
// GUI thread.
class PromptForm : public QWidget {
    Q_OBJECT
public:
    explicit PromptForm(core::Prompt builtIn, QWidget *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;
    // For the heading of the section that holds this form.
    QPushButton *editButton() const { return m_edit; }
    QPushButton *resetButton() const { return m_reset; }

Q_SIGNALS:
    void edited();

private:
    enum class Source { BuiltIn, File, Own };
    struct Text {
        Source source = Source::Own;
        std::string text;
    };
    void putAside();
    void show(Source source, const QString &text);
    void editCopy();
    void reset();
    void undoReset();

    core::Prompt m_builtIn;
    Source m_source = Source::BuiltIn;
    std::vector<Text> m_aside; // what something else has taken the place of; the latest last
    std::string m_file;        // as written in the task
    std::string m_fileText;    // what the task brought along with it
    std::string m_own;         // the person's text while it is edited
    QLabel *m_state;
    PlainEdit *m_text;
    QPushButton *m_edit;
    QPushButton *m_reset;
    QPushButton *m_undo;
};

} // namespace emend::ui
