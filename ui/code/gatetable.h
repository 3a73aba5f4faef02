// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/code/codefacts.h"

class QGridLayout;
class QLabel;

namespace emend::ui {

// The confidence gate: its verdict as a sentence, and a small table of solution against suite.
// GUI thread.
class GateTable : public QWidget {
    Q_OBJECT
public:
    explicit GateTable(QWidget *parent = nullptr);

    void setGate(const GateFacts &gate); // without a verdict it is hidden

protected:
    void changeEvent(QEvent *event) override;

private:
    void rebuild();
    void rebuildDifferences();
    void addCell(const GateCell &cell, int row, int column);

    GateFacts m_gate;
    QLabel *m_verdict;
    QLabel *m_sign;
    QGridLayout *m_grid;
    QWidget *m_cells = nullptr;
    QWidget *m_differences = nullptr;
};

} // namespace emend::ui
