// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/modelform.h"

#include "ui/shell/background.h"
#include "ui/shell/mistakesform.h"
#include "ui/shell/numberfield.h"
#include "ui/shell/section.h"
#include "ui/shell/settings.h"
#include "ui/shell/transportform.h"
#include "ui/text/plaintext.h"
#include "ui/theme/style.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace emend::ui {

namespace {

constexpr int textWidth = 232;
constexpr int longestModelName = 200;

QLineEdit *lineEdit(const QString &objectName, const QString &name)
{
    auto *edit = new QLineEdit;
    edit->setObjectName(objectName);
    edit->setAccessibleName(name);
    return edit;
}

bool isThisMachine(const QString &address)
{
    const QString host = QUrl(address).host();
    return host == "localhost"_L1 || host == "::1"_L1 || host.startsWith("127."_L1);
}

} // namespace

QString keyWords(const core::ProviderFacts &facts, const QString &address)
{
    const QString variable = oneLine(QString::fromStdString(facts.keyVariable), 80);
    switch (facts.keySource) {
    case core::KeySource::Environment:
        return ModelForm::tr("Key: from the environment variable %1").arg(variable);
    case core::KeySource::Keychain:
        return ModelForm::tr("Key: from the keychain");
    case core::KeySource::Session:
        return ModelForm::tr("Key: for this session only");
    case core::KeySource::None:
        break;
    }
    if (facts.keyVariable.empty())
        return ModelForm::tr("This provider takes no key");
    const QString own = QString::fromStdString(facts.defaultBaseUrl);
    const QString where = address.trimmed().isEmpty() ? own : address.trimmed();
    if (isThisMachine(where))
        return ModelForm::tr("Needs no key: the server is on this machine");
    if (where != own)
        return ModelForm::tr("No key. If this address needs one, store it, or set %1")
            .arg(variable);
    return facts.keyRequired ? ModelForm::tr("No key yet: store one, or set %1").arg(variable)
                             : ModelForm::tr("Needs no key");
}

ModelForm::ModelForm(std::vector<core::NamedSpec> providers, core::ProviderSettings *settings,
                     QWidget *parent)
    : QWidget(parent)
    , m_providers(std::move(providers))
    , m_settings(settings)
    , m_factsCall(new Background(this))
    , m_modelsCall(new Background(this))
    , m_rows(new QVBoxLayout(this))
    , m_provider(new QComboBox)
    , m_about(quietLabel({}))
    , m_model(new QComboBox)
    , m_fetch(new QPushButton(tr("Fetch &models")))
    , m_fetchResult(quietLabel({}))
    , m_baseUrl(lineEdit(u"baseUrl"_s, tr("Address")))
    , m_key(quietLabel({}))
    , m_structured(new QComboBox)
    , m_scenario(lineEdit(u"scenario"_s, tr("Scenario file")))
    , m_recording(lineEdit(u"recording"_s, tr("Recording")))
    , m_temperature(new QDoubleSpinBox)
    , m_maxOutput(new NumberSpin)
    , m_mistakes(new MistakesForm)
    , m_more(new QToolButton)
    , m_transport(new TransportForm)
{
    nameFields();
    addRows();
    connectFields();
    showRows();
    refreshFacts();
}

void ModelForm::nameFields()
{
    m_provider->setObjectName(u"provider"_s);
    m_provider->setAccessibleName(tr("Provider"));
    m_about->setObjectName(u"providerAbout"_s);
    for (const core::NamedSpec &spec : m_providers)
        m_provider->addItem(QString::fromStdString(spec.name), QString::fromStdString(spec.name));
    m_model->setObjectName(u"modelList"_s);
    m_model->setAccessibleName(tr("Model"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->lineEdit()->setObjectName(u"model"_s);
    m_model->lineEdit()->setAccessibleName(tr("Model"));
    m_model->completer()->setFilterMode(Qt::MatchContains);
    m_model->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_fetch->setObjectName(u"fetchModels"_s);
    m_fetch->setAutoDefault(false);
    m_fetchResult->setObjectName(u"fetchResult"_s);
    m_fetchResult->hide();
    m_key->setObjectName(u"keyStatus"_s);
    m_structured->setObjectName(u"structuredOutput"_s);
    m_structured->setToolTip(tr("A wish to the provider. What comes is judged all the same."));
    const QString wishes[] = {tr("Not asked for"), tr("Some JSON object"), tr("Decision schema"),
                              tr("One function call")};
    for (int n = 0; n < 4; ++n)
        m_structured->addItem(wishes[n], n);
    m_scenario->setPlaceholderText(u"name.scenario.json"_s);
    m_scenario->setToolTip(tr("The recorded replies, relative to the task's folder."));
    m_recording->setPlaceholderText(u"name.trace.jsonl"_s);
    m_recording->setToolTip(tr("The trace that is played, relative to the task's folder."));
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
}

void ModelForm::connectFields()
{
    connect(m_provider, &QComboBox::currentIndexChanged, this, [this] {
        m_modelsCall->cancel();
        const QString typed = m_model->currentText();
        m_model->clear(); // the list is of the provider before
        m_model->setEditText(typed);
        m_fetchResult->hide();
        showRows();
        Q_EMIT edited();
    });
    connect(m_model, &QComboBox::editTextChanged, this, &ModelForm::edited);
    connect(m_structured, &QComboBox::currentIndexChanged, this, &ModelForm::edited);
    connect(m_baseUrl, &QLineEdit::textChanged, this, &ModelForm::showFacts);
    for (QLineEdit *edit : {m_baseUrl, m_scenario, m_recording})
        connect(edit, &QLineEdit::textEdited, this, &ModelForm::edited);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_maxOutput, &QDoubleSpinBox::valueChanged, this, &ModelForm::edited);
    connect(m_mistakes, &MistakesForm::edited, this, &ModelForm::edited);
    connect(m_transport, &TransportForm::edited, this, &ModelForm::edited);
    connect(m_fetch, &QPushButton::clicked, this, [this] {
        if (m_modelsCall->isRunning())
            m_modelsCall->cancel();
        else
            fetchModels();
    });
    connect(m_modelsCall, &Background::runningChanged, this, [this](bool running) {
        m_fetch->setText(running ? tr("Cancel") : tr("Fetch &models"));
        m_fetchResult->setText(tr("Asking the server…"));
        m_fetchResult->setVisible(running);
    });
}

void ModelForm::addRows()
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(space::one);
    addRow(tr("Provider"), m_provider, textWidth);
    m_rows->addWidget(m_about);
    addKeyRow();
    addRow(tr("Address"), m_baseUrl, textWidth);
    addRow(tr("Model"), m_model, textWidth);
    auto *fetchRow = new QWidget;
    auto *fetch = new QHBoxLayout(fetchRow);
    fetch->setContentsMargins(0, 0, 0, 0);
    fetch->setSpacing(space::one);
    fetch->addWidget(m_fetchResult, 1);
    fetch->addStretch();
    fetch->addWidget(m_fetch);
    m_rows->addWidget(fetchRow);
    addRow(tr("Scenario file"), m_scenario, textWidth);
    addRecordingRow();
    addRow(tr("Structured output"), m_structured, textWidth);
    addRow(tr("Temperature"), m_temperature, numberWidth);
    addRow(tr("Longest reply in tokens"), m_maxOutput, numberWidth);
    m_rows->addWidget(m_mistakes);
    addTransport();
}

void ModelForm::addKeyRow()
{
    m_keyRow = new QWidget;
    auto *layout = new QHBoxLayout(m_keyRow);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    auto *open = new QPushButton(tr("&Keys…"));
    open->setObjectName(u"openSettings"_s);
    open->setAccessibleName(tr("Keys and connection of this provider, in the settings"));
    open->setAutoDefault(false);
    layout->addWidget(m_key, 1);
    layout->addWidget(open);
    m_rows->addWidget(m_keyRow);
    connect(open, &QPushButton::clicked, this,
            [this] { Q_EMIT settingsRequested(m_provider->currentData().toString()); });
}

void ModelForm::addRecordingRow()
{
    m_recordingRow = new QWidget;
    auto *layout = new QHBoxLayout(m_recordingRow);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    auto *name = new QLabel(tr("Recording"));
    name->setBuddy(m_recording);
    auto *choose = new QPushButton(tr("Ch&oose…"));
    choose->setObjectName(u"chooseRecording"_s);
    choose->setAutoDefault(false);
    layout->addWidget(name);
    layout->addWidget(m_recording, 1);
    layout->addWidget(choose);
    m_rows->addWidget(m_recordingRow);
    connect(choose, &QPushButton::clicked, this, &ModelForm::chooseRecording);
}

void ModelForm::addTransport()
{
    m_more->setObjectName(u"transportToggle"_s);
    m_more->setText(tr("Connection"));
    m_more->setAutoRaise(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_rows->addWidget(m_more, 0, Qt::AlignLeft);
    m_rows->addWidget(m_transport);
    connect(m_more, &QToolButton::clicked, this,
            [this] { showTransport(m_transport->isHidden()); });
    showTransport(false);
}

void ModelForm::showTransport(bool visible)
{
    m_transport->setVisible(visible);
    m_more->setArrowType(visible ? Qt::DownArrow : Qt::RightArrow);
    m_more->setAccessibleDescription(visible ? tr("Expanded") : tr("Collapsed"));
}

// A row is a widget of its own, so that it can be shown and hidden with its label.
void ModelForm::addRow(const QString &label, QWidget *field, int width)
{
    auto *row = new QWidget;
    auto *name = new QLabel(label);
    name->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(label);
    field->setFixedWidth(width);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::one);
    layout->addWidget(name, 1);
    layout->addWidget(field);
    m_rows->addWidget(row);
}

bool ModelForm::overNetwork() const
{
    const QString provider = m_provider->currentData().toString();
    return provider != "practice"_L1 && provider != "scripted"_L1 && provider != "replay"_L1;
}

void ModelForm::showRows()
{
    const QString provider = m_provider->currentData().toString();
    const bool network = overNetwork();
    for (QWidget *field :
         std::initializer_list<QWidget *>{m_model, m_baseUrl, m_temperature, m_fetch, m_structured})
        field->parentWidget()->setVisible(network);
    m_keyRow->setVisible(network && m_settings);
    m_fetch->setVisible(m_settings);
    m_scenario->parentWidget()->setVisible(provider == "scripted"_L1 ||
                                           !m_scenario->text().isEmpty());
    m_recordingRow->setVisible(provider == "replay"_L1 || !m_recording->text().isEmpty());
    m_mistakes->setVisible(provider == "practice"_L1);
    m_more->setVisible(network);
    showTransport(network && !m_transport->isDefault());
    QString about = tr("Not part of this version of Emend.");
    for (const core::NamedSpec &spec : m_providers)
        if (provider.toStdString() == spec.name)
            about = QString::fromStdString(spec.description);
    m_about->setText(oneLine(about));
    showFacts();
}

void ModelForm::showFacts()
{
    const std::string provider = m_provider->currentData().toString().toStdString();
    const auto found = std::find_if(m_facts.begin(), m_facts.end(),
                                    [&](const auto &facts) { return facts.name == provider; });
    const bool known = found != m_facts.end();
    m_key->setText(known ? keyWords(*found, m_baseUrl->text()) : QString());
    const QString address = known ? QString::fromStdString(found->defaultBaseUrl) : QString();
    m_baseUrl->setPlaceholderText(address.isEmpty() ? tr("the provider's own")
                                                    : oneLine(address, 200));
}

void ModelForm::refreshFacts()
{
    if (!m_settings)
        return;
    m_factsCall->start([this, settings = m_settings](const std::stop_token &) {
        return [this, facts = settings->providers()] {
            m_facts = facts;
            showFacts();
        };
    });
}

void ModelForm::fetchModels()
{
    core::Task task;
    store(task);
    m_modelsCall->start([this, settings = m_settings, model = task.model](std::stop_token stop) {
        return
            [this, models = settings->listModels(model, std::move(stop))] { showModels(models); };
    });
}

void ModelForm::showModels(const core::Result<std::vector<std::string>> &models)
{
    m_fetchResult->show();
    if (!models) {
        m_fetchResult->setText(oneLine(QString::fromStdString(models.error().message), 400));
        return;
    }
    const QString typed = m_model->currentText();
    {
        const QSignalBlocker quiet(m_model);
        m_model->clear();
        for (const std::string &name : *models)
            m_model->addItem(oneLine(QString::fromStdString(name), longestModelName));
        m_model->setEditText(typed);
    }
    m_fetchResult->setText(models->size() == 1
                               ? tr("1 model, in the list above")
                               : tr("%Ln models, in the list above", nullptr, int(models->size())));
}

void ModelForm::chooseRecording()
{
    auto *dialog = new QFileDialog(window(), tr("Choose a recording"));
    dialog->setObjectName(u"recordingDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Traces (*.jsonl)"), tr("All files (*)")});
    dialog->setDirectory(m_folder.empty() ? lastFolder() : QString::fromStdString(m_folder));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const QDir folder(QString::fromStdString(m_folder));
        const QString inside = folder.relativeFilePath(path);
        m_recording->setText(m_folder.empty() || inside.startsWith(".."_L1) ? path : inside);
        Q_EMIT edited();
    });
    dialog->open();
}

void ModelForm::selectProvider(const QString &provider)
{
    int index = m_provider->findData(provider);
    if (index < 0) {
        m_provider->addItem(oneLine(provider, 60), provider);
        index = m_provider->count() - 1;
    }
    m_provider->setCurrentIndex(index);
}

void ModelForm::use(const core::ModelSettings &found)
{
    selectProvider(QString::fromStdString(found.provider));
    m_baseUrl->setText(QString::fromStdString(found.baseUrl));
    if (!found.model.empty())
        m_model->setEditText(QString::fromStdString(found.model));
    Q_EMIT edited();
}

void ModelForm::load(const core::Task &task)
{
    const QSignalBlocker quiet(this);
    const core::ModelSettings &model = task.model;
    m_folder = task.folder;
    m_transport->load(model);
    m_scenario->setText(QString::fromStdString(task.scenarioFile));
    m_recording->setText(QString::fromStdString(model.recording));
    selectProvider(QString::fromStdString(model.provider));
    m_model->setEditText(QString::fromStdString(model.model));
    m_baseUrl->setText(QString::fromStdString(model.baseUrl));
    for (QLineEdit *edit : {m_model->lineEdit(), m_baseUrl, m_scenario, m_recording})
        edit->setCursorPosition(0); // the beginning of a long name
    m_structured->setCurrentIndex(int(model.structuredOutput));
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
    model.model = m_model->currentText().trimmed().toStdString();
    model.baseUrl = m_baseUrl->text().trimmed().toStdString();
    task.scenarioFile = m_scenario->text().trimmed().toStdString();
    model.recording = m_recording->text().trimmed().toStdString();
    model.structuredOutput =
        static_cast<core::StructuredOutput>(m_structured->currentData().toInt());
    // The field shows two digits; a file may have more.
    model.temperature = std::abs(m_temperature->value() - m_loadedTemperature) < 0.005
                            ? m_loadedTemperature
                            : m_temperature->value();
    model.maxOutputTokens = static_cast<int>(m_maxOutput->number());
    m_mistakes->store(model.mistakes);
    m_transport->store(model);
}

} // namespace emend::ui
