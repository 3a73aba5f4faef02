// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/safetyform.h"

#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

template<typename Enum>
void select(QComboBox *box, Enum value)
{
    box->setCurrentIndex(box->findData(static_cast<int>(value)));
}

template<typename Enum>
Enum selected(const QComboBox *box)
{
    return static_cast<Enum>(box->currentData().toInt());
}

void addRow(QGridLayout *grid, const QString &label, QWidget *field)
{
    const int row = grid->rowCount();
    auto *name = new QLabel(label);
    name->setBuddy(field);
    field->setAccessibleName(label);
    field->setFixedWidth(numberWidth);
    grid->addWidget(name, row, 0);
    grid->addWidget(field, row, 1, Qt::AlignRight);
}

} // namespace

SafetyForm::SafetyForm(QWidget *parent)
    : QWidget(parent)
    , m_threshold(new NumberSpin)
    , m_cooldown(new NumberSpin)
    , m_scope(new QComboBox)
    , m_repeatGuard(new QComboBox)
    , m_wrappers(new QCheckBox(tr("Accept harmless wrappers around a reply")))
{
    m_threshold->setObjectName(u"breakerThreshold"_s);
    m_threshold->setNumberRange(1, 1000);
    m_cooldown->setObjectName(u"breakerCooldown"_s);
    m_cooldown->setNumberRange(0, 86400);
    m_scope->setObjectName(u"breakerScope"_s);
    m_scope->addItem(tr("This run"), static_cast<int>(core::BreakerScope::Run));
    m_scope->addItem(tr("Whole session"), static_cast<int>(core::BreakerScope::Session));
    m_repeatGuard->setObjectName(u"repeatGuard"_s);
    m_repeatGuard->addItem(tr("Never in this run"), static_cast<int>(core::RepeatGuard::Run));
    m_repeatGuard->addItem(tr("After a success"), static_cast<int>(core::RepeatGuard::UntilChange));
    m_repeatGuard->setToolTip(
        tr("A call that failed is not executed again unchanged: never in this run, or not until "
           "another action has succeeded."));
    m_wrappers->setObjectName(u"acceptWrappers"_s);
    m_wrappers->setToolTip(tr("A code fence, a leading <think> block or a byte order mark is taken "
                              "off and recorded. Nothing else is ever repaired."));

    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(space::one);
    grid->setVerticalSpacing(space::one);
    grid->setColumnStretch(0, 1);
    addRow(grid, tr("Breaker opens after failures"), m_threshold);
    addRow(grid, tr("Tries again after seconds"), m_cooldown);
    addRow(grid, tr("Breakers are kept for"), m_scope);
    addRow(grid, tr("Repeat a failed call"), m_repeatGuard);
    grid->addWidget(m_wrappers, grid->rowCount(), 0, 1, 2);

    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &SafetyForm::edited);
    connect(m_cooldown, &QDoubleSpinBox::valueChanged, this, &SafetyForm::edited);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &SafetyForm::edited);
    connect(m_repeatGuard, &QComboBox::currentIndexChanged, this, &SafetyForm::edited);
    connect(m_wrappers, &QCheckBox::toggled, this, &SafetyForm::edited);
}

void SafetyForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    m_threshold->setNumber(task.breaker.failureThreshold);
    m_cooldown->setNumber(task.breaker.cooldownSeconds);
    select(m_scope, task.breaker.scope);
    select(m_repeatGuard, task.repeatGuard);
    m_wrappers->setChecked(task.acceptWrappers);
}

void SafetyForm::store(core::Task &task) const
{
    task.breaker.failureThreshold = static_cast<int>(m_threshold->number());
    task.breaker.cooldownSeconds = static_cast<int>(m_cooldown->number());
    task.breaker.scope = selected<core::BreakerScope>(m_scope);
    task.repeatGuard = selected<core::RepeatGuard>(m_repeatGuard);
    task.acceptWrappers = m_wrappers->isChecked();
}

} // namespace emend::ui
