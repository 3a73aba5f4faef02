// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <string>
#include <vector>

#include "core/run/engine.h"
#include "core/task/task.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QWidget;

namespace emend::ui {

class CodeEditor;
class NumberSpin;
class PlainEdit;
class Section;

// What a code task is about: specification, tests, held-out tests, and how they are run. Makes the
// sections of a page; the page lays them out and owns them. GUI thread.
class CodeForm : public QObject {
    Q_OBJECT
public:
    explicit CodeForm(const std::vector<core::NamedSpec> &verifiers, QObject *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;

    const std::vector<Section *> &mainSections() const { return m_main; }
    Section *settingsSection() const { return m_settings; }
    PlainEdit *spec() const { return m_spec; }
    void showSandbox(const core::SandboxFacts &facts); // whether there is one here
    QWidget *missing() const; // the field that has to be filled in before a run, or null

Q_SIGNALS:
    void edited();

private:
    void buildTexts();
    void buildSettings();
    void addRow(const QString &label, QWidget *field);
    void showFile(CodeEditor *editor, QLabel *note, const std::string &file);

    std::vector<Section *> m_main;
    Section *m_settings;
    PlainEdit *m_spec;
    CodeEditor *m_tests;
    CodeEditor *m_edgeTests;
    QLabel *m_testsFile;
    QLabel *m_edgeTestsFile;
    QComboBox *m_verifier;
    QLineEdit *m_language;
    PlainEdit *m_command;
    NumberSpin *m_attempts;
    NumberSpin *m_timeout;
    NumberSpin *m_memory;
    QCheckBox *m_gate;
    QCheckBox *m_showTests;
    QCheckBox *m_sandbox;
    QLabel *m_sandboxState;
    QLabel *m_comparison; // what only the task file can change
};

} // namespace emend::ui
