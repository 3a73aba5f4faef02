// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/task.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace emend::ui {

class NumberSpin;
class PlainEdit;

// How a provider over the network is reached: times, retries, proxy, certificates, headers. GUI
// thread.
class TransportForm : public QWidget {
    Q_OBJECT
public:
    explicit TransportForm(QWidget *parent = nullptr);

    void load(const core::ModelSettings &model);
    void store(core::ModelSettings &model) const;
    bool isDefault() const; // nothing in it differs from the defaults

Q_SIGNALS:
    void edited();

private:
    NumberSpin *addNumber(const QString &objectName, const QString &label, int least, int most);
    void addRow(const QString &label, QWidget *field, int width);
    void addTls();
    void addHeaders();
    void showWarnings();

    QVBoxLayout *m_rows;
    NumberSpin *m_connect;
    NumberSpin *m_firstByte;
    NumberSpin *m_idle;
    NumberSpin *m_total;
    NumberSpin *m_retries;
    QLineEdit *m_proxy;
    QLineEdit *m_caFile;
    PlainEdit *m_headers;
    QLabel *m_headerProblem;
    QComboBox *m_tls;
    core::ModelSettings m_loaded;
};

} // namespace emend::ui
