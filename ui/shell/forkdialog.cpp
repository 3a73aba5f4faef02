// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/forkdialog.h"

#include "ui/shell/enterkey.h"
#include "ui/shell/modelform.h"
#include "ui/shell/plainedit.h"
#include "ui/shell/promptform.h"
#include "ui/shell/section.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int mostTimes = 20;
constexpr QSize preferredSize(1060, 680);

QHBoxLayout *row(const QString &words, QSpinBox *field)
{
    auto *label = new QLabel(words);
    label->setBuddy(field);
    auto *layout = new QHBoxLayout;
    layout->addWidget(label);
    layout->addStretch(1);
    layout->addWidget(field);
    return layout;
}

} // namespace

ForkDialog::ForkDialog(core::Engine &engine, core::Task task, int step, int lastStep,
                       QWidget *parent)
    : QDialog(parent)
    , m_task(std::move(task))
    , m_step(new QSpinBox)
    , m_kept(quietLabel({}))
    , m_goal(new PlainEdit(3, 8))
    , m_prompt(new PromptForm(engine.builtInPrompt(m_task.mode)))
    , m_model(new ModelForm(engine.providers(), &engine.settings()))
    , m_times(new QSpinBox)
{
    setObjectName(u"forkDialog"_s);
    setWindowTitle(tr("Fork from a step"));
    m_step->setObjectName(u"forkStep"_s);
    m_step->setRange(1, std::max(1, lastStep));
    m_step->setValue(std::max(1, step));
    m_times->setObjectName(u"forkTimes"_s);
    m_times->setRange(1, mostTimes);
    m_goal->setObjectName(u"forkGoal"_s);
    m_goal->setAccessibleName(tr("Goal"));
    m_goal->setPlainText(QString::fromStdString(m_task.goal));
    m_kept->setWordWrap(true);
    m_prompt->load(m_task);
    m_model->load(m_task);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *fork = buttons->addButton(tr("&Fork"), QDialogButtonBox::AcceptRole);
    fork->setObjectName(u"forkButton"_s);
    fork->setProperty(primaryProperty, true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ForkDialog::go);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_step, &QSpinBox::valueChanged, this, &ForkDialog::showKept);

    auto *columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(left(), 3);
    columns->addWidget(right(), 2);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    WheelGuard::protect(this);
    EnterKey::settle(this, fork);
    showKept();
    const QSize room =
        parent ? parent->window()->size() - QSize(2 * space::two, 2 * space::two) : preferredSize;
    resize(preferredSize.boundedTo(room));
    m_step->setFocus();
}

QWidget *ForkDialog::left()
{
    auto *where = new Section(tr("Where"));
    where->body()->addLayout(row(tr("&Step to go on from"), m_step));
    where->body()->addWidget(m_kept);
    auto *goal = new Section(tr("Goal"));
    goal->body()->addWidget(m_goal);
    auto *prompt = new Section(tr("Prompt"));
    prompt->addToHeader(m_prompt->resetButton());
    prompt->addToHeader(m_prompt->editButton());
    prompt->body()->addWidget(m_prompt);
    auto *column = new QWidget;
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins({});
    for (Section *section : {where, goal, prompt})
        layout->addWidget(section);
    layout->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(column);
    return area;
}

QWidget *ForkDialog::right()
{
    auto *model = new Section(tr("Model"));
    model->body()->addWidget(m_model);
    auto *often = new Section(tr("How often"));
    often->body()->addLayout(row(tr("&Times"), m_times));
    auto *hint = quietLabel(tr("More than once shows how far the results spread, so that the "
                               "effect of a change is told from the model's own jitter."));
    hint->setWordWrap(true);
    often->body()->addWidget(hint);
    auto *column = new QWidget;
    auto *layout = new QVBoxLayout(column);
    layout->setContentsMargins({});
    layout->addWidget(often);
    layout->addWidget(model);
    layout->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(column);
    area->setMinimumWidth(column->minimumSizeHint().width() + 24); // and the scroll bar
    return area;
}

void ForkDialog::showKept()
{
    const int kept = m_step->value() - 1;
    m_kept->setText(
        kept == 0 ? tr("Nothing is kept: everything is asked anew.")
        : kept == 1
            ? tr("Step 1 is kept as it was recorded, replies and tool results; it costs nothing.")
            : tr("Steps 1 to %1 are kept as they were recorded, replies and tool results; they "
                 "cost nothing.")
                  .arg(kept));
}

void ForkDialog::go()
{
    m_task.goal = m_goal->text();
    m_prompt->store(m_task);
    m_model->store(m_task);
    Q_EMIT forkRequested(m_step->value(), m_task, m_times->value());
    accept();
}

} // namespace emend::ui
