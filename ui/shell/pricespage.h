// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/providersettings.h"
#include "core/task/prices.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace emend::ui {

class Background;

// The prices that are in force: the person's own table, which is edited as a file, and behind it
// the bundled one. GUI thread.
class PricesPage : public QWidget {
    Q_OBJECT
public:
    explicit PricesPage(core::ProviderSettings &settings, QWidget *parent = nullptr);

private:
    struct Table;
    void buildTable();
    void read();
    void show(const Table &table);
    void showEntry(int row, bool bundled);
    void openFile();
    void copyLine();

    core::ProviderSettings &m_settings;
    Background *m_call;
    QLabel *m_bundled;
    QLabel *m_path;
    QLabel *m_problem;
    QLabel *m_notice;
    QTableWidget *m_table;
    QPushButton *m_open;
    QPushButton *m_copy;
    QString m_file;
    std::vector<core::PriceEntry> m_entries; // by row
};

} // namespace emend::ui
