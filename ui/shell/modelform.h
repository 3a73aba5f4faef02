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
class QVBoxLayout;

namespace emend::ui {

class MistakesForm;
class NumberSpin;

// Who answers: provider, model and its settings. Shows the rows that the provider needs. GUI
// thread.
class ModelForm : public QWidget {
    Q_OBJECT
public:
    explicit ModelForm(std::vector<core::NamedSpec> providers, QWidget *parent = nullptr);

    void load(const core::Task &task);
    void store(core::Task &task) const;

Q_SIGNALS:
    void edited();

private:
    void addRows();
    void showRows();
    void addRow(const QString &label, QWidget *field, int width);

    std::vector<core::NamedSpec> m_providers;
    QVBoxLayout *m_rows;
    QComboBox *m_provider;
    QLabel *m_about;
    QLineEdit *m_model;
    QLineEdit *m_baseUrl;
    QLineEdit *m_scenario;
    QDoubleSpinBox *m_temperature;
    NumberSpin *m_maxOutput;
    MistakesForm *m_mistakes;
    double m_loadedTemperature = 0;
};

} // namespace emend::ui
