// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/promptform.h"

#include "ui/shell/plainedit.h"
#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace emend::ui {

PromptForm::PromptForm(core::Prompt builtIn, QWidget *parent)
    : QWidget(parent)
    , m_builtIn(std::move(builtIn))
    , m_state(quietLabel({}))
    , m_text(new PlainEdit(6, 16))
    , m_edit(new QPushButton(tr("Edit a copy")))
    , m_reset(new QPushButton(tr("Back to the built-in")))
    , m_undo(new QPushButton(tr("Bring my text back")))
{
    m_state->setObjectName(u"promptState"_s);
    m_text->setObjectName(u"prompt"_s);
    m_text->setAccessibleName(tr("System prompt"));
    m_text->setFont(fixedFont());
    m_edit->setObjectName(u"promptEdit"_s);
    m_edit->setIcon(icon("edit"_L1));
    m_reset->setObjectName(u"promptReset"_s);
    m_reset->setIcon(icon("reset"_L1));
    m_undo->setObjectName(u"promptUndo"_s);
    for (QPushButton *button : {m_edit, m_reset, m_undo})
        button->setAutoDefault(false);

    auto *line = new QHBoxLayout;
    line->setSpacing(space::one);
    line->addWidget(m_state, 1);
    line->addWidget(m_undo);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addLayout(line);
    layout->addWidget(m_text);

    connect(m_edit, &QPushButton::clicked, this, &PromptForm::editCopy);
    connect(m_reset, &QPushButton::clicked, this, &PromptForm::reset);
    connect(m_undo, &QPushButton::clicked, this, &PromptForm::undoReset);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (m_source != Source::Own)
            return;
        m_own = m_text->text();
        Q_EMIT edited();
    });
    show(Source::BuiltIn, QString::fromStdString(m_builtIn.system));
}

void PromptForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    m_file = task.systemPromptFile;
    m_fileText = task.systemPrompt;
    m_own = task.systemPrompt;
    m_aside.clear();
    if (!m_file.empty())
        show(Source::File, QString::fromStdString(m_fileText));
    else if (!task.systemPrompt.empty())
        show(Source::Own, QString::fromStdString(task.systemPrompt));
    else
        show(Source::BuiltIn, QString::fromStdString(m_builtIn.system));
}

void PromptForm::store(core::Task &task) const
{
    switch (m_source) {
    case Source::BuiltIn:
        task.systemPrompt.clear();
        task.systemPromptFile.clear();
        return;
    case Source::File:
        task.systemPrompt = m_fileText;
        task.systemPromptFile = m_file;
        return;
    case Source::Own:
        task.systemPrompt = m_own;
        task.systemPromptFile.clear();
        return;
    }
}

void PromptForm::show(Source source, const QString &text)
{
    m_source = Source::BuiltIn; // no edited() while the text is set
    m_text->setPlainText(text);
    m_source = source;
    const bool own = source == Source::Own;
    m_text->setReadOnly(!own);
    m_text->viewport()->setBackgroundRole(own ? QPalette::Base : QPalette::Window);
    m_edit->setVisible(!own);
    m_reset->setVisible(source != Source::BuiltIn);
    m_undo->setVisible(source != Source::File && !m_aside.empty());
    switch (source) {
    case Source::BuiltIn:
        m_state->setText(tr("Built in, version %1. The tools are filled in when the run starts.")
                             .arg(m_builtIn.version));
        break;
    case Source::File:
        m_state->setText(tr("From the file %1").arg(oneLine(QString::fromStdString(m_file), 200)));
        break;
    case Source::Own:
        m_state->setText(tr("Your own. It is saved with the task."));
        break;
    }
}

void PromptForm::editCopy()
{
    m_own = m_text->text();
    show(Source::Own, QString::fromStdString(m_own));
    m_text->setFocus();
    Q_EMIT edited();
}

// What was there before is kept: a prompt can be an hour's work.
void PromptForm::reset()
{
    putAside();
    show(Source::BuiltIn, QString::fromStdString(m_builtIn.system));
    (m_aside.empty() ? m_edit : m_undo)->setFocus();
    Q_EMIT edited();
}

void PromptForm::putAside()
{
    if (m_source == Source::File)
        m_aside.push_back({Source::File, m_fileText});
    else if (m_source == Source::Own && m_own != m_builtIn.system)
        m_aside.push_back({Source::Own, m_own});
}

// Also in place of another text of the person's, which then waits behind all others: whoever
// presses on sees each of them again.
void PromptForm::undoReset()
{
    const Text back = m_aside.back();
    m_aside.pop_back();
    const std::size_t waiting = m_aside.size();
    putAside();
    if (m_aside.size() > waiting)
        std::rotate(m_aside.rbegin(), m_aside.rbegin() + 1, m_aside.rend());
    if (back.source == Source::Own)
        m_own = back.text;
    show(back.source, QString::fromStdString(back.text));
    m_text->setFocus();
    Q_EMIT edited();
}

} // namespace emend::ui
