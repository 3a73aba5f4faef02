// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/codeform.h"

#include "ui/code/codeeditor.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/plainedit.h"
#include "ui/shell/section.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

// One argument a line: no shell reads them, so there is nothing to quote.
std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> out;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin)
            out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

QString linesFrom(const std::vector<std::string> &arguments)
{
    QStringList lines;
    for (const std::string &argument : arguments)
        lines += QString::fromStdString(argument);
    return lines.join(u'\n');
}

CodeEditor *editor(const QString &objectName, const QString &name)
{
    auto *out = new CodeEditor;
    out->setObjectName(objectName);
    out->setAccessibleName(name);
    out->setHeight(8, 24);
    return out;
}

} // namespace

CodeForm::CodeForm(const std::vector<core::NamedSpec> &verifiers, QObject *parent)
    : QObject(parent)
    , m_settings(new Section(tr("Verification")))
    , m_spec(new PlainEdit(4, 14))
    , m_tests(editor(u"codeTests"_s, tr("Tests")))
    , m_edgeTests(editor(u"codeEdgeTests"_s, tr("Edge tests")))
    , m_testsFile(quietLabel({}))
    , m_edgeTestsFile(quietLabel({}))
    , m_verifier(new QComboBox)
    , m_language(new QLineEdit)
    , m_command(new PlainEdit(1, 6))
    , m_attempts(new NumberSpin)
    , m_timeout(new NumberSpin)
    , m_memory(new NumberSpin)
    , m_gate(new QCheckBox(tr("A second, independent solution has to agree")))
    , m_showTests(new QCheckBox(tr("Show the tests to the model")))
    , m_sandbox(new QCheckBox(tr("Refuse to run without a sandbox")))
    , m_sandboxState(quietLabel(tr("Trying out the sandbox …")))
    , m_comparison(quietLabel({}))
{
    for (const core::NamedSpec &verifier : verifiers) {
        m_verifier->addItem(QString::fromStdString(verifier.name));
        m_verifier->setItemData(m_verifier->count() - 1,
                                plainToolTip(QString::fromStdString(verifier.description)),
                                Qt::ToolTipRole);
    }
    buildTexts();
    buildSettings();
}

void CodeForm::buildTexts()
{
    m_spec->setObjectName(u"codeSpec"_s);
    m_spec->setAccessibleName(tr("Specification"));
    m_spec->setPlaceholderText(
        tr("What should the code do? Name the function and say what it returns."));
    auto *spec = new Section(tr("Specification"));
    spec->body()->addWidget(m_spec);
    auto *tests = new Section(tr("Tests"));
    tests->setHint(tr("An attempt passes when these do. What fails goes back to the model."));
    tests->body()->addWidget(m_testsFile);
    tests->body()->addWidget(m_tests);
    auto *edge = new Section(tr("Edge tests"));
    edge->setHint(tr("Held out: the model never sees them, nor what came of them."));
    edge->body()->addWidget(m_edgeTestsFile);
    edge->body()->addWidget(m_edgeTests);
    m_main = {spec, tests, edge};
    connect(m_spec, &QPlainTextEdit::textChanged, this, &CodeForm::edited);
    connect(m_tests, &CodeEditor::edited, this, &CodeForm::edited);
    connect(m_edgeTests, &CodeEditor::edited, this, &CodeForm::edited);
}

void CodeForm::addRow(const QString &label, QWidget *field)
{
    auto *grid = m_settings->findChild<QGridLayout *>(u"codeGrid"_s);
    const int row = grid->rowCount();
    auto *name = new QLabel(label);
    name->setBuddy(field);
    field->setAccessibleName(label);
    field->setFixedWidth(numberWidth);
    grid->addWidget(name, row, 0);
    grid->addWidget(field, row, 1, Qt::AlignRight);
}

void CodeForm::buildSettings()
{
    m_settings->setObjectName(u"verificationSection"_s);
    m_verifier->setObjectName(u"codeVerifier"_s);
    m_language->setObjectName(u"codeLanguage"_s);
    m_command->setObjectName(u"codeCommand"_s);
    m_command->setAccessibleName(tr("Command"));
    m_command->setPlaceholderText(tr("The verifier's own. Else one argument a line."));
    m_attempts->setObjectName(u"codeAttempts"_s);
    m_attempts->setNumberRange(1, 20);
    m_timeout->setObjectName(u"codeTimeout"_s);
    m_timeout->setNumberRange(1, 3600);
    m_memory->setObjectName(u"codeMemory"_s);
    m_memory->setNumberRange(16, 1 << 20);
    m_gate->setObjectName(u"codeGate"_s);
    m_gate->setToolTip(tr("The confidence gate: another solution, written without any feedback, "
                          "must pass the tests, and both must pass the edge tests."));
    m_showTests->setObjectName(u"codeShowTests"_s);
    m_sandbox->setObjectName(u"codeSandbox"_s);
    m_sandbox->setToolTip(tr("Otherwise, where bubblewrap does not work, the code runs with limits "
                             "only, and the window says so."));

    auto *grid = new QGridLayout;
    grid->setObjectName(u"codeGrid"_s);
    grid->setHorizontalSpacing(space::one);
    grid->setVerticalSpacing(space::one);
    grid->setColumnStretch(0, 1);
    m_settings->body()->addLayout(grid);
    addRow(tr("Judged by"), m_verifier);
    addRow(tr("Language"), m_language);
    addRow(tr("Attempts"), m_attempts);
    addRow(tr("Seconds a run"), m_timeout);
    addRow(tr("Memory in MB"), m_memory);
    auto *command = new QLabel(tr("Command"));
    command->setBuddy(m_command);
    m_settings->body()->addWidget(command);
    m_settings->body()->addWidget(m_command);
    for (QCheckBox *check : {m_gate, m_showTests, m_sandbox}) {
        m_settings->body()->addWidget(check);
        connect(check, &QCheckBox::toggled, this, &CodeForm::edited);
    }
    m_comparison->setObjectName(u"codeComparison"_s);
    m_settings->body()->addWidget(m_comparison);
    m_sandboxState->setObjectName(u"sandboxState"_s);
    m_settings->body()->addWidget(m_sandboxState);
    for (NumberSpin *spin : {m_attempts, m_timeout, m_memory})
        connect(spin, &QDoubleSpinBox::valueChanged, this, &CodeForm::edited);
    connect(m_verifier, &QComboBox::currentIndexChanged, this, &CodeForm::edited);
    connect(m_command, &QPlainTextEdit::textChanged, this, &CodeForm::edited);
    connect(m_language, &QLineEdit::textEdited, this, [this](const QString &language) {
        m_tests->setLanguage(language);
        m_edgeTests->setLanguage(language);
        Q_EMIT edited();
    });
}

// A text that lives in a file of its own is edited there.
void CodeForm::showFile(CodeEditor *editor, QLabel *note, const std::string &file)
{
    editor->setReadOnly(!file.empty());
    note->setVisible(!file.empty());
    note->setText(tr("From %1, where it is edited.").arg(oneLine(QString::fromStdString(file))));
}

void CodeForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    const core::CodeSettings &code = task.code;
    const QString language = QString::fromStdString(code.language);
    m_spec->setPlainText(QString::fromStdString(code.spec));
    m_tests->setLanguage(language);
    m_edgeTests->setLanguage(language);
    m_tests->setSource(QString::fromStdString(code.tests));
    m_edgeTests->setSource(QString::fromStdString(code.edgeTests));
    showFile(m_tests, m_testsFile, code.testsFile);
    showFile(m_edgeTests, m_edgeTestsFile, code.edgeTestsFile);
    const QString verifier = QString::fromStdString(code.verifier);
    if (m_verifier->findText(verifier) < 0)
        m_verifier->addItem(verifier); // of a later version: said when it is to run
    m_verifier->setCurrentText(verifier);
    m_language->setText(language);
    m_command->setPlainText(linesFrom(code.command));
    m_attempts->setNumber(task.bounds.maxAttempts);
    m_timeout->setNumber(code.timeoutSeconds);
    m_memory->setNumber(code.memoryMb);
    m_gate->setChecked(code.gate);
    m_comparison->setVisible(!code.generator.empty());
    m_comparison->setText(
        tr("The two solutions are also compared on inputs from %1. The task file says how.")
            .arg(oneLine(code.generatorFile.empty() ? linesFrom(code.generator).replace(u'\n', u' ')
                                                    : QString::fromStdString(code.generatorFile))));
    m_showTests->setChecked(code.showTests);
    m_sandbox->setChecked(code.sandboxRequired);
}

void CodeForm::store(core::Task &task) const
{
    core::CodeSettings &code = task.code;
    const bool goalIsSpec = task.goal == code.spec;
    code.spec = m_spec->text();
    if (goalIsSpec)
        task.goal = code.spec;
    if (code.testsFile.empty())
        code.tests = m_tests->text().toStdString();
    if (code.edgeTestsFile.empty())
        code.edgeTests = m_edgeTests->text().toStdString();
    code.verifier = m_verifier->currentText().toStdString();
    code.language = m_language->text().trimmed().toStdString();
    code.command = linesOf(m_command->text());
    task.bounds.maxAttempts = static_cast<int>(m_attempts->number());
    code.timeoutSeconds = static_cast<int>(m_timeout->number());
    code.memoryMb = static_cast<int>(m_memory->number());
    code.gate = m_gate->isChecked();
    code.showTests = m_showTests->isChecked();
    code.sandboxRequired = m_sandbox->isChecked();
}

void CodeForm::showSandbox(const core::SandboxFacts &facts)
{
    m_sandboxState->setText((facts.works ? tr("Sandbox: %1") : tr("No sandbox: %1"))
                                .arg(oneLine(QString::fromStdString(facts.words))));
    QPalette ink = m_settings->palette();
    ink.setColor(QPalette::WindowText,
                 roleColor(facts.works ? ColorRole::Muted : ColorRole::Warn, ink));
    m_sandboxState->setPalette(ink);
}

QWidget *CodeForm::missing() const
{
    if (m_spec->toPlainText().trimmed().isEmpty())
        return m_spec;
    return m_tests->text().trimmed().isEmpty() ? m_tests : nullptr;
}

} // namespace emend::ui
