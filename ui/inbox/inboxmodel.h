// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/escalation/escalation.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QSortFilterProxyModel>

#include <optional>
#include <vector>

namespace emend::ui {

// The escalations as rows, in the order they come. GUI thread.
class InboxModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { State, Reason, Task, Age, Run, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    // What has not changed keeps its row: selection and place in the view stay.
    void setList(std::vector<core::Escalation> list);
    void setNow(const QDateTime &now); // for the ages
    const core::Escalation &at(int row) const { return m_list[std::size_t(row)]; }
    int rowOf(const QString &id) const; // -1: not here
    int waiting() const;                // open and claimed ones

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const core::Escalation &one, int column) const;

    std::vector<core::Escalation> m_list;
    QDateTime m_now = QDateTime::currentDateTimeUtc();
};

// Those in one state, or all.
class InboxFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum Choice { Waiting, Open, Claimed, Answered, Dismissed, All };

    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setChoice(Choice choice);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    Choice m_choice = Waiting;
};

} // namespace emend::ui
