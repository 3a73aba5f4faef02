// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/engine.h"
#include "core/task/task.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace emend::ui {

class Background;
class MistakesForm;
class NumberSpin;
class TransportForm;

// Who answers: provider, model and its settings. Shows the rows that the provider needs. GUI
// thread.
class ModelForm : public QWidget {
    Q_OBJECT
public:
    // `settings` may be null (no keys are shown, no models fetched) and must outlive the form.
    explicit ModelForm(std::vector<core::NamedSpec> providers,
                       core::ProviderSettings *settings = nullptr, QWidget *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;
    // Looks again where the keys come from.
    void refreshFacts();
    // Takes over what was found elsewhere, as if it had been typed.
    void use(const core::ModelSettings &found);

Q_SIGNALS:
    void edited();
    void settingsRequested(const QString &provider);

private:
    void nameFields();
    void addRows();
    void connectFields();
    void addKeyRow();
    void addRecordingRow();
    void addTransport();
    void showRows();
    void showFacts();
    void showTransport(bool visible);
    void fetchModels();
    void showModels(const core::Result<std::vector<std::string>> &models);
    void chooseRecording();
    void addRow(const QString &label, QWidget *field, int width);
    void selectProvider(const QString &provider);
    bool overNetwork() const;

    std::vector<core::NamedSpec> m_providers;
    core::ProviderSettings *m_settings;
    std::vector<core::ProviderFacts> m_facts;
    Background *m_factsCall;
    Background *m_modelsCall;
    QVBoxLayout *m_rows;
    QComboBox *m_provider;
    QLabel *m_about;
    QComboBox *m_model;
    QPushButton *m_fetch;
    QLabel *m_fetchResult;
    QLineEdit *m_baseUrl;
    QLabel *m_key;
    QWidget *m_keyRow = nullptr;
    QComboBox *m_structured;
    QLineEdit *m_scenario;
    QLineEdit *m_recording;
    QWidget *m_recordingRow = nullptr;
    QDoubleSpinBox *m_temperature;
    NumberSpin *m_maxOutput;
    MistakesForm *m_mistakes;
    QToolButton *m_more;
    TransportForm *m_transport;
    std::string m_folder; // of the task
    double m_loadedTemperature = 0;
};

// Where a key comes from, or that none is needed; never the key. `address` as in the task: empty is
// the provider's own.
QString keyWords(const core::ProviderFacts &facts, const QString &address);

} // namespace emend::ui
