// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/taskpage.h"

#include "ui/code/codeform.h"
#include "ui/shell/boundsform.h"
#include "ui/shell/modelform.h"
#include "ui/shell/plainedit.h"
#include "ui/shell/promptform.h"
#include "ui/shell/runfooter.h"
#include "ui/shell/safetyform.h"
#include "ui/shell/section.h"
#include "ui/shell/toolsform.h"
#include "ui/text/colors.h"
#include "ui/text/plaintext.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int sideWidth = 384;  // of the right column
constexpr int twoColumns = 960; // narrower pages have one
constexpr int widestPage = 1360;
constexpr int debounceMs = 100;

} // namespace

TaskPage::TaskPage(core::Engine &engine, core::Task task, const QString &path, QWidget *parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_task(std::move(task))
    , m_saved(core::taskToJson(m_task))
    , m_path(path)
    , m_columns(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_left(new QVBoxLayout)
    , m_right(new QVBoxLayout)
    , m_name(new QLineEdit)
    , m_goal(new PlainEdit(4, 12))
    , m_goalHint(new QLabel(tr("Say what the agent should do.")))
    , m_tools(new ToolsForm(engine.tools()))
    , m_prompt(new PromptForm(engine.builtInPrompt(m_task.mode)))
    , m_model(new ModelForm(engine.providers(), &engine.settings()))
    , m_bounds(new BoundsForm)
    , m_safety(new SafetyForm)
    , m_footer(new RunFooter)
{
    if (m_task.mode == core::Mode::Code) {
        m_code = new CodeForm(engine.verifiers(), this);
        m_bounds->showForCode();
        connect(m_code, &CodeForm::edited, this, &TaskPage::takeEdits);
        m_probe.start([this, &engine](std::stop_token) {
            return Background::Done(
                [this, facts = engine.sandbox()] { m_code->showSandbox(facts); });
        });
    }
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(debounceMs);
    connect(&m_debounce, &QTimer::timeout, this, &TaskPage::showBound);
    buildSections();
    loadForms();
    WheelGuard::protect(this);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString &name) {
        m_task.name = name.toStdString();
        takeEdits();
    });
    connect(m_goal, &QPlainTextEdit::textChanged, this, [this] {
        m_task.goal = m_goal->text();
        m_goalHint->hide();
        takeEdits();
    });
    connect(m_tools, &ToolsForm::edited, this, &TaskPage::takeEdits);
    connect(m_prompt, &PromptForm::edited, this, &TaskPage::takeEdits);
    connect(m_model, &ModelForm::settingsRequested, this, &TaskPage::settingsRequested);
    connect(m_model, &ModelForm::edited, this, &TaskPage::takeEdits);
    connect(m_bounds, &BoundsForm::edited, this, &TaskPage::takeEdits);
    connect(m_safety, &SafetyForm::edited, this, &TaskPage::takeEdits);
    connect(m_footer, &RunFooter::runRequested, this, &TaskPage::run);
    showBound();
}

void TaskPage::buildGoal(QBoxLayout *column)
{
    m_name->setObjectName(u"taskName"_s);
    m_name->setAccessibleName(tr("Name of the task"));
    m_name->setPlaceholderText(tr("Untitled task"));
    m_name->setFont(scaledFont(1.25, QFont::DemiBold));
    m_name->setMinimumHeight(40);
    m_name->setProperty(quietProperty, true);
    m_goal->setObjectName(u"goal"_s);
    m_goal->setAccessibleName(tr("Goal"));
    m_goal->setPlaceholderText(
        tr("What should the agent do? For example: What is the weather in Oslo in Fahrenheit?"));
    m_goalHint->setObjectName(u"goalHint"_s);
    m_goalHint->hide();
    column->addWidget(m_name);
    auto *goal = new Section(tr("Goal"));
    goal->body()->addWidget(m_goal);
    column->addWidget(goal);
    if (m_code == nullptr) {
        goal->body()->addWidget(m_goalHint);
        return;
    }
    goal->hide();
    m_goalHint->setText(tr("Say what the code should do, and give at least one test."));
    column->addWidget(m_goalHint);
    for (Section *section : m_code->mainSections())
        column->addWidget(section);
}

void TaskPage::buildSections()
{
    buildGoal(m_left);
    auto *tools = new Section(tr("Tools"));
    tools->body()->addWidget(m_tools);
    if (m_code != nullptr)
        tools->hide();
    auto *prompt = new Section(tr("Prompt"));
    prompt->addToHeader(m_prompt->resetButton());
    prompt->addToHeader(m_prompt->editButton());
    prompt->body()->addWidget(m_prompt);
    auto *model = new Section(tr("Model"));
    model->body()->addWidget(m_model);
    auto *bounds = new Section(tr("Limits"));
    bounds->body()->addWidget(m_bounds);
    auto *safety = new Section(tr("When calls fail"));
    safety->setObjectName(u"safetySection"_s);
    safety->body()->addWidget(m_safety);
    safety->setCollapsible(false);

    m_left->addWidget(tools);
    m_left->addWidget(prompt);
    m_left->addStretch(1);
    m_right->addWidget(model);
    if (m_code != nullptr)
        m_right->addWidget(m_code->settingsSection());
    m_right->addWidget(bounds);
    m_right->addWidget(safety);
    m_right->addStretch(1);
    for (QBoxLayout *column : {m_left, m_right})
        column->setSpacing(space::two);

    auto *page = new QWidget;
    page->setMaximumWidth(widestPage);
    m_columns->setContentsMargins(space::three, space::three, space::three, space::three);
    m_columns->setSpacing(space::two);
    m_columns->addLayout(m_left, 1);
    m_columns->addLayout(m_right);
    page->setLayout(m_columns);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(u"taskScroll"_s);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAlignment(Qt::AlignHCenter);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(scroll, 1);
    layout->addWidget(m_footer);
}

void TaskPage::loadForms()
{
    m_name->setText(QString::fromStdString(m_task.name));
    m_name->setCursorPosition(0); // the beginning of a long name
    m_goal->setPlainText(QString::fromStdString(m_task.goal));
    m_tools->load(m_task);
    m_prompt->load(m_task);
    m_model->load(m_task);
    m_bounds->load(m_task.bounds);
    if (m_code != nullptr)
        m_code->load(m_task);
    m_safety->load(m_task);
}

void TaskPage::takeEdits()
{
    m_tools->store(m_task);
    m_prompt->store(m_task);
    m_model->store(m_task);
    m_bounds->store(m_task.bounds);
    if (m_code != nullptr)
        m_code->store(m_task);
    m_safety->store(m_task);
    setModified(core::taskToJson(m_task) != m_saved);
    m_debounce.start();
}

void TaskPage::setModified(bool modified)
{
    m_modified = modified;
    Q_EMIT titleChanged();
}

QString TaskPage::title() const
{
    const QString name = QString::fromStdString(m_task.name).simplified();
    if (!name.isEmpty())
        return oneLine(name, 80);
    return m_path.isEmpty() ? tr("Untitled task") : QFileInfo(m_path).fileName();
}

core::Result<void> TaskPage::saveTo(const QString &path)
{
    core::Task moved = m_task;
    core::moveTo(moved, QFileInfo(path).absolutePath().toStdString());
    auto result = m_engine.saveTask(moved, path.toStdString());
    if (result) {
        m_path = path;
        m_task = std::move(moved);
        m_saved = core::taskToJson(m_task);
        setModified(false);
    }
    return result;
}

void TaskPage::run()
{
    QWidget *missing = m_code != nullptr                           ? m_code->missing()
                       : m_goal->toPlainText().trimmed().isEmpty() ? m_goal
                                                                   : nullptr;
    if (missing != nullptr) {
        showGoalHint();
        missing->setFocus();
        return;
    }
    m_goalHint->hide();
    m_debounce.stop();
    showBound();
    if (m_footer->runButton()->isEnabled())
        Q_EMIT runRequested(m_task);
}

void TaskPage::showGoalHint()
{
    QPalette red = palette();
    red.setColor(QPalette::WindowText, roleColor(ColorRole::Bad, palette()));
    m_goalHint->setPalette(red);
    m_goalHint->show();
}

void TaskPage::showBound()
{
    const auto bound = m_engine.boundOf(m_task);
    if (bound)
        m_footer->showBound(*bound, m_task);
    else
        m_footer->showProblem(QString::fromStdString(bound.error().message));
}

// Not a focus proxy: the name comes before the goal, and Tab would never reach it.
void TaskPage::focusInEvent(QFocusEvent *event)
{
    (m_code != nullptr ? m_code->spec() : m_goal)->setFocus(event->reason());
}

void TaskPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool wide = width() >= twoColumns;
    m_columns->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    QList<QWidget *> sections;
    for (QWidget *form : QList<QWidget *>{m_model, m_bounds, m_safety})
        sections << form->parentWidget()->parentWidget();
    if (m_code != nullptr)
        sections << m_code->settingsSection();
    for (QWidget *section : sections) {
        section->setMinimumWidth(wide ? sideWidth : 0);
        section->setMaximumWidth(wide ? sideWidth : QWIDGETSIZE_MAX);
    }
}

void TaskPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_debounce.start(); // the words of the foot are in a colour of the old theme
}

} // namespace emend::ui
