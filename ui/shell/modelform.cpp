// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/modelform.h"

#include "ui/shell/mistakesform.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/text/plaintext.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int textWidth = 232;

QLineEdit *lineEdit(const QString &objectName, const QString &name)
{
    auto *edit = new QLineEdit;
    edit->setObjectName(objectName);
    edit->setAccessibleName(name);
    return edit;
}

} // namespace

ModelForm::ModelForm(std::vector<core::NamedSpec> providers, QWidget *parent)
    : QWidget(parent)
    , m_providers(std::move(providers))
    , m_rows(new QVBoxLayout(this))
    , m_provider(new QComboBox)
    , m_about(quietLabel({}))
    , m_model(lineEdit(u"model"_s, tr("Model")))
    , m_baseUrl(lineEdit(u"baseUrl"_s, tr("Address")))
    , m_scenario(lineEdit(u"scenario"_s, tr("Scenario file")))
    , m_temperature(new QDoubleSpinBox)
    , m_maxOutput(new NumberSpin)
    , m_mistakes(new MistakesForm)
{
    m_provider->setObjectName(u"provider"_s);
    m_provider->setAccessibleName(tr("Provider"));
    m_about->setObjectName(u"providerAbout"_s);
    for (const core::NamedSpec &spec : m_providers)
        m_provider->addItem(QString::fromStdString(spec.name), QString::fromStdString(spec.name));
    m_baseUrl->setPlaceholderText(tr("the provider's own"));
    m_scenario->setPlaceholderText(u"name.scenario.json"_s);
    m_scenario->setToolTip(tr("The recorded replies, relative to the task's folder."));
    m_temperature->setObjectName(u"temperature"_s);
    m_temperature->setAccessibleName(tr("Temperature"));
    m_temperature->setLocale(readableLocale());
    m_temperature->setRange(0, 2);
    m_temperature->setSingleStep(0.1);
    m_temperature->setAlignment(Qt::AlignRight);
    m_maxOutput->setObjectName(u"maxOutputTokens"_s);
    m_maxOutput->setAccessibleName(tr("Longest reply in tokens"));
    m_maxOutput->setNumberRange(1, 10000000);
    m_maxOutput->setSingleStep(100);
    addRows();

    connect(m_provider, &QComboBox::currentIndexChanged, this, &ModelForm::showRows);
    connect(m_provider, &QComboBox::currentIndexChanged, this, &ModelForm::edited);
    for (QLineEdit *edit : {m_model, m_baseUrl, m_scenario})
        connect(edit, &QLineEdit::textEdited, this, &ModelForm::edited);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_maxOutput, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_mistakes, &MistakesForm::edited, this, &ModelForm::edited);
    showRows();
}

void ModelForm::addRows()
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(space::one);
    addRow(tr("Provider"), m_provider, textWidth);
    m_rows->addWidget(m_about);
    addRow(tr("Model"), m_model, textWidth);
    addRow(tr("Address"), m_baseUrl, textWidth);
    addRow(tr("Scenario file"), m_scenario, textWidth);
    addRow(tr("Temperature"), m_temperature, numberWidth);
    addRow(tr("Longest reply in tokens"), m_maxOutput, numberWidth);
    m_rows->addWidget(m_mistakes);
}

// A row is a widget of its own, so that it can be shown and hidden with its label.
void ModelForm::addRow(const QString &label, QWidget *field, int width)
{
    auto *row = new QWidget;
    auto *name = new QLabel(label);
    name->setBuddy(field);
    field->setFixedWidth(width);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addWidget(name, 1);
    layout->addWidget(field);
    m_rows->addWidget(row);
}

void ModelForm::showRows()
{
    const QString provider = m_provider->currentData().toString();
    const bool practice = provider == "practice"_L1;
    const bool scripted = provider == "scripted"_L1;
    const bool offline = practice || scripted || provider == "replay"_L1;
    m_model->parentWidget()->setVisible(!offline);
    m_baseUrl->parentWidget()->setVisible(!offline);
    m_temperature->parentWidget()->setVisible(!offline);
    m_scenario->parentWidget()->setVisible(scripted || !m_scenario->text().isEmpty());
    m_mistakes->setVisible(practice);
    QString about = tr("Not part of this version of Emend.");
    for (const core::NamedSpec &spec : m_providers)
        if (provider.toStdString() == spec.name)
            about = QString::fromStdString(spec.description);
    m_about->setText(oneLine(about));
}

void ModelForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    const core::ModelSettings &model = task.model;
    const QString provider = QString::fromStdString(model.provider);
    int index = m_provider->findData(provider);
    if (index < 0) {
        m_provider->addItem(oneLine(provider, 60), provider);
        index = m_provider->count() - 1;
    }
    m_provider->setCurrentIndex(index);
    m_model->setText(QString::fromStdString(model.model));
    m_baseUrl->setText(QString::fromStdString(model.baseUrl));
    m_scenario->setText(QString::fromStdString(task.scenarioFile));
    for (QLineEdit *edit : {m_model, m_baseUrl, m_scenario})
        edit->setCursorPosition(0); // the beginning of a long name
    m_temperature->setMaximum(std::max(2.0, model.temperature));
    m_temperature->setValue(model.temperature);
    m_loadedTemperature = model.temperature;
    m_maxOutput->setNumber(model.maxOutputTokens);
    m_mistakes->load(model.mistakes);
    showRows();
}

void ModelForm::store(core::Task &task) const
{
    core::ModelSettings &model = task.model;
    model.provider = m_provider->currentData().toString().toStdString();
    model.model = m_model->text().trimmed().toStdString();
    model.baseUrl = m_baseUrl->text().trimmed().toStdString();
    task.scenarioFile = m_scenario->text().trimmed().toStdString();
    // The field shows two digits; a file may have more.
    model.temperature = std::abs(m_temperature->value() - m_loadedTemperature) < 0.005
                            ? m_loadedTemperature
                            : m_temperature->value();
    model.maxOutputTokens = static_cast<int>(m_maxOutput->number());
    m_mistakes->store(model.mistakes);
}

} // namespace emend::ui
