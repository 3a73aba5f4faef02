// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/boundsform.h"

#include "ui/shell/numberfield.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

// What a task file may hold.
constexpr double mostWhole = 1e12;
constexpr double mostSeconds = 1e7;
constexpr double mostCost = 1e9;

std::optional<double> asDouble(std::optional<std::int64_t> value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// A file may hold more than the field can show (2^60, a tenth of a cent): what nobody touched
// stays.
void keepOrTake(std::optional<std::int64_t> &target, std::optional<std::int64_t> loaded,
                const OptionalNumber &field)
{
    const auto shown = field.value();
    if (shown == asDouble(loaded))
        target = loaded;
    else
        target = shown ? std::optional<std::int64_t>(std::llround(*shown)) : std::nullopt;
}

} // namespace

BoundsForm::BoundsForm(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    m_actions = addNumber(u"maxActions"_s, tr("Actions"),
                          tr("Tool calls the agent may decide on; one more decision ends the run."),
                          100000);
    m_corrections = addNumber(u"maxCorrections"_s, tr("Corrections per step"),
                              tr("How often a decision that does not fit may be corrected."), 100);
    m_toolRetries = addNumber(
        u"maxToolRetries"_s, tr("Tool retries"),
        tr("Repeats of a failed tool call, only for tools that may safely be repeated."), 100);
    m_seconds = addOptional(u"maxSeconds"_s, tr("Seconds"),
                            tr("Waiting for a person does not count."), 600);
    m_modelCalls = addOptional(u"maxModelCalls"_s, tr("Model calls"),
                               tr("Requests sent, repeats after network trouble included."), 50);
    m_tokens = addOptional(u"maxTokens"_s, tr("Tokens"),
                           tr("In and out together. What would go over is not sent."), 100000);
    m_cost = addOptional(u"maxCostUsd"_s, tr("Cost in US dollars"),
                         tr("Needs a known price for the model."), 1.0, 2);
    m_seconds->setRange(1, mostSeconds);
    m_modelCalls->setRange(0, mostWhole);
    m_tokens->setRange(0, mostWhole);
    m_cost->setRange(0, mostCost);
}

NumberSpin *BoundsForm::addNumber(const QString &objectName, const QString &label,
                                  const QString &why, qint64 most)
{
    auto *spin = new NumberSpin;
    spin->setObjectName(objectName);
    spin->setAccessibleName(label);
    spin->setToolTip(why);
    spin->setNumberRange(0, most);
    spin->setFixedWidth(numberWidth);
    auto *name = new QLabel(label);
    name->setObjectName(objectName + "Label"_L1);
    name->setBuddy(spin);
    name->setToolTip(why);
    auto *row = new QHBoxLayout;
    row->setSpacing(space::one);
    row->addWidget(name, 1);
    row->addWidget(spin);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    connect(spin, &QDoubleSpinBox::valueChanged, this, &BoundsForm::edited);
    return spin;
}

OptionalNumber *BoundsForm::addOptional(const QString &objectName, const QString &label,
                                        const QString &why, double suggested, int decimals)
{
    auto *field = new OptionalNumber(label, suggested, decimals);
    field->spin()->setObjectName(objectName);
    field->check()->setObjectName(objectName + "On"_L1);
    field->setToolTip(why);
    layout()->addWidget(field);
    connect(field, &OptionalNumber::edited, this, &BoundsForm::edited);
    return field;
}

void BoundsForm::showForCode()
{
    for (NumberSpin *spin : {m_actions, m_corrections, m_toolRetries}) {
        spin->hide();
        findChild<QLabel *>(spin->objectName() + "Label"_L1)->hide();
    }
}

void BoundsForm::load(const core::Bounds &bounds)
{
    const QSignalBlocker quiet(this);
    m_loaded = bounds;
    m_actions->setNumber(bounds.maxActions);
    m_corrections->setNumber(bounds.maxCorrections);
    m_toolRetries->setNumber(bounds.maxToolRetries);
    m_seconds->setValue(asDouble(bounds.maxSeconds));
    m_modelCalls->setValue(asDouble(bounds.maxModelCalls));
    m_tokens->setValue(asDouble(bounds.maxTokens));
    m_cost->setValue(bounds.maxCostUsd);
    m_shownCost = m_cost->value();
}

void BoundsForm::store(core::Bounds &bounds) const
{
    bounds.maxActions = static_cast<int>(m_actions->number());
    bounds.maxCorrections = static_cast<int>(m_corrections->number());
    bounds.maxToolRetries = static_cast<int>(m_toolRetries->number());
    keepOrTake(bounds.maxSeconds, m_loaded.maxSeconds, *m_seconds);
    keepOrTake(bounds.maxModelCalls, m_loaded.maxModelCalls, *m_modelCalls);
    keepOrTake(bounds.maxTokens, m_loaded.maxTokens, *m_tokens);
    const auto cost = m_cost->value();
    bounds.maxCostUsd = cost == m_shownCost ? m_loaded.maxCostUsd : cost;
}

} // namespace emend::ui
