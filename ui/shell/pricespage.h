// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace emend::ui {

class Background;

// The price table: where it is, and what it says. It is edited as a file. GUI thread.
class PricesPage : public QWidget {
    Q_OBJECT
public:
    explicit PricesPage(core::ProviderSettings &settings, QWidget *parent = nullptr);

private:
    void read();
    struct Table;
    void show(const Table &table);

    core::ProviderSettings &m_settings;
    Background *m_call;
    QLabel *m_path;
    QLabel *m_problem;
    QTableWidget *m_table;
    QPushButton *m_open;
    QString m_file;
};

} // namespace emend::ui
