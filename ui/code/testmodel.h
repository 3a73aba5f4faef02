// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QPalette>

#include <vector>

#include "ui/code/codefacts.h"

namespace emend::ui {

// The tests of one verification, those that did not pass first. GUI thread.
class TestModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Status, Name, Message, Time, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setTests(std::vector<TestFacts> tests, const QPalette &palette);
    const TestFacts &test(int row) const { return m_tests[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const TestFacts &test, int column) const;

    std::vector<TestFacts> m_tests;
    QPalette m_palette;
};

} // namespace emend::ui
